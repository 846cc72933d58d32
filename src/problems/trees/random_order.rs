//! How often the greedy forest of a random order has each edge.
//!
//! Kruskal's algorithm with ties in random order takes, of the edges of a block that still join two of its parts, each next with equal chance; what it
//! takes in one block has nothing to do with the others. So a unit of probability flows through the partitions of each block's vertices: what happens
//! next depends on nothing else.

use super::Classes;
use super::blocks::Block;
use std::collections::BTreeMap;

impl Classes {
    /// The chance of each edge to be taken, or the number of states that were too many at once.
    pub(crate) fn random_order_shares(&self, max_states: usize) -> Result<Vec<f64>, usize> {
        let mut shares = vec![0.0; self.place.len()];
        self.fixed.iter().for_each(|&edge| shares[edge as usize] = 1.0);
        for block in &self.blocks {
            let of_links = shares_of_block(block, max_states).ok_or(max_states)?;
            block.links.iter().zip(of_links).for_each(|(link, share)| shares[link.id as usize] = share);
        }
        Ok(shares)
    }
}

/// A partition: for each vertex the least one of its part.
type Parts = Vec<u32>;

fn shares_of_block(block: &Block, max_states: usize) -> Option<Vec<f64>> {
    let mut shares = vec![0.0; block.links.len()];
    // Ordered maps: sums of floats must not depend on the order of a hash table.
    let mut level: BTreeMap<Parts, f64> = BTreeMap::from([((0..block.size as u32).collect(), 1.0)]);
    for _ in 1..block.size {
        let mut after: BTreeMap<Parts, f64> = BTreeMap::new();
        for (parts, mass) in level {
            let part = |end: u32| parts[end as usize];
            let joins = |link: &usize| part(block.links[*link].ends[0]) != part(block.links[*link].ends[1]);
            let open: Vec<usize> = (0..block.links.len()).filter(joins).collect();
            let share = mass / open.len() as f64;
            for link in open {
                shares[link] += share;
                let [one, other] = block.links[link].ends.map(part);
                let merged = parts.iter().map(|&own| if own == one.max(other) { one.min(other) } else { own });
                *after.entry(merged.collect()).or_insert(0.0) += share;
                if after.len() > max_states {
                    return None;
                }
            }
        }
        level = after;
    }
    Some(shares)
}
