//! HID-02, HID-72, HID-82 From what both sides have sealed to markers, and to what is under them.
//!
//! Owns the drawing of places where the scenario has them drawn, the order in which numbers are given out, and the building of both
//! halves of a picket. Numbers follow the places of the markers, which all see, and never the roster: neither order nor gaps of
//! the numbers tell what a marker hides (LEAK-05).

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::{BySide, SeatId, Side};
use protocol::orders::{self, Hides, Hiding};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;

use super::Placements;
use super::deployment::{drawn_up, inside, is_for, rects, zones_of};
use super::hiding::{Accepted, dummies_of, facing_when_drawn, is_manoeuvre, may_hide, must_hide};
use crate::battle::{Battle, Known, Picket, Table, Under, Unit};
use crate::dice::{KeyedDice, Purpose};
use crate::geometry::contains_within_eps;
use crate::hidden::{Kept, Numbers, below, line};
use crate::ruleset::Ruleset;
use crate::scenario::Zone;

/// What a seat's picket will be.
pub(super) struct Sealed {
    pub(super) side: Side,
    pub(super) seat: SeatId,
    pub(super) picket: Accepted,
}

/// HID-02 A sealed picket with its number.
pub(super) struct Numbered {
    sealed: Sealed,
    kept: Kept,
}

/// HID-02 Gives every picket its number, both sides together, by place; what stands on one point and faces one way is in the order of
/// its contents, which then nobody can see. Then the numbers of all that may still come in under pickets (HID-67).
pub(super) fn number(
    rules: &Ruleset,
    mustered: &Table,
    dice: &KeyedDice,
    mut sealed: Vec<Sealed>,
) -> (Vec<Numbered>, BySide<Vec<Kept>>) {
    let mut numbers = Numbers::new(rules, dice);
    sealed.sort_by_cached_key(|Sealed { side, picket, .. }| {
        let Hiding { at, facing, hides, leaders, path: _ } = &picket.hiding;
        (at.x, at.y, facing.hundredths(), *side, format!("{hides:?} {leaders:?}"))
    });
    let mut numbered = Vec::new();
    for sealed in sealed {
        // Who has no number left stands openly: there are far more numbers than a side may have markers.
        if let Some(kept) = numbers.draw() {
            numbered.push(Numbered { sealed, kept });
        }
    }
    let each = 1 + rules.hidden_movement.dummies_per_unit.unsigned_abs();
    let mut to_come = |side: Side| {
        let coming = mustered.all_units().map(|(_, unit)| unit).filter(|unit| unit.side == side);
        let coming = coming.filter(|unit| unit.presence == Presence::ToCome && is_manoeuvre(unit.arm)).count();
        (0..coming * each as usize).map_while(|_| numbers.draw()).collect::<Vec<Kept>>()
    };
    let kept = match mustered.scenario().plays_hidden_movement() {
        true => BySide { union: to_come(Side::Union), confederate: to_come(Side::Confederate) },
        false => BySide::default(),
    };
    (numbered, kept)
}

/// HID-13 Who is hidden has a name on the open table that stands as printed, whatever was sealed.
pub(super) fn stand_as_printed(numbered: &[Numbered], placements: &mut BySide<Placements>) {
    for Numbered { sealed: Sealed { side, picket, .. }, .. } in numbered {
        let placements = placements.get_mut(*side);
        for unit in &picket.units {
            placements.units.remove(&unit.id);
            placements.hidden.insert(unit.id.clone());
        }
        for leader in &picket.leaders {
            placements.leaders.remove(&leader.id);
            placements.hidden_leaders.insert(leader.id.clone());
        }
    }
}

/// HID-72, HID-73 Puts the markers on the table, and under them what they hide, for their own side alone.
pub(super) fn put(battle: &mut Battle, numbered: Vec<Numbered>, kept: BySide<Vec<Kept>>) {
    for Numbered { sealed: Sealed { side, seat, picket }, kept } in numbered {
        let number = kept.number;
        let roster = line(&battle.table, side, kept, &picket.hiding);
        let (marker, under) = both_halves(side, seat, kept, picket, &roster.commitment);
        battle.table.pickets.insert(number, marker);
        let secrets = battle.secrets.get_mut(side).open_mut();
        secrets.pickets.insert(number, under);
        secrets.roster.insert(number, roster);
    }
    for side in Side::BOTH {
        battle.secrets.get_mut(side).open_mut().kept_numbers.clone_from(kept.get(side));
    }
}

/// HID-01 The marker, and what is under it.
pub(crate) fn both_halves(
    side: Side,
    seat: SeatId,
    Kept { number, salt }: Kept,
    picket: Accepted,
    commitment: &str,
) -> (Picket, Under) {
    let Accepted { hiding: Hiding { at, facing, hides, leaders: _, path: _ }, units, leaders } = picket;
    let marker = Picket {
        number,
        side,
        at,
        facing,
        confirmed: None,
        shown: None,
        travelled: Vec::new(),
        commitment: commitment.to_owned(),
    };
    (marker, Under { seat, hides, units, leaders, salt })
}

