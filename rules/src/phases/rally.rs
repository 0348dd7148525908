//! Phase 2: routs, rallies, replacements.
//!
//! Owns the three steps of RALLY-01. Routed moves and checks are [`crate::morale`]'s, reforming [`crate::reform`]'s, new
//! commanders [`crate::leaders`]'. What shelters a unit that rallies is part of its morale point.

#[cfg(test)]
mod tests;

use protocol::event::{Dice as DiceShown, Fact, Morale};
use protocol::place::Bearing;
use protocol::words::Arm;

use crate::battle::{Unit, UnitIx};
use crate::catalogue::{
    MOR_05, MOR_07, RALLY_10, RALLY_19, RALLY_20, RALLY_21, RALLY_22, RALLY_24, RALLY_26, RALLY_27, ROUT_19, RuleId,
    TC_02,
};
use crate::column;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, named, sentence};
use crate::field::Field;
use crate::hidden;
use crate::house::RallyTwo;
use crate::leaders::{self, Allotment, Help};
use crate::morale::{self, InCharge, Modifiers};
use crate::play::Play;
use crate::reform;
use crate::rout::{self, Loss};
use crate::settle::Happening;

/// Phase 2. RALLY-01
pub fn play(play: &mut Play<'_>) {
    leaders::mark_danger(play);
    let tried_at_the_edge = morale::routed_moves(play);
    after_moves(play);
    rallies(play, &tried_at_the_edge);
    after_moves(play);
    replacements(play);
}

fn after_moves(play: &mut Play<'_>) {
    leaders::give_way(play);
    leaders::mark_danger(play);
}

/// What an attempt came to. RALLY-19 to RALLY-24
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Good by a natural 12. MOR-05
    Natural12,
    /// One state better.
    Rallied,
    /// Shaken as before. RALLY-20
    StaysShaken,
    /// Routed by a natural 2. RALLY-24
    Natural2,
    /// Routed as before, and a stand poorer. RALLY-22
    StaysRouted,
}

/// One attempt to rally, computed from the snapshot of the step.
struct Attempt {
    unit: UnitIx,
    before: Morale,
    point: Reckoning,
    dice: DiceShown,
    outcome: Outcome,
    /// An officer is present, with whom it may reform.
    officer: bool,
    /// Where its reference enemy lies.
    enemy: Bearing,
}

/// RALLY-09 to RALLY-24 All attempts of both sides at once, then what follows from them.
fn rallies(play: &mut Play<'_>, tried: &[UnitIx]) {
    let trying = who_try(play, tried);
    let batch: Vec<(UnitIx, Help)> = trying.iter().map(|unit| (*unit, Help::Morale)).collect();
    let helpers = leaders::allot(play, &batch);
    let before = play.table().clone();
    let field = Field::new(play.rules, &before, play.dice);
    let attempts: Vec<Attempt> = trying.into_iter().map(|unit| attempt(play, &field, &helpers, unit)).collect();
    let mut routed = Vec::new();
    let mut happenings = Vec::new();
    for attempt in attempts {
        let (unit, outcome) = (attempt.unit, attempt.outcome);
        apply(play, attempt);
        match outcome {
            Outcome::Natural2 => routed.push(unit),
            Outcome::StaysRouted if play.table()[unit].stands.is_empty() => {
                rout::lose(play, unit, RALLY_22, Loss::Disintegrated, Vec::new());
                happenings.push(Happening::Removed(unit));
            }
            _ => {}
        }
    }
    morale::rout_at_once(play, &routed, happenings);
}

/// RALLY-09 Every routed unit, and every shaken one whose owner does not decline.
fn who_try(play: &mut Play<'_>, tried: &[UnitIx]) -> Vec<UnitIx> {
    // TAC-32 A column rallies by the attempt of its lead.
    let unsteady = play
        .table()
        .units()
        .filter(|(ix, unit)| unit.morale != Morale::Good && !unit.follows_in_column() && !tried.contains(ix));
    let unsteady: Vec<UnitIx> = unsteady.map(|(ix, _)| ix).collect();
    let tries = |ix: &UnitIx| !play.table()[*ix].is_unrouted() || play.choice(*ix, true, |said| said.rally).0;
    unsteady.into_iter().filter(tries).collect()
}

/// RALLY-10 One roll against the morale point of a rally.
fn attempt(play: &Play<'_>, field: &Field<'_>, helpers: &Allotment, ix: UnitIx) -> Attempt {
    let unit = field.unit(ix);
    let point = Modifiers::of(field, ix, play.phase, &InCharge::default()).rally();
    let key = [unit.id.as_str()];
    let count = play.rules.rally.dice.unsigned_abs();
    let first = play.thrown(Purpose::Rally, &key) + 1;
    let mut dice = throw(play.dice, play.phase, Purpose::Rally, &key, first, count);
    dice.needed = Some(format!("above {}", point.total()));
    let thrown: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let outcome = outcome(play, unit.morale, thrown, point.total());
    let (officer, enemy) = (helpers.helper(ix).is_some(), reform::toward_the_enemy(field, ix));
    Attempt { unit: ix, before: unit.morale, point, dice, outcome, officer, enemy }
}

