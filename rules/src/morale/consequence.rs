//! What verdicts change: morale, orders, places, those who go along; what friends can see of it. MOR-35, SHK-09, ROUT-18
//!
//! Owns the end of a wave: verdicts in, a changed table, told facts and happenings out. All moves of the wave are computed
//! from its snapshot and made together.

use std::collections::BTreeMap;

use protocol::event::{Fact, Morale, OrderShown};
use protocol::orders::FollowOrStay;
use protocol::place::Point;
use protocol::words::Arm;

use super::check::Verdict;
use super::flight::{self, Mover, Placed, displacement};
use super::sighting::{self, Happened};
use super::{InCharge, Modifiers, columns, officer, reference, screens};
use crate::battle::{Leader, Unit, UnitIx};
use crate::catalogue::{
    LEAD_12, MOR_05, MOR_59, RALLY_05, RALLY_08, RALLY_10, ROUT_03, ROUT_04, ROUT_11, ROUT_12, ROUT_13, ROUT_17,
    RuleId, SHK_01, SHK_02, SHK_05, SHK_09, SHK_12, SHK_17,
};
use crate::column;
use crate::competence;
use crate::dice::{Purpose, TieBreak, break_tie, throw};
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::geometry::Distance;
use crate::hidden;
use crate::leaders;
use crate::play::Play;
use crate::reform;
use crate::rout::{self, Loss, Run};
use crate::ruleset::Inches;
use crate::scenario::RollOn;
use crate::shaken::{self, FallBack};
use crate::specials;

/// ROUT-17, LEAD-12 A leader is with a unit within this distance, thousandths of an inch.
const WITH_THE_UNIT: i32 = 1_000;

/// MOR-35 Applies all verdicts of a wave, makes its moves, and gives what friends may see of it.
pub fn apply(play: &mut Play, field: &Field, charge: &InCharge, verdicts: Vec<Verdict>) -> Vec<Happened> {
    for verdict in &verdicts {
        tell_checks(play, field, charge, verdict);
        screens::tell_checks(play, field, verdict);
    }
    for verdict in verdicts.iter().filter(|verdict| verdict.natural_twelve) {
        reform_at_once(play, field, charge, verdict.unit);
    }
    let mut happened = Vec::new();
    let mut movers = Vec::new();
    for verdict in &verdicts {
        if verdict.picked_up {
            happened.extend(seen_loss(field, verdict.unit, Loss::PickedUp));
            leave_guns(play, field, verdict.unit);
            rout::lose_because(play, verdict.unit, ROUT_12, Loss::PickedUp, Vec::new(), &verdict.reason());
        } else if verdict.got_worse() {
            become_worse(play, field, charge, verdict, &mut movers, &mut happened);
        }
    }
    let reasons = verdicts.iter().map(|verdict| (verdict.unit, verdict.reason())).collect();
    let (seen, _) = make_moves(play, field, &movers, Going::AtOnce, &reasons);
    happened.extend(seen);
    for verdict in &verdicts {
        screens::go(play, verdict);
    }
    happened
}

/// RALLY-02 Makes the routed moves of phase 2. What friends see of them, and who has tried to rally at the edge.
pub fn routed_moves(play: &mut Play, field: &Field, movers: &[Mover]) -> (Vec<Happened>, Vec<UnitIx>) {
    make_moves(play, field, movers, Going::InPhaseTwo, &Reasons::new())
}

/// Why each unit goes, to be read after a colon.
type Reasons = BTreeMap<UnitIx, String>;

/// When a unit goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Going {
    /// At the moment it got worse.
    AtOnce,
    /// By the routed move of phase 2.
    InPhaseTwo,
}

/// MOR-05 With an officer present a disordered unit that threw a natural 12 may reform, unless its charge or melee runs.
fn reform_at_once(play: &mut Play, field: &Field, charge: &InCharge, ix: UnitIx) {
    let busy = charge.melee || charge.charging.contains(&ix) || charge.engaged.contains(&ix);
    if busy || officer::present(field, ix).is_none() || !reform::reform(play, ix, reform::toward_the_enemy(field, ix)) {
        return;
    }
    let unit = &play.table()[ix];
    let text = format!("{} reforms at once: {}.", unit.name, unit.footing.formation);
    let fact = Fact::Formed { unit: unit.id.clone(), after: unit.stance() };
    play.tell(MOR_05, fact, sentence(text));
}

