//! Leaders: who is present with a unit, whom each helps, who goes along, how near the enemy came.
//!
//! Owns the one test of an officer present (LEAD-01), the allotment of help (LEAD-07), and where a leader is put who is in the
//! way (LEAD-13). It never links commands: that is [`crate::command`]; what becomes
//! of leaders stands in [`crate::phases::officers`] and [`crate::phases::rally`].
//!
//! Start at [`present`] for a question, at [`allot`] for a step that rolls dice.

mod danger;
mod following;
mod succession;
#[cfg(test)]
mod tests;
mod watch;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use protocol::event::{Dice as DiceShown, OrderShown};
use protocol::ids::{LeaderId, UnitId};
use protocol::view::Presence;
use protocol::words::Arm;

use crate::battle::{Leader, LeaderMarks, Post, Table, Unit, UnitIx};
use crate::catalogue::{LEAD_02, LEAD_03, RuleId};
use crate::command;
use crate::dice::{Purpose, break_tie};
use crate::field::Field;
use crate::geometry::Extent;
use crate::ground::Terrain;
use crate::hidden;
use crate::house::{LeadCharge, LeaderBenefit, OfficerFire, OfficerHolds, OwnCommandOnly};
use crate::play::Play;
use crate::ruleset::{LeaderLevel, Ruleset};

pub(crate) use danger::Stood;
pub use danger::{enemies_that_endanger, give_way, mark_danger};
pub use following::move_leader;
pub(crate) use succession::{attempt_under_seal, is_due};
pub use succession::{replace, take_over};
pub(crate) use watch::Watch;

/// What a unit wants a leader's help for. LEAD-10, LEAD-11
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Help {
    /// A morale check or rally, holding a shaken unit, reforming: any leader helps any arm.
    Morale,
    /// A morale check with elan, or the impact of a charging unit: he must have begun the turn with it, and goes in with one
    /// charge only. LEAD-11, IMP-11
    Charge,
    /// The same of a countercharging unit, with which he need not have begun. LEAD-11, IMP-11
    Countercharge,
    /// A competence roll: cavalry and guns only by leaders of their own arm.
    Competence,
    /// A fire: guns only by artillery leaders, who add nothing to any other fire.
    Fire,
}

impl Help {
    /// IMP-11 Whether whoever helps so has gone in with a charge.
    const fn goes_in(self) -> bool {
        matches!(self, Help::Charge | Help::Countercharge)
    }
}

/// The leader who helps one unit in one roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helper {
    /// His post.
    pub leader: LeaderId,
    /// The man.
    pub name: String,
    /// The level at which he helps. LEAD-05
    pub level: u8,
}

impl Helper {
    /// As he stands in `table`.
    pub fn of(table: &Table, leader: &Leader) -> Helper {
        Helper { leader: leader.id.clone(), name: leader.name.clone(), level: level(table, leader) }
    }

    fn row<'r>(&self, rules: &'r Ruleset) -> &'r LeaderLevel {
        rules.leader_level.at(self.level)
    }

    /// LEAD-02 His modifier of a morale point: rule, label, value.
    pub fn morale(&self, rules: &Ruleset) -> (RuleId, String, i32) {
        (LEAD_02, self.label(), self.row(rules).morale)
    }

    /// LEAD-03 His modifier of a competence die.
    pub fn competence(&self, rules: &Ruleset) -> (RuleId, String, i32) {
        (LEAD_03, self.label(), self.row(rules).competence)
    }

    /// LEAD-03 His modifier of a fire.
    pub fn fire(&self, rules: &Ruleset) -> (RuleId, String, i32) {
        (LEAD_03, self.label(), self.row(rules).firer_drm)
    }

    fn label(&self) -> String {
        format!("{} (level {})", self.name, self.level)
    }
}

/// Who helps whom in one batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allotment {
    /// The helper of each unit that has one.
    pub helpers: BTreeMap<UnitIx, Helper>,
    /// Dice thrown for ties. SCALE-05
    pub dice: Vec<DiceShown>,
}

