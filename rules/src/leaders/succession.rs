//! Who takes the place of a fallen commander. LEAD-16 to LEAD-20
//!
//! Owns the two attempts for a brigade, the one for a division or corps, and the taking over of a brigade by a superior.

use protocol::event::{Dice as DiceShown, Fact};
use protocol::ids::{BrigadeId, LeaderId};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;
use protocol::words::Arm;

use super::following::behind;
use crate::battle::{Leader, Post, Unit, UnitIx};
use crate::catalogue::{LEAD_16, LEAD_18, LEAD_19, LEAD_20, RuleId};
use crate::command;
use crate::dice::{Purpose, break_tie, throw};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::geometry::{self, Distance};
use crate::house::{ReplaceDivision, SecondAttempt};
use crate::los;
use crate::play::Play;

/// LEAD-18, LEAD-19 A superior is with a regiment within this distance, thousandths of an inch.
const WITH_A_REGIMENT: i32 = 1_000;

/// LEAD-18 At the end of phase 7: superiors who were told to, and have arrived, take brigades over in person.
pub fn take_over(play: &mut Play<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut taken: Vec<(LeaderId, BrigadeId)> = Vec::new();
    for leader in field.table.leaders_on_table().filter(|leader| leader.post != Post::Brigade) {
        let told = play.leader_choice(leader.side, &leader.id, |draft| draft.take_over.clone());
        let Some(brigade) = told.and_then(|id| field.table.brigades.get(&id)) else { continue };
        let is_superior = field
            .table
            .members(&brigade.id)
            .any(|(_, unit)| command::superiors(field.table, unit).iter().any(|above| above.id == leader.id));
        // OFF-11: a wound is not a vacancy, and a vacancy filled meanwhile makes the instruction void.
        let vacant = brigade.commander.as_ref().and_then(|id| field.table.leaders.get(id)).is_some_and(is_gone);
        if is_superior && vacant && nearest_regiment(&field, leader, &brigade.id).is_some() {
            taken.push((leader.id.clone(), brigade.id.clone()));
        }
    }
    for (id, brigade) in taken {
        let name =
            play.table().brigades.get(&brigade).map_or_else(|| brigade.to_string(), |brigade| brigade.name.clone());
        let Some(leader) = play.table_mut().leaders.get_mut(&id) else { continue };
        if leader.took_over.as_ref() == Some(&brigade) {
            continue;
        }
        leader.took_over = Some(brigade);
        let fact = Fact::Replaced { leader: id.clone(), name: leader.name.clone(), level: leader.level };
        let text = format!("{} takes {name} over in person; he links it from the next turn on.", leader.name);
        play.tell(LEAD_18, fact, sentence(text));
    }
}

/// SCN-15 Dead, or not yet on the table.
fn is_gone(leader: &Leader) -> bool {
    leader.lost_in.is_some() || leader.presence != Presence::Table
}

/// The unrouted regiment of a brigade that a leader is with, the nearest.
fn nearest_regiment(field: &Field<'_>, leader: &Leader, brigade: &BrigadeId) -> Option<UnitIx> {
    let regiments = field.table.members(brigade).filter(|(_, unit)| is_regiment(unit) && unit.is_unrouted());
    let near = regiments.map(|(unit, _)| (field.leader_distance(leader, unit), unit));
    near.filter(|(distance, _)| distance.within(WITH_A_REGIMENT)).min().map(|(_, unit)| unit)
}

/// The regiments of a brigade.
fn regiments(field: &Field<'_>, brigade: &BrigadeId) -> Vec<UnitIx> {
    field.table.members(brigade).filter(|(_, unit)| is_regiment(unit)).map(|(ix, _)| ix).collect()
}

fn is_regiment(unit: &Unit) -> bool {
    unit.on_table() && matches!(unit.arm, Arm::Infantry | Arm::Cavalry)
}

/// A new commander, decided but not yet in place.
struct Appointment {
    post: LeaderId,
    rule: RuleId,
    /// The regiment whose BMP was to be beaten.
    regiment: UnitIx,
    /// A man was found.
    found: bool,
    level: u8,
    dice: Vec<DiceShown>,
    text: String,
}

/// LEAD-16, LEAD-19, LEAD-20 All attempts of phase 2 to fill vacant posts, from one snapshot.
pub fn replace(play: &mut Play<'_>) {
    let mut appointments = Vec::new();
    for leader in play.table().leaders.values().filter(|leader| leader.lost_in.is_some()) {
        // CMD-09, LEAD-20: artillery leaders are not replaced.
        if leader.arm == Some(Arm::Artillery) {
            continue;
        }
        let fell_last_turn = leader.lost_in.is_some_and(|turn| turn + 1 == play.table().turn);
        appointments.extend(match (leader.post, fell_last_turn) {
            (Post::Brigade, true) => first_attempt(play, leader),
            (Post::Brigade, false) => second_attempt(play, leader),
            (_, true) => higher_post(play, leader),
            (_, false) => None,
        });
    }
    for appointment in appointments {
        appoint(play, appointment);
    }
}