/// Tells the checks of a unit and takes over the state in which they left it.
fn tell_checks(play: &mut Play, field: &Field, charge: &InCharge, verdict: &Verdict) {
    let id = field.unit(verdict.unit).id.clone();
    let last = verdict.checks.len();
    for (n, checked) in verdict.checks.iter().enumerate() {
        let fact = Fact::MoraleCheck {
            unit: id.clone(),
            because: checked.because.to_owned(),
            passed: checked.passed,
            before: checked.before,
            after: checked.after,
        };
        let mut explanation = checked.explanation.clone();
        if n + 1 == last && verdict.got_worse() && verdict.after == Morale::Shaken {
            if charge.melee {
                explanation = explanation.with_note(SHK_17, "in a melee it stays and fights on");
            } else if let Some(officer) =
                officer::present_in_charge(field, column::lead_of(field.table, verdict.unit), charge)
            {
                explanation =
                    explanation.with_note(SHK_01, format!("{} is present: it does not fall back", officer.name));
            }
        }
        play.tell(checked.rule, fact, explanation);
    }
    let in_phase_8 = play.phase == 8;
    let took_first = verdict.checks.iter().any(|checked| checked.rule == crate::catalogue::MOR_10);
    let passed = verdict.checks.iter().filter(|checked| checked.passed).count();
    let unit = &mut play.table_mut()[verdict.unit];
    unit.morale = verdict.after;
    unit.first_casualty_taken |= took_first;
    unit.carried.checks_passed += u32::try_from(passed).unwrap_or(0);
    unit.marks.failed_in_phase_8 |= in_phase_8 && passed < last;
    let before = unit.carried.checks;
    unit.carried.checks += u32::try_from(last).unwrap_or(0);
    for n in before + 1..=play.table()[verdict.unit].carried.checks {
        specials::roll(play, verdict.unit, RollOn::Check, n);
    }
}

/// SHK-01, ROUT-03 What a unit that got worse does at once.
fn become_worse(
    play: &mut Play,
    field: &Field,
    charge: &InCharge,
    verdict: &Verdict,
    movers: &mut Vec<Mover>,
    happened: &mut Vec<Happened>,
) {
    let ix = verdict.unit;
    let opponent = charge.opponent.get(&ix).copied();
    if verdict.after == Morale::Shaken {
        if charge.melee {
            return;
        }
        // TAC-32 The lead's officer holds the whole column, and the lead takes it along.
        let lead = column::lead_of(field.table, ix);
        if leaders::holds_shaken(field, lead, charge.help(lead, field.unit(lead))) {
            lose_charge(play, ix);
            return;
        }
        lose_order(play, ix);
        if field.unit(ix).follows_in_column() {
            return;
        }
        let reference = reference::reference(field, ix, &verdict.hit_by, opponent);
        match shaken::fall_back(play, field, ix, reference) {
            FallBack::Goes(mover) => movers.push(*mover),
            FallBack::CannotMove(why) => tell_stuck(play, field, ix, why),
        }
        return;
    }
    become_routed(play, field, ix);
    if charge.melee {
        happened.extend(seen_loss(field, ix, Loss::Surrendered));
        leave_guns(play, field, ix);
        rout::lose_because(play, ix, ROUT_13, Loss::Surrendered, Vec::new(), &verdict.reason());
        return;
    }
    let reference = reference::reference(field, ix, &verdict.hit_by, opponent);
    match rout::run(play, field, ix, reference) {
        Run::Goes(mover) | Run::Stays(mover) => movers.push(*mover),
        Run::Disintegrates(dice) => {
            happened.extend(seen_loss(field, ix, Loss::Disintegrated));
            leave_guns(play, field, ix);
            rout::lose_because(play, ix, ROUT_04, Loss::Disintegrated, vec![dice], &verdict.reason());
        }
    }
}

/// MOR-28, MOR-29 The loss of a unit in this wave; of a battery that has just left its guns, the guns.
fn seen_loss(field: &Field, ix: UnitIx, how: Loss) -> Option<Happened> {
    match field.unit(ix).arm {
        Arm::Artillery => sighting::rout(field, ix, Vec::new()),
        _ => sighting::loss(field, ix).map(|seen| Happened { how: how.seen(), ..seen }),
    }
}

