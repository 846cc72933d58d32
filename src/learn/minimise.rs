//! Minimises a smooth function that does not exist everywhere: L-BFGS (Nocedal, 1980).
//!
//! A step that leaves the domain is shortened like one that does not descend, so a start within the domain stays in it.

/// Pairs of steps and changes of the slope that are remembered.
const MEMORY: usize = 12;
/// Lengths of a step that are tried.
const TRIES: usize = 40;
/// Share of the promised descent that a step has to bring.
const DESCENT: f64 = 1e-4;
/// A step is long enough when the way goes on less steep than this share of how it began.
const STEEP: f64 = 0.9;

/// Where the search ended.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The point.
    pub point: Vec<f64>,
    /// The function's value there.
    pub value: f64,
    /// Steps that were taken.
    pub steps: usize,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Steps at the most.
    pub steps: usize,
    /// Stop when ten steps together bring less than this.
    pub least_gain: f64,
}

/// Descends from `start`, at which `function` must exist; `function` gives its value and slope. `curvature` is a rough guess of the second derivative in
/// each direction, to bring them to one scale. `None` when the function does not exist at the start.
pub fn minimise(
    mut function: impl FnMut(&[f64]) -> Option<(f64, Vec<f64>)>,
    start: Vec<f64>,
    curvature: &[f64],
    patience: Patience,
) -> Option<Minimum> {
    let scale: Vec<f64> = curvature.iter().map(|curvature| 1.0 / curvature.max(1e-12)).collect();
    let (mut point, mut values) = (start, vec![]);
    let (mut value, mut slope) = function(&point)?;
    let mut memory: Vec<Change> = vec![];
    for step in 0..patience.steps {
        values.push(value);
        let stalled = step >= 10 && values[step - 10] - value < patience.least_gain;
        if stalled || slope.iter().all(|slope| slope.abs() < 1e-12) {
            break;
        }
        let mut direction = downhill(&slope, &memory, &scale);
        if dot(&direction, &slope) >= 0.0 {
            memory.clear();
            direction = downhill(&slope, &memory, &scale);
        }
        let Some((next, next_value, next_slope)) = search(&mut function, &point, value, &slope, &direction) else {
            if memory.is_empty() {
                break;
            }
            // What was remembered misleads: try again from the plain slope.
            memory.clear();
            continue;
        };
        let moved: Vec<f64> = next.iter().zip(&point).map(|(next, point)| next - point).collect();
        let bent: Vec<f64> = next_slope.iter().zip(&slope).map(|(next, slope)| next - slope).collect();
        let product = dot(&moved, &bent);
        if product > 1e-14 * dot(&bent, &bent).sqrt() {
            memory.drain(..(memory.len() + 1).saturating_sub(MEMORY));
            memory.push(Change { moved, bent, product });
        }
        (point, value, slope) = (next, next_value, next_slope);
    }
    Some(Minimum { point, value, steps: values.len() })
}

struct Change {
    moved: Vec<f64>,
    bent: Vec<f64>,
    product: f64,
}

/// The direction in which a quadratic function with the remembered changes would have its minimum.
fn downhill(slope: &[f64], memory: &[Change], scale: &[f64]) -> Vec<f64> {
    let mut direction: Vec<f64> = slope.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for change in memory.iter().rev() {
        let share = dot(&change.moved, &direction) / change.product;
        add(&mut direction, -share, &change.bent);
        shares.push(share);
    }
    let stretch = memory.last().map_or(1.0, |last| {
        let bent: f64 = last.bent.iter().zip(scale).map(|(bent, scale)| bent * bent * scale).sum();
        last.product / bent
    });
    direction.iter_mut().zip(scale).for_each(|(direction, scale)| *direction *= stretch * scale);
    for (change, share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = dot(&change.bent, &direction) / change.product;
        add(&mut direction, share - back, &change.moved);
    }
    direction
}

/// A point along `direction` that exists, descends enough, and behind which the way is less steep; found by doubling and halving. Where the tries run out,
/// the last one that descends.
fn search(
    function: &mut impl FnMut(&[f64]) -> Option<(f64, Vec<f64>)>,
    point: &[f64],
    value: f64,
    slope: &[f64],
    direction: &[f64],
) -> Option<(Vec<f64>, f64, Vec<f64>)> {
    let promised = dot(direction, slope);
    let (mut length, mut short, mut long) = (1.0, 0.0, f64::INFINITY);
    let mut descends = None;
    for _ in 0..TRIES {
        let mut next = point.to_vec();
        add(&mut next, length, direction);
        match function(&next) {
            Some((next_value, next_slope)) if next_value <= value + DESCENT * length * promised => {
                let is_steep = dot(direction, &next_slope) < STEEP * promised;
                descends = Some((next, next_value, next_slope));
                if !is_steep {
                    break;
                }
                short = length;
            }
            _ => long = length,
        }
        length = if long.is_finite() { (short + long) / 2.0 } else { 2.0 * short };
    }
    descends
}

/// The sum of products.
pub fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Adds a multiple.
pub fn add(sum: &mut [f64], factor: f64, values: &[f64]) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENT: Patience = Patience { steps: 500, least_gain: 1e-14 };

    #[test]
    fn a_curved_valley_is_followed_to_its_end() {
        let rosenbrock = |x: &[f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            Some((a * a + 100.0 * b * b, vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b]))
        };
        let minimum = minimise(rosenbrock, vec![-1.2, 1.0], &[1.0, 1.0], PATIENT).unwrap();
        assert!(minimum.point.iter().all(|x| (x - 1.0).abs() < 1e-5), "{minimum:?}");
    }

    #[test]
    fn a_search_stays_where_the_function_exists() {
        // x - ln(x - 2): the minimum is at 3, and nothing exists below 2.
        let barrier = |x: &[f64]| (x[0] > 2.0).then(|| (x[0] - (x[0] - 2.0).ln(), vec![1.0 - 1.0 / (x[0] - 2.0)]));
        let minimum = minimise(barrier, vec![50.0], &[1e-3], PATIENT).unwrap();
        assert!((minimum.point[0] - 3.0).abs() < 1e-5, "{minimum:?}");
        assert!(minimise(barrier, vec![1.0], &[1.0], PATIENT).is_none());
    }
}