impl Allotment {
    /// The helper of a unit.
    pub fn helper(&self, unit: UnitIx) -> Option<&Helper> {
        self.helpers.get(&unit)
    }
}

/// The level at which a leader gives his benefits: his own, or that of his post where the scenario goes by rank. LEAD-05
pub fn level(table: &Table, leader: &Leader) -> u8 {
    match (table.house().leader_benefit, leader.post) {
        (LeaderBenefit::Level, _) => leader.level,
        (LeaderBenefit::Rank, _) if leader.arm == Some(Arm::Artillery) => 1,
        (LeaderBenefit::Rank, Post::Brigade) => 1,
        (LeaderBenefit::Rank, Post::Division) => 2,
        (LeaderBenefit::Rank, Post::Corps | Post::Army) => 3,
    }
}

/// How far a leader's benefit reaches, thousandths of an inch. LEAD-02
pub fn radius(rules: &Ruleset, table: &Table, leader: &Leader) -> i32 {
    rules.leader_level.at(level(table, leader)).radius.0
}

/// How many units a leader helps in a phase where he stands. LEAD-07, LEAD-08
pub fn places(field: &Field<'_>, leader: &Leader) -> usize {
    let rules = field.rules;
    let printed = rules.leader_level.at(level(field.table, leader)).units;
    let hampered = Terrain::Woods <= field.ground().terrain(leader.at);
    let fewer = (printed - rules.leaders.units_less_in_woods_or_rough).max(rules.leaders.min_units_in_woods_or_rough);
    let places = if hampered && 0 < printed { fewer } else { printed };
    usize::try_from(places).unwrap_or(0)
}

/// LEAD-01 The officer present with a unit: the best leader who is able to give it his benefit, if there is one.
///
/// Any arm, as for morale; [`present_for`] asks for a certain kind of help.
pub fn present<'a>(field: &Field<'a>, unit: UnitIx) -> Option<&'a Leader> {
    present_for(field, unit, Help::Morale)
}

/// LEAD-01, LEAD-10 As [`present`], for one kind of help.
pub fn present_for<'a>(field: &Field<'a>, unit: UnitIx, help: Help) -> Option<&'a Leader> {
    // LEAD-06: the best counts; of equal ones it makes no difference who is named.
    able(field, unit, help)
        .max_by_key(|leader| (level(field.table, leader), Reverse(field.leader_distance(leader, unit))))
}

/// The leaders who can give a unit that help now: those who have it on their lists already, or a place left.
fn able<'f, 'a>(field: &'f Field<'a>, unit: UnitIx, help: Help) -> impl Iterator<Item = &'a Leader> + use<'f, 'a> {
    let id = &field.unit(unit).id;
    field.table.leaders_on_table().filter(move |leader| {
        can_help(field, leader, unit, help)
            && (leader.marks.helped.contains(id) || leader.marks.helped.len() < places(field, leader))
    })
}

/// SHK-01 Whether an officer holds a unit that becomes shaken.
pub fn holds_shaken(field: &Field<'_>, unit: UnitIx, help: Help) -> bool {
    match field.rules.house.officer_holds {
        OfficerHolds::Radius => present_for(field, unit, help).is_some(),
        OfficerHolds::OneInch => {
            let near = field.rules.leader_level.at(1).radius.thousandths();
            able(field, unit, help).any(|leader| field.leader_distance(leader, unit).within(near))
        }
    }
}

