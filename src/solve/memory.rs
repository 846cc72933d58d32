//! What a model would take, before it takes it.

use crate::graph::Instance;

/// What may be used where nobody says how much there is.
pub(super) const CONSERVATIVE: u64 = 1 << 30;

/// The memory that is free for use, by the system's own account (Linux); elsewhere a careful guess.
pub fn available_memory() -> u64 {
    let about = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = about.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(CONSERVATIVE, |kilobytes| kilobytes.saturating_mul(1024))
}

/// Bytes that one execution of the executor takes at the most, with the pairs it works on.
pub fn executor_memory(instance: &Instance) -> u64 {
    let (n, edges) = (instance.n() as u64, instance.graph.edge_count() as u64);
    let pairs = n + 2 * edges;
    // A pair with its marks, and entries of the queue: each end of a pair changes its state a few times.
    n * 128 + edges * 24 + pairs * 400
}

/// Bytes that a network with states of size `hidden` takes for one graph: every vertex sends to every other.
pub fn network_memory(n: usize, hidden: usize) -> u64 {
    let pairs = (n as u64).saturating_mul(n as u64);
    pairs.saturating_mul(8 * hidden as u64 + 256)
}
