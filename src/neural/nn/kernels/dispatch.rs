//! One source, several instruction sets, the same bits. The crate's only `unsafe` is here.
//!
//! A kernel is ordinary safe Rust. The macro `kernel!` compiles its body once for AVX-512, once for AVX2 with FMA and
//! once for any processor, and picks one at run time by a [`Kernels`] value. The compiler vectorises the
//! loops but never reorders or contracts floating-point operations, and a kernel asks for fused
//! multiply-adds by name, so the results of all three are equal to the bit; tests say so.
//!
//! ```
//! use tiebreak::neural::nn::Kernels;
//! assert!(Kernels::detect() >= Kernels::portable());
//! ```

use std::sync::OnceLock;

/// Which compiled version of the kernels to run. Can only name a version this processor can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kernels(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernels {
    /// The fastest version for this processor. The environment variable `TIEBREAK_KERNELS` can ask for a
    /// lesser one: `portable`, `avx2` or `avx512`; this is the one place where it is read.
    pub fn detect() -> Self {
        static DETECTED: OnceLock<Kernels> = OnceLock::new();
        *DETECTED.get_or_init(|| {
            // A name that cannot be had was refused at the start, by whoever has a person to tell.
            Self::asked_for()
                .ok()
                .flatten()
                .unwrap_or_else(|| *Self::available().last().expect("portable is always there"))
        })
    }

    /// The version that the environment asks for, if it does; the names there are if that is none of them.
    pub fn asked_for() -> Result<Option<Self>, String> {
        let Some(wanted) = std::env::var_os("TIEBREAK_KERNELS").filter(|wanted| !wanted.is_empty()) else {
            return Ok(None);
        };
        let available = Self::available();
        let named = available.iter().find(|kernels| wanted == kernels.name());
        named.copied().map(Some).ok_or_else(|| {
            let names: Vec<&str> = available.iter().map(|kernels| kernels.name()).collect();
            format!("TIEBREAK_KERNELS={}: this processor has {}", wanted.display(), names.join(", "))
        })
    }

    /// The version for any processor: slow, and equal to the others to the bit.
    pub fn portable() -> Self {
        Kernels(Level::Portable)
    }

    /// Every version this processor can run, slowest first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            levels.push(Level::Avx2);
            if ["avx512f", "avx512dq", "avx512vl", "avx512bw"].iter().all(|name| has_avx512(name)) {
                levels.push(Level::Avx512);
            }
        }
        levels.into_iter().map(Kernels).collect()
    }

    /// The word for it, as in `TIEBREAK_KERNELS`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    pub(crate) fn level(self) -> Level {
        self.0
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512(name: &str) -> bool {
    match name {
        "avx512f" => is_x86_feature_detected!("avx512f"),
        "avx512dq" => is_x86_feature_detected!("avx512dq"),
        "avx512vl" => is_x86_feature_detected!("avx512vl"),
        _ => is_x86_feature_detected!("avx512bw"),
    }
}

/// Defines a kernel: a function whose first argument is a [`Kernels`] and whose body is compiled for each
/// instruction set. `HARDWARE` in the body says whether fused multiply-adds are instructions; the
/// bracketed pairs give constants a value for each set: `[TILE: 4 avx2: 6 avx512: 4]`.
macro_rules! kernel {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident<$S:ident, $HARDWARE:ident $(, [$C:ident: $portable:literal, $avx2:literal, $avx512:literal])*>(
            $($arg:ident: $ty:ty),* $(,)?
        ) $(-> $ret:ty)? $body:block
    ) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name<$S: $crate::neural::nn::Scalar>(kernels: $crate::neural::nn::Kernels, $($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            fn body<$S: $crate::neural::nn::Scalar, const $HARDWARE: bool $(, const $C: usize)*>($($arg: $ty),*) $(-> $ret)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2<$S: $crate::neural::nn::Scalar>($($arg: $ty),*) $(-> $ret)? {
                body::<$S, true $(, $avx2)*>($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")]
            fn avx512<$S: $crate::neural::nn::Scalar>($($arg: $ty),*) $(-> $ret)? {
                body::<$S, true $(, $avx512)*>($($arg),*)
            }

            match kernels.level() {
                $crate::neural::nn::kernels::dispatch::Level::Portable => body::<$S, false $(, $portable)*>($($arg),*),
                // SAFETY (both): the functions are safe Rust; they are only unsafe to call on a processor
                // without the instructions, and `Kernels::available` gives out a level only after
                // detecting them.
                #[cfg(target_arch = "x86_64")]
                $crate::neural::nn::kernels::dispatch::Level::Avx2 => unsafe { avx2($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                $crate::neural::nn::kernels::dispatch::Level::Avx512 => unsafe { avx512($($arg),*) },
            }
        }
    };
}
pub(crate) use kernel;
