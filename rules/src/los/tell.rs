//! Who is told what. LOS-03, LOS-04, LOS-10 to LOS-13
//!
//! Owns the one door of all facts in this fog. Each side has its own version of a fact: whole, a part of it, or nothing.

use std::collections::BTreeSet;

use protocol::event::{Explanation, Fact, FlankClass, TrackPoint};
use protocol::ids::{BySide, LeaderId, Side, UnitId};
use protocol::orders::RangeBand;

use super::memory::{self, Change};
use super::subjects::{Concerns, Shows, concerns, part_of};
use super::words;
use crate::battle::{Table, UnitIx};
use crate::catalogue::{LOS_02, LOS_03, LOS_04, LOS_11, LOS_12, RuleId, VIS_12};
use crate::explain::sentence;
use crate::field::Field;
use crate::phases::officers::UNHURT;
use crate::play::{Audience, Play};

/// LOS-11 What is said of a march that was seen in part.
const SEEN_IN_PART: &str = "It was seen on a part of its way.";

/// What a side is told of a fact.
#[derive(Clone, PartialEq, Eq)]
enum Version {
    /// Nothing.
    Nothing,
    /// All of it.
    Whole,
    /// Something else in its place.
    Part(Box<(RuleId, Fact, Explanation)>),
}

/// LOS-10 Records a fact for those who may know it.
pub(crate) fn tell(play: &mut Play<'_>, rule: RuleId, fact: Fact, explanation: Explanation, audience: Audience) {
    give_away(play, &fact);
    if let Fact::FellBack { unit, .. } | Fact::Ran { unit, .. } = &fact {
        touch(play, &unit.clone());
    }
    if let Fact::Replaced { leader, .. } = &fact {
        lose_the_new_man(play, &leader.clone());
    }
    let versions = BySide::from_fn(|side| match audience {
        Audience::All | Audience::Both => version(play, side, rule, &fact, &explanation),
        Audience::Side(only) | Audience::Instead(only) if only == side => {
            in_words_for(play.table(), side, rule, &fact, &explanation)
        }
        Audience::Side(_) | Audience::Instead(_) | Audience::Umpire => Version::Nothing,
    });
    let whole: Vec<Side> = Side::BOTH.into_iter().filter(|side| *versions.get(*side) == Version::Whole).collect();
    let audience = match whole.as_slice() {
        [_, _] if matches!(concerns(&fact), Concerns::All) => Audience::All,
        [_, _] => Audience::Both,
        [side] => Audience::Side(*side),
        _ => Audience::Umpire,
    };
    let fallen = match &fact {
        Fact::LeaderHit { leader, .. } => Some(leader.clone()),
        _ => None,
    };
    play.enter(rule, fact, explanation, audience);
    for side in Side::BOTH {
        if let Version::Part(part) = versions.get(side) {
            let (rule, fact, explanation) = (**part).clone();
            play.enter(rule, fact, explanation, Audience::Instead(side));
        }
    }
    if let Some(leader) = fallen {
        lose_the_fallen(play, &leader);
    }
}

/// LOS-15 Who has fallen is seen no longer: neither what becomes of him nor who takes his post shows on him.
fn lose_the_fallen(play: &mut Play<'_>, leader: &LeaderId) {
    let Some(man) = play.table().leaders.get(leader).filter(|man| !man.on_table()) else { return };
    let side = man.side.enemy();
    if let Some(sights) = &mut play.table_mut().sights {
        sights.get_mut(side).leaders.remove(leader);
    }
}

/// LOS-03, LOS-04 Who acts upon the other side is seen by it from now on.
fn give_away(play: &mut Play<'_>, fact: &Fact) {
    let Concerns::Units { of, upon, shows } = concerns(fact) else { return };
    if shows == Shows::Nobody {
        return;
    }
    let table = play.table();
    let on_table = |units: &[&UnitId], owner: Side| -> BTreeSet<UnitId> {
        let units = units.iter().filter_map(|id| table.unit(id));
        units.filter(|unit| unit.side == owner && unit.on_table()).map(|unit| unit.id.clone()).collect()
    };
    let strikes = |units: &[&UnitId], side: Side| !on_table(units, side).is_empty();
    let given = BySide::from_fn(|side: Side| {
        let enemy = side.enemy();
        match shows {
            Shows::Nobody => BTreeSet::new(),
            Shows::Firers => on_table(&of, enemy),
            Shows::Actors if strikes(&upon, side) => on_table(&of, enemy),
            Shows::Actors => BTreeSet::new(),
            Shows::Both => &on_table(&of, enemy) | &on_table(&upon, enemy),
        }
    });
    let rule = if shows == Shows::Firers { LOS_04 } else { LOS_03 };
    show(play, &given, rule);
}

