//! The officer with a unit, and the competence roll, as movement asks for them.
//!
//! Owns nothing of LEAD and TC: it stands in for the one test and the one roll until they are asked directly.

use protocol::event::Fact;
use protocol::words::Arm;

use crate::battle::UnitIx;
use crate::catalogue::{RuleId, TC_01, TC_02};
use crate::dice::{self, Purpose};
use crate::explain::{Explain, Reckoning, sentence};
use crate::field::Field;
use crate::play::Play;

/// LEAD-01, TC-03 Whether a leader able to help stands with the unit.
pub(super) fn is_present(field: &Field<'_>, ix: UnitIx) -> bool {
    let unit = field.unit(ix);
    let helps = |arm: Option<Arm>| match unit.arm {
        Arm::Artillery | Arm::Cavalry => arm == Some(unit.arm),
        Arm::Infantry | Arm::Sharpshooter | Arm::GunCrew => true,
    };
    let leaders = field.table.leaders_on_table().filter(|leader| leader.side == unit.side && 0 < leader.level);
    leaders.filter(|leader| helps(leader.arm)).any(|leader| {
        let radius = field.rules.leader_level.at(leader.level).radius;
        field.leader_distance(leader, ix).within(radius.thousandths())
    })
}

/// TC-01, TC-02 One die above the BMP, an officer adding one. Told to everybody.
pub(super) fn competence(
    play: &mut Play<'_>,
    ix: UnitIx,
    purpose: Purpose,
    further_key: &[&str],
    rule: RuleId,
    why: &str,
) -> bool {
    let (rules, dice, phase) = (play.rules, play.dice, play.phase);
    let present = is_present(&Field::new(rules, play.table(), dice), ix);
    let unit = &play.table()[ix];
    let bmp = unit.bmp.unwrap_or_else(|| rules.bmp.at(unit.quality));
    let mut key = vec![unit.id.as_str()];
    key.extend(further_key);
    let mut thrown = dice::throw(dice, phase, purpose, &key, 1, 1);
    let face = i32::from(thrown.faces.first().copied().unwrap_or(1));
    let mut total = Reckoning::of("competence");
    total.add(TC_01, "die", face);
    total.add_if(present, TC_02, "officer", 1);
    let passed = bmp < total.total();
    thrown.needed = Some(format!("above {bmp}"));
    let (id, name) = (unit.id.clone(), unit.name.clone());
    let outcome = if passed { "keeps its order" } else { "fails" };
    let explanation = sentence(format!("{name} rolls for {why} and {outcome}.")).with_sum(&total).with_dice(thrown);
    play.tell(rule, Fact::Competence { unit: id, because: why.to_owned(), passed }, explanation);
    passed
}
