//! MOR-20 to MOR-29, MOR-36, MOR-39: who checks for what he sees.

use super::*;
use crate::ground::{Area, Ground, Terrain, Wooded};
use crate::morale::{InCharge, look_back, settle_in_charge};
use crate::testing::{Maker, battery, cavalry, infantry, open_ground, played_by, table};
use protocol::words::Formation;

/// The routed unit `r` at (30, 30) and a viewer `v` to the west of it. A line of four stands is 3.5 inches wide.
fn pair(v: Maker) -> Table {
    table(open_ground(), [infantry("r", UNION).at(30_000, 30_000), v])
}

fn viewer(gap: i32) -> Maker {
    infantry("v", UNION).at(30_000 - 3_500 - gap, 30_000)
}

fn saw(table: Table) -> bool {
    let happened = vec![Happening::Routed(of(&table, "r"))];
    let dice = ScriptedDice::new().with(crate::dice::Purpose::MoraleSawRout, &["v", "r"], &[5, 5]);
    !play_with(7, table, &dice, |play| settle(play, happened)).log().is_empty()
}

#[test]
fn mor_23_exactly_six_inches_is_within() {
    assert!(saw(pair(viewer(6_000))));
    assert!(!saw(pair(viewer(6_010))));
}

#[test]
fn mor_21_only_friends_mind() {
    assert!(!saw(pair(infantry("v", CONFEDERATE).at(25_000, 30_000))));
}

#[test]
fn mor_24_men_turn_their_heads_and_units_do_not_block() {
    let between = infantry("w", UNION).at(27_000, 25_000).with(|unit| unit.morale = Morale::Routed);
    let units = [infantry("r", UNION).at(30_000, 30_000), viewer(4_000).facing(27_000), between];
    assert!(saw(table(open_ground(), units)));
}

#[test]
fn mor_25_woods_hide_beyond_the_die_of_the_pair() {
    let outline = vec![
        Point::new(10_000, 10_000),
        Point::new(50_000, 10_000),
        Point::new(50_000, 50_000),
        Point::new(10_000, 50_000),
    ];
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Light, outline };
    let ground = Ground { areas: vec![area], ..open_ground() };
    // From the middle of one end stand to that of the other it is 4 + 0.875 inches of light woods.
    for (die, expected) in [(4, 0), (5, 1)] {
        let table = table(ground.clone(), [infantry("r", UNION).at(30_000, 30_000), viewer(4_000)]);
        let happened = vec![Happening::Routed(of(&table, "r"))];
        let dice = ScriptedDice::parse(&format!("visibility.pair r v: {die}\nmorale.saw_rout v r: 5 5")).unwrap();
        let played = play_with(7, table, &dice, |play| settle(play, happened));
        assert_eq!(played.checks().len(), expected);
    }
}

#[test]
fn mor_24_by_the_house_rule_what_happens_behind_a_wood_shakes_too() {
    // Ten inches of woods between them hide the runner whatever the die; four inches apart is within six.
    let outline = [(20_000, 20_000), (40_000, 20_000), (40_000, 40_000), (20_000, 40_000)];
    let outline = outline.map(|(x, y)| Point::new(x, y)).to_vec();
    let area = Area { id: "w".into(), name: "w".into(), terrain: Terrain::Woods, wooded: Wooded::Heavy, outline };
    let ground = Ground { areas: vec![area], ..open_ground() };
    for (word, expected) in [("seen", false), ("within", true)] {
        // Heavy woods count double: 4 + 0.875 inches are 9.75, more than any die.
        let table = table(ground.clone(), [infantry("r", UNION).at(30_000, 30_000), viewer(4_000)]);
        assert_eq!(saw(played_by(table, &[("sightings", word)])), expected, "{word}");
    }
}