/// LEAD-01, LEAD-09 to LEAD-11 Whether a leader could give a unit this benefit, if he has a place for it.
pub fn can_help(field: &Field<'_>, leader: &Leader, unit: UnitIx, help: Help) -> bool {
    let helped = field.unit(unit);
    let reach = radius(field.rules, field.table, leader);
    let must_have_begun_with_it = help == Help::Charge || !helped.is_unrouted();
    leader.on_table()
        && leader.side == helped.side
        && field.leader_may_be_within(leader, unit, reach)
        && 1 <= level(field.table, leader)
        && arm_allows(leader.arm, helped.arm, help)
        && !(help == Help::Fire && helped.arm == Arm::Cavalry && field.rules.house.officer_fire == OfficerFire::Foot)
        && (!must_have_begun_with_it || leader.marks.began_with.contains(&helped.id))
        && own_command_allows(field.table, leader, unit)
        && is_free_for(leader, helped, help)
        && field.leader_within(leader, unit, reach)
}

/// IMP-11 A leader goes in with one charge or countercharge of a turn.
fn is_free_for(leader: &Leader, unit: &Unit, help: Help) -> bool {
    !help.goes_in() || leader.marks.goes_in_with.as_ref().is_none_or(|charge| charge == charge_of(unit))
}

/// CHG-15 The charge that a unit is in, by its point.
fn charge_of(unit: &Unit) -> &UnitId {
    match &unit.marks.shown {
        Some(OrderShown::Charge { support_of: Some(point), .. }) => point,
        _ => &unit.id,
    }
}

/// LEAD-10 Which arms a leader helps. A leader without an arm helps as infantry does.
fn arm_allows(leader: Option<Arm>, unit: Arm, help: Help) -> bool {
    let leader = leader.unwrap_or(Arm::Infantry);
    let guns = matches!(unit, Arm::Artillery | Arm::GunCrew);
    match help {
        Help::Morale | Help::Charge | Help::Countercharge => true,
        Help::Competence if guns => leader == Arm::Artillery,
        Help::Competence => unit != Arm::Cavalry || leader == Arm::Cavalry,
        Help::Fire => guns == (leader == Arm::Artillery),
    }
}

/// LEAD-09 With the setting `benefit_own_command_only` a leader helps only units under him.
fn own_command_allows(table: &Table, leader: &Leader, unit: UnitIx) -> bool {
    table.house().benefit_own_command_only == OwnCommandOnly::Off
        || command::superiors(table, &table[unit]).iter().any(|superior| superior.id == leader.id)
}

/// LEAD-07 Allots the leaders' help to the units that roll in one batch, and enters it on their lists.
///
/// Everything is judged by the table as it stands when this is called, so call it once a batch, before its first die.
pub fn allot(play: &mut Play<'_>, batch: &[(UnitIx, Help)]) -> Allotment {
    if batch.iter().any(|(_, help)| help.goes_in()) {
        keep_for_their_charge(play);
    }
    let allotment = allotted(play, batch);
    for (unit, helper) in &allotment.helpers {
        enter(play, &helper.leader, *unit);
        let goes_in = batch.iter().any(|(asking, help)| asking == unit && help.goes_in());
        let charge = charge_of(&play.table()[*unit]).clone();
        let leads = leads(play, &helper.leader);
        if let Some(leader) = play.table_mut().leaders.get_mut(&helper.leader).filter(|_| goes_in) {
            leader.marks.goes_in_with.get_or_insert(charge);
            leader.marks.led_charge |= leads;
        }
    }
    allotment
}

/// LEAD-14 Whether a leader who goes in with a charge leads it: by the option, and only if he was told to.
fn leads(play: &Play<'_>, leader: &LeaderId) -> bool {
    let told = play
        .table()
        .leaders
        .get(leader)
        .and_then(|leader| play.leader_choice(leader.side, &leader.id, |draft| draft.lead));
    play.table().house().lead_charge == LeadCharge::On && told == Some(true)
}

/// LEAD-07 Enters a unit on the lists of a leader who helps it.
pub(crate) fn enter(play: &mut Play<'_>, leader: &LeaderId, unit: UnitIx) {
    let unit = play.table()[unit].id.clone();
    let marks = play.table_mut().leaders.get_mut(leader).map(|leader| &mut leader.marks);
    if let Some(LeaderMarks { helped, helped_in_turn, .. }) = marks {
        for list in [helped, helped_in_turn] {
            if !list.contains(&unit) {
                list.push(unit.clone());
            }
        }
    }
}

