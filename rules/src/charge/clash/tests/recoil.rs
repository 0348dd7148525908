//! IDD-11 to IDD-16: the recoil and the volley at the end of a charge.

use protocol::event::{Morale, OrderShown};
use protocol::orders::{ExtraFire, FormTask};
use protocol::words::Formation;

use super::*;
use crate::dice::Purpose;
use crate::testing::{battery, cavalry, table};

/// The attacker throws 12 and the defender 2: it recoils. The volleys of both throw ones: of 16 figures in order (three dice, 3,
/// and +3 for the disordered target) 6 reads 1*, which 1 does not confirm; 16 in disorder do nothing by 2.
const BEATEN: &str = "impact a d: 6 6\nimpact d a: 1 1\n";
const NO_HARM: &str = "fire.volley d: 1 1 1\nfire.confirm d a: 1\nfire.volley a: 1 1";

fn recoiled(units: Vec<Maker>, of_a: &[&str], dice: &str) -> Played {
    charged(open_ground(), units, of_a, &[], &format!("{BEATEN}{dice}"))
}

/// Every die of a purpose shows the same face: the attacker loses, goes back so many inches, and nobody is hit by ones.
struct Even(u8);

impl Dice for Even {
    fn die(&self, _phase: u8, purpose: Purpose, key: &[&str], _n: u32) -> u8 {
        match purpose {
            Purpose::Impact if key[0] == "a" => 6,
            Purpose::ImpactAttackerFallback => self.0,
            _ => 1,
        }
    }
}

fn evenly(battle: Battle, clash: &Clash) -> Played {
    play_step(battle, clash, &Even(4), resolve)
}

#[test]
fn idd_11_the_attacker_recoils_a_die_in_disorder_and_the_defender_stays() {
    let played = recoiled(vec![a(), d()], &[], &format!("impact.attacker_fallback a: 4\n{NO_HARM}"));
    assert_eq!(played.ending, Ending::Recoiled);
    assert_eq!((played.at("a"), played.at("d")), ((30_000, 26_000), (30_000, 30_000)));
    assert!(played.unit("a").footing.disorder && !played.unit("d").footing.disorder);
    assert_eq!(played.unit("a").footing.facing.hundredths(), 0, "it faces the enemy");
    // Two dice for mounted cavalry, in inches whatever the ground.
    let rider = seasoned(cavalry("a", Side::Union).at(30_000, 30_000));
    for ground in [open_ground(), belt(Terrain::Woods, 10_000, 50_000)] {
        let table = table(ground, [rider.clone(), d()]);
        let clash = charge(&table, &[], &[]);
        assert_eq!(evenly(ordered(table), &clash).at("a"), (30_000, 22_000));
    }
}

#[test]
fn idd_11_it_goes_back_along_the_ray_facing_the_enemy() {
    // It ran north-east with its front to the north: its centre, 0.312 behind the anchor, goes 4 inches south-west.
    let table = table(open_ground(), [a(), d()]);
    let clash = Clash { ray: forward(protocol::place::Bearing::wrapping(4_500)), ..charge(&table, &[], &[]) };
    let played = evenly(ordered(table), &clash);
    let unit = played.unit("a");
    assert_eq!(unit.footing.facing.hundredths(), 4_500);
    let center = crate::geometry::mean(&unit.layout().rects().map(|rect| rect.center).collect::<Vec<_>>());
    let center = center.expect("it has stands");
    // 4 x cos 45 = 2.828
    assert!((center.x - (30_000 - 2_828)).abs() <= 4 && (center.y - (29_687 - 2_828)).abs() <= 4, "{center:?}");
}

