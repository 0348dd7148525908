//! One blow of a melee: the figures that count, the dice, the table, what the other side loses. MEL-02, MEL-04 to MEL-07, MEL-10 to
//! MEL-19
//!
//! Owns the arithmetic of a round for one side. It settles nothing: what a blow leaves is returned.

use protocol::event::{Dice as DiceShown, Explanation, FlankClass, Morale};
use protocol::ids::LeaderId;
use protocol::orders::RangeBand;
use protocol::words::Arm;

use super::Role;
use super::impact::effect;
use super::melee::{HAND_TO_HAND, Melee};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{MEL_04, MEL_12, MEL_14, MEL_15, MEL_16, MEL_18, RuleId};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, Reckoning, named, sentence};
use crate::field::Field;
use crate::fire::row_words;
use crate::leaders::{self, Help};
use crate::losses;
use crate::play::Play;
use crate::ruleset::{Branch, CombatResult, CrtCell, Factor, FormationRow, Ruleset, Strength};
use crate::scenario;
use crate::settle::{FiredOn, Happening};

/// Factors are thousandths, and two of them are multiplied. MEL-10
const MILLIONTHS: i64 = 1_000_000;

/// What one side does in a round.
pub(super) struct Blow {
    /// Who strikes.
    pub(super) by: Role,
    /// Figures that count. MEL-07, MEL-10
    pub(super) figures: u32,
    /// The dice with the modifiers; none: a count of nothing throws nothing.
    pub(super) roll: Option<i32>,
    /// What the other side loses, after doubling. MEL-04
    pub(super) kills: u32,
    striking: UnitIx,
    modifiers: Reckoning,
    dice: Vec<DiceShown>,
    cell: Option<CrtCell>,
}

/// MEL-02 One side strikes, with all its effective figures; none if nobody is left of one of the two.
pub(super) fn strike(play: &mut Play<'_>, melee: &Melee<'_>, by: Role) -> Option<Blow> {
    let (front, enemy) = (melee.front(by)?, melee.front(by.other())?);
    let helper = officer_at(play, melee, front);
    if let Some(leader) = &helper {
        leaders::enter(play, leader, front);
        // OFF-06
        play.table_mut().leaders.get_mut(leader).into_iter().for_each(|leader| leader.marks.in_melee = true);
    }
    let field = Field::new(play.rules, play.table(), play.dice);
    let figures = effective_figures(&field, melee, by);
    let modifiers = modifiers(&field, melee, by, (front, enemy), helper.is_some());
    let mut blow = Blow { by, figures, roll: None, kills: 0, striking: front, modifiers, dice: Vec::new(), cell: None };
    if 0 < figures {
        blow.throw(play, &field, enemy);
    }
    Some(blow)
}

fn throw_next(play: &Play<'_>, purpose: Purpose, key: &[&str], count: u32) -> DiceShown {
    throw(play.dice, play.phase, purpose, key, play.thrown(purpose, key) + 1, count)
}

/// MEL-02 Four dice, one fewer if the front unit is shaken.
fn dice_count(rules: &Ruleset, front: &Unit) -> u32 {
    let shaken = if front.morale == Morale::Shaken { rules.dice.shaken } else { 0 };
    u32::try_from(rules.dice.melee + shaken).unwrap_or(0)
}

/// MEL-07, MEL-10, MEL-11, MEL-17 The figures of a side that count: all factors first, then rounded down once.
fn effective_figures(field: &Field<'_>, melee: &Melee<'_>, role: Role) -> u32 {
    let Some((front, supports)) = melee.band(role).split_first() else { return 0 };
    let table = &field.rules.melee;
    let share = if melee.round == 1 { table.support_share_first_round } else { table.support_share_later };
    let weigh = |ix: UnitIx, factor: Factor, share: Factor| {
        let figures = i64::from(field.unit(ix).figures());
        figures * i64::from(factor.thousandths()) * i64::from(share.thousandths())
    };
    let own = field.unit(*front);
    let factor = match melee.round {
        1 if melee.columns.contains(front) => {
            let effect = field.rules.effect(own.branch(field.rules), FormationRow::BrigadeColumn);
            effect.and_then(|effect| effect.melee).unwrap_or_default()
        }
        1 => formation_factor(field, own),
        _ => disorder_factor(field, own),
    };
    let mut sum = weigh(*front, factor, Factor::ONE);
    // CHG-17: only those in good morale support.
    for support in supports.iter().filter(|ix| field.unit(**ix).morale == Morale::Good) {
        sum += weigh(*support, disorder_factor(field, field.unit(*support)), share);
    }
    u32::try_from(sum / MILLIONTHS).unwrap_or(0)
}

