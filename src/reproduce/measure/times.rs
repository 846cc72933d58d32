//! How long training took, from the log of the run.

use super::Subject;
use crate::neural::train::{LogLine, RunDirectory};
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;

/// The steps that the paper timed.
const STEPS_OF_THE_PAPER: u64 = 10_000;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let Some(path) = &subject.run else { return Ok(vec![]) };
    let (run, settings) = RunDirectory::open(path)?;
    let log = run.log()?;
    let (Some(speed), Some(last)) = (usual_speed(&log), log.last()) else { return Ok(vec![]) };
    let row = |metric: &str, value: f64| Measured { graphs: 0, ..subject.row(0, "", subject.taught(), metric, value) };
    let seconds = |steps: u64| steps as f64 * settings.batch as f64 / speed;
    let mut rows = vec![
        row("seconds-per-1000-steps", seconds(1000)),
        row("graphs-per-second", speed),
        row("batch", settings.batch as f64),
    ];
    if last.step == STEPS_OF_THE_PAPER {
        rows.push(row("seconds", seconds(last.step)));
    }
    Ok(rows)
}

/// The median of the log's speeds, each since the line before: what else the machine did for a while counts little.
fn usual_speed(log: &[LogLine]) -> Option<f64> {
    let mut speeds: Vec<f64> = log.iter().map(|line| line.graphs_per_second).collect();
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_does_not_count() {
        let line = |graphs_per_second| LogLine {
            step: 50,
            loss: 0.0,
            validation: 0.0,
            difference: 0.0,
            best: false,
            graphs_per_second,
        };
        assert_eq!(usual_speed(&[line(100.0), line(0.1), line(110.0)]), Some(100.0));
        assert_eq!(usual_speed(&[]), None);
    }
}
