//! A melee, round by round, to the end of one side. ALG-MELEE, MEL-01 to MEL-22, DIS-17
//!
//! Owns who stands in front, when both sides strike, and when it is over. What one blow does stands in [`super::blow`].

use std::collections::BTreeSet;

use protocol::event::{Fact, FlankClass, MeleeSide};
use protocol::ids::LeaderId;
use protocol::words::Arm;

use super::super::columns;
use super::blow::{self, Blow};
use super::{Clash, Ending, Engaged, Front, Role, is_disengaging, settle, void_order};
use crate::battle::{Table, UnitIx};
use crate::catalogue::{MEL_02, MEL_08, MEL_09, MEL_11, MEL_20, MEL_22};
use crate::dice::{Purpose, break_tie};
use crate::explain::{Explain, called, named, sentence};
use crate::field::Field;
use crate::morale::InCharge;
use crate::morale::consequence::fall_into_disorder;
use crate::play::Play;
use crate::rout::{self, Loss};
use crate::settle::Happening;

/// MEL-22 So many rounds without a loss end it.
const STALEMATE: u32 = 10;

/// MEL-16, OFF-06 A leader is in a melee within this distance of a unit that fights, thousandths of an inch.
pub(super) const HAND_TO_HAND: i32 = 1_000;

/// A melee under way.
pub(super) struct Melee<'c> {
    clash: &'c Clash,
    attackers: Vec<UnitIx>,
    defenders: Vec<UnitIx>,
    /// The leads of brigade columns that were in order at impact. MEL-07
    pub(super) columns: BTreeSet<UnitIx>,
    /// The round, from 1.
    pub(super) round: u32,
    /// Rounds running in which nobody was lost.
    idle: u32,
}

/// MEL-09 Fights to a finish.
pub(super) fn fight(play: &mut Play<'_>, clash: &Clash, engaged: &mut Engaged) -> Ending {
    // MEL-12, TAC-30 A brigade column comes apart: each regiment stands behind the one in front of it.
    let columns = heads_of_columns(play.table(), clash);
    let clash = &columns::apart(play, clash, &[Role::Attacker, Role::Defender]);
    let mut melee = Melee::new(play.table(), clash, columns);
    begin(play, &melee);
    while !melee.is_over() {
        melee.round += 1;
        if melee.round == 2 {
            all_into_disorder(play, &melee);
        }
        mark_leaders(play, &melee);
        let lost = round(play, &mut melee, engaged);
        melee.idle = if lost { 0 } else { melee.idle + 1 };
        if melee.idle == STALEMATE && !melee.is_over() {
            weaker_surrenders(play, &mut melee, engaged);
        }
    }
    finish(play, &melee);
    Ending::Fought
}

impl<'c> Melee<'c> {
    fn new(table: &Table, clash: &'c Clash, columns: BTreeSet<UnitIx>) -> Melee<'c> {
        let band = |front: &Front| front.units().filter(|ix| table[*ix].on_table()).collect();
        let (attackers, defenders) = (band(&clash.attacker), band(&clash.defender));
        Melee { clash, attackers, defenders, columns, round: 0, idle: 0 }
    }

    /// The units of a side that are left, the front unit first. MEL-12
    pub(super) fn band(&self, role: Role) -> &[UnitIx] {
        match role {
            Role::Attacker => &self.attackers,
            Role::Defender => &self.defenders,
        }
    }

    /// The front unit of a side that has one.
    pub(super) fn front(&self, role: Role) -> Option<UnitIx> {
        self.band(role).first().copied()
    }

    fn everybody(&self) -> impl Iterator<Item = UnitIx> + '_ {
        self.attackers.iter().chain(&self.defenders).copied()
    }

    /// MEL-09 One side, or both, are gone.
    fn is_over(&self) -> bool {
        self.attackers.is_empty() || self.defenders.is_empty()
    }

    /// MEL-14 From where the attacker struck, which helps in the first round.
    pub(super) fn struck(&self, role: Role) -> FlankClass {
        match (role, self.round) {
            (Role::Attacker, 1) => self.clash.struck(Role::Defender),
            _ => FlankClass::Front,
        }
    }

