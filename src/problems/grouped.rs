//! Items sorted into groups: one allocation for all of them, a slice for each group.

/// Items by group, in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouped<T> {
    first: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Grouped<T> {
    /// Sorts (group, item) pairs into `groups` groups, in time O(groups + pairs).
    pub fn new(groups: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut first = vec![0; groups + 1];
        pairs.clone().for_each(|(group, _)| first[group + 1] += 1);
        for group in 0..groups {
            first[group + 1] += first[group];
        }
        let mut next = first.clone();
        let mut items = vec![T::default(); first[groups]];
        for (group, item) in pairs {
            items[next[group]] = item;
            next[group] += 1;
        }
        Grouped { first, items }
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.first.len() - 1
    }

    /// The number of items in all groups.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True when every group is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The place of a group's first item among all items.
    pub fn start(&self, group: usize) -> usize {
        self.first[group]
    }

    /// All items, those of the first group first.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// As [`Grouped::items`], without a copy.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// The items of a group.
    pub fn of(&self, group: usize) -> &[T] {
        &self.items[self.first[group]..self.first[group + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_within_a_group() {
        let grouped = Grouped::new(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!((grouped.of(0), grouped.of(1), grouped.of(2)), (&['b'][..], &[][..], &['a', 'c'][..]));
    }
}