/// ROUT-08 The guns of a battery stay where they are.
pub(super) fn leave_guns(play: &mut Play, field: &Field, ix: UnitIx) {
    let unit = field.unit(ix);
    if let (Arm::Artillery, Some(guns)) = (unit.arm, rout::abandoned(unit)) {
        play.table_mut().abandoned.insert(unit.id.clone(), guns);
    }
}

/// ROUT-18 All of a unit's state goes with the rout.
fn become_routed(play: &mut Play, field: &Field, ix: UnitIx) {
    lose_order(play, ix);
    let skirmished = field.unit(ix).is_skirmishing();
    let marks = &mut play.table_mut()[ix].marks;
    marks.conditional_hold = false;
    marks.shown = Some(OrderShown::Routed {});
    marks.routed_skirmishing = skirmished;
    column::leave(play.table_mut(), ix);
}

/// SHK-09 The movement and the formation change of this turn are over; said where an order is known that was to move.
fn lose_order(play: &mut Play, ix: UnitIx) {
    let after_reveal = 3 <= play.phase;
    let unit = &mut play.table_mut()[ix];
    let was_moving =
        unit.marks.shown.as_ref().is_some_and(|shown| !shown.stays() && !matches!(shown, OrderShown::Routed {}));
    let is_news = was_moving && !unit.marks.order_spent;
    unit.marks.forming = false;
    if after_reveal {
        unit.marks.order_spent = true;
    }
    if is_news {
        let why = if unit.morale == Morale::Routed { "it has routed" } else { "it is shaken" };
        let (id, text) = (unit.id.clone(), format!("{} can no longer carry out its order: {why}.", named(&unit.name)));
        play.tell(SHK_09, Fact::OrderVoid { unit: id }, sentence(text));
    }
}

/// SHK-09, SHK-19 Held in place by an officer, only a charge ends.
fn lose_charge(play: &mut Play, ix: UnitIx) {
    if matches!(play.table()[ix].marks.shown, Some(OrderShown::Charge { .. })) {
        lose_order(play, ix);
    }
}

/// SHK-12 Guns that cannot move stay and lose their fire.
fn tell_stuck(play: &mut Play, field: &Field, ix: UnitIx, why: &str) {
    let unit = field.unit(ix);
    play.table_mut()[ix].marks.guns_silent = true;
    let fact = Fact::FellBack { unit: unit.id.clone(), distance: 0, after: unit.stance() };
    play.tell(SHK_12, fact, sentence(format!("{} is shaken and stays where it is: {why}.", unit.name)));
}

/// MOR-38 Makes all moves of a wave, then lets those who were passed through roll, then those at the table edge rally.
fn make_moves(
    play: &mut Play,
    field: &Field,
    movers: &[Mover],
    going: Going,
    reasons: &Reasons,
) -> (Vec<Happened>, Vec<UnitIx>) {
    let (dice, phase) = (play.dice, play.phase);
    let placed = hidden::flee(play, field, movers, |field, movers| flight::place(field, dice, phase, movers));
    let mut happened = Vec::new();
    let companions = companions(play, field, movers, going);
    for (mover, placed) in movers.iter().zip(&placed) {
        go(play, field, mover, placed, going, reasons.get(&mover.unit).map(String::as_str));
        // TAC-32 The rout of a column is one rout, that of its lead.
        if mover.runs && !field.unit(mover.unit).follows_in_column() {
            let run = sighting::rout(field, mover.unit, mover.samples(placed.travel));
            happened.extend(
                run.map(|run| if going == Going::InPhaseTwo { Happened { how: "fled on", ..run } } else { run }),
            );
        }
    }
    for (leader, n, rule) in companions {
        go_along(play, &leader, &movers[n], placed[n].travel, rule);
    }
    for (mover, placed) in movers.iter().zip(&placed) {
        pass_through(play, field, mover, &placed.passed);
    }
    let at_edge = movers.iter().zip(&placed).filter(|(mover, placed)| mover.runs && placed.at_edge);
    let tried: Vec<UnitIx> = at_edge.map(|(mover, _)| mover.unit).collect();
    rally_at_edge(play, &tried);
    happened.extend(give_themselves_up(play, movers));
    (happened, tried)
}