/// HID-82, SCNS-13 The pickets whose places are drawn: where the scenario has them drawn, of all who may hide, with all their dummies;
/// else of those who must and of whom their owner has said nothing. Who has no zone stands openly.
pub(super) fn drawn(rules: &Ruleset, known: &Known, dice: &KeyedDice, hidden: &[Sealed]) -> Vec<Sealed> {
    let table = &known.table;
    let scenario = table.scenario();
    if !scenario.plays_hidden_movement() {
        return Vec::new();
    }
    let at_random = scenario.deployment.hidden_at_random;
    let by_owner: BTreeSet<_> =
        hidden.iter().flat_map(|sealed| sealed.picket.units.iter().map(|unit| &unit.id)).collect();
    let mut drawn = Vec::new();
    for (_, unit) in table.units_of(known.side) {
        let wanted = may_hide(table, unit).is_ok() && !by_owner.contains(&unit.id);
        if wanted && (at_random || must_hide(table, unit)) {
            drawn.extend(unit_at_random(rules, known, dice, unit));
        }
    }
    if at_random {
        drawn.extend(dummies_at_random(rules, known, dice));
    }
    drawn
}

fn unit_at_random(rules: &Ruleset, known: &Known, dice: &KeyedDice, unit: &Unit) -> Option<Sealed> {
    let scenario = known.table.scenario();
    let force = scenario.force(unit.id.as_str())?;
    let formation = unit.footing.formation;
    let facing = facing_when_drawn(known);
    let there = |anchor: Point| {
        let place = orders::Placement { anchor, facing, formation, gap: None };
        drawn_up(rules, scenario, force, unit, &place).ok()
    };
    let zones: Vec<&Zone> = zones_of(scenario, known.side).filter(|zone| is_for(scenario, zone, &unit.id)).collect();
    let fits = |zone: &Zone, at: Point| there(at).is_some_and(|placed| inside(zone, &rects(&placed)));
    let at = spot(dice, &[known.side.to_string().as_str(), unit.id.as_str()], &zones, fits)?;
    let hides = Hides::Unit { unit: unit.id.clone(), formation, gap: None };
    let placed = Unit { presence: Presence::Hidden, ..there(at)? };
    Some(sealed(known.side, unit.seat.clone(), hides, (at, facing), vec![placed]))
}

fn dummies_at_random(rules: &Ruleset, known: &Known, dice: &KeyedDice) -> Vec<Sealed> {
    let scenario = known.table.scenario();
    let zones: Vec<&Zone> = zones_of(scenario, known.side).collect();
    let mut by_seat: BTreeMap<&SeatId, u32> = BTreeMap::new();
    for (_, unit) in known.table.units_of(known.side) {
        by_seat.entry(&unit.seat).or_default();
    }
    let side = known.side.to_string();
    let facing = facing_when_drawn(known);
    let mut dummies = Vec::new();
    for (seat, allowed) in &mut by_seat {
        *allowed = dummies_of(known, rules, &|other| other == *seat);
        for n in 1..=*allowed {
            let label = format!("dummy {n}");
            let at = spot(dice, &[side.as_str(), seat.as_str(), label.as_str()], &zones, |_, _| true);
            let placed = |at| sealed(known.side, (*seat).clone(), Hides::Dummy {}, (at, facing), Vec::new());
            dummies.extend(at.map(placed));
        }
    }
    dummies
}

fn sealed(side: Side, seat: SeatId, hides: Hides, (at, facing): (Point, Bearing), units: Vec<Unit>) -> Sealed {
    let hiding = Hiding { at, facing, hides, leaders: Vec::new(), path: Vec::new() };
    Sealed { side, seat, picket: Accepted { hiding, units, leaders: Vec::new() } }
}

/// So many places are drawn before the stands of a unit may stick out of its zone.
const TRIES: u32 = 60;

/// Dice of a coordinate: eight have 1679616 faces together, more than the largest table has thousandths.
const DICE_OF_A_LENGTH: u32 = 8;

/// HID-82 A point of one of the zones, drawn by dice: the first that fits, else the first that lies in its zone at all.
fn spot(dice: &KeyedDice, key: &[&str], zones: &[&Zone], fits: impl Fn(&Zone, Point) -> bool) -> Option<Point> {
    let mut thrown = 0;
    let mut draw = |limit: i32| {
        let limit = u32::try_from(limit).ok().filter(|limit| 0 < *limit)?;
        let drawn = below(dice, Purpose::SetupPlace, key, &mut thrown, DICE_OF_A_LENGTH, limit)?;
        i32::try_from(drawn).ok()
    };
    let mut else_there = None;
    for _ in 0..TRIES {
        let zone = zones.get(usize::try_from(draw(i32::try_from(zones.len()).ok()?)?).ok()?)?;
        let xs = || zone.outline.iter().map(|corner| corner.x);
        let ys = || zone.outline.iter().map(|corner| corner.y);
        let (west, south) = (xs().min()?, ys().min()?);
        let at = Point::new(west + draw(xs().max()? - west + 1)?, south + draw(ys().max()? - south + 1)?);
        if !contains_within_eps(&zone.outline, at) {
            continue;
        }
        if fits(zone, at) {
            return Some(at);
        }
        else_there.get_or_insert(at);
    }
    else_there
}
