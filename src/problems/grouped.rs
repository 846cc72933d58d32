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

    /// Groups that come one after the other.
    pub fn of_each<'a>(mut groups: impl ExactSizeIterator<Item = &'a [T]>) -> Self
    where
        T: 'a,
    {
        let count = groups.len();
        Grouped::filled(count, count, |_, items| groups.next().into_iter().for_each(|own| items.extend_from_slice(own)))
    }

    /// Items that stand group by group already, and how many each group has.
    ///
    /// # Panics
    /// If that are not as many as there are items.
    pub fn sized(sizes: impl Iterator<Item = usize>, items: Vec<T>) -> Self {
        let mut first = vec![0];
        first.extend(sizes.scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        assert_eq!(first[first.len() - 1], items.len(), "each item is in a group");
        Grouped { first, items }
    }

    /// Groups whose items `add` appends, one group after the other; about so many items.
    pub fn filled(groups: usize, about: usize, mut add: impl FnMut(usize, &mut Vec<T>)) -> Self {
        let mut first = Vec::with_capacity(groups + 1);
        let mut items = Vec::with_capacity(about);
        first.push(0);
        for group in 0..groups {
            add(group, &mut items);
            first.push(items.len());
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
        assert_eq!(Grouped::sized([1, 0, 2].into_iter(), vec!['b', 'a', 'c']), grouped);
        assert_eq!(Grouped::of_each([&['b'][..], &[], &['a', 'c']].into_iter()), grouped);
    }
}