/// HID-55, ROUT-11 Who has run into troops that were hidden surrenders to them; what friends see of it.
fn give_themselves_up(play: &mut Play, movers: &[Mover]) -> Vec<Happened> {
    let taken = hidden::surrendered(play, movers);
    if taken.is_empty() {
        return Vec::new();
    }
    for ix in &taken {
        rout::lose(play, *ix, ROUT_11, Loss::Surrendered, Vec::new());
    }
    let field = Field::new(play.rules, play.table(), play.dice);
    let seen = taken.iter().filter_map(|ix| sighting::loss(&field, *ix));
    seen.map(|seen| Happened { how: Loss::Surrendered.seen(), ..seen }).collect()
}

/// Puts a unit where it ends and tells it.
fn go(play: &mut Play, field: &Field, mover: &Mover, placed: &Placed, going: Going, reason: Option<&str>) {
    let before = field.unit(mover.unit);
    if mover.runs {
        leave_guns(play, field, mover.unit);
    }
    let unit = &mut play.table_mut()[mover.unit];
    stand(unit, mover, placed);
    if mover.runs {
        unit.marks.bonus_taken |= going == Going::AtOnce;
    } else {
        unit.marks.fell_back = true;
        unit.marks.guns_silent |= unit.arm == Arm::Artillery;
    }
    let after = unit.stance();
    let distance = u32::try_from(placed.travel).unwrap_or(0);
    let inches = if placed.travel == 1_000 { "1 inch".to_owned() } else { format!("{} inches", Inches(placed.travel)) };
    let stays = mover.runs && mover.distance == 0;
    let name = named(&before.name);
    let (rule, text) = match (mover.runs, stays, going) {
        (false, ..) => (SHK_02, format!("{name} is shaken and falls back {inches}")),
        (true, true, _) => (ROUT_03, format!("{name} routs and turns its back where it stands")),
        (true, false, Going::AtOnce) => (ROUT_03, format!("{name} routs and runs {inches}")),
        (true, false, Going::InPhaseTwo) => (crate::catalogue::RALLY_02, format!("{name} flees on for {inches}")),
    };
    let in_disorder = !before.footing.disorder && placed.footing.disorder && !mover.runs;
    let text = if in_disorder { format!("{text}, in disorder") } else { text };
    let text = reason.map_or_else(|| format!("{text}."), |reason| format!("{text}: {reason}."));
    let from = match mover.reference.enemy {
        Some(enemy) => format!("away from {}", called(&field.unit(enemy).name)),
        None => "away from where the enemy lies".to_owned(),
    };
    let mut explanation = sentence(text).with_note(MOR_59, from);
    explanation.dice.clone_from(&mover.dice);
    if let Some(why) = placed.stopped_by {
        explanation =
            explanation.with_note(SHK_05, format!("it stops short of {} inches: {why}", Inches(mover.distance)));
    }
    if let Some((rule, text)) = rout::note_on(mover, stays).filter(|_| mover.runs && going == Going::AtOnce) {
        explanation = explanation.with_note(rule, text);
    }
    let unit = before.id.clone();
    let fact = if mover.runs { Fact::Ran { unit, distance, after } } else { Fact::FellBack { unit, distance, after } };
    play.tell(rule, fact, explanation);
    if !mover.runs {
        columns::fall_back_with_lead(play, mover.unit, distance);
    }
}

/// A unit as it stands where it has ended.
pub(super) fn stand(unit: &mut Unit, mover: &Mover, placed: &Placed) {
    unit.arm = mover.body.arm;
    unit.guns.clone_from(&mover.body.guns);
    unit.weapon.clone_from(&mover.body.weapon);
    unit.mounted = mover.body.mounted;
    unit.stand_width = mover.body.stand_width;
    unit.stand_depth = mover.body.stand_depth;
    unit.last_formed = mover.body.last_formed;
    unit.footing = placed.footing.clone();
}