#[test]
fn mor_26_by_the_house_rule_routed_units_mind_a_unit_that_vanishes() {
    for (word, expected) in [("routs_and_losses", 0), ("routs", 1)] {
        let table = played_by(pair(viewer(1_000).morale(Morale::Routed)), &[("routed_viewers", word)]);
        let happened = vec![Happening::Removed(of(&table, "r"))];
        // 3 and 4 for routed: an 8 passes.
        let dice = ScriptedDice::new().with(crate::dice::Purpose::MoraleSawLoss, &["v", "r"], &[4, 4]);
        let played = play_with(7, table, &dice, |play| settle(play, happened));
        assert_eq!(played.checks().len(), expected, "{word}: {:?}", played.log());
    }
}

#[test]
fn mor_26_routed_units_ignore_routs_but_not_officers() {
    assert!(!saw(pair(viewer(1_000).morale(Morale::Routed))));
    let mut table = pair(viewer(1_000).morale(Morale::Routed));
    brigade(&mut table, "l", 26_000, 29_000);
    table.leaders.values_mut().for_each(|leader| leader.wounded_until = Some(9));
    let dice = "morale.saw_officer v l: 5 4\nmorale.saw_officer r l: 2 2";
    let played = play_in(9, table, dice, vec![Happening::OfficerHit("l".into())]);
    let expected = ["r saw an officer hit: 4 on 3, passes, good", "v saw an officer hit: 9 on 7, passes, routed"];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_27_the_rout_of_skirmishers_is_minded_by_skirmishers_alone() {
    let skirmishers = || {
        infantry("r", UNION).at(30_000, 30_000).morale(Morale::Routed).with(|unit| unit.marks.routed_skirmishing = true)
    };
    assert!(!saw(table(open_ground(), [skirmishers(), viewer(1_000)])));
    assert!(saw(table(open_ground(), [skirmishers(), viewer(1_000).formation(Formation::SkirmishLine)])));
    // From the next turn on it is an ordinary routed unit.
    let next_turn = infantry("r", UNION).at(30_000, 30_000).morale(Morale::Routed).formation(Formation::SkirmishLine);
    assert!(saw(table(open_ground(), [next_turn, viewer(1_000)])));
}

#[test]
fn mor_28_only_those_who_see_the_guns_abandoned_check() {
    // The crew runs south past `near_run`; `near_guns` stands beside the guns.
    let units = [
        battery("b", UNION).at(30_000, 30_000).with(|unit| unit.first_casualty_taken = true),
        infantry("near_guns", UNION).at(26_000, 30_000),
        infantry("near_run", UNION).at(30_000, 19_000),
        battery("guns", CONFEDERATE).at(30_000, 55_000).facing(18_000),
    ];
    let table = table(open_ground(), units);
    let hit = FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "b", "guns") };
    let dice = "morale.hit b: 1 1\nrout.distance b: 2 2 1\nmorale.saw_rout near_guns b: 3 3";
    let played = play(table, dice, vec![fired(hit)]);
    let expected = [
        "b hit by artillery or sharpshooters: 2 on 3, fails, routed",
        "b runs 5000",
        "near_guns saw a rout: 6 on 3, passes, good",
    ];
    assert_eq!(played.log(), expected);
}

#[test]
fn mor_29_one_check_for_each_unit_seen_and_one_for_rout_and_loss_together() {
    let r2 = infantry("r2", UNION).at(30_000, 33_000);
    let table = table(open_ground(), [infantry("r", UNION).at(30_000, 30_000), r2, viewer(1_000)]);
    let (r, r2) = (of(&table, "r"), of(&table, "r2"));
    let dice =
        "morale.saw_rout v r: 3 3\nmorale.saw_rout v r2: 4 4\nmorale.saw_rout r r2: 3 3\nmorale.saw_rout r2 r: 3 3";
    let played = play(table, dice, vec![Happening::Routed(r), Happening::Routed(r2), Happening::Routed(r)]);
    assert_eq!(played.checks().len(), 4);
}

