//! The checks of one unit in one batch: in order, each from the state that the one before left. MOR-03 to MOR-19, MOR-40
//!
//! Owns which checks a happening forces, their dice and their result. It changes nothing: [`super`] applies the verdict.

use std::collections::BTreeMap;

use protocol::event::{Dice as DiceShown, Explanation, Morale};
use protocol::ids::LeaderId;

use super::InCharge;
use super::cause::Told;
use super::point::{Cause, Modifiers, State, losses};
use super::sighting::Happened;
use crate::battle::{Column, UnitIx};
use crate::catalogue::{MOR_05, MOR_06, MOR_07, ROUT_12, RuleId};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::field::Field;
use crate::house::RoutedViewers;
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::settle::FiredOn;

/// What a unit saw happen to a friend. MOR-20
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// A unit routed, or ran past.
    Rout(UnitIx),
    /// A unit was lost.
    Loss(UnitIx),
    /// An officer was hit.
    Officer(LeaderId),
}

/// A happening that a unit saw, how near, and in what words it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it saw.
    pub what: Sight,
    /// What happened to it, as a sentence goes on: `routed`.
    pub how: &'static str,
    /// The least distance at which it was seen, thousandths of an inch. MOR-23
    pub distance: i32,
}

impl Seen {
    /// MOR-29 Routs, losses, officers, and of a kind the nearest first, so that no name decides which state a check finds.
    fn in_order_of_checks(&self) -> (u8, i32, &Sight) {
        let kind = match self.what {
            Sight::Rout(_) => 0,
            Sight::Loss(_) => 1,
            Sight::Officer(_) => 2,
        };
        (kind, self.distance, &self.what)
    }
}

/// All that forces one unit to check in one batch.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The fires of the step, losses taken off already.
    pub fires: Vec<FiredOn>,
    /// Those of them that its skirmish screen took. TAC-18
    pub screen: Vec<FiredOn>,
    /// What it saw, each once, in the order of the checks.
    pub seen: Vec<Seen>,
    /// It presses on past a halted point. CHG-46
    pub presses_on: bool,
}

impl Case {
    /// MOR-29 Adds what it saw at that distance.
    pub(crate) fn see_from(&mut self, happening: &Happened, distance: i32) {
        self.see(Seen { what: happening.what.clone(), how: happening.how, distance });
    }

    /// MOR-29 Adds what it saw; of what is seen twice the nearer counts.
    pub(super) fn see(&mut self, sighting: Seen) {
        match self.seen.iter_mut().find(|known| known.what == sighting.what) {
            Some(known) if sighting.distance < known.distance => *known = sighting,
            Some(_) => {}
            None => self.seen.push(sighting),
        }
        self.seen.sort_by(|one, other| one.in_order_of_checks().cmp(&other.in_order_of_checks()));
    }
}

/// The kinds of check. MOR-09
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    FirstCasualty,
    Hit(usize),
    Horse,
    StandLost,
    /// Of a skirmish screen, in which a figure counts as a stand. TAC-19
    ScreenFigureLost,
    Saw(Seen),
    /// To press on past a halted point. CHG-46
    PressOn,
}

impl Kind {
    /// MOR-26 Whether it is taken for what became of another unit, of a kind that routed units ignore.
    pub(super) fn is_ignored_by_the_routed(&self, rules: &Ruleset) -> bool {
        let Kind::Saw(Seen { what, .. }) = self else { return false };
        match what {
            Sight::Rout(_) => true,
            Sight::Loss(_) => rules.house.routed_viewers == RoutedViewers::RoutsAndLosses,
            Sight::Officer(_) => false,
        }
    }
}

/// One check that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The rule that forced it.
    pub rule: RuleId,
    /// Why, such as `saw a rout`.
    pub because: &'static str,
    /// What it was taken for, as a sentence goes on: `the rout of the 15th Alabama`.
    pub taken_for: String,
    /// Passed.
    pub passed: bool,
    /// Failed by a natural 2. MOR-06
    pub natural_rout: bool,
    /// Morale before.
    pub before: Morale,
    /// Morale after; routed for a unit that is lost by it.
    pub after: Morale,
    /// The sum, the dice, the sentence.
    pub explanation: Explanation,
}