/// RALLY-19 to RALLY-24, MOR-07 What a throw makes of a shaken or routed unit.
fn outcome(play: &Play<'_>, before: Morale, thrown: i32, point: i32) -> Outcome {
    let natural = &play.rules.morale_check;
    let routed = before == Morale::Routed;
    match thrown {
        thrown if thrown == natural.natural_rally => Outcome::Natural12,
        thrown if thrown == natural.natural_rout => {
            if routed {
                Outcome::StaysRouted
            } else {
                match play.rules.house.rally_two {
                    RallyTwo::Routs => Outcome::Natural2,
                    RallyTwo::Stays => Outcome::StaysShaken,
                }
            }
        }
        thrown if point < thrown => Outcome::Rallied,
        _ => {
            if routed {
                Outcome::StaysRouted
            } else {
                Outcome::StaysShaken
            }
        }
    }
}

/// Makes the attempt count: morale, order, a stand lost; and tells it.
fn apply(play: &mut Play<'_>, attempt: Attempt) {
    let Attempt { unit: ix, before, point, dice, outcome, officer, enemy } = attempt;
    let thrown: u32 = dice.faces.iter().map(|face| u32::from(*face)).sum();
    let after = match (outcome, before) {
        (Outcome::Natural12, _) | (Outcome::Rallied, Morale::Good | Morale::Shaken) => Morale::Good,
        (Outcome::Rallied, Morale::Routed) | (Outcome::StaysShaken, _) => Morale::Shaken,
        (Outcome::Natural2 | Outcome::StaysRouted, _) => Morale::Routed,
    };
    let better = after < before;
    play.table_mut()[ix].morale = after;
    if outcome != Outcome::Natural2 {
        column::share_morale(play, ix);
    }
    if before == Morale::Routed && better && play.table()[ix].arm != Arm::GunCrew {
        play.table_mut()[ix].footing.disorder = true;
    }
    let was_disordered = play.table()[ix].footing.disorder;
    let reformed = better && officer && reform::reform(play, ix, enemy);
    let lost = if outcome == Outcome::StaysRouted { lose_a_stand(play, ix) } else { 0 };
    let unit = &play.table()[ix];
    let (rule, told) = match outcome {
        Outcome::Natural12 => (MOR_05, "rallies to good morale by a natural 12"),
        Outcome::Rallied if before == Morale::Routed => (RALLY_21, "rallies and is shaken"),
        Outcome::Rallied => (RALLY_19, "rallies to good morale"),
        Outcome::StaysShaken => (RALLY_20, "does not rally and stays shaken"),
        Outcome::Natural2 => (RALLY_24, "routs by a natural 2"),
        Outcome::StaysRouted if thrown == 2 => (MOR_07, "does not rally by a natural 2, and stays routed"),
        Outcome::StaysRouted => (RALLY_22, "does not rally and stays routed"),
    };
    let text = format!("{} throws {thrown} and must beat {}: it {told}.", named(&unit.name), point.total());
    let mut explanation = sentence(text).with_sum(&point).with_dice(dice);
    explanation = explanation.with_note(RALLY_10, "basic modifiers only; none for being fired on or charged");
    if reformed {
        explanation =
            explanation.with_note(RALLY_19, format!("with an officer present it reforms: {}", unit.footing.formation));
    } else if better && was_disordered {
        explanation = explanation.with_note(RALLY_19, "it stays in disorder");
    }
    let stance = unit.stance();
    let fact = Fact::Rally { unit: unit.id.clone(), before, after, after_stance: stance.clone() };
    let (id, left) = (unit.id.clone(), unit.stands.iter().map(|stand| stand.figures).collect());
    play.tell(rule, fact, explanation);
    if 0 < lost {
        let fact = Fact::Losses { unit: id, figures: lost, stands: 1, horses: 0, after: stance, left };
        let text = format!("{} loses a stand of fugitives: it did not rally.", named(&play.table()[ix].name));
        play.tell(RALLY_22, fact, sentence(text).with_note(ROUT_19, "no check is taken for it"));
    }
}

/// RALLY-22 The next stand in the order of loss goes with all its figures; of a crew one section. The figures lost.
fn lose_a_stand(play: &mut Play<'_>, ix: UnitIx) -> u32 {
    let stands = play.rules.casualty.stands_lost_per_failed_rally;
    let unit = &mut play.table_mut()[ix];
    let mut lost = 0;
    for _ in 0..stands {
        lost += match unit.arm {
            Arm::GunCrew | Arm::Artillery => lose_a_section(unit),
            Arm::Infantry | Arm::Cavalry | Arm::Sharpshooter => lose_next_stand(unit),
        };
    }
    lost
}

/// ORG-03 The stand that is next in the order of loss is the one that has lost figures already, if one has.
fn lose_next_stand(unit: &mut Unit) -> u32 {
    let next = unit.stands.iter().enumerate().min_by_key(|(_, stand)| stand.loss_rank).map(|(n, _)| n);
    next.map_or(0, |n| unit.stands.remove(n).figures)
}