/// IMP-11 Leaders who were told to, or whose own unit charges, keep themselves for that charge.
fn keep_for_their_charge(play: &mut Play<'_>) {
    let table = play.table();
    let charges = |unit: &Unit| {
        let ordered = matches!(unit.marks.shown, Some(OrderShown::Charge { .. })) && !unit.marks.order_spent;
        ordered || unit.marks.charged || unit.marks.countercharged
    };
    let free = table.leaders_on_table().filter(|leader| leader.marks.goes_in_with.is_none());
    let kept = free.filter_map(|leader| {
        let told = play.leader_choice(leader.side, &leader.id, |draft| draft.go_in_with.clone());
        let own = || leader.attached.clone().filter(|id| table.unit(id).is_some_and(charges));
        let unit = told.or_else(own)?;
        Some((leader.id.clone(), charge_of(table.unit(&unit)?).clone()))
    });
    let kept: Vec<(LeaderId, UnitId)> = kept.collect();
    for (leader, charge) in kept {
        if let Some(leader) = play.table_mut().leaders.get_mut(&leader) {
            leader.marks.goes_in_with = Some(charge);
        }
    }
}

fn allotted(play: &Play<'_>, batch: &[(UnitIx, Help)]) -> Allotment {
    let field = Field::new(play.rules, play.table(), play.dice);
    let mut allotment = Allotment::default();
    for leader in by_descending_level(play, &field, batch, &mut allotment.dice) {
        let asking: Vec<UnitIx> = batch
            .iter()
            .filter(|(unit, help)| !allotment.helpers.contains_key(unit) && can_help(&field, leader, *unit, *help))
            .map(|(unit, _)| *unit)
            .collect();
        let ranked = by_his_preference(play, &field, leader, asking, &mut allotment.dice);
        let mut free = places(&field, leader).saturating_sub(leader.marks.helped.len());
        for unit in ranked {
            let listed = leader.marks.helped.contains(&field.unit(unit).id);
            if !listed && free == 0 {
                continue;
            }
            free -= usize::from(!listed);
            allotment.helpers.insert(unit, Helper::of(field.table, leader));
        }
    }
    allotment
}

/// The leaders who could help anybody in the batch, by descending level, equals by `tie.help`.
fn by_descending_level<'a>(
    play: &Play<'_>,
    field: &Field<'a>,
    batch: &[(UnitIx, Help)],
    dice: &mut Vec<DiceShown>,
) -> Vec<&'a Leader> {
    let useful = |leader: &&Leader| batch.iter().any(|(unit, help)| can_help(field, leader, *unit, *help));
    let mut leaders: Vec<&Leader> = field.table.leaders_on_table().filter(useful).collect();
    leaders.sort_by_key(|leader| Reverse(level(field.table, leader)));
    let groups = leaders.chunk_by(|one, other| level(field.table, one) == level(field.table, other));
    groups.flat_map(|group| in_order_of_dice(play, group.to_vec(), |leader| leader.id.as_str(), dice)).collect()
}

/// LEAD-07 The order in which a leader helps: units on his list, his owner's wishes in their order, then the nearest.
fn by_his_preference(
    play: &Play<'_>,
    field: &Field<'_>,
    leader: &Leader,
    asking: Vec<UnitIx>,
    dice: &mut Vec<DiceShown>,
) -> Vec<UnitIx> {
    let wishes = play.leader_choice(leader.side, &leader.id, |draft| draft.help.clone()).unwrap_or_default();
    let groups = by_preference(field, leader, &wishes, asking).into_iter();
    groups.flat_map(|group| in_order_of_dice(play, group, |unit| field.unit(*unit).id.as_str(), dice)).collect()
}

