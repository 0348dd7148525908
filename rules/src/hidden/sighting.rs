//! Who sees a marker. HID-32 to HID-37, HID-45
//!
//! Owns the sight of one moment: units that look at markers, and markers that look at markers. A marker is a unit of one stand
//! on its point, whatever it hides, so that what is found here is told by public things alone (HID-33). It never asks what is
//! under a marker, and changes nothing.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::ids::{PicketNumber, Side};
use protocol::place::{Bearing, Point};

use crate::battle::{Picket, Table, Unit, UnitIx};
use crate::geometry::{EPS, Rect};
use crate::ground::{GroundChanges, GroundNow, Trees};
use crate::sight::{self, Looker, Pair, SightLimit};

/// The greatest face of a die.
const BEST: u8 = 6;

/// HID-37 The name by which a unit's visibility dice are keyed: in the turn in which it is revealed its picket's number still.
pub(crate) fn name_of(unit: &Unit, turn: u32) -> Cow<'_, str> {
    match unit.picket {
        Some((number, revealed)) if revealed == turn => Cow::Owned(name_of_picket(number)),
        _ => Cow::Borrowed(unit.id.as_str()),
    }
}

/// HID-37 The name by which a picket's visibility dice are keyed.
pub(crate) fn name_of_picket(number: PicketNumber) -> String {
    format!("#{}", number.0)
}

/// HID-32 Whether a unit sees pickets: placed, in good or shaken morale, and there: guns that were left see nothing.
pub(super) fn observes(unit: &Unit) -> bool {
    let deserted = unit.guns.as_ref().is_some_and(|guns| guns.unmanned);
    unit.on_table() && unit.is_unrouted() && !unit.stands.is_empty() && !deserted
}

/// One who looks, where he looks from.
#[derive(Clone, Debug)]
pub(super) struct Eye {
    pub(super) side: Side,
    pub(super) stands: Vec<Rect>,
    centers: Arc<[Point]>,
    facing: Bearing,
    /// Whether it is in woods, once somebody has asked.
    in_woods: OnceCell<bool>,
}

impl Eye {
    /// A unit with these stands.
    pub(super) fn with_stands(unit: &Unit, stands: Vec<Rect>) -> Eye {
        let centers = stands.iter().map(|stand| stand.center).collect();
        let facing = stands.first().map_or(unit.footing.facing, |stand| stand.facing);
        Eye { side: unit.side, stands, centers, facing, in_woods: OnceCell::new() }
    }

    /// A unit where it stands.
    pub(super) fn of(table: &Table, ix: UnitIx) -> Eye {
        let looker = table.looker(ix);
        let (side, facing) = (table[ix].side, table[ix].footing.facing);
        Eye { side, stands: looker.stands.to_vec(), centers: looker.centers, facing, in_woods: OnceCell::new() }
    }

    /// HID-33 A marker: one stand whose centre is its point.
    fn of_picket(picket: &Picket) -> Eye {
        Eye::of_point(picket.side, picket.at)
    }

    /// One stand about a point.
    fn of_point(side: Side, at: Point) -> Eye {
        let stands = vec![Rect::centered(at, Bearing::NORTH, 0, 0)];
        let centers = Arc::new([at]);
        Eye { side, stands, centers, facing: Bearing::NORTH, in_woods: OnceCell::new() }
    }

    /// VIS-05 Whether it is in woods, as sight has them.
    fn is_in_woods(&self, ground: &GroundNow<'_>) -> bool {
        *self.in_woods.get_or_init(|| ground.in_seen_woods(&self.stands))
    }

    fn looker(&self) -> Looker<'_> {
        Looker { stands: &self.stands, centers: Arc::clone(&self.centers) }
    }

    /// What was found of it before, if it has stayed where it was.
    fn or_known(self, known: Option<&Eye>) -> Eye {
        known.filter(|known| known.is_where(&self)).cloned().unwrap_or(self)
    }

    /// Whether it looks from the same place as that one.
    fn is_where(&self, other: &Eye) -> bool {
        self.facing == other.facing && self.centers == other.centers
    }
}

/// A visibility die that public geometry asks for: a picket, and the unit or the other picket of the pair. HID-37
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asked {
    pub(super) picket: PicketNumber,
    pub(super) other: Other,
}

/// The other of a pair.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// A unit.
    Unit(UnitIx),
    /// A picket, of the higher number.
    Picket(PicketNumber),
}

/// A pair that may see: the die that lets it, 1 where none is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glimpse {
    pub(super) asked: Asked,
    pub(super) least: u8,
}

/// Where all looked from when they were last looked at; while a pair stays where it was, its answer stays. No part of a battle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sighted {
    units: BTreeMap<UnitIx, Eye>,
    pickets: BTreeMap<PicketNumber, Eye>,
    changes: GroundChanges,
    /// The works for which all have looked from where they stood. HID-64
    pub(super) works: BTreeSet<PicketNumber>,
    /// Where the markers stood when phase 7 began. HID-48
    pub(super) starts: BTreeMap<PicketNumber, Point>,
}