/// What became of a unit in a batch. MOR-35
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The unit.
    pub unit: UnitIx,
    /// Its checks, in order.
    pub checks: Vec<Checked>,
    /// Its morale at the start of the batch.
    pub before: Morale,
    /// Its morale at the end.
    pub after: Morale,
    /// It failed as a routed unit and is picked up. ROUT-12
    pub picked_up: bool,
    /// The last check was a natural 12. MOR-05
    pub natural_twelve: bool,
    /// Who hit it with fire in this step. MOR-59
    pub hit_by: Vec<UnitIx>,
    /// What its skirmish screen went through, and how it is then. TAC-19
    pub screen: Option<Screened>,
}

/// What became of a skirmish screen in a batch. TAC-19
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    /// Its checks, in order.
    pub checks: Vec<Checked>,
    /// It got worse, and is now that.
    pub worse: Option<Morale>,
}

impl Verdict {
    /// Of a unit that has not checked yet.
    pub(super) fn of(field: &Field, unit: UnitIx) -> Verdict {
        Verdict::without_checks(unit, field.unit(unit).morale)
    }

    /// RALLY-24 Of a unit that routs without a forced check; it was shaken.
    pub fn routed(unit: UnitIx) -> Verdict {
        let (before, after) = (Morale::Shaken, Morale::Routed);
        Verdict { before, after, ..Verdict::without_checks(unit, before) }
    }

    fn without_checks(unit: UnitIx, morale: Morale) -> Verdict {
        Verdict {
            unit,
            checks: Vec::new(),
            before: morale,
            after: morale,
            picked_up: false,
            natural_twelve: false,
            hit_by: Vec::new(),
            screen: None,
        }
    }

    /// Why it stands as it does now, to be read after a colon: the last check that it failed.
    pub fn reason(&self) -> String {
        match self.checks.iter().rev().find(|checked| !checked.passed) {
            Some(failed) => format!("it failed its check for {}", failed.taken_for),
            // RALLY-24 Without a forced check only a rally does this.
            None => "it threw a natural 2 when it tried to rally".to_owned(),
        }
    }

    /// SHK-01, ROUT-03 Whether it got worse and so falls back or runs.
    pub fn got_worse(&self) -> bool {
        self.before < self.after && !self.picked_up
    }
}

/// MOR-37 Numbers the dice of one batch on from those of the phase.
pub(super) struct Throws<'a> {
    play: &'a Play<'a>,
    used: BTreeMap<(Purpose, Vec<String>), u32>,
}

impl<'a> Throws<'a> {
    pub(super) fn new(play: &'a Play<'a>) -> Self {
        Throws { play, used: BTreeMap::new() }
    }

    fn next(&mut self, purpose: Purpose, key: &[&str], count: u32) -> DiceShown {
        let owned: Vec<String> = key.iter().map(|part| (*part).to_owned()).collect();
        let used = self.used.entry((purpose, owned)).or_insert_with(|| self.play.thrown(purpose, key));
        let dice = throw(self.play.dice, self.play.phase, purpose, key, *used + 1, count);
        *used += count;
        dice
    }
}

/// The checks that a case forces on one unit, in order, before a die is thrown. MOR-34: everything is read from the snapshot,
/// but for the unit's own morale and its own lost stands.
pub(super) struct Due<'a> {
    modifiers: Modifiers<'a>,
    case: &'a Case,
    kinds: Vec<Kind>,
    /// The fire of MOR-40 for checks that no single fire forces.
    worst: Option<&'a FiredOn>,
    /// The opponent, in a melee. MOR-45
    in_melee_with: Option<UnitIx>,
    begin: State,
    /// Of the lead of a brigade column the stands that it has lost by now: they count from the first check that the column takes
    /// for stands. TAC-32, TAC-33
    lost_by_lead: Option<u32>,
}

