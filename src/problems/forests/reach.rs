//! Depth-first trees as sets of bits: what the exact count and the exact distribution walk over.
//!
//! Both go over states (r, Y): the search stands at r, and Y is what r still reaches among the unvisited vertices.
//! Going to an out-neighbour c visits exactly R_Y(c), all that c reaches inside Y, before it comes back.

use super::{Restarts, least_reaching};
use crate::instance::Graph;
use crate::problems::Intractable;
use crate::problems::demands::Allowed;

/// A set of at most 64 vertices.
pub(super) type Set = u64;

/// The most vertices of a tree whose sets fit a machine word.
pub(super) const MAX_TREE: usize = 64;

/// One tree of every forest (its root and its vertices are the same in all of them), or, with free restarts, all
/// vertices below a virtual root.
pub(super) struct Tree {
    /// The graph's vertices, by index within the tree.
    pub vertices: Vec<usize>,
    /// Out-neighbours of each vertex within the tree; the virtual root's, where there is one, come last.
    out: Vec<Set>,
    /// The vertices that have an arc to each vertex; a virtual root is none.
    into: Vec<Set>,
    /// Those of them that it may have as children.
    children: Vec<Set>,
    /// The root's index within the tree.
    pub root: usize,
}

impl Tree {
    /// What the root has to visit.
    pub fn all(&self) -> Set {
        self.reached(self.root, full(self.vertices.len()) & !self.bit_of_real_root())
    }

    /// True when the root is no vertex of the graph.
    pub fn root_is_virtual(&self) -> bool {
        self.root == self.vertices.len()
    }

    /// The part of `within` that `vertex` reaches, itself not included unless it is in `within`.
    pub fn reached(&self, vertex: usize, within: Set) -> Set {
        closure(&self.out, vertex, within)
    }

    /// The vertices of a set that reach `vertex` within it, itself included.
    pub fn reaching(&self, vertex: usize, set: Set) -> Set {
        1 << vertex | closure(&self.into, vertex, set)
    }

    /// The possible next children of a vertex.
    pub fn next_children(&self, vertex: usize, unvisited: Set) -> Set {
        self.children[vertex] & unvisited
    }

    /// The possible next children of `vertex`, each with what it would visit, in groups that share no vertex: the
    /// choices of different groups do not touch each other. Where not every child is allowed, something that `vertex`
    /// reaches may be in no group: then it is left unvisited, and there is no forest.
    pub fn independent_groups(&self, vertex: usize, unvisited: Set) -> Vec<Vec<(usize, Set)>> {
        let mut groups: Vec<(Set, Vec<(usize, Set)>)> = vec![];
        for child in members(self.children[vertex] & unvisited) {
            let visits = 1 << child | self.reached(child, unvisited);
            let mut joined = (visits, vec![(child, visits)]);
            groups.retain_mut(|(union, members)| {
                if *union & visits == 0 {
                    return true;
                }
                joined.0 |= *union;
                joined.1.append(members);
                false
            });
            groups.push(joined);
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    fn bit_of_real_root(&self) -> Set {
        if self.root_is_virtual() { 0 } else { 1 << self.root }
    }
}

/// What steps from a vertex lead to within a set.
fn closure(step: &[Set], vertex: usize, within: Set) -> Set {
    let mut met = step[vertex] & within;
    let mut open = met;
    // Mostly few steps lead everywhere.
    while open != 0 && met != within {
        let member = open.trailing_zeros() as usize;
        let new = step[member] & within & !met;
        met |= new;
        open = (open & open.wrapping_sub(1)) | new;
    }
    met
}

/// The arcs the other way round.
fn reversed(out: &[Set]) -> Vec<Set> {
    let mut into = vec![0; out.len()];
    for (tail, &heads) in out.iter().enumerate() {
        members(heads).for_each(|head| into[head] |= 1 << tail);
    }
    into
}

/// The trees of the graph; refuses one that is too large for [`Set`].
pub(super) fn trees(graph: &Graph, restarts: Restarts, allowed: &Allowed) -> Result<Vec<Tree>, Intractable> {
    match restarts {
        Restarts::Any => Ok(vec![below_virtual_root(graph, allowed)?]),
        Restarts::Ordered => {
            let mut vertices = vec![vec![]; graph.n()];
            for (vertex, &root) in least_reaching(graph).iter().enumerate() {
                vertices[root].push(vertex);
            }
            // A root is the least vertex of its tree, so it comes first.
            vertices.into_iter().filter(|tree| !tree.is_empty()).map(|tree| below_root(graph, tree, allowed)).collect()
        }
    }
}

fn below_root(graph: &Graph, vertices: Vec<usize>, allowed: &Allowed) -> Result<Tree, Intractable> {
    let out = masks(graph, &vertices)?;
    let (into, children) = (reversed(&out), permitted(&out, &vertices, allowed));
    Ok(Tree { vertices, out, into, children, root: 0 })
}

fn below_virtual_root(graph: &Graph, allowed: &Allowed) -> Result<Tree, Intractable> {
    let vertices: Vec<usize> = (0..graph.n()).collect();
    let mut out = masks(graph, &vertices)?;
    let (into, mut children) = (reversed(&out), permitted(&out, &vertices, allowed));
    out.push(full(vertices.len()));
    let may_be_root = |set: Set, &vertex: &usize| set | Set::from(allowed.permits(vertex, vertex)) << vertex;
    children.push(vertices.iter().fold(0, may_be_root));
    Ok(Tree { root: vertices.len(), vertices, out, into, children })
}

fn permitted(out: &[Set], vertices: &[usize], allowed: &Allowed) -> Vec<Set> {
    let mut children = out.to_vec();
    for child in allowed.slots() {
        let Ok(place) = vertices.binary_search(&child) else { continue };
        let parents = vertices.iter().zip(&mut children).filter(|&(&parent, _)| !allowed.permits(child, parent));
        parents.for_each(|(_, children)| *children &= !(1 << place));
    }
    children
}

fn masks(graph: &Graph, vertices: &[usize]) -> Result<Vec<Set>, Intractable> {
    if vertices.len() > MAX_TREE {
        let reason = format!("a tree has {} vertices; exact counts stop at {MAX_TREE}", vertices.len());
        return Err(Intractable(reason));
    }
    let local = |head: &u32| vertices.binary_search(&(*head as usize)).ok();
    let mask = |&vertex: &usize| {
        let heads = graph.out_neighbours(vertex).iter().filter_map(local);
        heads.fold(0, |mask, head| mask | 1 << head)
    };
    Ok(vertices.iter().map(mask).collect())
}

fn full(size: usize) -> Set {
    if size == 0 { 0 } else { Set::MAX >> (64 - size) }
}

/// The members of a set, in ascending order.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        member
    })
}
