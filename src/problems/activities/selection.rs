//! Selection of activities: layer by layer, any activity that does not start before the last one finishes.
//!
//! The greedy rule of books (always the activity that finishes first) has ties only between equal finishes and so reaches few of the best sets. A
//! run here walks the layers of all best sets and picks freely, so it reaches all of them, with one order for a run and with free choices alike: a tie is always
//! among activities of one layer, and what an order says of one layer says nothing of another. So both have the same law, too. Not all sets are equally likely.

use super::{ACTIVITY, Activities, LARGEST_APART};
use crate::answers::{Candidate, Form, Marginals};
use crate::instance::{Decimal, GraphSettings, Instance, Items};
use crate::neural::executor::Steps;
use crate::neural::model::{Features, OutputKind, Spec};
use crate::problems::ties::{TieBreaker, TiePolicy};
use crate::problems::{
    Algorithm, BadInstance, BuiltIn, Intractable, Missing, Needs, NetworkSpec, Prepared, Problem, Space, View,
    check_marginals_size, over_all_orders,
};
use crate::random::Rng;

/// Selection of activities.
#[derive(Clone, Copy, Debug)]
pub struct ActivitySelection;

/// Random times have so many decimals.
const DECIMALS: u32 = 6;

impl Algorithm for ActivitySelection {
    fn name(&self) -> &'static str {
        "activity-selection"
    }

    fn clrs_name(&self) -> Option<&'static str> {
        Some("activity_selector")
    }

    fn problem(&self) -> &'static Problem {
        &LARGEST_APART
    }

    fn needs(&self) -> Needs {
        Needs::ANY_GRAPH
    }

    /// As in CLRS: two uniform times between 0 and 1, the earlier one the start.
    fn instance(&self, settings: &GraphSettings, rng: &mut Rng) -> Instance {
        let times = 10usize.pow(DECIMALS);
        let decimal = |time: usize| Decimal::scaled(time as i128, DECIMALS);
        let activity = |_| {
            // Of all pairs of different times each is equally likely.
            let (one, other) = (rng.below(times), rng.below(times - 1));
            let other = if other < one { other } else { other + 1 };
            (decimal(one.min(other)), decimal(one.max(other)))
        };
        let (starts, finishes) = (0..settings.n).map(activity).unzip();
        Instance::of_items(Items::new(&ACTIVITY, vec![starts, finishes]).expect("small numbers"))
    }

    fn prepare<'a>(&self, instance: &'a Instance) -> Result<Box<dyn Prepared + 'a>, BadInstance> {
        Ok(Box::new(LayerByLayer(Activities::new(self.name(), instance)?)))
    }

    fn network(&self) -> Result<NetworkSpec, Missing> {
        let spec = Spec::new(&["pos", "s", "f"], &[], &[("selected", OutputKind::NodeFlag)]);
        Ok(NetworkSpec { name: self.name(), spec })
    }

    fn steps(&self) -> Result<&'static dyn Steps, Missing> {
        Err(Missing("whether an activity is in some best set depends on chains of any length, which is no local state"))
    }

    fn models(&self) -> BuiltIn {
        BuiltIn {
            network: Some(include_bytes!("../../../models/network-activity-selection.safetensors")),
            executor: None,
        }
    }
}

struct LayerByLayer<'a>(Activities<'a>);

impl Prepared for LayerByLayer<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn space(&self) -> &dyn Space {
        &self.0
    }

    fn run(&self, ties: &mut dyn TieBreaker) -> Candidate {
        self.0.candidate(self.0.layers().walk(self.0.starts, self.0.finishes, ties))
    }

    fn law(&self, policy: TiePolicy, first: Option<usize>) -> Result<Marginals, Intractable> {
        if policy == TiePolicy::OneOrder && first.is_some() {
            return over_all_orders(self, first);
        }
        let n = self.instance().n();
        check_marginals_size(Form::Items, n)?;
        let rows = self.chances().into_iter().flat_map(|chance| [(1.0 - chance).max(0.0), chance]).collect();
        Ok(Marginals::from_weights(Form::Items, n, rows).expect("chances are not negative"))
    }

    /// As in dm-clrs, a round for each activity. Times beyond 0 and 1 are shown between them.
    fn features(&self, view: &View) -> Features {
        let (n, items) = (self.instance().n(), self.instance().items.as_ref().expect("activities are items"));
        let unit = 10f64.powi(items.decimals() as i32);
        let first = items.column(0).iter().copied().min().unwrap_or(0);
        let last = items.column(1).iter().copied().max().unwrap_or(0);
        let is_shown_as_it_is = first >= 0 && last as f64 <= unit;
        let (origin, length) = if is_shown_as_it_is { (0, unit) } else { (first, (last - first) as f64) };
        let shown =
            |column: usize| items.column(column).iter().map(|&time| ((time - origin) as f64 / length) as f32).collect();
        Features::new(n, vec![view.pos.clone(), shown(0), shown(1)], vec![], n)
            .expect("each input has a number for each")
    }
}

impl LayerByLayer<'_> {
    /// The chance of each activity: that of an activity spreads evenly over those that may follow it.
    fn chances(&self) -> Vec<f64> {
        let Activities { starts, finishes, .. } = self.0;
        let layers = self.0.layers();
        let mut chances = vec![0.0; starts.len()];
        let mut last: &[usize] = &[];
        for (place, layer) in layers.iter().enumerate() {
            // What each place of the layer gets, as the difference to the place before.
            let mut gains = vec![0.0; layer.len()];
            match place {
                0 => gains[0] = 1.0 / layer.len() as f64,
                _ => last.iter().for_each(|&before| {
                    let follow = layers.from(place, finishes[before], starts).len();
                    gains[layer.len() - follow] += chances[before] / follow as f64;
                }),
            }
            let mut sum = 0.0;
            for (&activity, gain) in layer.iter().zip(gains) {
                sum += gain;
                chances[activity] = sum;
            }
            last = layer;
        }
        chances
    }
}
