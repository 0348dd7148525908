//! Sight: who sees whom over ground, buildings and trees.
//!
//! Owns chapter VIS as far as it is about ground: lines of sight, woods depth, the visibility die. It never knows a unit, its
//! side or whether it is hidden: it takes stand rectangles and what the caller knows of the pair. Start with [`sees`].

mod line;
mod remembered;
#[cfg(test)]
mod tests;
mod troops;
mod unseen;

pub use self::line::{Block, SightLine, best_line, open_line, sight_line};
pub use self::remembered::Remembered;
pub use self::troops::{Bulk, clear_of_troops};
pub use self::unseen::{UnseenFire, nearest_victims};

use std::sync::Arc;

use protocol::place::Point;

use crate::geometry::{self, Distance, EPS, Rect};
use crate::ground::GroundNow;
use crate::places;
use crate::scenario::PlaceTerm;

/// VIS-04 The greatest woods depth that is always seen through, thousandths of an inch; also the edge of VIS-06.
pub const ALWAYS_SEEN: i32 = 1_000;

/// VIS-04 The woods depth beyond which no die reaches, thousandths of an inch.
pub const NEVER_SEEN: i32 = 6_000;

/// One of the two who look at each other: what sight needs to know of a unit at its place. Build once for a place.
#[derive(Clone, Debug)]
pub struct Looker<'a> {
    /// Its stands.
    pub stands: &'a [Rect],
    /// Their centres.
    pub centers: Arc<[Point]>,
}

impl<'a> Looker<'a> {
    /// The unit with these stands.
    pub fn new(stands: &'a [Rect]) -> Self {
        Looker { stands, centers: stands.iter().map(|stand| stand.center).collect() }
    }

    /// SCALE-07 The least distance of its stands from another's.
    pub fn distance(&self, other: &Looker<'_>) -> Option<Distance> {
        geometry::between_stands(self.stands.iter(), other.stands.iter())
    }
}

/// VIS-15 A limit of sight that the scenario sets: dusk, smoke, fog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightLimit {
    /// Thousandths of an inch for each pip of the pair's die.
    pub per_pip: i32,
    /// The place in which it holds; None: the whole table.
    pub zone: Option<PlaceTerm>,
}

/// What the caller knows about a pair besides the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair<'a> {
    /// VIS-08 Whether the other has fired at the looker this turn and so has given itself away.
    pub fired_upon: bool,
    /// VIS-15 The limits of sight that the scenario sets.
    pub limits: &'a [SightLimit],
}

/// What decided whether one unit sees another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// VIS-14 Every line is blocked.
    Blocked(Block),
    /// VIS-04 No trees to speak of between them: at most the edge.
    Clear,
    /// VIS-04 More trees than any die reaches through.
    TooDeep,
    /// VIS-06 From outside only the edge of the woods is seen.
    OnlyTheEdge,
    /// VIS-08 It has fired at the looker.
    GaveItselfAway,
    /// VIS-05, VIS-07 The die was compared with the trees.
    Die,
    /// VIS-15 The die was compared with the distance.
    Limit,
}

impl Reason {
    /// The rule to cite.
    pub const fn rule(self) -> &'static str {
        match self {
            Reason::Blocked(_) => "VIS-14",
            Reason::Clear | Reason::TooDeep => "VIS-04",
            Reason::OnlyTheEdge => "VIS-06",
            Reason::GaveItselfAway => "VIS-08",
            Reason::Die => "VIS-07",
            Reason::Limit => "VIS-15",
        }
    }
}

/// The answer to "does it see that?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Whether the target is seen.
    pub seen: bool,
    /// Why.
    pub reason: Reason,
    /// The line of least woods depth; None when all are blocked. COVER-07 reads its trees.
    pub line: Option<SightLine>,
    /// VIS-01 The die, if it mattered; it then counts as rolled.
    pub die: Option<u8>,
}

/// VIS-01 to VIS-08, VIS-14, VIS-15 Whether the looker sees the target.
///
/// `die` gives the pair's value of this turn (`visibility.pair`); it is asked at most once, and only when it matters.
/// The answer is not the same in both directions: VIS-06 and VIS-08 look from one side.
pub fn sees(
    ground: &GroundNow<'_>,
    looker: &Looker<'_>,
    target: &Looker<'_>,
    pair: Pair<'_>,
    die: impl FnOnce() -> u8,
) -> Sight {
    match best_line(ground, &looker.centers, &target.centers) {
        Err(block) => Sight { seen: false, reason: Reason::Blocked(block), line: None, die: None },
        Ok(line) => along(ground, line, looker, target, pair, die),
    }
}

/// As [`sees`], for those who do not ask why.
pub fn is_seen(
    ground: &GroundNow<'_>,
    looker: &Looker<'_>,
    target: &Looker<'_>,
    pair: Pair<'_>,
    die: impl FnOnce() -> u8,
) -> bool {
    let line = open_line(ground, &looker.centers, &target.centers);
    line.is_some_and(|line| along(ground, line, looker, target, pair, die).seen)
}

/// VIS-01 to VIS-08, VIS-15 What is seen along a line that is open.
fn along(
    ground: &GroundNow<'_>,
    line: SightLine,
    looker: &Looker<'_>,
    target: &Looker<'_>,
    pair: Pair<'_>,
    die: impl FnOnce() -> u8,
) -> Sight {
    let answer = |seen, reason, die| Sight { seen, reason, line: Some(line), die };
    if pair.fired_upon {
        return answer(true, Reason::GaveItselfAway, None);
    }
    if NEVER_SEEN + EPS < line.depth {
        return answer(false, Reason::TooDeep, None);
    }
    let through_trees = ALWAYS_SEEN + EPS < line.depth;
    if through_trees && !ground.in_seen_woods(looker.stands) {
        return answer(false, Reason::OnlyTheEdge, None);
    }
    let limit = sight_limit(ground, looker, target, pair.limits);
    if !through_trees && limit.is_none() {
        return answer(true, Reason::Clear, None);
    }
    let value = die();
    if through_trees && !reaches(line.depth, value) {
        return answer(false, Reason::Die, Some(value));
    }
    let Some(per_pip) = limit else {
        return answer(true, Reason::Die, Some(value));
    };
    let reach = per_pip.saturating_mul(i32::from(value));
    let near = looker.distance(target).is_some_and(|distance| distance.within(reach));
    answer(near, Reason::Limit, Some(value))
}

/// VIS-04, VIS-16 Whether a visibility die reaches through a woods depth in thousandths of an inch.
pub fn reaches(depth: i32, die: u8) -> bool {
    depth <= ALWAYS_SEEN + EPS || (depth <= NEVER_SEEN + EPS && depth <= i32::from(die) * 1_000 + EPS)
}

/// VIS-15 The sight limit of a pair: the narrowest of those that hold for the whole table or where a stand of either is.
fn sight_limit(ground: &GroundNow<'_>, looker: &Looker<'_>, target: &Looker<'_>, limits: &[SightLimit]) -> Option<i32> {
    let holds = |limit: &&SightLimit| match &limit.zone {
        None => true,
        Some(zone) => {
            let mut centers = looker.centers.iter().chain(target.centers.iter());
            centers.any(|center| places::holds_point(*ground, zone, *center))
        }
    };
    limits.iter().filter(holds).map(|limit| limit.per_pip).min()
}