/// LEAD-16 One die against the best regiment's BMP, in the turn after the death.
fn first_attempt(play: &Play<'_>, fallen: &Leader) -> Option<Appointment> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let brigade = fallen.brigade.as_ref()?;
    let candidates = regiments(&field, brigade);
    let level = play.rules.leaders.replacement_brigade_level;
    attempt(play, &field, (fallen, fallen.id.as_str()), LEAD_16, &candidates, level)
}

/// LEAD-16, HID-74 The first attempt for a brigade that is wholly hidden, where the play is sealed: the regiment in which a man was
/// found, and his name. It is told here; who puts him in his place is [`crate::hidden`].
pub(crate) fn attempt_under_seal(
    inner: &mut Play<'_>,
    fallen: &Leader,
    candidates: &[UnitIx],
    key: &str,
) -> Option<(UnitIx, String, u8)> {
    let level = inner.rules.leaders.replacement_brigade_level;
    let appointment = {
        let field = Field::new(inner.rules, inner.table(), inner.dice);
        attempt(inner, &field, (fallen, key), LEAD_16, candidates, level)?
    };
    if !appointment.found {
        vacant(inner, &appointment);
        return None;
    }
    let Appointment { post, rule, regiment, text, dice, .. } = appointment;
    let name = successor(inner, regiment);
    let mut explanation = sentence(text);
    explanation.dice = dice;
    inner.tell(rule, Fact::Replaced { leader: post, name: name.clone(), level }, explanation);
    Some((regiment, name, level))
}

/// Whether the brigade of a fallen commander is to be given a new one in this turn's first attempt. LEAD-16
pub(crate) fn is_due(leader: &Leader, turn: u32) -> bool {
    let fell_last_turn = leader.lost_in.is_some_and(|lost| lost + 1 == turn);
    fell_last_turn && leader.post == Post::Brigade && leader.arm != Some(Arm::Artillery)
}

/// LEAD-19 One more die, against the BMP of the regiment that a division commander has ridden to and is still with.
fn second_attempt(play: &Play<'_>, fallen: &Leader) -> Option<Appointment> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let brigade = fallen.brigade.as_ref().filter(|_| 0 < fallen.replacement_attempts)?;
    let mut generals = field.table.leaders_on_table().filter(|leader| leader.post == Post::Division);
    let general = generals.find(|leader| leader.took_over.as_ref() == Some(brigade))?;
    let regiment = nearest_regiment(&field, general, brigade)?;
    let level = play.rules.leaders.replacement_brigade_level;
    let candidates = match play.rules.house.second_attempt {
        SecondAttempt::RodeTo => vec![regiment],
        SecondAttempt::Best => regiments(&field, brigade),
    };
    attempt(play, &field, (fallen, fallen.id.as_str()), LEAD_19, &candidates, level)
}

/// LEAD-20 For a division or corps: by a roll, at once, or never, as the scenario has it.
fn higher_post(play: &Play<'_>, fallen: &Leader) -> Option<Appointment> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let own = field.table.units_of(fallen.side).filter(|(_, unit)| {
        is_regiment(unit) && command::superiors(field.table, unit).iter().any(|above| above.id == fallen.id)
    });
    let candidates: Vec<UnitIx> = own.map(|(ix, _)| ix).collect();
    let level = play.rules.leaders.replacement_higher_level;
    match field.table.house().replace_division {
        ReplaceDivision::Never => None,
        ReplaceDivision::Roll => attempt(play, &field, (fallen, fallen.id.as_str()), LEAD_20, &candidates, level),
        ReplaceDivision::Automatic => {
            let (regiment, dice) = best_regiment(play, &field, fallen.at, &candidates)?;
            let text = format!("{} is replaced.", fallen.name);
            Some(Appointment { post: fallen.id.clone(), rule: LEAD_20, regiment, found: true, level, dice, text })
        }
    }
}

/// The roll that LEAD-16, LEAD-19 and LEAD-20 share; none where no regiment is left to find a man in.
fn attempt(
    play: &Play<'_>,
    field: &Field<'_>,
    (fallen, key): (&Leader, &str),
    rule: RuleId,
    candidates: &[UnitIx],
    level: u8,
) -> Option<Appointment> {
    let (regiment, mut dice) = best_regiment(play, field, fallen.at, candidates)?;
    let bmp = field.unit(regiment).base_morale_point(play.rules);
    let mut die = throw(play.dice, play.phase, Purpose::ReplaceLeader, &[key], 1, 1);
    die.needed = Some(format!("above {bmp}, the base morale point of {}", field.unit(regiment).name));
    let found = die.faces.iter().any(|face| bmp < i32::from(*face));
    let text = match found {
        true => format!("A new man takes the post of {}.", fallen.name),
        false => format!("Nobody is found to take the post of {}.", fallen.name),
    };
    dice.insert(0, die);
    Some(Appointment { post: fallen.id.clone(), rule, regiment, found, level, dice, text })
}

