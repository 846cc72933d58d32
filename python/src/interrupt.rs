//! Long work with the interpreter released, which Ctrl-C stops.
//!
//! Python runs its signal handlers in the main thread, when somebody asks it to. So the work is done by another thread, and the
//! caller's asks every twentieth of a second; or, where the work comes in short pieces, the caller's thread does its share and asks in between ([`share`]). The
//! threads live no longer than the call: the process may be forked between two calls, and a global pool would not live on in the child.

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::iter;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tiebreak::cancel;

/// How often signals are asked for, and progress is told.
const INTERVAL: Duration = Duration::from_millis(50);

/// Who does the work.
#[derive(Clone, Copy)]
pub enum Threads {
    /// One thread; the work asks for no others.
    One,
    /// A pool of at most so many, and no more than there are cores.
    UpTo(usize),
    /// As many as there are cores.
    All,
}

impl Threads {
    /// At most so many.
    pub fn up_to(most: usize) -> Self {
        if most <= 1 { Threads::One } else { Threads::UpTo(most) }
    }

    /// As many as the caller says.
    pub fn wanted(threads: Option<usize>) -> Self {
        threads.map_or(Threads::All, |threads| Threads::UpTo(threads.max(1)))
    }

    fn number(self) -> usize {
        match self {
            Threads::One => 1,
            Threads::UpTo(most) => most.min(cores()),
            Threads::All => cores(),
        }
    }
}

/// The number of cores, asked once: asking again reads files.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Does the work; a signal's exception ends it early.
pub fn run<T: Send>(py: Python<'_>, threads: Threads, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    run_and_tell(py, threads, |_| work(), |_| Ok(()))
}

/// As [`run`]. The work may look at the flag that asks it to stop, and `tell` is called now and then, at least once after the end.
pub fn run_and_tell<T: Send>(
    py: Python<'_>,
    threads: Threads,
    work: impl FnOnce(&AtomicBool) -> T + Send,
    mut tell: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let pool = match threads {
        Threads::One => None,
        many => {
            let pool = cancel::pool(many.number(), &stop);
            Some(pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?)
        }
    };
    let stop = &stop;
    let do_it = move || match pool {
        None => {
            cancel::watch(Some(stop.clone()));
            cancel::catch(|| work(stop))
        }
        Some(pool) => cancel::catch(|| pool.install(|| work(stop))),
    };
    let (outcome, interrupted) = py.detach(|| {
        thread::scope(|scope| {
            let (alive, ended) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _until_the_end = alive;
                do_it()
            });
            let mut interrupted: Option<PyErr> = None;
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let asked = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
                if let Err(error) = asked {
                    stop.store(true, Ordering::Relaxed);
                    interrupted.get_or_insert(error);
                }
            }
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), interrupted)
        })
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    let outcome = outcome.map_err(|cancel::Cancelled| PyKeyboardInterrupt::new_err(()))?;
    tell(py)?;
    Ok(outcome)
}

/// Does work for each of many, which takes some milliseconds at the most for one, on the caller's thread and on further ones, and collects in order; a signal's
/// exception ends it early. Starting one thread takes a twentieth of a millisecond of the caller's time, a pool of them several times that.
pub fn share<I: Send, T: Send>(
    py: Python<'_>,
    threads: Threads,
    items: Vec<I>,
    work: impl Fn(I) -> T + Sync,
) -> PyResult<Vec<T>> {
    let stop = Arc::new(AtomicBool::new(false));
    let waiting = Mutex::new(items.into_iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one = |(place, item): (usize, I)| (place, work(item));
    let help = || {
        cancel::watch(Some(stop.clone()));
        // Whoever left early set the flag, and is told by the caller's thread.
        cancel::catch(|| iter::from_fn(next).map(one).collect::<Vec<_>>()).unwrap_or_default()
    };
    let (mut done, interrupted) = py.detach(|| {
        thread::scope(|scope| {
            // Where the system has no thread to give, the caller's own does all.
            let helper = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
            let helpers: Vec<_> = (1..threads.number()).filter_map(helper).collect();
            let (mut done, mut asked, mut interrupted) = (vec![], Instant::now(), None);
            while let Some(item) = next().filter(|_| interrupted.is_none()) {
                done.push(one(item));
                if asked.elapsed() >= INTERVAL {
                    interrupted = Python::attach(|py| py.check_signals()).err();
                    stop.store(interrupted.is_some(), Ordering::Relaxed);
                    asked = Instant::now();
                }
            }
            for helper in helpers {
                done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            (done, interrupted)
        })
    });
    if let Some(error) = interrupted {
        return Err(error);
    }
    done.sort_by_key(|&(place, _)| place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Does work for each of many, on the threads of the pool that it is called on, if it is on one, and collects in order. After the first that is left early no
/// other is begun: unwinding from each of a hundred thousand, through the frames of the pool, takes seconds.
pub fn for_each<I: Send, T: Send>(items: Vec<I>, work: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
    if rayon::current_thread_index().is_none() {
        return items.into_iter().map(work).collect();
    }
    let done: Option<Vec<T>> = items.into_par_iter().map(|item| cancel::catch(|| work(item)).ok()).collect();
    done.unwrap_or_else(|| resume_unwind(Box::new(cancel::Cancelled)))
}
