//! The exact chances of a dice down, by the same sums that are thrown against each other. IDD-03, IDD-18
//!
//! Owns how the chances of the dice go together. It throws no die and changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{ImpactResult, Morale};
use protocol::message::Fate;

use super::{Clash, Role, beaten, dice_down, impact_morale};
use crate::battle::UnitIx;
use crate::chance::{Chance, FACES, sums, ways_of};
use crate::competence;
use crate::explain::Reckoning;
use crate::field::Field;
use crate::morale::{fate, officer};

/// What may come of a dice down.
#[derive(Clone, Debug)]
pub struct Odds {
    /// What the attacker adds to its dice.
    pub attacker: Reckoning,
    /// What the defender adds to its dice.
    pub defender: Reckoning,
    /// How likely each result is.
    pub results: BTreeMap<ImpactResult, Chance>,
    /// What becomes of each unit of a side if that side is thrown back. IDD-21
    pub thrown_back: BTreeMap<UnitIx, BTreeMap<Fate, Chance>>,
}

impl Odds {
    /// How likely a result is.
    pub fn of(&self, result: ImpactResult) -> Chance {
        self.results.get(&result).copied().unwrap_or(Chance::NEVER)
    }
}

/// The odds of a clash as both sides stand now, whoever of the officers in reach then helps.
pub fn odds(field: &Field<'_>, clash: &Clash) -> Odds {
    let attacker = impact_morale(field, clash, Role::Attacker);
    let defender = impact_morale(field, clash, Role::Defender);
    let dice = u32::try_from(field.rules.impact.dice).unwrap_or(2);
    let ways = ways_of(dice) * ways_of(dice);
    let mut results = BTreeMap::new();
    for (own, own_ways) in sums(dice) {
        for (theirs, their_ways) in sums(dice) {
            let result = dice_down::compare(clash, own + attacker.total(), theirs + defender.total());
            add(&mut results, result, Chance::new(own_ways * their_ways, ways));
        }
    }
    let beaten = [Role::Attacker, Role::Defender].into_iter();
    let beaten = beaten.filter(|loser| *loser == Role::Defender || clash.defender.charging);
    let units = beaten.flat_map(|loser| clash.front(loser).units().map(move |ix| (loser, ix)));
    let thrown_back = units.map(|(loser, ix)| (ix, fates(field, clash, loser, ix))).collect();
    Odds { attacker, defender, results, thrown_back }
}

/// IDD-18, IDD-19, CAVC-47 What becomes of one unit that is thrown back.
fn fates(field: &Field<'_>, clash: &Clash, loser: Role, ix: UnitIx) -> BTreeMap<Fate, Chance> {
    let unit = field.unit(ix);
    let mut fates = BTreeMap::new();
    let mut count = |after: Option<Morale>, chance| add(&mut fates, after.map_or(Fate::PickedUp, fate), chance);
    if beaten::is_beaten_by_horse(field, clash, loser, ix) {
        let to_beat = competence::number_to_beat(field, ix, officer::for_competence(field, ix)).total();
        for (face, ways) in sums(1) {
            count(Some(beaten::foot_morale(to_beat, face).max(unit.morale)), Chance::new(ways, FACES));
        }
        return fates;
    }
    let charge = clash.in_charge(&BTreeSet::new());
    let has_officer = officer::present_in_charge(field, ix, &charge).is_some();
    let dice = u32::try_from(field.rules.impact.loser_fallback_dice).unwrap_or(2);
    for (thrown, ways) in sums(dice) {
        let result = beaten::result(field.rules, unit.quality, has_officer, thrown).total();
        count(beaten::morale_by(field.rules, result, unit.morale), Chance::new(ways, ways_of(dice)));
    }
    fates
}

fn add<K: Ord>(chances: &mut BTreeMap<K, Chance>, key: K, chance: Chance) {
    let known = chances.entry(key).or_insert(Chance::NEVER);
    *known = *known + chance;
}