/// LEAD-16 The regiment of the lowest BMP: unrouted before routed, then nearest to where he fell, then `tie.leader`.
fn best_regiment(
    play: &Play<'_>,
    field: &Field<'_>,
    fell_at: Point,
    candidates: &[UnitIx],
) -> Option<(UnitIx, Vec<DiceShown>)> {
    let rank = |unit: UnitIx| -> (i32, bool, Distance) {
        let regiment = field.unit(unit);
        let stands = field.layout(unit).rects().map(|stand| geometry::point_to_polygon(fell_at, &stand.corners));
        (regiment.base_morale_point(play.rules), !regiment.is_unrouted(), stands.min().unwrap_or(Distance::ZERO))
    };
    let best = candidates.iter().map(|unit| rank(*unit)).min()?;
    let level: Vec<UnitIx> = candidates.iter().copied().filter(|unit| rank(*unit) == best).collect();
    if let [only] = level.as_slice() {
        return Some((*only, Vec::new()));
    }
    let keys: Vec<Vec<&str>> = level.iter().map(|unit| vec![field.unit(*unit).id.as_str()]).collect();
    let broken = break_tie(play.dice, play.phase, Purpose::TieLeader, &keys);
    broken.order.first().map(|first| (level[*first], broken.throws))
}

/// LEAD-16, LEAD-17 Puts the new man in his place, or tells that there is none.
fn appoint(play: &mut Play<'_>, appointment: Appointment) {
    if !appointment.found {
        let Appointment { post, rule, .. } = &appointment;
        if let Some(leader) = play.table_mut().leaders.get_mut(post).filter(|_| *rule == LEAD_19) {
            leader.replacement_attempts = 0;
        }
        vacant(play, &appointment);
        return;
    }
    let Appointment { post, rule, regiment, level, dice, text, .. } = appointment;
    let mut explanation = sentence(text);
    explanation.dice = dice;
    let name = successor(play, regiment);
    let field = Field::new(play.rules, play.table(), play.dice);
    let Some(size) = field.table.leaders.get(&post).map(Leader::stand_size) else { return };
    let (at, facing) = behind(&field, regiment, size);
    install(play, &post, &name, level, at, facing);
    release_heirs(play, &post);
    play.tell(rule, Fact::Replaced { leader: post, name, level }, explanation);
}

/// Tells that nobody was found.
fn vacant(play: &mut Play<'_>, appointment: &Appointment) {
    let Appointment { rule, regiment, dice, text, .. } = appointment;
    let mut explanation = sentence(text.clone());
    explanation.dice.clone_from(dice);
    let unit = play.table()[*regiment].id.clone();
    let fact = Fact::Competence { unit, because: "finding a new commander".to_owned(), passed: false };
    let explanation = explanation.with_note(*rule, "The post stays vacant.");
    match los::is_played(play.table()) {
        // Whoever sees the regiment is not told that the man above it is gone. LOS-15
        true => {
            let side = play.table()[*regiment].side;
            play.tell_side(side, *rule, fact, explanation);
        }
        false => play.tell(*rule, fact, explanation),
    }
}

/// The senior officer of the regiment, where the scenario names him.
fn successor(play: &Play<'_>, regiment: UnitIx) -> String {
    let unit = &play.table()[regiment];
    let force = play.table().scenario().force(unit.id.as_str());
    match force.map(|force| force.leader.as_str()).filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => format!("the senior officer of {}", unit.name),
    }
}

fn install(play: &mut Play<'_>, post: &LeaderId, name: &str, level: u8, at: Point, facing: Bearing) {
    let Some(leader) = play.table_mut().leaders.get_mut(post) else { return };
    name.clone_into(&mut leader.name);
    leader.level = level;
    leader.presence = Presence::Table;
    leader.lost_in = None;
    leader.wounded_until = None;
    leader.replacement_attempts = 0;
    (leader.at, leader.facing, leader.at_turn_start) = (at, facing, at);
    leader.marks = crate::battle::LeaderMarks::default();
}

/// LEAD-19 A superior who had the brigade in person gives it up to its new commander.
fn release_heirs(play: &mut Play<'_>, post: &LeaderId) {
    let brigade = play.table().leaders.get(post).and_then(|leader| leader.brigade.clone());
    let Some(brigade) = brigade else { return };
    for leader in play.table_mut().leaders.those_mut(|leader| leader.took_over.as_ref() == Some(&brigade)) {
        leader.took_over = None;
    }
}
