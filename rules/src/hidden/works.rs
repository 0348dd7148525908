//! Work under a picket, and the works that hidden units have made. HID-64
//!
//! Owns what becomes of a change to the ground that is made under seal: what is new stays with the picket, what stood openly
//! changes at once and nobody is said to have done it. What a work needs, and how long it takes, is told by [`crate::works`].
//! Start at [`work`].

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, ObstacleChange};
use protocol::ids::{FeatureId, PicketNumber, Side};
use protocol::orders::{FormTask, Order};
use protocol::place::Point;

use super::seal::{all_real_pickets, stand, under_seal, units_under};
use super::sighting::{self, Eye};
use crate::battle::{Battle, HiddenWorks, Table, UnitIx};
use crate::catalogue::HID_64;
use crate::dice::{Purpose, throw};
use crate::explain::sentence;
use crate::geometry::{polyline_at, polyline_length, segment_length};
use crate::ground::{GroundChanges, Obstacle, ObstacleKind};
use crate::play::{Audience, Play};
use crate::ruleset::Ruleset;
use crate::works;

/// HID-64 A marker has left its works when it is so far from where it stood when they were made, thousandths of an inch.
const LEFT: i32 = 500;

/// HID-64 Points of works are so far apart when somebody looks for them, thousandths of an inch.
const EACH: i32 = 500;

/// HID-64 Plays a step of the work of all units for those under pickets, each picket under its own seal.
pub(crate) fn work(play: &mut Play<'_>, step: impl Fn(&mut Play<'_>, &[UnitIx])) {
    for number in all_real_pickets(&play.battle) {
        if is_at_work(&play.battle, number) {
            let units = units_under(&play.battle, number);
            change_ground(play, number, |inner| step(inner, &units));
        }
    }
}

/// Whether a picket was told to work, or has work in hand.
fn is_at_work(battle: &Battle, number: PicketNumber) -> bool {
    let told = matches!(super::order_of(battle, number), Order::Form { task: FormTask::Work { .. } });
    let under = Side::BOTH.into_iter().find_map(|side| battle.secrets.get(side).open().pickets.get(&number));
    told || under.is_some_and(|under| under.units.iter().any(|unit| unit.carried.labour.is_some()))
}

/// HID-64 Plays a step under seal that may change the ground: what is new is its side's secret, what stood openly changes in the
/// eyes of all, without a word of who did it. LEAK-58
pub(crate) fn change_ground(play: &mut Play<'_>, number: PicketNumber, step: impl FnOnce(&mut Play<'_>)) {
    let from = play.events.len();
    let ground = under_seal(play, number, |inner| {
        let before = inner.table().changes.clone();
        step(inner);
        (before, inner.table().changes.clone())
    });
    let Some((before, after)) = ground.filter(|(before, after)| before != after) else { return };
    // What has just been built nobody has looked for yet.
    play.sighted.works.remove(&number);
    let told = play.events.split_off(from);
    let turned = told.iter().filter_map(|event| match &event.fact {
        Fact::ObstacleChanged { obstacle, change: ObstacleChange::Turned, .. } => Some(obstacle.clone()),
        _ => None,
    });
    let sorted = sort(&mut play.battle, number, (&before, &after), &turned.collect());
    let mut open: Vec<(FeatureId, ObstacleChange)> = Vec::new();
    for mut event in told {
        if let Fact::ObstacleChanged { obstacle, change, .. } = &mut event.fact
            && event.audience != Audience::All
        {
            if let Some(name) = sorted.names.get(obstacle) {
                *obstacle = name.clone();
            }
            if sorted.open.contains(obstacle) {
                open.push((obstacle.clone(), *change));
                continue;
            }
        }
        play.events.push(event);
    }
    for (obstacle, change) in open {
        tell(play, obstacle, change);
    }
}

/// What became of a change to the ground that was made under seal.
struct Sorted {
    /// The names of new things, which tell nobody who made them.
    names: BTreeMap<FeatureId, FeatureId>,
    /// What has changed in the eyes of all.
    open: BTreeSet<FeatureId>,
}

/// HID-64 Keeps what is new with the picket, and changes what stood openly. A fence or wall that went into works stands in the eyes
/// of all until the works are seen.
fn sort(
    battle: &mut Battle,
    number: PicketNumber,
    (before, after): (&GroundChanges, &GroundChanges),
    turned: &BTreeSet<FeatureId>,
) -> Sorted {
    let mut sorted = Sorted { names: BTreeMap::new(), open: BTreeSet::new() };
    let Some((side, at)) = battle.table.pickets.get(&number).map(|picket| (picket.side, picket.at)) else {
        return sorted;
    };
    let kept = battle.secrets.get_mut(side).open_mut().works.remove(&number);
    let mut works = kept.unwrap_or_else(|| HiddenWorks { at, changes: GroundChanges::default() });
    let own: BTreeSet<FeatureId> = works.changes.built.iter().map(|built| built.id.clone()).collect();
    let swallows = |table: &Table, id: &FeatureId| {
        let kind = table.ground().obstacle(id).map(|obstacle| obstacle.kind);
        matches!(kind, Some(ObstacleKind::Fence | ObstacleKind::StoneWall))
    };
    for (id, gaps) in after.gaps.iter().filter(|(id, gaps)| before.gaps.get(*id) != Some(*gaps)) {
        let secret = own.contains(id) || swallows(&battle.table, id);
        if !secret {
            sorted.open.insert(id.clone());
        }
        let changes = if secret { &mut works.changes } else { &mut battle.table.changes };
        gaps.iter().for_each(|gap| changes.open_gap(id, *gap));
    }
    let turned_in_the_open = !sorted.open.is_empty();
    for id in after.open.symmetric_difference(&before.open) {
        battle.table.changes.swing(id, after.open.contains(id));
        sorted.open.insert(id.clone());
    }
    for built in &after.built[before.built.len().min(after.built.len())..] {
        let open = turned.contains(&built.id) && turned_in_the_open;
        let word = built.kind.name().replace([' ', '-'], "_");
        let wanted = if open { format!("{word}_turned") } else { format!("{word}_of_{}", number.0) };
        let taken = |id: &FeatureId| works.changes.built.iter().any(|other| other.id == *id);
        let id = works::free_name(&battle.table, wanted, taken);
        sorted.names.insert(built.id.clone(), id.clone());
        let built = Obstacle { id: id.clone(), ..built.clone() };
        if open {
            sorted.open.insert(id);
            battle.table.changes.built.push(built);
        } else {
            works.changes.built.push(built);
        }
    }
    if works.changes != GroundChanges::default() {
        battle.secrets.get_mut(side).open_mut().works.insert(number, works);
    }
    sorted
}