/// LOS-02 Units of both sides that would come within touch by a step see each other before it is refused, as HID-39 has it for
/// pickets: nobody is halted by what stays unseen.
pub(crate) fn meet(play: &mut Play<'_>, pairs: &[(UnitIx, UnitIx)]) {
    let Some(first) = play.table().sights.as_ref() else { return };
    let mut given: BySide<BTreeSet<UnitId>> = BySide::default();
    for (one, other) in pairs.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]) {
        let (looker, seen) = (&play.table()[one], &play.table()[other]);
        if !first.get(looker.side).units.contains(&seen.id) {
            given.get_mut(looker.side).insert(seen.id.clone());
        }
    }
    show(play, &given, LOS_02);
}

/// LOS-02 A side sees those enemies from now on: they bar its troops the way.
pub(crate) fn come_upon(play: &mut Play<'_>, side: Side, enemies: &[UnitIx]) {
    if play.table().sights.is_none() || enemies.is_empty() {
        return;
    }
    let units: BTreeSet<UnitId> = enemies.iter().map(|ix| play.table()[*ix].id.clone()).collect();
    let given = BySide::from_fn(|own| if own == side { units.clone() } else { BTreeSet::new() });
    show(play, &given, LOS_02);
}

/// LOS-15 Who takes over a post is seen where he stands himself; where his predecessor fell in sight tells nothing of him.
fn lose_the_new_man(play: &mut Play<'_>, post: &LeaderId) {
    let table = play.table();
    let Some(side) = table.leaders.get(post).map(|man| man.side.enemy()) else { return };
    let with = table.leaders.get(post).and_then(|man| man.attached.as_ref()).and_then(|unit| table.find(unit));
    if with.is_some_and(|unit| table.knows_of(side, unit)) {
        return;
    }
    if let Some(sights) = &mut play.table_mut().sights {
        sights.get_mut(side).leaders.remove(post);
    }
}

/// LOS-02 Who has been driven within touch of an enemy sees him, and is seen, before anything is told of it.
fn touch(play: &mut Play<'_>, unit: &UnitId) {
    let Some(ix) = play.table().find(unit).filter(|ix| play.table()[*ix].on_table()) else { return };
    let field = Field::new(play.rules, play.table(), play.dice);
    if field.unit(ix).stands.is_empty() {
        return;
    }
    let (own, limit) = (field.unit(ix).side, play.rules.hidden_movement.touch_distance.thousandths());
    let near = field.enemies_near(own, field.extent(ix), limit).filter(|enemy| field.within(ix, *enemy, limit));
    let near: BTreeSet<UnitId> = near.map(|enemy| field.unit(enemy).id.clone()).collect();
    if near.is_empty() {
        return;
    }
    let touched = BySide::from_fn(|side| if side == own { near.clone() } else { BTreeSet::from([unit.clone()]) });
    show(play, &touched, LOS_02);
}

/// LOS-03 These are seen by each side until the end of the stage.
fn show(play: &mut Play<'_>, given: &BySide<BTreeSet<UnitId>>, rule: RuleId) {
    for side in Side::BOTH {
        let Some(before) = play.table().sights.as_ref().map(|sights| sights.get(side)) else { continue };
        if given.get(side).is_subset(&before.given_away) {
            continue;
        }
        let mut now = before.clone();
        now.units.extend(given.get(side).iter().cloned());
        now.given_away.extend(given.get(side).iter().cloned());
        let change = Change::between(play, side, &now);
        memory::change(play, side, now);
        change.tell(play, side, rule);
    }
}