#[test]
fn mor_36_a_cascade_goes_in_waves_and_neighbours_who_rout_together_do_not_check_for_each_other() {
    // `a` and `b` are hit and rout; `c` sees both runs, is shaken by that of `b`, the nearer, and routs by that of `a`; `d` sees
    // `c`.
    let units = [
        infantry("a", UNION).at(20_000, 30_000).morale(Morale::Shaken),
        infantry("b", UNION).at(24_000, 30_000).morale(Morale::Shaken),
        infantry("c", UNION).at(28_000, 30_000),
        infantry("d", UNION).at(36_000, 30_000),
        battery("guns", CONFEDERATE).at(24_000, 50_000).facing(18_000),
    ];
    let table = table(open_ground(), units);
    let hit = |unit: &str| fired(FiredOn { forces_hit_check: true, starred: true, ..fire(&table, unit, "guns") });
    let happened = vec![hit("a"), hit("b")];
    let dice = "morale.hit a: 2 2\nmorale.hit b: 2 2\nrout.distance a: 1 1 2\nrout.distance b: 1 1 2
        morale.saw_rout c b: 1 2\nmorale.saw_rout c a: 2 3\nrout.distance c: 1 1 2\nmorale.saw_rout d c: 6 1";
    let played = play(table.clone(), dice, happened);
    let expected = [
        "a hit by artillery or sharpshooters: 4 on 5, fails, routed",
        "b hit by artillery or sharpshooters: 4 on 5, fails, routed",
        "c saw a rout: 3 on 3, fails, shaken",
        "c saw a rout: 5 on 5, fails, routed",
        "d saw a rout: 7 on 3, passes, good",
    ];
    assert_eq!(played.checks(), expected);
}

/// The sentences of the log.
fn told(played: &Played) -> Vec<&str> {
    played.events.iter().map(|event| event.explanation.sentence.as_str()).collect()
}

#[test]
fn mor_36_a_cascade_is_told_as_a_chain_of_causes() {
    let regiment = |id: &str, name: &str, x: i32| {
        let name = name.to_owned();
        // All in disorder, so that nobody bends his way to hide behind another. ROUT-06
        infantry(id, UNION).at(x, 30_000).disordered().with(|unit| unit.name = name)
    };
    let units = [
        regiment("a", "20th Maine", 20_000).morale(Morale::Shaken),
        regiment("b", "83rd Pennsylvania", 24_000).morale(Morale::Shaken),
        regiment("c", "44th New York", 28_000),
        regiment("d", "16th Michigan", 36_000),
        battery("guns", CONFEDERATE)
            .at(24_000, 50_000)
            .facing(18_000)
            .with(|unit| unit.name = "Reilly's battery".into()),
    ];
    let table = table(open_ground(), units);
    let hit = |unit: &str| fired(FiredOn { forces_hit_check: true, starred: true, ..fire(&table, unit, "guns") });
    let happened = vec![hit("a"), hit("b")];
    let dice = "morale.hit a: 2 2\nmorale.hit b: 2 2\nrout.distance a: 1 1 2\nrout.distance b: 1 1 2
        morale.saw_rout c b: 1 2\nmorale.saw_rout c a: 2 3\nrout.distance c: 1 1 2\nmorale.saw_rout d c: 6 1";
    let played = play(table.clone(), dice, happened);
    // Veteran 3, shaken 2, hit in disorder 1. The lines are 3.5 wide: half an inch lies between b and c, 4.5 between a and c. c flees away from the guns, four inches
    // west of it, toward the south-south-east, and so comes as near to d as 4.3.
    let expected = [
        "The 20th Maine checks its morale for the hit it took by the fire of Reilly's battery: it throws 4, must beat 6, and routs.",
        "The 83rd Pennsylvania checks its morale for the hit it took by the fire of Reilly's battery: it throws 4, must beat 6, and routs.",
        "The 20th Maine routs and runs 4 inches: it failed its check for the hit it took by the fire of Reilly's battery.",
        "The 83rd Pennsylvania routs and runs 4 inches: it failed its check for the hit it took by the fire of Reilly's battery.",
        "The 44th New York checks its morale because the 83rd Pennsylvania routed 0.5 inches away in sight: it throws 3, must beat 3, and is shaken.",
        "The 44th New York checks its morale because the 20th Maine routed 4.5 inches away in sight: it throws 5, must beat 5, and routs.",
        "The 44th New York routs and runs 4 inches: it failed its check for the rout of the 20th Maine.",
        "The 16th Michigan checks its morale because the 44th New York routed 4.3 inches away in sight: it throws 7, must beat 3, and holds in good morale.",
    ];
    assert_eq!(told(&played), expected);
}

