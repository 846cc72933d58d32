//! Points in time as people write them, as exact seconds.
//!
//! | kind | written | seconds since |
//! |---|---|---|
//! | number | `2.5` | (as it is) |
//! | date, date and time | `2026-03-01`, `2026-03-01T09:30`, `2026-03-01 09:30:00.25` | 1970 began, wherever that is |
//! | with a zone | `2026-03-01T09:30Z`, `2026-03-01T09:30:00+01:00` | 1970 began in Greenwich |
//! | clock | `9:30`, `09:30:15`, `24:00` | midnight |
//!
//! Kinds cannot be compared, so one file has one kind. A date stands for its midnight, as it does in pandas.

use crate::instance::Decimal;
use std::fmt;

/// How points in time are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// As a number.
    Number,
    /// As a date, or a date with a time.
    Local,
    /// As a date and a time with its zone.
    Zoned,
    /// As a time of day.
    Clock,
}

impl fmt::Display for MomentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MomentKind::Number => "a number",
            MomentKind::Local => "a date without a time zone",
            MomentKind::Zoned => "a time with its zone",
            MomentKind::Clock => "a time of day",
        })
    }
}

/// A point in time; `None` when the text is none.
pub(super) fn parse_moment(text: &str) -> Option<(MomentKind, Decimal)> {
    let text = text.trim();
    if let Some((date, rest)) = split_date(text) {
        let days = days_since_1970(date)?;
        if rest.is_empty() {
            return Some((MomentKind::Local, Decimal::scaled(days * 86_400, 0)));
        }
        let clock = rest.strip_prefix(['T', 't', ' '])?;
        let zone_at = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(zone_at);
        let (digits, decimals) = seconds_of_day(clock.trim_end())?;
        let (kind, offset) = match zone {
            "" => (MomentKind::Local, 0),
            zone => (MomentKind::Zoned, offset(zone)?),
        };
        let scale = 10i128.pow(decimals);
        return Some((kind, Decimal::scaled((days * 86_400 - offset) * scale + digits, decimals)));
    }
    let (digits, decimals) = seconds_of_day(text)?;
    Some((MomentKind::Clock, Decimal::scaled(digits, decimals)))
}

/// `YYYY-MM-DD` and what follows.
fn split_date(text: &str) -> Option<((i128, i128, i128), &str)> {
    let date = text.get(..10)?;
    let bytes = date.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    Some(((number(&date[..4])?, number(&date[5..7])?, number(&date[8..])?), &text[10..]))
}

fn number(digits: &str) -> Option<i128> {
    let is_number = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar; `None` where there is no such day.
fn days_since_1970((year, month, day): (i128, i128, i128)) -> Option<i128> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month - 1).ok()?)?;
    if !(1..=length).contains(&day) {
        return None;
    }
    let leap_days_before = |year: i128| (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let years = year - 1970;
    let leap_days = if year > 0 { leap_days_before(year) } else { -1 } - leap_days_before(1970);
    Some(years * 365 + leap_days + lengths[..month as usize - 1].iter().sum::<i128>() + day - 1)
}

/// `H:MM`, `HH:MM:SS` or with a fraction of a second, as digits and decimals; 24:00 is the end of a day.
fn seconds_of_day(clock: &str) -> Option<(i128, u32)> {
    let mut parts = clock.splitn(3, ':');
    let (hours, minutes) = (parts.next()?, parts.next()?);
    let seconds = parts.next().unwrap_or("00");
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let has_lengths = (1..=2).contains(&hours.len()) && minutes.len() == 2 && whole.len() == 2;
    if !has_lengths || (seconds.len() > 2 && fraction.is_empty()) {
        return None;
    }
    let (hours, minutes, whole) = (number(hours)?, number(minutes)?, number(whole)?);
    let fraction_digits = if fraction.is_empty() { 0 } else { number(fraction)? };
    let scale = 10i128.pow(fraction.len() as u32);
    let digits = (hours * 3_600 + minutes * 60 + whole) * scale + fraction_digits;
    let is_time = minutes < 60 && whole < 60 && digits <= 86_400 * scale;
    is_time.then_some((digits, fraction.len() as u32))
}

/// `Z`, `+hh:mm`, `+hhmm` or `+hh`, in seconds.
fn offset(zone: &str) -> Option<i128> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = zone.split_at_checked(1)?;
    let digits = rest.replacen(':', "", 1);
    let (hours, minutes) = match digits.len() {
        2 => (number(&digits)?, 0),
        4 => (number(&digits[..2])?, number(&digits[2..])?),
        _ => return None,
    };
    let seconds = hours * 3_600 + minutes * 60;
    (hours < 24 && minutes < 60).then_some(if sign == "-" { -seconds } else { seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_time_are_exact_seconds() {
        for (text, kind, seconds) in [
            ("1970-01-01", MomentKind::Local, "0"),
            ("2026-03-01", MomentKind::Local, "1772323200"),
            ("2024-02-29 09:30:00.250", MomentKind::Local, "1709199000.25"),
            ("2026-03-01T09:30+01:00", MomentKind::Zoned, "1772353800"),
            ("2026-03-01T08:30Z", MomentKind::Zoned, "1772353800"),
            ("2026-03-01 03:30:00-0500", MomentKind::Zoned, "1772353800"),
            ("1969-12-31T23:59:59", MomentKind::Local, "-1"),
            ("1600-02-29", MomentKind::Local, "-11670998400"),
            ("9:05", MomentKind::Clock, "32700"),
            ("24:00", MomentKind::Clock, "86400"),
        ] {
            assert_eq!(parse_moment(text), Some((kind, seconds.parse().unwrap())), "{text}");
        }
    }

    #[test]
    fn what_is_no_point_in_time_is_refused() {
        for text in [
            "",
            "x",
            "2026-02-29",
            "2026-13-01",
            "2026-3-1",
            "2026-03-01T",
            "2026-03-01X09:30",
            "2026-03-01T25:00",
            "9:60",
            "9:5",
            "09:30:61",
            "24:01",
            "2026-03-01T09:30+1:00",
            "2026-03-01T09:30+25:00",
            "09:30.5",
            "12.5",
            "2026-03-01T09:30:00.",
            "日本2026-03-01",
        ] {
            assert_eq!(parse_moment(text), None, "{text}");
        }
    }
}