impl<'a> Due<'a> {
    /// MOR-09 What is due in that phase.
    pub(super) fn new(field: &'a Field<'a>, phase: u8, charge: &'a InCharge, ix: UnitIx, case: &'a Case) -> Due<'a> {
        let unit = field.unit(ix);
        let lost_here = lost_in(field, ix, case);
        let begin = State { morale: unit.morale, lost: losses(unit).saturating_sub(lost_here) };
        let column = unit.column.as_ref().filter(|_| unit.leads_column() && !charge.melee);
        let checks = column.map_or(lost_here, Column::checks_due);
        let kinds = forced_kinds(case, Kind::StandLost, checks);
        let due = Due::of(Modifiers::of(field, ix, phase, charge), charge, begin, kinds, case);
        Due { lost_by_lead: column.map(|_| losses(unit)), ..due }
    }

    /// TAC-19 What is due of a skirmish screen, a small regiment in which a figure counts as a stand, for the fires of a case.
    /// A screen that is gone takes no check (TAC-22), nor does one that has fallen back.
    pub(super) fn of_screen(
        field: &'a Field<'a>,
        phase: u8,
        charge: &'a InCharge,
        ix: UnitIx,
        case: &'a Case,
    ) -> Option<Due<'a>> {
        let unit = field.unit(ix);
        if case.fires.is_empty() || !unit.footing.screen_is_out() {
            return None;
        }
        let stand = unit.stands.last()?;
        let lost_here: u32 = case.fires.iter().map(|fire| fire.figures).sum();
        let lost = stand.full.saturating_sub(stand.figures).saturating_sub(lost_here);
        let kinds = forced_kinds(case, Kind::ScreenFigureLost, lost_here);
        let modifiers = Modifiers::of(field, ix, phase, charge).of_screen();
        Some(Due::of(modifiers, charge, State { morale: unit.morale, lost }, kinds, case))
    }

    fn of(modifiers: Modifiers<'a>, charge: &InCharge, begin: State, mut kinds: Vec<Kind>, case: &'a Case) -> Due<'a> {
        order_hits(&mut kinds, &modifiers, begin, case);
        let worst = worst_fire(&modifiers, begin, case);
        let in_melee_with = charge.opponent.get(&modifiers.unit()).copied().filter(|_| charge.melee);
        Due { modifiers, case, kinds, worst, in_melee_with, begin, lost_by_lead: None }
    }

    /// The state before the first check.
    pub(super) fn begin(&self) -> State {
        self.begin
    }

    /// What causes a check, in words.
    fn cause(&self, field: &Field, kind: &Kind) -> Told {
        let told = Told::of(field, kind);
        match self.in_melee_with.filter(|_| !matches!(kind, Kind::Saw(_))) {
            Some(opponent) => told.at(&format!("in melee with {}", called(&field.unit(opponent).name))),
            None => told.by_fire(field, kind, self.case),
        }
    }

    /// How many checks are due at most.
    pub(super) fn count(&self) -> usize {
        self.kinds.len()
    }

    /// What the check of that place must beat in that state, which a lost stand makes worse; none if it is not taken then.
    pub(super) fn point(&self, place: usize, state: &mut State) -> Option<Reckoning> {
        let kind = self.kinds.get(place)?;
        if kind.is_ignored_by_the_routed(self.modifiers.rules()) && state.morale == Morale::Routed {
            return None; // MOR-26
        }
        if self.modifiers.are_of_screen() && state.morale == Morale::Routed {
            return None; // TAC-21: it is gone.
        }
        if matches!(kind, Kind::StandLost | Kind::ScreenFigureLost) {
            state.lost = self.lost_by_lead.unwrap_or(state.lost + 1);
        }
        let cause = match (kind, self.in_melee_with) {
            (Kind::Saw(_) | Kind::PressOn, _) => Cause::Other,
            (_, Some(opponent)) => Cause::Melee(opponent),
            (Kind::Hit(fire), _) => Cause::Fire(&self.case.fires[*fire]),
            (Kind::Horse, _) => horse_fire(&self.modifiers, *state, self.case).map_or(Cause::Other, Cause::Fire),
            (Kind::FirstCasualty | Kind::StandLost | Kind::ScreenFigureLost, _) => {
                self.worst.map_or(Cause::Other, Cause::Fire)
            }
        };
        Some(match (kind, cause) {
            (Kind::Hit(_), Cause::Fire(fire)) => self.modifiers.hit(*state, fire),
            _ => self.modifiers.forced(*state, cause),
        })
    }
}

/// MOR-09 Takes all checks that a case forces on a unit, and on its skirmish screen (TAC-19), in order.
pub fn examine(play: &Play, field: &Field, charge: &InCharge, ix: UnitIx, case: &Case) -> Verdict {
    let mut throws = Throws::new(play);
    let mut verdict = take(&mut throws, field, &Due::new(field, play.phase, charge, ix, case));
    let at_screen = Case { fires: case.screen.clone(), ..Case::default() };
    let due = Due::of_screen(field, play.phase, charge, ix, &at_screen);
    verdict.screen = due.map(|due| {
        let screen = take(&mut throws, field, &due);
        Screened { worse: (screen.before < screen.after).then_some(screen.after), checks: screen.checks }
    });
    verdict
}

