//! Costs that nobody wrote down, learnt from what people did.
//!
//! A classical algorithm wants one number an edge; real edges have many columns, and the number that people act on stands in none of them. What there is are
//! answers: routes driven, trees built. [`learn`] finds positive costs under which the observed answers are likely, as a function of the columns and, shrunken
//! towards it, of terms that vertices and edges have of their own. Costs are then whole numbers, so everything exact holds for them: optimal, or within so
//! many percent, *under the learnt cost*, and never more than that.
//!
//! ```text
//! edges with columns ─► features ─► model ─► costs ─► likelihood of routes ─► slope ─► minimise
//!                                    ▲                 (walks: sums over all walks)       │
//!                                    └──────────────── choose: held-out folds ◄───────────┘
//! ```
//!
//! ```
//! use tiebreak::learn::city::{City, CitySettings};
//! use tiebreak::learn::{EdgeTable, LearnRequest, ObservationOptions, learn, read_observations};
//! use tiebreak::instance::io::{Format, ReadOptions, read_stream};
//!
//! // A small city with a hidden cost, and fifty trips by it.
//! let city = City::new(&CitySettings { columns: 5, rows: 5, ..CitySettings::default() });
//! let options = ReadOptions { weights_matter: false, ..ReadOptions::default() };
//! let roads = EdgeTable::of(&read_stream(city.table().as_bytes(), Format::Csv, "roads", &options)?);
//! let trips = city.lines(&city.trips(50, 0));
//! let observed = read_observations(trips.as_bytes(), "trips", &roads.graph, &roads.names, &ObservationOptions::default())?;
//!
//! let learnt = learn(&roads, &observed, &LearnRequest::default(), vec![], &mut |_| ())?;
//! let length = &learnt.account.effects[0];
//! assert!(length.name.starts_with("length") && length.percent > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod answers;
mod choose;
pub mod city;
mod cost;
mod data;
mod examples;
mod features;
mod fit;
mod learner;
mod likelihood;
mod minimise;
mod model;
mod observations;
mod perturbed;
mod score;
mod search;
mod walks;

pub use account::{Account, AccountWords, Baseline, Calibration, Effect, Example, LEVEL};
pub use choose::{Freedom, HIDDEN, Trial};
pub use cost::{CostCard, Costs, EdgeTable, ItemsToSelect, LearntCost};
pub use data::{Loss, Scale};
pub use examples::ObservedPath;
pub use features::{Cell, Column, Encoding};
pub use fit::Recipe;
pub use learner::{LearnError, LearnRequest, Learnt, learn};
pub use model::Predictor;
pub use observations::{
    BadObservation, ObservationOptions, Observations, ObservedAnswer, context_cell, read_observations,
};
pub use score::{AMONG, FitScore};
