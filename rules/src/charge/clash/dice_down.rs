//! The dice down: each side throws two dice and adds its Impact Morale; the lower total wins. IDD-01 to IDD-10
//!
//! Owns the throw and its telling. What becomes of the loser stands in [`super::recoil`], [`super::beaten`] and
//! [`super::melee`].

use std::cmp::Ordering;

use protocol::event::{Dice as DiceShown, Explanation, Fact, ImpactResult};

use super::{Clash, Engaged, Role, impact_morale};
use crate::battle::UnitIx;
use crate::catalogue::{CC_19, IDD_03, IDD_04, IDD_11, IDD_17, RuleId};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, called, named, sentence};
use crate::field::Field;
use crate::leaders;
use crate::play::Play;

/// IDD-03 Throws for both sides and tells it.
pub(super) fn throw_down(play: &mut Play<'_>, clash: &Clash, engaged: &Engaged) -> ImpactResult {
    allot_officers(play, clash, engaged);
    let attacker = Side::throw(play, clash, Role::Attacker);
    let defender = Side::throw(play, clash, Role::Defender);
    let result = compare(clash, attacker.total(), defender.total());
    tell(play, clash, [attacker, defender], result);
    result
}

/// IMP-10, LEAD-07 One allotment of help for both front units.
fn allot_officers(play: &mut Play<'_>, clash: &Clash, engaged: &Engaged) {
    let charge = clash.in_charge(&engaged.units);
    let helped = [clash.attacker.unit, clash.defender.unit].map(|ix| (ix, charge.help(ix, &play.table()[ix])));
    leaders::allot(play, &helped);
}

/// What one side brings.
struct Side {
    point: Reckoning,
    dice: DiceShown,
}

impl Side {
    fn throw(play: &Play<'_>, clash: &Clash, role: Role) -> Side {
        let field = Field::new(play.rules, play.table(), play.dice);
        let point = impact_morale(&field, clash, role);
        let id = |ix: UnitIx| field.unit(ix).id.as_str();
        let key = [id(clash.front(role).unit), id(clash.front(role.other()).unit)];
        let first = play.thrown(Purpose::Impact, &key) + 1;
        let count = u32::try_from(play.rules.impact.dice).unwrap_or(2);
        Side { point, dice: throw(play.dice, play.phase, Purpose::Impact, &key, first, count) }
    }

    fn thrown(&self) -> i32 {
        self.dice.faces.iter().map(|face| i32::from(*face)).sum()
    }

    fn total(&self) -> i32 {
        self.thrown() + self.point.total()
    }
}

/// IDD-03, IDD-04, CC-19 The lower total wins, equal totals are melee; who is beaten by a charge or countercharge is thrown back.
pub(super) fn compare(clash: &Clash, attacker: i32, defender: i32) -> ImpactResult {
    match (attacker.cmp(&defender), clash.defender.charging) {
        (Ordering::Equal, _) => ImpactResult::Melee,
        (Ordering::Less, _) => ImpactResult::DefenderThrownBack,
        (Ordering::Greater, true) => ImpactResult::AttackerThrownBack,
        (Ordering::Greater, false) => ImpactResult::AttackerRecoils,
    }
}

fn tell(play: &mut Play<'_>, clash: &Clash, [attacker, defender]: [Side; 2], result: ImpactResult) {
    let table = play.table();
    let ids = |units: &[UnitIx]| units.iter().map(|ix| table[*ix].id.clone()).collect();
    let fact = Fact::Impact {
        attacker: table[clash.attacker.unit].id.clone(),
        attacker_supports: ids(&clash.attacker.supports),
        defender: table[clash.defender.unit].id.clone(),
        defender_supports: ids(&clash.defender.supports),
        aspect: clash.struck(Role::Defender),
        attacker_total: attacker.total(),
        defender_total: defender.total(),
        result,
    };
    let names = [&table[clash.attacker.unit].name, &table[clash.defender.unit].name];
    let (rule, outcome) = outcome(result, names);
    let verb = if clash.defender.charging { "meets" } else { "strikes" };
    let text = format!(
        "{} {verb} {}: {} and {} thrown make {} against {} and {}, which make {}; {outcome}.",
        named(names[0]),
        called(names[1]),
        attacker.point.total(),
        attacker.thrown(),
        attacker.total(),
        defender.point.total(),
        defender.thrown(),
        defender.total(),
    );
    let told: Explanation = sentence(text)
        .with_sum(&attacker.point)
        .with_sum(&defender.point)
        .with_dice(attacker.dice)
        .with_dice(defender.dice)
        .with_note(
            rule,
            if result == ImpactResult::Melee { "equal totals go to melee" } else { "the lower total wins" },
        );
    play.tell(IDD_03, fact, told);
}

fn outcome(result: ImpactResult, [attacker, defender]: [&String; 2]) -> (RuleId, String) {
    match result {
        ImpactResult::AttackerRecoils => (IDD_11, format!("{} recoils", called(attacker))),
        ImpactResult::DefenderThrownBack => (IDD_17, format!("{} is thrown back", called(defender))),
        ImpactResult::AttackerThrownBack => (CC_19, format!("{} is thrown back", called(attacker))),
        ImpactResult::Melee => (IDD_04, "they fight hand to hand".to_owned()),
    }
}
