//! Leaving long work early: a flag that threads watch, and points in long loops that look at it.
//!
//! Whoever may want to stop has the threads of the work [`watch`] a flag. Once the flag is set, the next [`point`] leaves the work by
//! unwinding, up to [`catch`]. So nothing in between needs a `Result`, and no result can depend on it: work ends whole or not
//! at all. On threads that watch nothing a point does nothing.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static WATCHED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Work that was left early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

/// Has this thread watch a flag from now on; `None` ends it.
pub fn watch(flag: Option<Arc<AtomicBool>>) {
    WATCHED.with(|watched| *watched.borrow_mut() = flag);
}

/// Threads that watch a flag.
pub fn pool(threads: usize, flag: &Arc<AtomicBool>) -> Result<ThreadPool, ThreadPoolBuildError> {
    let flag = flag.clone();
    ThreadPoolBuilder::new().num_threads(threads).start_handler(move |_| watch(Some(flag.clone()))).build()
}

/// Leaves the work if the flag is set. For loops that take a millisecond or more, at most once a microsecond or so.
pub fn point() {
    if is_cancelled() {
        // Not a panic: the panic hook would print a message.
        resume_unwind(Box::new(Cancelled));
    }
}

fn is_cancelled() -> bool {
    WATCHED.with(|watched| watched.borrow().as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)))
}

/// Does work that may be left at a [`point`]. What the work changes outside of itself it must change after its last point.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Cancelled>() {
        Ok(cancelled) => *cancelled,
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_left_at_the_first_point_after_the_flag_is_set() {
        let flag = Arc::new(AtomicBool::new(false));
        watch(Some(flag.clone()));
        let mut rounds = 0;
        let left: Result<(), Cancelled> = catch(|| {
            loop {
                point();
                rounds += 1;
                flag.store(rounds == 10, Ordering::Relaxed);
            }
        });
        watch(None);
        assert_eq!((left, rounds), (Err(Cancelled), 10));
        assert_eq!(catch(point), Ok(()), "nobody watches any more");
    }

    #[test]
    fn the_flag_reaches_the_threads_of_a_pool_and_comes_back_from_them() {
        let flag = Arc::new(AtomicBool::new(true));
        let pool = pool(2, &flag).unwrap();
        let work = || {
            let each = rayon::iter::IntoParallelIterator::into_par_iter(0..100);
            rayon::iter::ParallelIterator::for_each(each, |_| point());
        };
        assert_eq!(catch(|| pool.install(work)), Err(Cancelled));
        flag.store(false, Ordering::Relaxed);
        assert_eq!(catch(|| pool.install(work)), Ok(()));
    }

    #[test]
    fn other_panics_go_on() {
        let panicked = std::panic::catch_unwind(|| catch(|| std::panic::panic_any("another")));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"another"));
    }
}
