//! IDD-03, IDD-18: the exact chances of a dice down.

use protocol::event::{ImpactResult, Morale};
use protocol::message::Fate;

use super::*;
use crate::chance::Chance;
use crate::charge::clash::odds;
use crate::testing::{cavalry, table};

fn asked(table: &Table, clash: &Clash) -> crate::charge::clash::Odds {
    with_field(table, |field| odds(field, clash))
}

#[test]
fn idd_03_the_chances_of_two_against_two_dice() {
    // Of 1296 ways two sums of two dice are equal in 146: 1 + 4 + 9 + 16 + 25 + 36 + 25 + 16 + 9 + 4 + 1.
    let level = table(open_ground(), [a(), d()]);
    let clash =
        Clash { attacker: Front { elan: false, ..charge(&level, &[], &[]).attacker }, ..charge(&level, &[], &[]) };
    let odds = asked(&level, &clash);
    assert_eq!((odds.attacker.total(), odds.defender.total()), (3, 3));
    assert_eq!(odds.of(ImpactResult::Melee), Chance::new(146, 1_296));
    assert_eq!(odds.of(ImpactResult::DefenderThrownBack), Chance::new(575, 1_296));
    assert_eq!(odds.of(ImpactResult::AttackerRecoils), Chance::new(575, 1_296));
    // With an edge of 1 a tie needs a sum higher by one: twice 1x2 + 2x3 + 3x4 + 4x5 + 5x6 is 140.
    let odds = asked(&level, &charge(&level, &[], &[]));
    assert_eq!(odds.of(ImpactResult::Melee), Chance::new(140, 1_296));
    assert_eq!(odds.of(ImpactResult::DefenderThrownBack), Chance::new(721, 1_296), "575 and the 146 that were level");
    assert_eq!(odds.of(ImpactResult::AttackerRecoils), Chance::new(435, 1_296), "575 less the 140 that are level now");
    let all = [ImpactResult::Melee, ImpactResult::DefenderThrownBack, ImpactResult::AttackerRecoils];
    assert_eq!(all.map(|result| odds.of(result)).into_iter().sum::<Chance>(), Chance::CERTAIN);
}

#[test]
fn idd_18_the_chances_of_the_loser() {
    let table =
        table(open_ground(), [a(), d(), infantry("s", Side::Confederate).green().at(33_500, 30_000).facing(18_000)]);
    let odds = asked(&table, &charge(&table, &[], &["s"]));
    // 2 to 4 in 6 ways of 36, 5 to 8 in 20, 9 to 11 in 9, 12 in one.
    let of = |unit: &str, fate| odds.thrown_back[&ix(&table, unit)].get(&fate).copied().unwrap_or(Chance::NEVER);
    let fates = [Fate::Good, Fate::Shaken, Fate::Routed, Fate::PickedUp];
    assert_eq!(fates.map(|fate| of("d", fate)), [6, 20, 9, 1].map(|ways| Chance::new(ways, 36)));
    // Green, one more: 2 and 3 good, 4 to 7 shaken, 8 to 10 routed, 11 and 12 broken up.
    assert_eq!(fates.map(|fate| of("s", fate)), [3, 18, 12, 3].map(|ways| Chance::new(ways, 36)));
    assert!(!odds.thrown_back.contains_key(&ix(&table, "a")), "a beaten attacker recoils");
}

#[test]
fn cc_19_and_cavc_47_both_sides_may_be_thrown_back_and_horse_shakes_foot() {
    let table = table(open_ground(), [cavalry("a", Side::Union).at(30_000, 30_000), d().morale(Morale::Good)]);
    let odds = asked(&table, &countercharge(&table, &[], &[]));
    assert!(odds.of(ImpactResult::AttackerThrownBack).is_possible());
    assert!(!odds.of(ImpactResult::AttackerRecoils).is_possible());
    let of = |unit: &str, fate| odds.thrown_back[&ix(&table, unit)].get(&fate).copied().unwrap_or(Chance::NEVER);
    // Foot beaten by horse: veteran 3, shaken by 4 to 6. Horse beaten by foot: the general table.
    assert_eq!((of("d", Fate::Shaken), of("d", Fate::Routed)), (Chance::new(1, 2), Chance::new(1, 2)));
    assert_eq!(of("a", Fate::PickedUp), Chance::new(1, 36));
}