#[test]
fn mor_36_losses_and_fallen_officers_are_told_as_causes_too() {
    // b routs by the guns and disintegrates (veterans, 5 and 6); v, 1 inch east of it, sees that and is shaken; by itself it
    // routs when the officer beside it falls.
    let b = infantry("b", UNION).at(30_000, 30_000).morale(Morale::Shaken).with(|unit| unit.name = "20th Maine".into());
    let v = infantry("v", UNION).at(34_500, 30_000).with(|unit| unit.name = "44th New York".into());
    let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
    let table_of = |units: Vec<Maker>| table(open_ground(), units);
    let table = table_of(vec![b, v.clone(), guns]);
    let hit = fired(FiredOn { forces_hit_check: true, starred: true, ..fire(&table, "b", "guns") });
    let dice = "morale.hit b: 2 2\nrout.distance b: 5 6 5\nmorale.saw_loss v b: 1 2\nshaken.distance v: 1";
    let played = play(table.clone(), dice, vec![hit]);
    let expected = [
        "The 20th Maine disintegrates as it runs and is out of the battle: it failed its check for the hit it took by the fire of guns.",
        "The 44th New York checks its morale because the 20th Maine disintegrated 1 inch away in sight: it throws 3, must beat 3, and is shaken.",
        "The 44th New York is shaken and falls back 1 inch: it failed its check for the loss of the 20th Maine.",
    ];
    assert_eq!(told(&played)[1..], expected);
    // The stand of the officer, an inch square, begins 0.05 inches east of the line.
    let mut table = table_of(vec![v]);
    brigade(&mut table, "l", 36_800, 29_700);
    table.leaders.values_mut().for_each(|leader| {
        leader.name = "Vincent".to_owned();
        leader.wounded_until = Some(9);
    });
    let dice = "morale.saw_officer v l: 1 1\nrout.distance v: 1 1 1";
    let played = play_in(9, table, dice, vec![Happening::OfficerHit("l".into())]);
    let expected = [
        "The 44th New York checks its morale because Vincent was hit 0.1 inches away in sight: it throws 2, which counts by itself, and routs.",
        "The 44th New York routs and runs 3 inches: it failed its check for the fall of Vincent.",
    ];
    assert_eq!(told(&played)[..2], expected);
}

#[test]
fn mor_39_the_engaged_look_back_when_their_charge_is_over() {
    let table = pair(viewer(1_000));
    let (r, v) = (of(&table, "r"), of(&table, "v"));
    let charge = InCharge { engaged: [v].into(), ..InCharge::default() };
    let dice = ScriptedDice::parse("morale.saw_rout v r: 3 3").unwrap();
    let mut seen_at_once = usize::MAX;
    let played = play_with(6, table, &dice, |play| {
        play.table_mut()[r].morale = Morale::Routed;
        let queue = settle_in_charge(play, vec![Happening::Routed(r)], &charge);
        seen_at_once = play.events.len();
        look_back(play, &queue, &InCharge::default());
    });
    assert_eq!(seen_at_once, 0);
    assert_eq!(played.log(), ["v saw a rout: 6 on 3, passes, good"]);
}

/// MOR-28 Guns stay where they were left, so they are seen at once, and the check is owed until the charge is over.
#[test]
fn mor_39_guns_that_are_left_are_seen_at_once_and_checked_for_afterwards() {
    let table = table(open_ground(), [battery("r", UNION).at(30_000, 30_000), viewer(1_000)]);
    let (r, v) = (of(&table, "r"), of(&table, "v"));
    let charge = InCharge { engaged: [v].into(), ..InCharge::default() };
    let dice = ScriptedDice::parse("morale.saw_rout v r: 3 3").unwrap();
    let mut seen_at_once = usize::MAX;
    let played = play_with(6, table, &dice, |play| {
        play.table_mut()[r].morale = Morale::Routed;
        let queue = settle_in_charge(play, vec![Happening::Routed(r)], &charge);
        seen_at_once = play.events.len();
        look_back(play, &queue, &InCharge::default());
    });
    assert_eq!(seen_at_once, 0);
    assert_eq!(played.log(), ["v saw a rout: 6 on 3, passes, good"]);
}