/// MEL-07 The factor of the formation at impact.
fn formation_factor(field: &Field<'_>, unit: &Unit) -> Factor {
    match is_gunner(unit) {
        true => gunner_factor(field.rules),
        false => effect(field, unit).and_then(|effect| effect.melee).unwrap_or_default(),
    }
}

/// MEL-08, MEL-11 The factor of disorder; gunners have none. MEL-17
fn disorder_factor(field: &Field<'_>, unit: &Unit) -> Factor {
    let branch = match unit.arm {
        Arm::Artillery | Arm::GunCrew => return gunner_factor(field.rules),
        Arm::Infantry | Arm::Sharpshooter => Branch::Infantry,
        Arm::Cavalry => unit.branch(field.rules),
    };
    let effect = field.rules.effect(branch, FormationRow::Disorder);
    effect.and_then(|effect| effect.melee).unwrap_or_default()
}

fn is_gunner(unit: &Unit) -> bool {
    matches!(unit.arm, Arm::Artillery | Arm::GunCrew)
}

/// MEL-17 Each gunner fights as one skirmisher.
fn gunner_factor(rules: &Ruleset) -> Factor {
    let effect = rules.effect(Branch::Artillery, FormationRow::Unlimbered);
    let factor = effect.and_then(|effect| effect.melee).unwrap_or_default();
    Factor(factor.thousandths() * rules.melee.figures_per_section)
}

/// MEL-04 Infantry losses are doubled, those of cavalry and gunners are not. CAV-29
fn loss_factor(rules: &Ruleset, unit: &Unit) -> u32 {
    let factor = match unit.arm {
        Arm::Infantry | Arm::Sharpshooter => rules.melee.infantry_loss_factor,
        Arm::Cavalry => rules.melee.cavalry_loss_factor,
        Arm::Artillery | Arm::GunCrew => Factor::ONE,
    };
    u32::try_from(factor.floor_of(1)).unwrap_or(1)
}

/// MEL-14 to MEL-16, MEL-18, MEL-19 The modifiers of a blow, and no others.
fn modifiers(
    field: &Field<'_>,
    melee: &Melee<'_>,
    by: Role,
    (front, enemy): (UnitIx, UnitIx),
    has_officer: bool,
) -> Reckoning {
    let (rules, own, theirs) = (field.rules, field.unit(front), field.unit(enemy));
    let mut drm = Reckoning::of(format!("modifiers of {}", crate::explain::called(&own.name)));
    let mut put = |rule: RuleId, label: String, value: i32| drm.add_if(value != 0, rule, label, value);
    put(MEL_15, format!("{} unit", own.quality), *rules.firer_drm.quality.at(own.quality));
    put(MEL_15, format!("against {} troops", theirs.quality), *rules.target_drm.quality.at(theirs.quality));
    if has_officer {
        put(MEL_16, "officer with it".to_owned(), rules.firer_drm.officer_present);
    }
    let (pistols, shotguns) = side_arms(field, own);
    put(MEL_18, "pistols".to_owned(), if pistols { rules.melee.cavalry_pistols } else { 0 });
    put(MEL_18, "shotguns".to_owned(), if shotguns { rules.melee.cavalry_shotguns } else { 0 });
    let disorder = theirs.footing.disorder;
    match melee.struck(by) {
        FlankClass::Partial if !disorder => put(MEL_14, "on a partial flank".to_owned(), rules.melee.partial_flank),
        FlankClass::Full if !disorder => put(MEL_14, "on the full flank".to_owned(), rules.melee.full_flank),
        FlankClass::Rear => put(MEL_14, "in the rear".to_owned(), rules.melee.rear),
        FlankClass::Front | FlankClass::Partial | FlankClass::Full => {}
    }
    drm
}

/// MEL-18, CAV-31 to CAV-33 Whether a unit has pistols and shotguns: all cavalry has pistols, unless the scenario says no.
fn side_arms(field: &Field<'_>, unit: &Unit) -> (bool, bool) {
    if unit.arm != Arm::Cavalry {
        return (false, false);
    }
    let force = field.table.scenario().forces.iter().find(|force| force.id == unit.id);
    match force.map(|force| &force.strength) {
        Some(scenario::Strength::Stands { pistols, shotguns, .. }) => (*pistols, *shotguns),
        Some(scenario::Strength::Guns { .. }) | None => (true, false),
    }
}

/// MEL-16 The officer who is directly with the front unit: attached to it or within an inch, and free to help it.
fn officer_at(play: &Play<'_>, melee: &Melee<'_>, front: UnitIx) -> Option<LeaderId> {
    let field = Field::new(play.rules, play.table(), play.dice);
    let unit = field.unit(front);
    let help: Help = melee.in_charge(&Default::default(), None).help(front, unit);
    let able = field.table.leaders_on_table().filter(|leader| {
        let is_with_it = leader.attached.as_ref() == Some(&unit.id) || field.leader_within(leader, front, HAND_TO_HAND);
        let listed = leader.marks.helped.contains(&unit.id);
        is_with_it
            && leaders::can_help(&field, leader, front, help)
            && (listed || leader.marks.helped.len() < leaders::places(&field, leader))
    });
    // It makes no difference who of several helps: one that helps it already, else the first by name.
    able.min_by_key(|leader| (!leader.marks.helped.contains(&unit.id), &leader.id)).map(|leader| leader.id.clone())
}