/// Takes the checks that are due, each from the state that the one before left.
fn take(throws: &mut Throws, field: &Field, due: &Due) -> Verdict {
    let ix = due.modifiers.unit();
    let mut state = due.begin();
    let mut verdict = Verdict::without_checks(ix, state.morale);
    verdict.hit_by = due.case.fires.iter().flat_map(|fire| fire.by.iter().copied()).collect();
    for (place, kind) in due.kinds.iter().enumerate() {
        let Some(point) = due.point(place, &mut state) else { continue };
        let dice = dice_of(throws, field, ix, kind);
        let cause = due.cause(field, kind);
        let checked = judge(field.rules, &due.modifiers.who(), &cause, state.morale, &point, dice, &mut verdict);
        state.morale = checked.after;
        verdict.checks.push(checked);
        if verdict.picked_up {
            break;
        }
    }
    verdict.after = state.morale;
    verdict
}

/// MOR-18 How many stands (sections, sharpshooters) the fires of the step cost the unit.
fn lost_in(field: &Field, ix: UnitIx, case: &Case) -> u32 {
    let by_figure = field.unit(ix).counts_by_figure();
    case.fires.iter().map(|fire| if by_figure { fire.figures } else { fire.stands }).sum()
}

/// MOR-09 The checks in their order; hits are put in theirs by [`order_hits`].
pub(super) fn forced_kinds(case: &Case, each_lost: Kind, lost: u32) -> Vec<Kind> {
    let mut due = Vec::new();
    if case.fires.iter().any(|fire| fire.first_casualty) {
        due.push(Kind::FirstCasualty);
    }
    let hits = case.fires.iter().enumerate().filter(|(_, fire)| forces_hit_check(fire));
    due.extend(hits.map(|(n, _)| Kind::Hit(n)));
    let horses: u32 = case.fires.iter().map(|fire| fire.horses).sum();
    due.extend((0..horses).map(|_| Kind::Horse));
    due.extend((0..lost).map(|_| each_lost.clone()));
    due.extend(case.seen.iter().cloned().map(Kind::Saw));
    due.extend(case.presses_on.then_some(Kind::PressOn));
    due
}

/// MOR-12, MOR-14, MOR-19 Any hit of guns or of a sharpshooter stand; behind the target only one that cost a figure.
fn forces_hit_check(fire: &FiredOn) -> bool {
    let is_hit = 0 < fire.figures || (!fire.behind_target && (fire.starred || 0 < fire.horses));
    fire.forces_hit_check && is_hit
}

/// MOR-15 Hit checks in ascending order of the point that each would have had before the first of them.
fn order_hits(due: &mut [Kind], modifiers: &Modifiers, state: State, case: &Case) {
    let begins = due.iter().position(|kind| matches!(kind, Kind::Hit(_))).unwrap_or(0);
    let count = due.iter().filter(|kind| matches!(kind, Kind::Hit(_))).count();
    due[begins..begins + count].sort_by_key(|kind| match kind {
        // Level ones are told apart by their losses, so that the order of simultaneous fires decides nothing.
        Kind::Hit(fire) => (modifiers.hit(state, &case.fires[*fire]).total(), case.fires[*fire].figures),
        _ => (i32::MAX, 0),
    });
}

/// MOR-40 Of the fires that cost a figure the one that weighs most: by flank, rear and disorder, then by the whole point.
fn worst_fire<'a>(modifiers: &Modifiers, state: State, case: &'a Case) -> Option<&'a FiredOn> {
    worst_of(modifiers, state, case.fires.iter().filter(|fire| 0 < fire.figures))
}

/// MOR-40 A lost horse uses the modifiers of its own fire.
fn horse_fire<'a>(modifiers: &Modifiers, state: State, case: &'a Case) -> Option<&'a FiredOn> {
    worst_of(modifiers, state, case.fires.iter().filter(|fire| 0 < fire.horses))
}

fn worst_of<'a>(modifiers: &Modifiers, state: State, fires: impl Iterator<Item = &'a FiredOn>) -> Option<&'a FiredOn> {
    fires.max_by_key(|fire| (modifiers.fire_modifiers(state, fire), modifiers.forced(state, Cause::Fire(fire)).total()))
}