fn lose_a_section(unit: &mut Unit) -> u32 {
    let Some(stand) = unit.stands.first_mut() else { return 0 };
    stand.figures = stand.figures.saturating_sub(1);
    if stand.figures == 0 {
        unit.stands.clear();
    }
    1
}

/// RALLY-25 Horses, ammunition, leaders: each in the turn after the loss, all at once.
fn replacements(play: &mut Play<'_>) {
    supply(play, |_| true);
    hidden::replacements(play);
    leaders::replace(play);
    hidden::replace_leaders(play);
}

/// RALLY-26, RALLY-27 Horses and ammunition for those who are wanted.
pub(crate) fn supply(play: &mut Play<'_>, wanted: impl Fn(UnitIx) -> bool) {
    let tests: Vec<Test> = [horses(play), ammunition(play)].concat();
    let tests: Vec<Test> = tests.into_iter().filter(|(ix, ..)| wanted(*ix)).collect();
    let batch: Vec<(UnitIx, Help)> = tests.iter().map(|(unit, ..)| (*unit, Help::Competence)).collect();
    let helpers = leaders::allot(play, &batch);
    for (unit, rule, purpose, bmp) in tests {
        replace(play, &helpers, unit, rule, purpose, bmp);
    }
}

type Test = (UnitIx, RuleId, Purpose, i32);

/// RALLY-26 Batteries that lost one horse last turn, and have not lost another since.
fn horses(play: &Play<'_>) -> Vec<Test> {
    let table = play.table();
    let full = play.rules.scale.horses_per_battery.unsigned_abs();
    let due = table.units().filter(|(_, unit)| {
        let last_turn = |guns: &crate::battle::Guns| guns.horse_lost_in.is_some_and(|turn| turn + 1 == table.turn);
        unit.arm == Arm::Artillery
            && unit.is_unrouted()
            && unit.guns.as_ref().is_some_and(|guns| last_turn(guns) && guns.horses + 1 == full)
    });
    due.map(|(ix, unit)| (ix, RALLY_26, Purpose::ReplaceHorse, best_of_battalion(play, unit))).collect()
}

/// RALLY-26 Its own BMP, or the best of its gun battalion.
fn best_of_battalion(play: &Play<'_>, unit: &Unit) -> i32 {
    let table = play.table();
    let battalion = table.brigade_of(unit).filter(|brigade| brigade.guns);
    let members = battalion
        .into_iter()
        .flat_map(|battalion| table.members(&battalion.id))
        .filter(|(_, member)| member.on_table());
    members
        .map(|(_, member)| member.base_morale_point(play.rules))
        .min()
        .unwrap_or_else(|| unit.base_morale_point(play.rules))
}

/// RALLY-27 Infantry and cavalry that ran out of ammunition last turn, routed ones left out.
fn ammunition(play: &Play<'_>) -> Vec<Test> {
    let table = play.table();
    let due = table.units().filter(|(_, unit)| {
        matches!(unit.arm, Arm::Infantry | Arm::Cavalry)
            && unit.is_unrouted()
            && unit.ammunition_out_since.is_some_and(|turn| turn + 1 == table.turn)
    });
    due.map(|(ix, unit)| (ix, RALLY_27, Purpose::ReplaceAmmunition, unit.base_morale_point(play.rules))).collect()
}

/// RALLY-25 One competence roll for a horse or for ammunition.
fn replace(play: &mut Play<'_>, helpers: &Allotment, ix: UnitIx, rule: RuleId, purpose: Purpose, bmp: i32) {
    let unit = &play.table()[ix];
    let mut number = Reckoning::of("number to beat");
    number.add(rule, "base morale point", bmp);
    if let Some(helper) = helpers.helper(ix) {
        number.add(TC_02, format!("officer present: {}", helper.name), -helper.competence(play.rules).2);
    }
    let mut die = throw(play.dice, play.phase, purpose, &[unit.id.as_str()], 1, 1);
    die.needed = Some(format!("above {}", number.total()));
    let face: i32 = die.faces.iter().map(|face| i32::from(*face)).sum();
    let passed = number.total() < face;
    let what = if purpose == Purpose::ReplaceHorse { "a new horse" } else { "ammunition" };
    let (name, id) = (unit.name.clone(), unit.id.clone());
    let end = if passed { format!("finds {what}") } else { format!("finds no {what}").replace("no a new", "no new") };
    let explanation = sentence(format!("{name} throws {face}, must beat {}, and {end}.", number.total()));
    let fact = Fact::Competence { unit: id.clone(), because: format!("replacing {what}"), passed };
    play.tell(rule, fact, explanation.with_sum(&number).with_dice(die));
    let unit = &mut play.table_mut()[ix];
    match (purpose, &mut unit.guns) {
        (Purpose::ReplaceHorse, Some(guns)) => {
            guns.horse_lost_in = None;
            guns.horses += u32::from(passed);
        }
        (Purpose::ReplaceAmmunition, _) if passed => {
            unit.ammunition_out_since = None;
            play.tell(
                rule,
                Fact::Ammunition { unit: id, out: false },
                sentence(format!("{name} has ammunition again.")),
            );
        }
        _ => {}
    }
}
