//! Which parent a vertex has, and how likely, over all trees of a network.
//!
//! A walk of Wilson's algorithm that starts at v leaves v for the last time by arc v -> u with a probability
//! proportional to a(v, u) * h(u), h(u) being the probability that a walk from u gets outside without meeting v. To
//! know h, eliminate all vertices but v and go back in reverse order: h(k) is the mean of h over the places where k
//! would go. Nothing is subtracted, so each probability has a small *relative* error, even where getting outside is as
//! unlikely as 10^-300.
//!
//! Eliminating all but v, for each v, is done by halves: with the one half gone, the vertices of the other half are a
//! smaller problem of the same kind. That is O(k^3) for all k vertices together.

use super::elimination::Conductances;

/// How many multiplications it takes.
pub(super) fn work(vertices: usize) -> u64 {
    (vertices as u64).saturating_pow(3).saturating_mul(13) / 10
}

/// The probability of each parent, by arc of the network, and of a parent outside, by vertex.
pub(super) struct Parents {
    pub inside: Vec<f64>,
    pub outside: Vec<f64>,
}

/// The probabilities, if all trees are drawn in proportion to their weight. `None` when a number is too small to be
/// represented.
pub(super) fn parents(network: &Conductances<f64>) -> Option<Parents> {
    let size = network.size();
    let width = size + 1;
    let mut matrix = vec![0.0; size * width];
    for vertex in 0..size {
        matrix[vertex * width] = network.outside(vertex);
        network.row(vertex).for_each(|(parent, weight)| matrix[vertex * width + 1 + parent] += weight);
    }
    let mut search = Halves { network, levels: vec![], rows: vec![(vec![], 0.0); size] };
    search.descend((0..size as u32).collect(), &matrix)?;
    let outside = search.rows.iter().map(|row| row.1).collect();
    Some(Parents { inside: search.rows.into_iter().flat_map(|row| row.0).collect(), outside })
}

/// Vertices that went one after the other, from the last of the list on.
struct Level {
    order: Vec<u32>,
    /// Where each of them would go: the share of the outside, then of each vertex before it in the order. The first to
    /// go comes first.
    shares: Vec<Vec<f64>>,
}

struct Halves<'a> {
    network: &'a Conductances<f64>,
    levels: Vec<Level>,
    rows: Vec<(Vec<f64>, f64)>,
}

impl Halves<'_> {
    /// `matrix` has a row for each live vertex: the weight of the outside, then of each live vertex. The depth of the
    /// recursion is the binary logarithm of their number.
    fn descend(&mut self, live: Vec<u32>, matrix: &[f64]) -> Option<()> {
        let size = live.len();
        if size == 1 {
            return self.finish(live[0] as usize);
        }
        let half = size / 2;
        for (kept, swap) in [(half, false), (size - half, true)] {
            let order: Vec<usize> = if swap { (half..size).chain(0..half).collect() } else { (0..size).collect() };
            let mut matrix = permuted(matrix, &order);
            let order: Vec<u32> = order.into_iter().map(|place| live[place]).collect();
            let shares =
                (kept..size).rev().map(|last| eliminate_last(&mut matrix, size + 1, last)).collect::<Option<_>>()?;
            let matrix: Vec<f64> = matrix.chunks(size + 1).take(kept).flat_map(|row| &row[..=kept]).copied().collect();
            let rest = order[..kept].to_vec();
            self.levels.push(Level { order, shares });
            self.descend(rest, &matrix)?;
            self.levels.pop();
        }
        Some(())
    }

    /// All but `vertex` are gone.
    fn finish(&mut self, vertex: usize) -> Option<()> {
        let mut escape = vec![0.0; self.network.size()];
        for Level { order, shares } in self.levels.iter().rev() {
            let kept = order.len() - shares.len();
            // The outside first, as in the shares.
            let mut known = vec![1.0];
            known.extend(order[..kept].iter().map(|&other| escape[other as usize]));
            for (shares, &other) in shares.iter().rev().zip(&order[kept..]) {
                let mean = dot(shares, &known);
                known.push(mean);
                escape[other as usize] = mean;
            }
        }
        let out = self.network.outside(vertex);
        let row: Vec<f64> = self.network.row(vertex).map(|(parent, weight)| weight * escape[parent]).collect();
        let sum = row.iter().sum::<f64>() + out;
        self.rows[vertex] = (row.iter().map(|weight| weight / sum).collect(), out / sum);
        sum.is_normal().then_some(())
    }
}

/// Rows and columns in another order; the first column, the outside, stays.
fn permuted(matrix: &[f64], order: &[usize]) -> Vec<f64> {
    let width = order.len() + 1;
    let mut permuted = Vec::with_capacity(matrix.len());
    for &from in order {
        let row = &matrix[from * width..(from + 1) * width];
        permuted.push(row[0]);
        permuted.extend(order.iter().map(|&column| row[column + 1]));
    }
    permuted
}

/// Eliminates the last of `last + 1` vertices that remain, and gives where it would go.
fn eliminate_last(matrix: &mut [f64], width: usize, last: usize) -> Option<Vec<f64>> {
    let (before, own) = matrix.split_at_mut(last * width);
    let sum: f64 = own[..=last].iter().sum();
    let inverse = 1.0 / sum;
    if !sum.is_normal() || !inverse.is_normal() {
        return None;
    }
    let shares: Vec<f64> = own[..=last].iter().map(|weight| weight * inverse).collect();
    for row in before.chunks_mut(width) {
        let through = row[last + 1];
        if through != 0.0 {
            row[..=last].iter_mut().zip(&shares).for_each(|(weight, share)| *weight += through * share);
        }
    }
    // What a vertex would get back to itself is no choice of a parent.
    for (vertex, row) in before.chunks_mut(width).enumerate() {
        row[vertex + 1] = 0.0;
    }
    Some(shares)
}

/// In four sums, so that the compiler may use wide registers.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (left, right) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 4];
    for (x, y) in left.zip(right) {
        (0..4).for_each(|lane| sums[lane] += x[lane] * y[lane]);
    }
    sums.iter().sum::<f64>() + rest
}
