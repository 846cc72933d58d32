//! What work takes: processor time of its thread, and memory at its peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The processor time of this thread so far, where the system says it; otherwise what the clock says.
pub fn time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor =
        said.and_then(|text| text.split(' ').next()?.parse().ok()).filter(|&nanoseconds| nanoseconds > 0);
    on_processor.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

#[allow(dead_code)] // Not every bench asks for it.
/// The seconds that work takes, repeated for a twentieth of a second: the system counts in steps of milliseconds.
pub fn seconds(mut work: impl FnMut()) -> f64 {
    let start = time();
    for times in 1.. {
        work();
        let taken = (time() - start).as_secs_f64();
        if taken > 0.05 {
            return taken / f64::from(times);
        }
    }
    unreachable!("work takes time")
}

/// What work gives, and the most bytes that it held at once.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let given = work();
    (given, PEAK.load(Relaxed) - before)
}

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn takes(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every request goes to the system's allocator as it came; only its size is noted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        takes(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        takes(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Where it grows in place, the old bytes are not held beside the new ones; a copy of large memory is a move of pages.
        HELD.fetch_sub(layout.size(), Relaxed);
        takes(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}