/// LEAK-58 The change alone, and nobody who made it.
fn tell(play: &mut Play<'_>, obstacle: FeatureId, change: ObstacleChange) {
    let kind = play.table().ground().obstacle(&obstacle).map_or("obstacles", |obstacle| obstacle.kind.name());
    let text = match change {
        ObstacleChange::Built => format!("There are {kind} where nobody had seen any."),
        ObstacleChange::Removed => format!("The {kind} have been removed."),
        ObstacleChange::TroddenDown => format!("The {kind} have been trodden down."),
        ObstacleChange::Turned => format!("The {kind} have been turned about."),
        ObstacleChange::SwungOpen => format!("The {kind} have been swung aside."),
        ObstacleChange::SwungShut => format!("The {kind} have been swung shut."),
    };
    play.tell(HID_64, Fact::ObstacleChanged { obstacle, by: None, change }, sentence(text));
}

/// HID-64 Tells of works that all see from now on, by name.
pub(super) fn tell_bared(play: &mut Play<'_>, mut bared: Vec<FeatureId>) {
    bared.sort();
    for obstacle in bared {
        tell(play, obstacle, ObstacleChange::Built);
    }
}

/// HID-64 Puts the works of a picket on the map of all. Their names.
pub(super) fn bare(play: &mut Play<'_>, number: PicketNumber) -> Vec<FeatureId> {
    let works = Side::BOTH.into_iter().find_map(|side| {
        let own = play.battle.secrets.get_mut(side).open_mut();
        own.works.remove(&number)
    });
    let Some(works) = works else { return Vec::new() };
    play.table_mut().changes.add(&works.changes);
    works.changes.built.into_iter().map(|built| built.id).collect()
}

/// HID-64 The pickets whose works come to light now: their marker has left them, or an enemy unit sees a point of them. With
/// `dice` the die of the pair counts, the same that would show the marker.
pub(super) fn bared(play: &mut Play<'_>, eyes: &BTreeMap<UnitIx, Eye>, dice: bool) -> BTreeSet<PicketNumber> {
    let all: BTreeMap<PicketNumber, (Side, HiddenWorks)> = Side::BOTH
        .into_iter()
        .flat_map(|side| play.battle.secrets.get(side).open().works.iter().map(move |(n, works)| (*n, (side, works))))
        .map(|(number, (side, works))| (number, (side, works.clone())))
        .collect();
    let mut sighted = std::mem::take(&mut play.sighted);
    let mut bared = BTreeSet::new();
    for (number, (side, works)) in all {
        let marker = play.table().pickets.get(&number).map(|picket| picket.at);
        let left = marker.is_none_or(|at| LEFT <= segment_length(at, works.at));
        let points = points_of(&works);
        let table = play.table();
        let name = sighting::name_of_picket(number);
        let die = |ix: UnitIx| {
            let other = sighting::name_of(&table[ix], table.turn).into_owned();
            let (first, second) = if other <= name { (&other, &name) } else { (&name, &other) };
            let thrown = throw(play.dice, 0, Purpose::VisibilityPair, &[first, second], 1, 1);
            thrown.faces.first().copied().filter(|_| dice).unwrap_or(0)
        };
        if left || sighting::sees_any(table, eyes, (number, side, &points), &mut sighted, die) {
            bared.insert(number);
        }
    }
    play.sighted = sighted;
    bared
}

/// Points along works, near enough to each other that none is missed.
fn points_of(works: &HiddenWorks) -> Vec<Point> {
    let of_line = |built: &Obstacle| {
        let length = polyline_length(&built.line);
        let between = (0..length).step_by(EACH as usize).filter_map(|along| polyline_at(&built.line, along));
        built.line.iter().copied().chain(between.map(|(at, _)| at)).collect::<Vec<Point>>()
    };
    works.changes.built.iter().flat_map(of_line).collect()
}

/// SCN-18, HID-64 Digs the works behind which a hidden unit begins, for its side alone.
pub(crate) fn dig_before_battle(battle: &mut Battle, rules: &Ruleset, number: PicketNumber, ix: UnitIx) {
    let Some(side) = battle.table.pickets.get(&number).map(|picket| picket.side) else { return };
    let own = battle.secrets.get(side).open();
    let Some(under) = own.pickets.get(&number) else { return };
    let mut table = battle.table.clone();
    under.units.iter().for_each(|unit| stand(&mut table, number, unit));
    table.build_hidden(own.works.get(&number));
    let before = table.changes.clone();
    works::dig_before_battle(&mut table, rules, ix);
    sort(battle, number, (&before, &table.changes), &BTreeSet::new());
}