/// SHK-06, ROUT-10, TC-08 The rolls of a mover and of each friend in its way; a routed unit rolls for nothing itself.
pub(super) fn pass_through(play: &mut Play, field: &Field, mover: &Mover, passed: &[UnitIx]) {
    for friend in passed {
        let rolls = if mover.runs {
            competence::run_through(play, field, mover.unit, *friend).into_iter().collect()
        } else {
            competence::pass_through(play, field, mover.unit, *friend)
        };
        for roll in rolls {
            let (unit, passed, rule) = (roll.unit, roll.passed, roll.rule);
            roll.tell(play);
            if !passed {
                let why = if unit == mover.unit {
                    format!("it failed its roll as it passed through {}", called(&field.unit(*friend).name))
                } else {
                    format!("it failed its roll as {} passed through it", called(&field.unit(mover.unit).name))
                };
                disorder(play, unit, rule, &format!(": {why}"));
            }
        }
    }
}

/// FORM-26, TAC-31 Tells and marks that a unit has lost its order, if it had any, and with it the column that it leads.
pub fn fall_into_disorder(play: &mut Play, ix: UnitIx, rule: RuleId) {
    disorder(play, ix, rule, "");
}

fn disorder(play: &mut Play, ix: UnitIx, rule: RuleId, why: &str) {
    let unit = &mut play.table_mut()[ix];
    if unit.footing.disorder || !unit.on_table() {
        return;
    }
    unit.footing.disorder = true;
    let text = format!("{} falls into disorder{why}.", named(&unit.name));
    let fact = Fact::Disorder { unit: unit.id.clone(), disorder: true };
    play.tell(rule, fact, sentence(text));
    column::disorder_with_lead(play, ix);
}

/// LEAD-12, ROUT-17, RALLY-05 The leaders who go along, each with the number of the mover that he keeps with.
pub(super) fn companions(play: &Play, field: &Field, movers: &[Mover], going: Going) -> Vec<(Leader, usize, RuleId)> {
    let leaders = field.table.leaders_on_table();
    leaders.filter_map(|leader| companion(play, field, movers, going, leader)).collect()
}

fn companion(
    play: &Play,
    field: &Field,
    movers: &[Mover],
    going: Going,
    leader: &Leader,
) -> Option<(Leader, usize, RuleId)> {
    let radius = field.rules.leader_level.at(leader.level).radius.thousandths();
    let with = if going == Going::InPhaseTwo { radius } else { WITH_THE_UNIT };
    let near = movers.iter().enumerate().filter(|(_, mover)| {
        let is_with = |ix: UnitIx| field.leader_within(leader, ix, with);
        field.unit(mover.unit).side == leader.side && regiments(field, mover).into_iter().any(is_with)
    });
    let near: Vec<usize> = near.map(|(n, _)| n).collect();
    let attached = |n: &usize| {
        let regiments = regiments(field, &movers[*n]);
        regiments.iter().any(|ix| leader.attached.as_ref() == Some(&field.unit(*ix).id))
    };
    let n = near.iter().copied().find(|n| attached(n)).or_else(|| nearest(play, field, movers, leader, &near))?;
    let mover = &movers[n];
    let (rule, default) = match (mover.runs, going) {
        (false, _) => (LEAD_12, FollowOrStay::Follow),
        (true, Going::InPhaseTwo) => (RALLY_05, FollowOrStay::Follow),
        (true, Going::AtOnce) => (ROUT_17, with_a_rout(field, leader, movers, radius)),
    };
    let said = play.leader_choice(leader.side, &leader.id, |draft| match (mover.runs, going) {
        (false, _) => draft.if_unit_falls_back,
        (true, Going::InPhaseTwo) => draft.with_routed,
        (true, Going::AtOnce) => draft.if_unit_routs,
    });
    (said.unwrap_or(default) == FollowOrStay::Follow).then(|| (leader.clone(), n, rule))
}

/// TAC-32 The unit that goes; of a column that falls back as one all its regiments.
fn regiments(field: &Field, mover: &Mover) -> Vec<UnitIx> {
    if mover.runs { vec![mover.unit] } else { column::members(field.table, mover.unit) }
}

fn leader_distance(field: &Field, leader: &Leader, mover: &Mover) -> Distance {
    let distances = regiments(field, mover).into_iter().map(|ix| field.leader_distance(leader, ix));
    distances.min().unwrap_or(Distance::of(i32::MAX))
}