#[test]
fn idd_11_and_shk_05_what_stops_a_recoil() {
    let back = |others: Vec<Maker>, ground: Ground, y: i32| {
        let (a, d) = (a().at(30_000, y), d().at(30_000, y));
        let table = table(ground, [a, d].into_iter().chain(others));
        let clash = charge(&table, &[], &[]);
        y - evenly(ordered(table), &clash).at("a").1
    };
    assert_eq!(back(vec![], open_ground(), 30_000), 4_000);
    // The rear edge is 0.625 behind the front: the table ends after 1.375.
    assert_eq!(back(vec![], open_ground(), 2_000), 1_375);
    // An enemy that is not in this fight, 2 inches behind the rear edge: an inch is left free.
    let other = infantry("x", Side::Confederate).at(30_000, 29_375 - 2_000);
    assert!((back(vec![other], open_ground(), 30_000) - 1_000).abs() <= 2);
    // A friend in the place where it would end: it goes on until clear of him, and both roll.
    let friend = seasoned(infantry("f", Side::Union).at(30_000, 26_000));
    assert!((back(vec![friend], open_ground(), 30_000) - 4_625).abs() <= 4);
}

#[test]
fn idd_12_supports_go_with_the_point_and_end_clear_of_it() {
    let behind = seasoned(infantry("s", Side::Union).at(30_000, 29_375));
    let beside = seasoned(infantry("t", Side::Union).at(26_500, 30_000));
    let dice = format!("impact.attacker_fallback a: 3\n{NO_HARM}");
    let played = recoiled(vec![a(), d(), behind, beside], &["s", "t"], &dice);
    assert_eq!(
        (played.at("a"), played.at("s"), played.at("t")),
        ((30_000, 27_000), (30_000, 26_375), (26_500, 27_000))
    );
    assert!(played.unit("s").footing.disorder && played.unit("t").footing.disorder);
    assert!(played.facts().all(|fact| !matches!(fact, Fact::Competence { .. })), "they are not passed through");
    // The point turns as it goes back along a slanting ray, and sweeps over the place of the support: that is pushed on.
    let table = table(open_ground(), [a(), d(), seasoned(infantry("s", Side::Union).at(30_000, 29_375))]);
    let clash = Clash { ray: forward(protocol::place::Bearing::wrapping(4_500)), ..charge(&table, &["s"], &[]) };
    let played = evenly(ordered(table), &clash);
    let far = played.at("s").0.min(played.at("s").1 + 625);
    assert!(far < 30_000 - 2_828 - 100, "beyond its own 4 inches: {:?}", played.at("s"));
    let overlaps = |one: &str, other: &str| {
        let (one, other) = (played.unit(one).layout(), played.unit(other).layout());
        one.rects().any(|a| other.rects().any(|b| crate::geometry::overlaps_beyond_eps(a, &b.corners)))
    };
    assert!(!overlaps("a", "s"));
}

#[test]
fn idd_13_and_cavc_40_each_support_loses_half_of_what_the_point_loses() {
    let supports = |units: &[&str]| -> Vec<Maker> {
        let makers = units.iter().zip(0..);
        makers.map(|(id, n)| seasoned(infantry(id, Side::Union).at(22_000 + 16_000 * n, 30_000))).collect()
    };
    // 12 thrown and +3 for disorder read 4 on the row of sixteen: a stand. Its check: 3, stand +3, hit in disorder +1, elan -1 = 6.
    let dice = "impact.attacker_fallback a: 4\nfire.volley d: 4 4 4\nfire.volley a: 1 1\nmorale.stand_lost a: 3 4";
    let units: Vec<Maker> = [a(), d()].into_iter().chain(supports(&["s", "t"])).collect();
    let played = recoiled(units, &["s", "t"], dice);
    assert_eq!(["a", "s", "t"].map(|unit| played.unit(unit).figures()), [12, 14, 14]);
    assert_eq!(played.checks(), ["a stand lost: 7 on 6, good"]);
    // 9 thrown and +3 read 3: an odd half is a loss by 4 to 6, each support for itself.
    let dice = "impact.attacker_fallback a: 4\nfire.volley d: 3 3 3\nfire.volley a: 1 1\nsupport.fraction s: 4\nsupport.fraction t: 3";
    let units: Vec<Maker> = [a(), d()].into_iter().chain(supports(&["s", "t"])).collect();
    let played = recoiled(units, &["s", "t"], dice);
    assert_eq!(["a", "s", "t"].map(|unit| played.unit(unit).figures()), [13, 14, 15]);
}

