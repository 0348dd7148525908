//! The tactical competence roll. Chapter TC
//!
//! Owns the one die that is thrown against a unit's base morale point, and nothing of what follows from it: the rules that
//! ask for it (TC-14) say what failure costs. It changes nothing; the caller tells and applies the finding.
//!
//! Start at [`roll`].

use protocol::event::{Explanation, Fact};
use protocol::words::Arm;

use crate::battle::{Leader, UnitIx};
use crate::catalogue::{MOR_41, RuleId, TC_01, TC_02, TC_08};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning};
use crate::field::Field;
use crate::morale::officer;
use crate::play::Play;
use crate::scenario::ModifierOn;
use crate::specials;

/// A competence roll that was made: not yet told, and without any effect of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Who rolled.
    pub unit: UnitIx,
    /// The rule that asked for the roll.
    pub rule: RuleId,
    /// For what, such as `passing through 20th Maine`.
    pub because: String,
    /// Succeeded.
    pub passed: bool,
    /// The sum, the die and the sentence.
    pub explanation: Explanation,
}

impl Finding {
    /// Tells the roll to everybody.
    pub fn tell(self, play: &mut Play) {
        let unit = play.table()[self.unit].id.clone();
        let fact = Fact::Competence { unit, because: self.because, passed: self.passed };
        play.tell(self.rule, fact, self.explanation);
    }
}

/// TC-01, TC-02 Rolls one die, which must be above the unit's BMP; an officer who may help makes that one less.
///
/// `field` is the snapshot from which the batch is computed. `key` are the parts of the die's key (the unit, or the pair);
/// a second roll of the same key in a phase takes the next die, provided that the first was told before (MOR-37).
/// `because` goes on from `rolls competence for`.
pub fn roll(play: &Play, field: &Field, unit: UnitIx, purpose: Purpose, key: &[&str], because: &str) -> Finding {
    rolled(play, field, unit, TC_01, purpose, key, because)
}

/// TC-08, MV-14 to MV-16 The rolls of two friends of whom one moves through the other. One that is in disorder already rolls
/// too, though it has nothing to lose; skirmishers and guns call for no roll.
pub fn pass_through(play: &Play, field: &Field, mover: UnitIx, passed: UnitIx) -> Vec<Finding> {
    let mut rolls = Vec::from_iter(run_through(play, field, passed, mover));
    rolls.extend(run_through(play, field, mover, passed));
    rolls
}

/// ROUT-10 The roll of a friend alone through whom a routed unit runs.
pub fn run_through(play: &Play, field: &Field, runner: UnitIx, passed: UnitIx) -> Option<Finding> {
    let exempt = |ix: UnitIx| {
        let unit = field.unit(ix);
        unit.is_skirmishing() || !matches!(unit.arm, Arm::Infantry | Arm::Cavalry)
    };
    let (unit, other) = (field.unit(passed), field.unit(runner));
    if exempt(runner) || exempt(passed) || !unit.is_unrouted() {
        return None;
    }
    let key = [unit.id.as_str(), other.id.as_str()];
    let because = format!("passing through {}", other.name);
    Some(rolled(play, field, passed, TC_08, Purpose::TacticalPassThrough, &key, &because))
}

fn rolled(
    play: &Play,
    field: &Field,
    unit: UnitIx,
    rule: RuleId,
    purpose: Purpose,
    key: &[&str],
    because: &str,
) -> Finding {
    let number = number_to_beat(field, unit, officer::for_competence(field, unit));
    let mut die = throw(play.dice, play.phase, purpose, key, play.thrown(purpose, key) + 1, 1);
    let face = die.faces.iter().map(|face| i32::from(*face)).sum::<i32>();
    let passed = number.total() < face;
    die.needed = Some(format!("above {}", number.total()));
    let name = &field.unit(unit).name;
    let sentence = format!(
        "{name} rolls competence for {because}: {face} is {} {}, so it {}.",
        if passed { "above" } else { "not above" },
        number.total(),
        if passed { "succeeds" } else { "fails" },
    );
    let explanation = crate::explain::sentence(sentence).with_sum(&number).with_dice(die);
    Finding { unit, rule, because: because.to_owned(), passed, explanation }
}

/// TC-01, TC-02 What the die must beat.
pub fn number_to_beat(field: &Field, unit: UnitIx, officer: Option<&Leader>) -> Reckoning {
    let officer_bonus = field.rules.morale_check.competence_officer;
    let mut number = Reckoning::of("number to beat");
    number.add(MOR_41, "base morale point", crate::morale::base_point(field.rules, field.unit(unit)));
    if let Some(officer) = officer {
        number.add(TC_02, format!("officer present: {}", officer.name), -officer_bonus);
    }
    // SCNS-02 What a term adds to the die makes the number so much less.
    for (rule, label, value) in specials::modifiers(field, unit, ModifierOn::Competence) {
        number.add(rule, label, -value);
    }
    number
}