#[test]
fn mor_39_who_has_ridden_away_from_it_does_not_look_back() {
    let table = pair(viewer(1_000));
    let (r, v) = (of(&table, "r"), of(&table, "v"));
    let charge = InCharge { engaged: [v].into(), ..InCharge::default() };
    let played = play_with(6, table, &ScriptedDice::new(), |play| {
        play.table_mut()[r].morale = Morale::Routed;
        let queue = settle_in_charge(play, vec![Happening::Routed(r)], &charge);
        play.table_mut()[v].footing.anchor = Point::new(10_000, 50_000);
        look_back(play, &queue, &InCharge::default());
    });
    assert!(played.log().is_empty());
}

#[test]
fn mor_20_the_loss_of_a_unit_is_seen() {
    let table = pair(viewer(1_000));
    let r = of(&table, "r");
    let mut table = table;
    table[r].stands.clear();
    let volley = FiredOn { unit: r, figures: 16, stands: 4, first_casualty: true, ..fire(&table, "v", "v") };
    let played = play(table, "morale.saw_loss v r: 4 4", vec![fired(volley)]);
    assert_eq!(played.log(), ["r wiped out", "v saw a unit lost: 8 on 3, passes, good"]);
}

#[test]
fn mor_32_the_regiment_is_counted_from_the_next_turn() {
    let in_brigade = |unit: Maker| unit.with(|unit| unit.brigade = Some("b".into()));
    let mut table = table(
        open_ground(),
        [
            in_brigade(infantry("r", UNION).at(30_000, 30_000)),
            in_brigade(viewer(1_000)),
            cavalry("x", CONFEDERATE).at(5_000, 5_000),
        ],
    );
    brigade(&mut table, "b", 50_000, 5_000);
    let r = of(&table, "r");
    table[r].stands.clear();
    let volley = FiredOn { unit: r, figures: 16, stands: 4, ..fire(&table, "v", "x") };
    let played = play(table, "morale.saw_loss v r: 2 2", vec![fired(volley)]);
    assert_eq!(played.checks(), ["v saw a unit lost: 4 on 3, passes, good"]);
    let brigade = played.table.brigades.values().next().unwrap();
    assert_eq!((brigade.regiments_lost_now, brigade.regiments_lost_before), (1, 0));
}

#[test]
fn mor_29_of_two_routs_seen_at_once_the_nearer_comes_first_whatever_the_names() {
    // Guns north of them rout both neighbours of `v`: one half an inch to the left, the other 3.5 inches to the right. By the
    // nearer it throws a 4, above 3, and holds; by the farther a 3, and is shaken. The other way round 3 would have shaken it,
    // and a 4 is not above 3 + 2: it would have routed.
    for (near, far) in [("a", "z"), ("z", "a")] {
        let guns = battery("guns", CONFEDERATE).at(30_000, 50_000).facing(18_000);
        let of_the_line = [("v", 30_000), (near, 26_000), (far, 37_000)];
        let makers = of_the_line.map(|(id, x)| infantry(id, UNION).at(x, 30_000));
        let table = table(open_ground(), makers.into_iter().chain([guns]));
        let hit = |unit: &str| fired(FiredOn { forces_hit_check: true, starred: true, ..fire(&table, unit, "guns") });
        let happened = vec![hit(near), hit(far)];
        let dice = format!(
            "morale.hit {near}: 1 1\nmorale.hit {far}: 1 1\nrout.distance {near}: 1 2 3\nrout.distance {far}: 1 2 3\n\
             morale.saw_rout v {near}: 2 2\nmorale.saw_rout v {far}: 1 2\nshaken.distance v: 1"
        );
        let played = play(table, &dice, happened);
        let seen: Vec<String> = played.checks().into_iter().filter(|line| line.starts_with("v ")).collect();
        assert_eq!(seen, ["v saw a rout: 4 on 3, passes, good", "v saw a rout: 3 on 3, fails, shaken"]);
    }
}