    /// DIS-17 The attacker is on the back of a disengaging unit, and strikes first.
    fn is_from_behind(&self, table: &Table) -> bool {
        let disengages = self.front(Role::Defender).is_some_and(|ix| is_disengaging(&table[ix]));
        disengages && self.struck(Role::Attacker) == FlankClass::Rear
    }

    /// MOR-45 What the melee changes about checks, by the front units of this moment.
    pub(super) fn in_charge(&self, engaged: &BTreeSet<UnitIx>, caught: Option<UnitIx>) -> InCharge {
        let mut charge = self.clash.in_charge(engaged);
        charge.opponent.clear();
        for role in [Role::Attacker, Role::Defender] {
            let enemy = self.front(role.other());
            charge.opponent.extend(self.band(role).iter().filter_map(|unit| Some((*unit, enemy?))));
        }
        InCharge { melee: true, caught, ..charge }
    }
}

/// MEL-07 The front units that lead a brigade column which is in order.
fn heads_of_columns(table: &Table, clash: &Clash) -> BTreeSet<UnitIx> {
    let heads = [clash.attacker.unit, clash.defender.unit].into_iter();
    heads.filter(|ix| table[*ix].leads_column() && !table[*ix].footing.disorder).collect()
}

/// MEL-11, MEL-20 All who take part are marked, and the supports are in disorder from the first round on.
fn begin(play: &mut Play<'_>, melee: &Melee<'_>) {
    for ix in melee.everybody() {
        void_order(play, ix, MEL_20);
        play.table_mut()[ix].marks.in_melee = true;
    }
    let supports = [Role::Attacker, Role::Defender].into_iter().flat_map(|role| melee.band(role).iter().skip(1));
    let supports: Vec<UnitIx> = supports.copied().collect();
    for ix in supports {
        disorder(play, ix, MEL_11);
    }
}

/// MEL-08 From the second round on.
fn all_into_disorder(play: &mut Play<'_>, melee: &Melee<'_>) {
    for ix in melee.everybody() {
        disorder(play, ix, MEL_08);
    }
}

/// FORM-26 Batteries have no disorder.
fn disorder(play: &mut Play<'_>, ix: UnitIx, rule: crate::catalogue::RuleId) {
    if play.table()[ix].arm != Arm::Artillery {
        fall_into_disorder(play, ix, rule);
    }
}

/// OFF-06 The leaders who are in it.
fn mark_leaders(play: &mut Play<'_>, melee: &Melee<'_>) {
    let field = Field::new(play.rules, play.table(), play.dice);
    let near = field.table.leaders_on_table().filter(|leader| {
        melee.everybody().any(|ix| field.unit(ix).side == leader.side && field.leader_within(leader, ix, HAND_TO_HAND))
    });
    let near: Vec<LeaderId> = near.map(|leader| leader.id.clone()).collect();
    for id in near {
        if let Some(leader) = play.table_mut().leaders.get_mut(&id) {
            leader.marks.in_melee = true;
        }
    }
}

/// MEL-03, MEL-13, DIS-17 One round: both strike at once, or the attacker before those whom he has caught reply. Whether anybody
/// lost a figure.
fn round(play: &mut Play<'_>, melee: &mut Melee<'_>, engaged: &mut Engaged) -> bool {
    let caught = melee.front(Role::Defender).filter(|_| melee.is_from_behind(play.table()));
    if caught.is_none() {
        let blows = [Role::Attacker, Role::Defender].map(|role| blow::strike(play, melee, role));
        return land(play, melee, &blows, None, engaged);
    }
    let first = [blow::strike(play, melee, Role::Attacker), None];
    let lost = land(play, melee, &first, caught, engaged);
    if melee.is_over() {
        return lost;
    }
    let reply = [None, blow::strike(play, melee, Role::Defender)];
    land(play, melee, &reply, None, engaged) || lost
}

/// MEL-12, MEL-13 Tells blows that fall together, the attacker's first; takes their losses, then the checks. Who is gone is replaced
/// by who stands behind. Whether anybody lost a figure.
fn land(
    play: &mut Play<'_>,
    melee: &mut Melee<'_>,
    blows: &[Option<Blow>; 2],
    caught: Option<UnitIx>,
    engaged: &mut Engaged,
) -> bool {
    let charge = melee.in_charge(&engaged.units, caught);
    tell(play, melee, blows);
    let mut happenings = Vec::new();
    for blow in blows.iter().flatten() {
        happenings.extend(blow::suffer(play, melee.band(blow.by.other()), blow));
    }
    let lost = !happenings.is_empty();
    settle(play, happenings, &charge, engaged);
    let table = play.table();
    melee.attackers.retain(|ix| table[*ix].on_table());
    melee.defenders.retain(|ix| table[*ix].on_table());
    lost
}