/// What a side is told of a fact that all would be told on an open table.
fn version(play: &Play<'_>, side: Side, rule: RuleId, fact: &Fact, explanation: &Explanation) -> Version {
    let table = play.table();
    let told = |knows: bool| match knows {
        true => in_words_for(table, side, rule, fact, explanation),
        false => Version::Nothing,
    };
    match concerns(fact) {
        Concerns::All => told(true),
        Concerns::Umpire => Version::Nothing,
        Concerns::Command(brigade) => told(table.brigades.get(brigade).is_some_and(|brigade| brigade.side == side)),
        // A change without an actor is learnt on the map, part by part. LOS-17
        Concerns::Place => Version::Nothing,
        Concerns::Leader(leader) => {
            let Some(man) = table.leaders.get(leader) else { return Version::Nothing };
            let now = table.sights.as_ref().is_some_and(|sights| sights.get(side).leaders.contains(leader));
            let began = play.vision.leaders.get(side).contains(leader);
            let marched = matches!(fact, Fact::LeaderMoved { .. });
            match fact {
                _ if man.side == side => told(true),
                // That he was in danger would tell that he has seen whom he is in danger from.
                Fact::LeaderHit { outcome, .. } if outcome == UNHURT => Version::Nothing,
                Fact::LeaderHit { .. } if now => outline(fact),
                _ => told(now && (began || !marched)),
            }
        }
        Concerns::Units { of, upon, shows } => {
            let knows = |id: &UnitId| knows_of(table, side, id);
            let own = |id: &&UnitId| table.unit(id).is_some_and(|unit| unit.side == side);
            // Only who is acted upon is concerned as its own side is: one may turn his back on somebody who does not see him.
            let is_struck = shows != Shows::Nobody && upon.iter().any(own);
            let is_own = is_struck || of.iter().any(own);
            match fact {
                Fact::Moved { unit, .. } if !is_own => march(play, side, (unit, fact)),
                Fact::Volley { target, .. } if is_own && !target.iter().any(knows) => blind_fire(table, side, fact),
                _ if !is_own && of.iter().all(|id| knows(id)) && words::is_his_own_affair(fact) => outline(fact),
                _ if of.iter().chain(&upon).all(|id| knows(id)) => told(true),
                _ if is_own || of.iter().any(|id| knows(id)) => part(table, side, rule, fact, &knows),
                _ => Version::Nothing,
            }
        }
    }
}

/// Whether a side knows of a unit where it is. One that has no place on the table, such as guns beyond its edge, all know. LOS-04
fn knows_of(table: &Table, side: Side, id: &UnitId) -> bool {
    table.find(id).is_none_or(|ix| table.knows_of(side, ix))
}

/// LOS-12 The whole fact, if its words name nobody unseen.
fn in_words_for(table: &Table, side: Side, rule: RuleId, fact: &Fact, explanation: &Explanation) -> Version {
    let told = words::explanation_for(table, side, explanation);
    let shown = words::fact_for(table, side, fact.clone());
    match told == *explanation && shown == *fact {
        true => Version::Whole,
        false => Version::Part(Box::new((rule, shown, told))),
    }
}

/// LOS-12 What an enemy does for reasons of his own, without them.
fn outline(fact: &Fact) -> Version {
    Version::Part(Box::new((LOS_12, words::in_outline(fact.clone()), sentence(words::OUT_OF_SIGHT))))
}

/// LOS-10 A fact without those who are unseen.
fn part(table: &Table, side: Side, rule: RuleId, fact: &Fact, knows: &impl Fn(&UnitId) -> bool) -> Version {
    let Some(part) = part_of(fact, knows) else { return Version::Nothing };
    Version::Part(Box::new((rule, words::fact_for(table, side, part), sentence(words::OUT_OF_SIGHT))))
}

/// LOS-13 What the firers' own side is told of fire at what it does not see: the same whether anybody was there or not.
fn blind_fire(table: &Table, side: Side, fact: &Fact) -> Version {
    let Fact::Volley { firers, .. } = fact else { return Version::Nothing };
    let own = firers.iter().filter_map(|id| table.unit(id)).find(|unit| unit.side == side);
    let at = own.map_or_else(Default::default, |unit| unit.footing.anchor);
    let told = Fact::Volley {
        firers: firers.clone(),
        target: None,
        from: at,
        to: at,
        range: 0,
        band: RangeBand::Normal,
        flank: FlankClass::Front,
        figures: 0,
        result: "--".to_owned(),
        canister: 0,
    };
    Version::Part(Box::new((VIS_12, told, sentence(words::NO_EFFECT))))
}

/// LOS-11 The march of an enemy as far as it was seen.
fn march(play: &Play<'_>, side: Side, (unit, whole): (&UnitId, &Fact)) -> Version {
    let table = play.table();
    let (seen, always) = play.vision.of(side, unit);
    let is_in_segments = 1 < play.vision.instants.len();
    let sees_now = knows_of(table, side, unit);
    if sees_now && (always || !is_in_segments) {
        return outline(whole);
    }
    if seen.is_empty() {
        return Version::Nothing;
    }
    let point = |(segment, stance)| TrackPoint { segment, stance };
    let fact = Fact::Moved { unit: unit.clone(), track: seen.into_iter().map(point).collect(), halted: None };
    Version::Part(Box::new((LOS_11, fact, sentence(SEEN_IN_PART))))
}