/// The nearest of several units that go; level ones by their dice.
fn nearest(play: &Play, field: &Field, movers: &[Mover], leader: &Leader, near: &[usize]) -> Option<usize> {
    let distance = |n: usize| leader_distance(field, leader, &movers[n]);
    let least = near.iter().map(|n| distance(*n)).min()?;
    let level: Vec<usize> = near.iter().copied().filter(|n| distance(*n) == least).collect();
    let keys: Vec<Vec<&str>> =
        level.iter().map(|n| vec![leader.id.as_str(), field.unit(movers[*n].unit).id.as_str()]).collect();
    let TieBreak { order, .. } = break_tie(play.dice, play.phase, Purpose::TieLeader, &keys);
    order.first().map(|place| level[*place])
}

/// ROUT-17 He stays if another unrouted unit is within his radius, else he follows.
fn with_a_rout(field: &Field, leader: &Leader, movers: &[Mover], radius: i32) -> FollowOrStay {
    let routs = |ix: UnitIx| movers.iter().any(|mover| mover.runs && mover.unit == ix);
    let mut friends = field.table.units_of(leader.side).filter(|(ix, unit)| unit.is_unrouted() && !routs(*ix));
    if friends.any(|(ix, _)| field.leader_within(leader, ix, radius)) {
        FollowOrStay::Stay
    } else {
        FollowOrStay::Follow
    }
}

/// LEAD-12, ROUT-17 A leader keeps his place beside a unit that goes; he never leaves the table with it.
pub(super) fn go_along(play: &mut Play, leader: &Leader, mover: &Mover, travel: i32, rule: RuleId) {
    if travel == 0 {
        return;
    }
    let by = displacement(mover.bearing, travel);
    let (width, height) = {
        let ground = play.table().ground().ground();
        (ground.width, ground.height)
    };
    let to = Point::new((leader.at.x + by.x).clamp(0, width), (leader.at.y + by.y).clamp(0, height));
    let name = called(&play.table()[mover.unit].name);
    if let Some(leader) = play.table_mut().leaders.get_mut(&leader.id) {
        leader.at = to;
    }
    let fact = Fact::LeaderMoved { leader: leader.id.clone(), path: vec![leader.at, to] };
    play.tell(rule, fact, sentence(format!("{} goes along with {name}.", leader.name)));
}

/// RALLY-08, ROUT-16 Units that ran to the table edge try to rally at once, all from one snapshot; who fails is lost.
fn rally_at_edge(play: &mut Play, at_edge: &[UnitIx]) {
    if at_edge.is_empty() {
        return;
    }
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let charge = InCharge::default();
    for ix in at_edge.iter().copied().filter(|ix| before[*ix].on_table()) {
        let unit = field.unit(ix);
        let point = Modifiers::of(&field, ix, play.phase, &charge).rally();
        let key = [unit.id.as_str()];
        let count = u32::try_from(field.rules.rally.dice).unwrap_or(2);
        let first = play.thrown(Purpose::Rally, &key) + 1;
        let mut dice = throw(play.dice, play.phase, Purpose::Rally, &key, first, count);
        let thrown: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
        dice.needed = Some(format!("above {}", point.total()));
        let natural = &field.rules.morale_check;
        let after = if thrown == natural.natural_rally {
            Morale::Good
        } else if thrown != natural.natural_rout && point.total() < thrown {
            Morale::Shaken
        } else {
            Morale::Routed
        };
        let outcome = match after {
            Morale::Good => "rallies to good morale",
            Morale::Shaken => "rallies, shaken",
            Morale::Routed => "does not rally",
        };
        let text = format!(
            "{} stops at the table edge, throws {thrown}, must beat {}, and {outcome}.",
            named(&unit.name),
            point.total()
        );
        let explanation =
            sentence(text).with_sum(&point).with_dice(dice).with_note(RALLY_10, "modifiers of the place at the edge");
        let fact = Fact::Rally { unit: unit.id.clone(), before: Morale::Routed, after, after_stance: unit.stance() };
        play.tell(RALLY_08, fact, explanation);
        play.table_mut()[ix].morale = after;
        if after == Morale::Routed {
            rout::lose(play, ix, RALLY_08, Loss::FledTheTable, Vec::new());
        }
    }
}