/// Tells a round, or the half of it in which one side strikes alone.
fn tell(play: &mut Play<'_>, melee: &Melee<'_>, blows: &[Option<Blow>; 2]) {
    let table = play.table();
    let side = |role: Role, blow: &Option<Blow>| {
        let blow = blow.as_ref();
        let id = |ix: UnitIx| table[ix].id.clone();
        let (front, behind) = melee.band(role).split_first()?;
        Some(MeleeSide {
            unit: id(*front),
            supports: behind.iter().map(|ix| id(*ix)).collect(),
            figures: blow.map_or(0, |blow| blow.figures),
            roll: blow.and_then(|blow| blow.roll),
            result: blow.map_or_else(|| "--".to_owned(), Blow::result),
            kills: blow.map_or(0, |blow| blow.kills),
        })
    };
    let (Some(attacker), Some(defender)) = (side(Role::Attacker, &blows[0]), side(Role::Defender, &blows[1])) else {
        return;
    };
    let name = |role: Role| melee.front(role).map_or_else(String::new, |ix| called(&table[ix].name));
    let parts: Vec<String> =
        blows.iter().flatten().map(|blow| blow.words(&name(blow.by), &name(blow.by.other()))).collect();
    let mut told = sentence(format!("Melee, round {}: {}.", melee.round, parts.join("; ")));
    for blow in blows.iter().flatten() {
        told = blow.explain(told);
    }
    play.tell(MEL_02, Fact::MeleeRound { round: melee.round, attacker, defender }, told);
}

/// MEL-22 The side with fewer figures left surrenders; of level ones the dice tell.
fn weaker_surrenders(play: &mut Play<'_>, melee: &mut Melee<'_>, engaged: &mut Engaged) {
    let table = play.table();
    let figures = |role: Role| melee.band(role).iter().map(|ix| table[*ix].figures()).sum::<u32>();
    let (attackers, defenders) = (figures(Role::Attacker), figures(Role::Defender));
    let mut dice = Vec::new();
    let loser = match attackers.cmp(&defenders) {
        std::cmp::Ordering::Less => Role::Attacker,
        std::cmp::Ordering::Greater => Role::Defender,
        std::cmp::Ordering::Equal => {
            let fronts = [Role::Attacker, Role::Defender].map(|role| melee.front(role));
            let keys: Vec<Vec<&str>> = fronts.iter().flatten().map(|ix| vec![table[*ix].id.as_str()]).collect();
            let broken = break_tie(play.dice, play.phase, Purpose::TieMelee, &keys);
            dice = broken.throws;
            if broken.order.first() == Some(&0) { Role::Defender } else { Role::Attacker }
        }
    };
    let charge = melee.in_charge(&engaged.units, None);
    let gone = melee.band(loser).to_vec();
    for ix in &gone {
        rout::lose(play, *ix, MEL_22, Loss::Surrendered, std::mem::take(&mut dice));
    }
    match loser {
        Role::Attacker => melee.attackers.clear(),
        Role::Defender => melee.defenders.clear(),
    }
    settle(play, gone.into_iter().map(Happening::Removed).collect(), &charge, engaged);
}

/// MEL-20 Says who is left.
fn finish(play: &mut Play<'_>, melee: &Melee<'_>) {
    let table = play.table();
    let left = melee.front(Role::Attacker).or(melee.front(Role::Defender));
    let text = match left {
        Some(ix) => format!("{} has won the melee.", named(&table[ix].name)),
        None => "Nobody is left of either side in the melee.".to_owned(),
    };
    let fact = Fact::MeleeEnded {
        attacker: table[melee.clash.attacker.unit].id.clone(),
        defender: table[melee.clash.defender.unit].id.clone(),
        winner: left.map(|ix| table[ix].side),
    };
    let told = sentence(text).with_note(MEL_20, "whoever is left stays there, and neither moves nor fires this turn");
    play.tell(MEL_09, fact, told);
}
