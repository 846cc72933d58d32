//! The activities of best sets, by their place in them.

use crate::instance::Weight;
use crate::problems::ties::TieBreaker;

/// For each place the activities that stand there in some best set, ascending by start.
#[derive(Clone, Debug, Default)]
pub struct Layers(Vec<Vec<usize>>);

impl Layers {
    /// The layers of all activities.
    pub(super) fn new(starts: &[Weight], finishes: &[Weight]) -> Self {
        let mut by_start: Vec<usize> = (0..starts.len()).collect();
        by_start.sort_by_key(|&activity| starts[activity]);
        let mut by_finish: Vec<usize> = (0..starts.len()).collect();
        by_finish.sort_by_key(|&activity| finishes[activity]);
        // Activities by start; those that finish by then have given their chain's length to `longest`.
        let (mut longest, mut finished) = (0, by_finish.iter().peekable());
        let mut place = vec![0usize; starts.len()];
        let mut layers: Vec<Vec<usize>> = vec![];
        for activity in by_start {
            while let Some(before) = finished.next_if(|&&before| finishes[before] <= starts[activity]) {
                longest = longest.max(place[*before] + 1);
            }
            place[activity] = longest;
            if layers.len() <= longest {
                layers.resize(longest + 1, vec![]);
            }
            layers[longest].push(activity);
        }
        let mut layers = Layers(layers);
        layers.prune(starts, finishes);
        layers
    }

    /// Leaves the activities that have a chain through all layers.
    fn prune(&mut self, starts: &[Weight], finishes: &[Weight]) {
        let mut earliest = None;
        for layer in &mut self.0 {
            layer.retain(|&activity| earliest.is_none_or(|earliest| earliest <= starts[activity]));
            // A layer without activities lets nobody through.
            earliest = Some(layer.iter().map(|&activity| finishes[activity]).min().unwrap_or(Weight::MAX));
        }
        let mut latest = None;
        for layer in self.0.iter_mut().rev() {
            layer.retain(|&activity| latest.is_none_or(|latest| finishes[activity] <= latest));
            latest = Some(layer.iter().map(|&activity| starts[activity]).max().unwrap_or(Weight::MIN));
        }
    }

    /// The layers of the best sets that have all of `must` and else only activities that take part; `None` when there is none.
    pub(super) fn demanding(
        &self,
        starts: &[Weight],
        finishes: &[Weight],
        takes_part: impl Fn(usize) -> bool,
        must: &[usize],
    ) -> Option<Layers> {
        let mut layers = self.clone();
        let mut met = 0;
        for layer in &mut layers.0 {
            let required = layer.iter().copied().find(|activity| must.binary_search(activity).is_ok());
            met += usize::from(required.is_some());
            layer.retain(|&activity| takes_part(activity) && required.is_none_or(|required| required == activity));
        }
        layers.prune(starts, finishes);
        // Each required activity has a layer of its own, or it does not go with another one.
        (met == must.len() && layers.0.iter().all(|layer| !layer.is_empty())).then_some(layers)
    }

    /// The size of a best set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is nothing to choose.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The layers, first to last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> + ExactSizeIterator {
        self.0.iter().map(Vec::as_slice)
    }

    /// The activities of a layer that do not start before `time`.
    pub(super) fn from(&self, layer: usize, time: Weight, starts: &[Weight]) -> &[usize] {
        let layer = &self.0[layer];
        &layer[layer.partition_point(|&activity| starts[activity] < time)..]
    }

    /// The best set of the greedy rule: always the activity that finishes first.
    pub(super) fn earliest(&self, starts: &[Weight], finishes: &[Weight]) -> Vec<usize> {
        let mut chain: Vec<usize> = vec![];
        for layer in 0..self.len() {
            let time = chain.last().map_or(Weight::MIN, |&last| finishes[last]);
            chain.extend(self.from(layer, time, starts).iter().copied().min_by_key(|&activity| finishes[activity]));
        }
        chain
    }

    /// A best set, layer by layer any activity that does not start before the last one finishes.
    pub(super) fn walk(&self, starts: &[Weight], finishes: &[Weight], ties: &mut dyn TieBreaker) -> Vec<usize> {
        let mut chain: Vec<usize> = Vec::with_capacity(self.len());
        for layer in 0..self.len() {
            let time = chain.last().map_or(Weight::MIN, |&last| finishes[last]);
            let options = self.from(layer, time, starts);
            chain.push(options[ties.pick(options)]);
        }
        chain
    }

    /// All best sets, in order of the layers.
    pub(super) fn chains<'a>(
        &'a self,
        starts: &'a [Weight],
        finishes: &'a [Weight],
    ) -> impl Iterator<Item = Vec<usize>> + 'a {
        // For each layer the activities that are still to come; the first of them is the one in the chain.
        let mut open: Vec<&[usize]> = vec![];
        let mut started = false;
        std::iter::from_fn(move || {
            if std::mem::replace(&mut started, true) {
                while let Some(rest) = open.pop() {
                    if rest.len() > 1 {
                        open.push(&rest[1..]);
                        break;
                    }
                }
                if open.is_empty() {
                    return None;
                }
            }
            while open.len() < self.len() {
                let time = open.last().map_or(Weight::MIN, |rest| finishes[rest[0]]);
                open.push(self.from(open.len(), time, starts));
            }
            Some(open.iter().map(|rest| rest[0]).collect())
        })
    }
}
