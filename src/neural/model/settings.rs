//! What can be chosen about a network: the processor and its sizes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The processors of dm-clrs that differ only in three switches: who sends messages, triplets, gating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are dm-clrs' own; the switches below say what each is")]
pub enum Processor {
    Deepsets,
    Mpnn,
    Pgn,
    Gmpnn,
    Gpgn,
    TripletMpnn,
    TripletPgn,
    #[default]
    TripletGmpnn,
    TripletGpgn,
}

/// From whom a vertex gets messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Senders {
    /// Only itself.
    Itself,
    /// Itself and the other end of each of its edges, in either direction.
    Neighbours,
    /// All vertices.
    Everyone,
}

impl Processor {
    /// Every processor.
    pub const ALL: &[Processor] = &[
        Processor::Deepsets,
        Processor::Mpnn,
        Processor::Pgn,
        Processor::Gmpnn,
        Processor::Gpgn,
        Processor::TripletMpnn,
        Processor::TripletPgn,
        Processor::TripletGmpnn,
        Processor::TripletGpgn,
    ];

    /// dm-clrs' name.
    pub fn name(self) -> &'static str {
        match self {
            Processor::Deepsets => "deepsets",
            Processor::Mpnn => "mpnn",
            Processor::Pgn => "pgn",
            Processor::Gmpnn => "gmpnn",
            Processor::Gpgn => "gpgn",
            Processor::TripletMpnn => "triplet_mpnn",
            Processor::TripletPgn => "triplet_pgn",
            Processor::TripletGmpnn => "triplet_gmpnn",
            Processor::TripletGpgn => "triplet_gpgn",
        }
    }

    /// From whom a vertex gets messages.
    pub fn senders(self) -> Senders {
        match self {
            Processor::Deepsets => Senders::Itself,
            Processor::Pgn | Processor::Gpgn | Processor::TripletPgn | Processor::TripletGpgn => Senders::Neighbours,
            _ => Senders::Everyone,
        }
    }

    /// Whether triplets of vertices give the decoder an extra edge feature.
    pub fn has_triplets(self) -> bool {
        matches!(
            self,
            Processor::TripletMpnn | Processor::TripletPgn | Processor::TripletGmpnn | Processor::TripletGpgn
        )
    }

    /// Whether a gate decides how much of a vertex's state is replaced.
    pub fn is_gated(self) -> bool {
        matches!(self, Processor::Gmpnn | Processor::Gpgn | Processor::TripletGmpnn | Processor::TripletGpgn)
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Processor {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|processor| processor.name() == name);
        let names = || Self::ALL.iter().map(|processor| processor.name()).collect::<Vec<_>>().join(", ");
        found.copied().ok_or_else(|| format!("unknown processor `{name}`; known are {}", names()))
    }
}

/// Size and kind of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkSettings {
    /// Which processor.
    pub processor: Processor,
    /// Numbers in a vertex's state, in a message, in an encoding.
    pub hidden: usize,
    /// Numbers in a triplet message.
    pub triplet_features: usize,
    /// Message-passing steps in a round (dm-clrs' `nb_msg_passing_steps`).
    pub steps_per_round: usize,
}

const MAX_WIDTH: usize = 1 << 16;

/// A setting of which no network can be made: nothing, or so much that its parameters could not even be counted safely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} = {width}: {reason}")]
pub(crate) struct BadWidth {
    pub key: &'static str,
    pub width: usize,
    pub reason: &'static str,
}

impl NetworkSettings {
    /// Refuses networks of nothing, and those that no machine could hold, before their parameters are laid out.
    pub(crate) fn check_widths(&self) -> Result<(), BadWidth> {
        let widths = [
            ("model.hidden", self.hidden),
            ("model.triplet_features", self.triplet_features),
            ("model.steps_per_round", self.steps_per_round),
        ];
        for (key, width) in widths {
            let reason = match width {
                0 => "must be at least 1",
                1..=MAX_WIDTH => continue,
                _ => "must be at most 65536",
            };
            return Err(BadWidth { key, width, reason });
        }
        Ok(())
    }
}

impl Default for NetworkSettings {
    fn default() -> Self {
        NetworkSettings { processor: Processor::default(), hidden: 128, triplet_features: 8, steps_per_round: 1 }
    }
}
