//! How long training took, from the log of the run.

use super::Subject;
use crate::reproduce::ReproduceError;
use crate::reproduce::rows::Measured;
use crate::train::{LogLine, RunDirectory};

/// The steps that the paper timed.
const STEPS_OF_THE_PAPER: u64 = 10_000;

pub(super) fn measure(subject: &Subject) -> Result<Vec<Measured>, ReproduceError> {
    let Some(path) = &subject.run else { return Ok(vec![]) };
    let (run, settings) = RunDirectory::open(path)?;
    let log = run.log()?;
    let seconds = seconds(&log, settings.batch);
    let Some(steps) = log.last().map(|line| line.step).filter(|&steps| steps > 0) else { return Ok(vec![]) };
    let graphs = steps as f64 * settings.batch as f64;
    let row = |metric: &str, value: f64| Measured { graphs: 0, ..subject.row(0, "", subject.taught(), metric, value) };
    let mut rows = vec![
        row("seconds-per-1000-steps", seconds * 1000.0 / steps as f64),
        row("graphs-per-second", graphs / seconds),
        row("batch", settings.batch as f64),
    ];
    if steps == STEPS_OF_THE_PAPER {
        rows.push(row("seconds", seconds));
    }
    Ok(rows)
}

/// The time of all steps; each line of the log has the speed since the line before.
fn seconds(log: &[LogLine], batch: usize) -> f64 {
    let before = [0].into_iter().chain(log.iter().map(|line| line.step));
    let stretches = log.iter().zip(before).map(|(line, before)| (line.step - before, line.graphs_per_second));
    stretches.map(|(steps, speed)| (steps * batch as u64) as f64 / speed).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_different_speed_add_up() {
        let line = |step, graphs_per_second| LogLine {
            step,
            loss: 0.0,
            validation: 0.0,
            difference: 0.0,
            best: false,
            graphs_per_second,
        };
        assert_eq!(seconds(&[line(50, 100.0), line(80, 30.0)], 2), 1.0 + 2.0);
    }
}