/// All pairs of one moment that can see each other at some die, of those that have moved since they were last looked at.
///
/// `eyes` are the units that look; with `fresh` only these units look, and no marker does.
pub(super) fn glimpses(table: &Table, eyes: &BTreeMap<UnitIx, Eye>, fresh: bool, before: &mut Sighted) -> Vec<Glimpse> {
    if before.changes != table.changes {
        *before = Sighted {
            changes: table.changes.clone(),
            starts: std::mem::take(&mut before.starts),
            ..Sighted::default()
        };
    }
    let markers: BTreeMap<PicketNumber, Eye> = table
        .pickets
        .iter()
        .map(|(number, picket)| (*number, Eye::of_picket(picket).or_known(before.pickets.get(number))))
        .collect();
    let (ground, limits) = (table.ground(), table.sight_limits());
    let look = Look { ground: &ground, limits: &limits, trees: &table.theatre.trees };
    let stays = |eye: &Eye, known: Option<&Eye>| known.is_some_and(|known| known.is_where(eye));
    let resting: BTreeSet<PicketNumber> = markers
        .iter()
        .filter(|(number, marker)| stays(marker, before.pickets.get(number)))
        .map(|(number, _)| *number)
        .collect();
    let mut found = Vec::new();
    for (ix, eye) in eyes {
        let rests = stays(eye, before.units.get(ix));
        for (number, marker) in markers.iter().filter(|(_, marker)| marker.side != eye.side) {
            if rests && resting.contains(number) {
                continue;
            }
            let asked = Asked { picket: *number, other: Other::Unit(*ix) };
            found.extend(look.least_die(eye, marker).map(|least| Glimpse { asked, least }));
        }
    }
    if fresh {
        before.units.extend(eyes.iter().map(|(ix, eye)| (*ix, eye.clone())));
        return found;
    }
    for (number, marker) in &markers {
        for (other, opposite) in markers.range(PicketNumber(number.0.saturating_add(1))..) {
            let rests = resting.contains(number) && resting.contains(other);
            if rests || marker.side == opposite.side {
                continue;
            }
            let asked = Asked { picket: *number, other: Other::Picket(*other) };
            found.extend(look.mutual_die(marker, opposite).map(|least| Glimpse { asked, least }));
        }
    }
    (before.units, before.pickets) = (eyes.clone(), markers);
    found
}

/// HID-64 Whether one of these enemy units sees any point of what stands with a picket, with the dice of the pair that `die` tells. Who
/// has stayed where he was has looked before.
pub(super) fn sees_any(
    table: &Table,
    eyes: &BTreeMap<UnitIx, Eye>,
    (number, side, points): (PicketNumber, Side, &[Point]),
    before: &mut Sighted,
    die: impl Fn(UnitIx) -> u8,
) -> bool {
    let looked = before.changes == table.changes && !before.works.insert(number);
    let (ground, limits) = (table.ground(), table.sight_limits());
    let look = Look { ground: &ground, limits: &limits, trees: &table.theatre.trees };
    for (ix, eye) in eyes.iter().filter(|(_, eye)| eye.side != side) {
        if looked && before.units.get(ix).is_some_and(|known| known.is_where(eye)) {
            continue;
        }
        let of_point = |point: &Point| look.least_die(eye, &Eye::of_point(side, *point));
        let least = points.iter().filter_map(of_point).min();
        if least.is_some_and(|least| least == 1 || least <= die(*ix)) {
            return true;
        }
    }
    false
}

/// The ground of one moment, and how far one sees.
struct Look<'a> {
    ground: &'a GroundNow<'a>,
    limits: &'a [SightLimit],
    trees: &'a Trees,
}

impl Look<'_> {
    /// HID-34 to HID-36 The least die with which one sees the other; 1 where no die is needed, none where no die helps.
    fn least_die(&self, from: &Eye, to: &Eye) -> Option<u8> {
        if self.is_surely_unseen(from, to) {
            return None;
        }
        // VIS-08 is not for markers: who fires is placed first (HID-52).
        let pair = Pair { fired_upon: false, limits: self.limits };
        let at = |die: u8| sight::sees(self.ground, &from.looker(), &to.looker(), pair, || die);
        sight::open_line(self.ground, &from.centers, &to.centers)?;
        let best = at(BEST);
        if !best.seen {
            return None;
        }
        if best.die.is_none() {
            return Some(1);
        }
        (1..=BEST).find(|die| at(*die).seen)
    }

    /// VIS-04, VIS-06 Whether there are surely more trees between the two than anybody sees through. No is not certain.
    fn is_surely_unseen(&self, from: &Eye, to: &Eye) -> bool {
        let most = if from.is_in_woods(self.ground) { sight::NEVER_SEEN } else { sight::ALWAYS_SEEN };
        most + EPS < self.trees.depth(self.ground.ground(), &from.centers, &to.centers, most)
    }

    /// HID-41, HID-45 The least die with which each of two markers sees the other.
    fn mutual_die(&self, one: &Eye, other: &Eye) -> Option<u8> {
        let there = self.least_die(one, other)?;
        Some(there.max(self.least_die(other, one)?))
    }
}