pub(super) fn dice_of(throws: &mut Throws, field: &Field, ix: UnitIx, kind: &Kind) -> DiceShown {
    let unit = field.unit(ix).id.as_str();
    let count = dice_count(field.rules);
    match kind {
        Kind::FirstCasualty => throws.next(Purpose::MoraleFirstCasualty, &[unit], count),
        Kind::Hit(_) => throws.next(Purpose::MoraleHit, &[unit], count),
        Kind::Horse => throws.next(Purpose::MoraleHorse, &[unit], count),
        Kind::StandLost | Kind::ScreenFigureLost => throws.next(Purpose::MoraleStandLost, &[unit], count),
        Kind::PressOn => throws.next(Purpose::MoralePressOn, &[unit], count),
        Kind::Saw(Seen { what: Sight::Rout(seen), .. }) => {
            throws.next(Purpose::MoraleSawRout, &[unit, field.unit(*seen).id.as_str()], count)
        }
        Kind::Saw(Seen { what: Sight::Loss(seen), .. }) => {
            throws.next(Purpose::MoraleSawLoss, &[unit, field.unit(*seen).id.as_str()], count)
        }
        Kind::Saw(Seen { what: Sight::Officer(seen), .. }) => {
            throws.next(Purpose::MoraleSawOfficer, &[unit, seen.as_str()], count)
        }
    }
}

/// How many dice a check throws.
pub(super) fn dice_count(rules: &Ruleset) -> u32 {
    u32::try_from(rules.morale_check.dice).unwrap_or(2)
}

/// What a throw does to a unit that checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    /// It passed.
    pub passed: bool,
    /// A natural 12. MOR-05
    pub rallies: bool,
    /// A natural 2. MOR-06
    pub routs: bool,
    /// Its morale after.
    pub after: Morale,
    /// It failed as a routed unit. ROUT-12
    pub picked_up: bool,
}

/// MOR-03 to MOR-07, ROUT-12 What a throw does to a unit of that morale that had to beat that point.
pub(super) fn ruling(rules: &Ruleset, before: Morale, point: i32, thrown: i32) -> Ruling {
    let numbers = &rules.morale_check;
    let rallies = thrown == numbers.natural_rally;
    let routs = thrown == numbers.natural_rout;
    let passed = rallies || (!routs && point < thrown);
    let after = match (passed, before) {
        (true, _) if rallies => Morale::Good,
        (true, _) => before,
        (false, Morale::Good) if !routs => Morale::Shaken,
        (false, _) => Morale::Routed,
    };
    Ruling { passed, rallies, routs, after, picked_up: !passed && before == Morale::Routed }
}

/// MOR-03 to MOR-07, ROUT-12 The result of one check.
pub(super) fn judge(
    rules: &Ruleset,
    name: &str,
    told: &Told,
    before: Morale,
    point: &Reckoning,
    mut dice: DiceShown,
    verdict: &mut Verdict,
) -> Checked {
    let thrown: i32 = dice.faces.iter().map(|face| i32::from(*face)).sum();
    let Ruling { passed, rallies, routs, after, picked_up } = ruling(rules, before, point.total(), thrown);
    verdict.picked_up = picked_up;
    verdict.natural_twelve = rallies;
    dice.needed = Some(format!("above {}", point.total()));
    let (name, why) = (named(name), &told.why);
    let outcome = outcome(passed, rallies, before, after);
    let total = point.total();
    let mut explanation = if rallies || routs {
        sentence(format!("{name} checks its morale {why}: it throws {thrown}, which counts by itself, and {outcome}."))
    } else {
        sentence(format!("{name} checks its morale {why}: it throws {thrown}, must beat {total}, and {outcome}."))
    };
    explanation = explanation.with_sum(point).with_dice(dice);
    if rallies {
        explanation = explanation.with_note(MOR_05, "a natural 12 makes any unit good");
    }
    if routs {
        let (rule, text) = match before {
            Morale::Routed => (MOR_07, "a routed unit that throws a natural 2 has failed"),
            Morale::Good | Morale::Shaken => (MOR_06, "a natural 2 routs whatever the modifiers"),
        };
        explanation = explanation.with_note(rule, text);
    }
    if verdict.picked_up {
        explanation = explanation.with_note(ROUT_12, "a routed unit that fails a forced check is picked up");
    }
    let Told { rule, because, taken_for, .. } = told.clone();
    Checked { rule, because, taken_for, passed, natural_rout: routs, before, after, explanation }
}

fn outcome(passed: bool, rallies: bool, before: Morale, after: Morale) -> String {
    match (passed, before, after) {
        (true, before, Morale::Good) if rallies && before != Morale::Good => "rallies to good morale".to_owned(),
        (true, _, Morale::Good) => "holds in good morale".to_owned(),
        (true, _, Morale::Shaken) => "stays shaken".to_owned(),
        (true, _, Morale::Routed) => "stays routed".to_owned(),
        (false, Morale::Routed, _) => "is picked up".to_owned(),
        (false, _, Morale::Shaken) => "is shaken".to_owned(),
        (false, _, _) => "routs".to_owned(),
    }
}