/// MEL-12 Takes the losses of a blow off those whom it struck, the surplus off who stands behind.
pub(super) fn suffer(play: &mut Play<'_>, band: &[UnitIx], blow: &Blow) -> Vec<Happening> {
    let mut left = blow.kills;
    let mut factor = band.first().map_or(1, |ix| loss_factor(play.rules, &play.table()[*ix]));
    let mut happenings = Vec::new();
    for (place, ix) in band.iter().enumerate() {
        let own = loss_factor(play.rules, &play.table()[*ix]);
        left = left * own / factor;
        factor = own;
        if left == 0 {
            break;
        }
        let first_casualty_before = play.table()[*ix].first_casualty_taken;
        let unit = &mut play.table_mut()[*ix];
        let taken = losses::take(unit, left);
        left -= taken.figures;
        let stands = if unit.counts_by_figure() { taken.figures } else { taken.stands };
        let what = if unit.counts_by_figure() && unit.guns.is_some() { "section" } else { "figure" };
        let many = if taken.figures == 1 { "" } else { "s" };
        let text = format!("{} loses {} {what}{many} in the melee.", named(&unit.name), taken.figures);
        let fact = losses::fact(unit, taken, 0);
        play.tell(if place == 0 { MEL_04 } else { MEL_12 }, fact, sentence(text));
        happenings.push(Happening::FiredOn(FiredOn {
            unit: *ix,
            by: vec![blow.striking],
            forces_hit_check: false,
            starred: false,
            figures: taken.figures,
            stands,
            horses: 0,
            first_casualty: !first_casualty_before,
            flank: FlankClass::Front,
            band: RangeBand::Close,
            from: play.table()[blow.striking].footing.anchor,
            canister: false,
            unseen: false,
            in_cover: false,
            at_screen: false,
            behind_target: false,
        }));
    }
    happenings
}

impl Blow {
    /// MEL-02, MEL-04 Throws, reads the table, and doubles.
    fn throw(&mut self, play: &Play<'_>, field: &Field<'_>, enemy: UnitIx) {
        let (rules, id) = (play.rules, |ix: UnitIx| field.unit(ix).id.as_str());
        let dice = throw_next(play, Purpose::Melee, &[id(self.striking)], dice_count(rules, field.unit(self.striking)));
        let roll = dice.faces.iter().map(|face| i32::from(*face)).sum::<i32>() + self.modifiers.total();
        self.dice.push(dice);
        self.roll = Some(roll);
        self.cell = rules.crt.read(self.strength(), roll);
        let hits = match self.cell.map(|cell| cell.result) {
            None | Some(CombatResult::Nothing | CombatResult::MoraleCheck) => 0,
            Some(CombatResult::Killed(count)) => u32::from(count),
            // FIRE-17
            Some(CombatResult::Star) => {
                let mut die = throw_next(play, Purpose::FireConfirm, &[id(self.striking), id(enemy)], 1);
                die.needed = Some("4 to 6".to_owned());
                let kills = die.faces.iter().all(|face| rules.casualty.star_kills_on.contains(face));
                self.dice.push(die);
                u32::from(kills)
            }
        };
        self.kills = hits * loss_factor(rules, field.unit(enemy));
    }

    fn strength(&self) -> Strength {
        Strength::Figures(i32::try_from(self.figures).unwrap_or(i32::MAX))
    }

    /// What the table says.
    pub(super) fn result(&self) -> String {
        self.cell.map_or_else(|| "--".to_owned(), |cell| cell.result.to_string())
    }

    /// What it does, within a sentence.
    pub(super) fn words(&self, own: &str, enemy: &str) -> String {
        match self.roll {
            None => format!("{own} has nobody to strike with"),
            Some(roll) => {
                let count = if self.figures == 1 { "1 figure".to_owned() } else { format!("{} figures", self.figures) };
                format!("{own} with {count} throws {roll} with modifiers, and {enemy} loses {}", self.kills)
            }
        }
    }

    /// The sums, dice and cell behind it.
    pub(super) fn explain(&self, told: Explanation) -> Explanation {
        let mut told = told.with_sum(&self.modifiers);
        for dice in &self.dice {
            told = told.with_dice(dice.clone());
        }
        let Some(cell) = self.cell else { return told };
        told.with_table("crt", row_words(self.strength(), cell.row), cell.column.to_string(), cell.result.to_string())
    }
}
