//! Whether a piece of work fits into memory, asked before it begins.
//!
//! What counts is the least of what the machine has free, what the process's groups (cgroups) leave, and what limits of the process
//! (ulimit) leave. Only a refusal depends on it, never a result: the bounds within which `solve` chooses its methods belong to its request.

use std::fs;
use std::path::Path;
use thiserror::Error;

/// Work that would take more memory than there is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{what} would take about {}, and {} is free; {remedy}", in_words(*.needs), in_words(*.free))]
pub struct TooLarge {
    /// The work.
    pub what: String,
    /// Bytes that it takes.
    pub needs: u64,
    /// Bytes that there are.
    pub free: u64,
    /// What the person can do.
    pub remedy: &'static str,
}

/// Refuses work that does not fit. Where nobody can say how much there is, nothing is refused.
pub fn check(what: impl Into<String>, needs: u64, remedy: &'static str) -> Result<(), TooLarge> {
    match free().filter(|&free| needs > free) {
        Some(free) => Err(TooLarge { what: what.into(), needs, free, remedy }),
        None => Ok(()),
    }
}

/// Bytes that this process can still have, as far as the system says.
pub fn free() -> Option<u64> {
    [machine(), groups(), limits()].into_iter().flatten().min()
}

/// A number of bytes as people read it.
fn in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{:.0} MB", bytes as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.1} GB", bytes as f64 / 1e9),
        _ => format!("{:.1e} GB", bytes as f64 / 1e9),
    }
}

fn machine() -> Option<u64> {
    let about = fs::read_to_string("/proc/meminfo").ok()?;
    let line = about.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// What the limits of this process's groups, and of those above them, leave.
fn groups() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let left_in = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?.trim_start_matches('/'));
        let (root, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
            _ => return None,
        };
        let number =
            |directory: &Path, file: &str| fs::read_to_string(directory.join(file)).ok()?.trim().parse::<u64>().ok();
        let directories = Path::new(root).join(path);
        let within = directories.ancestors().take_while(|directory| directory.starts_with(root));
        within.filter_map(|directory| Some(number(directory, limit)?.saturating_sub(number(directory, used)?))).min()
    };
    own.lines().filter_map(left_in).min()
}

/// What `ulimit -v` and `ulimit -d` leave.
fn limits() -> Option<u64> {
    let about = fs::read_to_string("/proc/self/limits").ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let used = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    let left = |(limit, name): (&str, &str)| {
        let line = about.lines().find_map(|line| line.strip_prefix(limit))?;
        // "unlimited" is no number.
        let most: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(most.saturating_sub(used(name)?))
    };
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].into_iter().filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_the_figures_and_the_remedy() {
        let error = TooLarge {
            what: "a step of training".to_owned(),
            needs: 23 << 30,
            free: 1 << 29,
            remedy: "use smaller sizes",
        };
        assert_eq!(
            error.to_string(),
            "a step of training would take about 24.7 GB, and 537 MB is free; use smaller sizes"
        );
        assert_eq!(check("nothing", 0, ""), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_how_much_there_is() {
        assert!(free().is_some_and(|free| free > 0));
        assert!(check("everything", u64::MAX, "ask for less").is_err());
    }
}