#[test]
fn idd_14_both_fire_on_one_state_and_never_too_far() {
    // 12 thrown against disorder: 4 lost. The recoiled line fires with all it had: 16 figures in disorder are 8; 10 on the row of
    // eight is 1*.
    let dice = "impact.attacker_fallback a: 4\nfire.volley d: 4 4 4\nfire.volley a: 5 5\nfire.confirm a d: 6\nmorale.stand_lost a: 6 6";
    let played = recoiled(vec![a(), d()], &[], dice);
    assert_eq!((played.unit("a").figures(), played.unit("d").figures()), (12, 15));
    // Flintlocks reach 5 inches. Six inches apart they fire at long range: base 3 - 1 and 2 - 1.
    let old = |maker: Maker| maker.weapon("flintlock");
    let dice = "impact.attacker_fallback a: 6\nfire.volley d: 1 1\nfire.volley a: 1";
    let played = recoiled(vec![old(a()), old(d())], &[], dice);
    assert_eq!((played.volley("d").map(|dice| dice.0), played.volley("a").map(|dice| dice.0)), (Some(2), Some(1)));
}

#[test]
fn idd_14_who_declines_or_is_not_able_does_not_fire() {
    let table = table(open_ground(), [a(), d()]);
    let clash = charge(&table, &[], &[]);
    let silent = Instructions { extra_fire: Some(ExtraFire::Never {}), ..Instructions::default() };
    let mut declined = ordered(table.clone());
    give(&mut declined, "d", Order::Hold { task: None }, silent);
    let played = evenly(declined, &clash);
    assert!(played.volley("d").is_none() && played.volley("a").is_some());
    let mut fleeing = ordered(table);
    give(&mut fleeing, "d", Order::Disengage { abandon_guns: false }, Instructions::default());
    assert!(evenly(fleeing, &clash).volley("d").is_none(), "DIS-07");
}

#[test]
fn idd_15_the_dice_of_the_defender_by_its_order_and_its_fires() {
    let hold = Order::Hold { task: None };
    let formation = Formation::DoubleLine;
    let form = Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } };
    let dice = |order: &Order, change: fn(&mut Unit)| {
        let table = table(open_ground(), [a(), d().with(change)]);
        let clash = charge(&table, &[], &[]);
        let mut battle = ordered(table);
        give(&mut battle, "d", order.clone(), Instructions::default());
        evenly(battle, &clash).volley("d").map(|(dice, _)| dice)
    };
    // Four inches: normal range.
    assert_eq!(dice(&hold, |_| {}), Some(3));
    assert_eq!(dice(&hold, |unit| unit.marks.fires = 1), Some(2), "HOLD, volley fired");
    assert_eq!(dice(&Order::FirstFire {}, |unit| unit.marks.fires = 2), Some(1), "first fire and volley made");
    assert_eq!(dice(&hold, |unit| unit.marks.conditional_hold = true), Some(2));
    let formed = |unit: &mut Unit| {
        unit.marks.conditional_hold = true;
        unit.marks.formed_on_hold = true;
        unit.marks.changed_formation = true;
    };
    assert_eq!(dice(&hold, formed), Some(1));
    assert_eq!(dice(&form, |_| {}), Some(2));
    assert_eq!(dice(&form, |unit| unit.marks.fires = 1), Some(1), "FORM, volley fired");
    // CHG-55: one that has charged or fallen back before fires only if it has not fired.
    assert_eq!(dice(&hold, |unit| unit.marks.fell_back = true), Some(2));
    let spent = |unit: &mut Unit| {
        unit.marks.fell_back = true;
        unit.marks.fires = 1;
    };
    assert_eq!(dice(&hold, spent), None);
}