/// LEAD-07 As [`by_his_preference`], with those who are level left together: they throw for it.
pub(crate) fn by_preference(
    field: &Field<'_>,
    leader: &Leader,
    wishes: &[UnitId],
    asking: Vec<UnitIx>,
) -> Vec<Vec<UnitIx>> {
    let rank = |unit: &UnitIx| {
        let id = &field.unit(*unit).id;
        let wish = wishes.iter().position(|wish| wish == id).unwrap_or(wishes.len());
        (!leader.marks.helped.contains(id), wish, field.leader_distance(leader, *unit))
    };
    let mut ranked: Vec<_> = asking.into_iter().map(|unit| (rank(&unit), unit)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let groups = ranked.chunk_by(|one, other| one.0 == other.0);
    groups.map(|group| group.iter().map(|(_, unit)| *unit).collect()).collect()
}

/// TURN-05 Level candidates in the order of their `tie.help` dice.
fn in_order_of_dice<'k, T: Copy>(
    play: &Play<'_>,
    level: Vec<T>,
    key: impl Fn(&T) -> &'k str,
    dice: &mut Vec<DiceShown>,
) -> Vec<T> {
    if level.len() < 2 {
        return level;
    }
    let candidates: Vec<Vec<&str>> = level.iter().map(|candidate| vec![key(candidate)]).collect();
    let broken = break_tie(play.dice, play.phase, Purpose::TieHelp, &candidates);
    dice.extend(broken.throws);
    broken.order.into_iter().map(|index| level[index]).collect()
}

/// LEAD-07 A leader's list of units helped is empty at the start of each phase.
pub fn begin_phase(play: &mut Play<'_>) {
    for leader in play.table_mut().leaders.those_mut(|leader| !leader.marks.helped.is_empty()) {
        leader.marks.helped.clear();
    }
    hidden::begin_phase(play);
}

/// LEAD-13, OFF-02 At the end of phases 2 to 8: leaders whom the enemy has reached give way, and the nearest enemies are
/// taken down.
pub fn end_phase(play: &mut Play<'_>) {
    give_way(play);
    mark_danger(play);
}

/// MOVE-18 Marks the units with which each leader begins the turn, and clears last turn's marks.
pub fn begin_turn(play: &mut Play<'_>) {
    let marks = marks_of_a_new_turn(&Field::new(play.rules, play.table(), play.dice));
    put_marks(play.table_mut(), marks);
    play.danger = Watch::default();
}

/// MOVE-18 As [`begin_turn`], on a table that has just been set up.
pub(crate) fn begin_battle(rules: &Ruleset, table: &mut Table) {
    let marks = marks_of_a_new_turn(&Field::before_dice(rules, table));
    put_marks(table, marks);
}

fn marks_of_a_new_turn(field: &Field<'_>) -> Vec<(LeaderId, LeaderMarks)> {
    let begun = |leader: &Leader| {
        let near = |reach: i32| -> Vec<UnitId> {
            let about = Extent::of([&field.leader_stand(leader)]);
            let near = field.near(about, reach).map(|ix| (ix, field.unit(ix)));
            let own = near.filter(|(ix, unit)| unit.side == leader.side && field.leader_within(leader, *ix, reach));
            own.map(|(_, unit)| unit.id.clone()).collect()
        };
        if leader.presence != Presence::Table {
            return LeaderMarks::default();
        }
        LeaderMarks {
            began_with: near(radius(field.rules, field.table, leader)),
            began_near: near(COORDINATED_CHARGE),
            ..LeaderMarks::default()
        }
    };
    field.table.leaders.values().map(|leader| (leader.id.clone(), begun(leader))).collect()
}

fn put_marks(table: &mut Table, marks: Vec<(LeaderId, LeaderMarks)>) {
    for (id, marks) in marks {
        if let Some(leader) = table.leaders.get_mut(&id) {
            leader.marks = marks;
            leader.at_turn_start = leader.at;
        }
    }
}

/// LEAD-11 To go along in a coordinated charge he must have begun so near to the point unit, thousandths of an inch.
const COORDINATED_CHARGE: i32 = 6_000;