#[test]
fn idd_16_a_recoiled_attacker_is_a_target_in_disorder_and_no_longer_charging() {
    let target = |maker: Maker| {
        let table = table(open_ground(), [maker, d()]);
        let clash = charge(&table, &[], &[]);
        evenly(ordered(table), &clash).volley("d").map(|(_, modifiers)| modifiers)
    };
    assert_eq!(target(a()), Some(3));
    // CAVC-44: +6 whole, not halved as while it charges.
    assert_eq!(target(seasoned(cavalry("a", Side::Union).at(30_000, 30_000))), Some(6));
}

#[test]
fn idd_14_guns_that_stood_fire_canister() {
    let guns = battery("d", Side::Confederate).at(30_000, 30_000).facing(18_000);
    let guns = guns.with(|unit| unit.opening_volley_used = true);
    let table = table(open_ground(), [a(), guns]);
    let clash = charge(&table, &[], &[]);
    // Three inches: the canister range of a Napoleon.
    let played = play_step(ordered(table), &clash, &Even(3), resolve);
    assert_eq!(played.unit("d").guns.as_ref().map(|guns| guns.canister), Some(5));
}

#[test]
fn chg_05_and_mor_39_the_engaged_put_off_what_they_see_and_look_back_when_it_is_over() {
    // The point routs from the volley by a natural 2; its support looks back only then.
    let support = seasoned(infantry("s", Side::Union).at(26_500, 30_000));
    let bystander = seasoned(infantry("b", Side::Union).at(36_500, 27_000));
    let marks = |maker: Maker| {
        maker.with(|unit| unit.marks.shown = Some(OrderShown::Charge { target: None, support_of: None }))
    };
    let units = || vec![marks(a()), d(), support.clone(), bystander.clone()];
    let dice = format!(
        "{BEATEN}impact.attacker_fallback a: 1\nfire.volley d: 4 4 4 1\nfire.volley a: 1 1 1\nmorale.stand_lost a: 1 1\n\
         rout.distance a: 1 2 2\nmorale.saw_rout b a: 6 6\nsupport.fraction s: 1\n"
    );
    let table = table(open_ground(), units());
    let clash = charge(&table, &["s"], &[]);
    let (mut engaged, script) = (Engaged::default(), ScriptedDice::parse(&dice).expect("the dice can be read"));
    let mut play = Play::new(Ruleset::standard(), &script, ordered(table), Stage::Charges);
    play.phase = 6;
    resolve_among(&mut play, &clash, &mut engaged);
    let viewers: Vec<_> = engaged.put_off.iter().map(|queued| queued.viewer).collect();
    assert_eq!(viewers, [ix(play.table(), "s")]);
    let saw: Vec<&str> = play
        .events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::MoraleCheck { unit, because, .. } if because == "saw a rout" => Some(unit.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(saw, ["b"]);
    assert_eq!(play.table()[clash.attacker.unit].morale, Morale::Routed);
}

#[test]
fn lead_11_and_shk_01_a_charger_is_held_only_by_an_officer_who_began_the_turn_with_it() {
    let shaken = |began: &[&str], dice: &str| {
        let mut table = table(open_ground(), [a(), d()]);
        put(&mut table, officer("l", Side::Union, (30_000, 28_500), 1, began));
        let clash = charge(&table, &[], &[]);
        // 12 thrown and +3: 4 lost. He rides along as it recoils.
        let volleys =
            "impact.attacker_fallback a: 4\nfire.volley d: 4 4 4\nfire.volley a: 1 1\nmorale.stand_lost a: 2 3";
        let played = play(ordered(table), &clash, &format!("{BEATEN}{volleys}{dice}"));
        (played.at("a").1, played.checks())
    };
    assert_eq!(shaken(&["a"], ""), (26_000, vec!["a stand lost: 5 on 5, shaken".to_owned()]));
    assert_eq!(shaken(&[], "\nshaken.distance a: 2"), (24_000, vec!["a stand lost: 5 on 6, shaken".to_owned()]));
}
