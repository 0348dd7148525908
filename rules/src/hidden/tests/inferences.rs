//! What nobody may work out from brothers that are opened, from facings, from works under fire, from the instant of a shot. Each of
//! these fails if the channel of its name is opened.

use protocol::event::Fact;
use protocol::ids::{BrigadeId, FeatureId};
use protocol::orders::{FormTask, HoldFire, HoldTrigger, Instructions, MoveOrder, Order, Reveal, UnseenFire};
use protocol::place::Bearing;
use protocol::view::Viewer;
use protocol::words::{Formation, Quality};

use super::world::{Faces, seen_by, told_to};
use super::*;
use crate::battle::{Post, known};
use crate::dice::Purpose;
use crate::ground::{Building, BuildingKind, Obstacle, ObstacleKind};
use crate::odds::{Question, odds};
use crate::testing::{battery, commander_of, give, seat, tell_picket};

const THIRD: PicketNumber = PicketNumber(555);

/// A battle longer than its first turn: at the end all pickets are opened. HID-66
fn long(mut battle: Battle) -> Battle {
    let mut scenario = battle.table.scenario().clone();
    scenario.clock.turns = 9;
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    battle
}

/// Two regiments of one brigade under three pickets deep in the woods, with their brigadier beside them. The elder is under 417; the
/// younger under one of the others, and a dummy under the last.
fn brothers(younger: PicketNumber) -> Battle {
    let open = [infantry("blue", UNION).at(30_000, 55_000), infantry("grey", CONFEDERATE).at(50_000, 2_000)];
    let mut battle = long(battle_on(wood(0, 0, 45_000, 25_000), open));
    let of_brigade = |maker: Maker| maker.with(|unit| unit.brigade = Some(BrigadeId::new("general")));
    let places = [(GREY, (10_000, 10_000)), (OTHER, (20_000, 10_000)), (THIRD, (30_000, 10_000))];
    for id in ["elder", "younger"] {
        // The names that keep their places are on the list in every world, in one order.
        hide(&mut battle, PicketNumber(999), Some(of_brigade(infantry(id, CONFEDERATE))), (1_000, 1_000), CONFEDERATE);
    }
    battle.table.pickets.remove(&PicketNumber(999));
    battle.secrets.get_mut(CONFEDERATE).open_mut().pickets.remove(&PicketNumber(999));
    for (number, at) in places {
        let id = [(GREY, "elder"), (younger, "younger")].into_iter().find(|(of, _)| *of == number).map(|(_, id)| id);
        let unit = id.map(|id| of_brigade(infantry(id, CONFEDERATE)).at(at.0, at.1));
        hide(&mut battle, number, unit, at, CONFEDERATE);
        tell_picket(&mut battle, number, Order::Hold { task: None }, Instructions::default());
    }
    commander_of(&mut battle.table, CONFEDERATE, "general", Post::Brigade, (48_000, 2_000), None);
    let said = Instructions { reveal: Some(Reveal::WithReactions {}), ..Instructions::default() };
    tell_picket(&mut battle, GREY, Order::Hold { task: None }, said);
    battle
}

#[test]
fn leak_06_one_regiment_that_is_revealed_does_not_say_where_its_brothers_are() {
    let worlds = [OTHER, THIRD].map(|younger| Faces::of(3).play(Stage::Reactions, brothers(younger)));
    for outcome in &worlds {
        assert!(is_placed(&outcome.battle, "elder") && !is_placed(&outcome.battle, "younger"));
        for told in [told_to(&outcome.events, UNION), seen_by(&outcome.battle, UNION)] {
            assert!(!told.contains("younger"), "{told}");
        }
        let view =
            crate::view::view(Ruleset::standard(), &outcome.battle, Stage::Charges, &Viewer::Side { side: UNION });
        let shown = view.units.iter().find(|unit| unit.id.as_str() == "elder").expect("all see it");
        // The link of a unit and its own picket is public, and no other (LEAK-74).
        assert_eq!(shown.picket, Some(GREY));
    }
    let [one, other] = &worlds;
    assert_eq!(told_to(&one.events, UNION), told_to(&other.events, UNION));
    assert_eq!(seen_by(&one.battle, UNION), seen_by(&other.battle, UNION));
    // Their own side is shown the difference: the worlds were not the same.
    assert_ne!(seen_by(&one.battle, CONFEDERATE), seen_by(&other.battle, CONFEDERATE));
}

/// How a picket faces, as the enemy sees it, after a march from 10, 10 through two points, and what was shown of its line.
fn marched(unit: Option<Maker>, march: MoveOrder) -> (u32, Vec<Point>) {
    // Woods between them: nobody looks over.
    let ground = wood(0, 32_000, 60_000, 50_000);
    let mut battle = long(battle_on(ground, [infantry("blue", UNION).at(30_000, 55_000).facing(18_000)]));
    hide(&mut battle, GREY, unit.map(|maker| maker.at(10_000, 10_000)), (10_000, 10_000), CONFEDERATE);
    let path = vec![Point::new(10_000, 11_000), Point::new(11_000, 12_000)];
    let order = Order::Move(MoveOrder { path, ..march });
    let draft = protocol::orders::UnitDraft { order: Some(order.clone()), ..Default::default() };
    let draft = protocol::orders::Draft { pickets: [(GREY, draft)].into(), ..Default::default() };
    let own = known(&battle, CONFEDERATE);
    let refused = crate::orders::check(&own, Ruleset::standard(), &seat(CONFEDERATE), Stage::Orders, &draft);
    assert!(refused.is_empty(), "{refused:?}");
    tell_picket(&mut battle, GREY, order, Instructions::default());
    let after = Faces::of(3).play(Stage::Movement, battle).battle;
    let viewer = Viewer::Side { side: UNION };
    let view = crate::view::view(Ruleset::standard(), &after, Stage::Orders, &viewer);
    (view.pickets[0].facing.hundredths(), view.pickets[0].travelled.clone())
}

/// A line keeps its front to the north; a column and skirmishers follow the last leg, to the north-east, or keep their front.
#[test]
fn leak_31_a_dummy_may_be_led_so_that_it_faces_as_any_troops_would() {
    let regiment = |formation| Some(infantry("hidden", CONFEDERATE).formation(formation));
    let mut met = std::collections::BTreeSet::new();
    for formation in [Formation::SingleLine, Formation::SkirmishLine, Formation::MarchColumn] {
        let (facing, line) = marched(regiment(formation), MoveOrder::default());
        // The same line, and the words that every marker may be given: as it goes, with its front kept, or facing as it ends.
        let face = Some(FormTask::Face { facing: Bearing::wrapping(facing as i32) });
        let words = [
            MoveOrder::default(),
            MoveOrder { backing: true, ..MoveOrder::default() },
            MoveOrder { form_last: face, ..MoveOrder::default() },
        ];
        let alike = words.into_iter().filter(|march| marched(None, march.clone()) == (facing, line.clone())).count();
        assert!(0 < alike, "no dummy faces as {formation:?} does: {facing}");
        met.insert(facing);
    }
    assert!(met.contains(&0) && met.contains(&4_500), "a front kept, and the last leg: {met:?}");
}

/// Guns of the Union at y = 30 that fire at what lies 4.2 inches before them in the woods, behind hasty works and inside of a house:
/// an open regiment, or a picket that hides one, or nothing.
fn shelled(open: bool, under: Option<Option<Maker>>) -> Battle {
    // An enemy two inches inside of the woods is not seen, one at their edge is.
    let mut ground = wood(10_000, if open { 34_000 } else { 32_300 }, 50_000, 50_000);
    let line = vec![Point::new(50_000, 33_800), Point::new(10_000, 33_800)];
    ground.obstacles.push(Obstacle { id: FeatureId::new("line"), kind: ObstacleKind::HastyWorks, line });
    let corners = [(26_000, 33_900), (34_000, 33_900), (34_000, 36_000), (26_000, 36_000)];
    ground.buildings.push(Building {
        id: FeatureId::new("house"),
        name: "house".to_owned(),
        kind: BuildingKind::Wood,
        outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
    });
    let guns = |maker: Maker| {
        maker.quality(Quality::Elite).with(|unit| {
            let stand = unit.stands[0].clone();
            unit.stands = vec![stand; 5];
            (unit.stands_at_start, unit.figures_at_start) = (5, 10);
        })
    };
    let mut units = vec![guns(battery("guns", UNION).at(30_000, 30_000))];
    let target = || infantry("target", CONFEDERATE).at(30_000, 34_200).facing(18_000);
    units.extend(open.then(target));
    let mut battle = long(battle_on(ground, units));
    let wish = under.as_ref().map(|_| UnseenFire::Picket { number: GREY });
    if let Some(hides) = under {
        // The name that keeps the regiment's place is on the list in both worlds.
        if hides.is_none() {
            battle.table.insert(Unit { presence: Presence::Hidden, ..target().unit() });
        }
        hide(&mut battle, GREY, hides.map(|_| target()), (30_000, 34_200), CONFEDERATE);
        battle.table.pickets.get_mut(&GREY).expect("it was put there").facing = Bearing::wrapping(18_000);
    }
    let said = Instructions { unseen_fire: wish, ..Instructions::default() };
    give(&mut battle, "guns", Order::FirstFire {}, said);
    battle
}

#[test]
fn leak_86_fire_at_the_unseen_opens_no_works_and_brings_down_no_house() {
    let dice = || Faces::of(3).with(Purpose::FireVolley, 6).with(Purpose::FireConfirm, 5);
    let regiment = infantry("target", CONFEDERATE);
    // At what they see the same guns do both: a change would be there to be seen.
    let seen = dice().play(Stage::Reactions, shelled(true, None)).battle;
    assert!(!seen.table.changes.gaps.is_empty(), "the works are opened");
    assert!(!seen.table.changes.destroyed_buildings.is_empty(), "the house falls");
    let worlds = [Some(regiment), None].map(|hides| dice().play(Stage::Reactions, shelled(false, Some(hides))));
    for outcome in &worlds {
        let fired = outcome.events.iter().any(|event| matches!(event.fact, Fact::FiredAtPicket { .. }));
        assert!(fired, "the guns have fired: {:?}", outcome.events);
        let changes = &outcome.battle.table.changes;
        assert!(changes.gaps.is_empty() && changes.destroyed_buildings.is_empty());
        assert!(outcome.battle.table.pickets.contains_key(&GREY));
    }
    let [real, dummy] = &worlds;
    let hit = real.battle.secrets.confederate.open().pickets[&GREY].units[0].figures() < 16;
    assert!(hit, "nobody was hit: {}", told_to(&real.events, CONFEDERATE));
    assert_eq!(told_to(&real.events, UNION), told_to(&dummy.events, UNION));
    assert_eq!(seen_by(&real.battle, UNION), seen_by(&dummy.battle, UNION));
}

/// A hidden limbered battery on its way, hit or not by fire at its picket earlier in the turn.
fn limbered(hit: bool) -> Battle {
    let mut battle = long(battle_on(wood(0, 0, 60_000, 30_000), [infantry("blue", UNION).at(30_000, 55_000)]));
    let turn = battle.table.turn;
    let team = battery("guns", CONFEDERATE).formation(Formation::Limbered).at(10_000, 10_000).with(|unit| {
        let guns = unit.guns.as_mut().expect("a battery has guns");
        if hit {
            (guns.horses, guns.horse_lost_in) = (1, Some(turn));
        }
    });
    hide(&mut battle, GREY, Some(team), (10_000, 10_000), CONFEDERATE);
    let march = MoveOrder { path: vec![Point::new(10_000, 12_000)], ..MoveOrder::default() };
    tell_picket(&mut battle, GREY, Order::Move(march), Instructions::default());
    battle
}

#[test]
fn leak_86_a_hidden_team_that_has_lost_a_horse_goes_to_the_end_of_its_line() {
    let [hit, whole] = [true, false].map(|hit| Faces::of(3).play(Stage::Movement, limbered(hit)));
    assert_eq!(hit.battle.table.pickets[&GREY].at, Point::new(10_000, 12_000));
    assert_eq!(told_to(&hit.events, UNION), told_to(&whole.events, UNION));
    assert_eq!(seen_by(&hit.battle, UNION), seen_by(&whole.battle, UNION));
}

/// A regiment of the Union that holds its fire by a trigger, an enemy that comes up to it, or goes from it, and near both of them, in
/// woods, what is hidden; or the same regiments openly.
fn past(trigger: HoldTrigger, hidden: Option<[bool; 2]>) -> Battle {
    let fired = |maker: Maker| maker.with(|unit| unit.marks.fires = 1);
    let ground = woods(&[(0, 33_500, 60_000, 60_000)], Wooded::Heavy);
    let goes = trigger == HoldTrigger::BeforeLeaving {};
    let (from, to) = if goes { (31_000, 33_000) } else { (33_000, 30_000) };
    let mut units = vec![
        infantry("blue", UNION).at(30_000, 28_000),
        fired(infantry("mover", CONFEDERATE).at(29_000, from).facing(if goes { 0 } else { 18_000 })),
    ];
    let behind = || fired(infantry("behind", CONFEDERATE).at(30_000, 35_600).facing(18_000));
    let beside = || fired(infantry("beside", CONFEDERATE).at(22_000, 35_600).facing(18_000));
    if hidden.is_none() {
        units.extend([behind().at(30_000, 31_800), beside().at(25_000, 31_800)]);
    }
    let mut battle = long(battle_on(ground, units));
    let places = [(GREY, behind(), (30_000, 35_600)), (OTHER, beside(), (22_000, 35_600))];
    for ((number, unit, at), real) in places.into_iter().zip(hidden.into_iter().flatten()) {
        if !real {
            battle.table.insert(Unit { presence: Presence::Hidden, ..unit.clone().unit() });
        }
        hide(&mut battle, number, real.then_some(unit), at, CONFEDERATE);
        battle.table.pickets.get_mut(&number).expect("it was put there").facing = Bearing::wrapping(18_000);
    }
    let hold_fire = HoldFire { any_of: vec![vec![trigger]], only_if_charged: false, wait_for: None };
    give(
        &mut battle,
        "blue",
        Order::Hold { task: None },
        Instructions { hold_fire: Some(hold_fire), ..Default::default() },
    );
    let march = MoveOrder { path: vec![Point::new(29_000, to)], ..MoveOrder::default() };
    give(&mut battle, "mover", Order::Move(march), Instructions::default());
    battle
}

/// The segment of the first volley of the holder, and whom it strikes.
fn first_volley(events: &[Event]) -> Option<(Option<u8>, Option<UnitId>)> {
    events.iter().find_map(|event| match &event.fact {
        Fact::Volley { target, .. } => Some((event.segment, target.clone())),
        _ => None,
    })
}

#[test]
fn leak_98_the_instant_of_a_shot_and_the_odds_of_it_know_nothing_that_hides() {
    for trigger in [HoldTrigger::Expected { tenths: 12 }, HoldTrigger::BeforeLeaving {}] {
        let play = |hidden| Faces::of(3).play(Stage::Movement, past(trigger.clone(), hidden));
        let [none, both, one] = [[false, false], [true, true], [false, true]].map(|real| play(Some(real)));
        for other in [&both, &one] {
            assert_eq!(first_volley(&none.events), first_volley(&other.events), "{trigger:?}");
            assert_eq!(told_to(&none.events, UNION), told_to(&other.events, UNION), "{trigger:?}");
            assert_eq!(seen_by(&none.battle, UNION), seen_by(&other.battle, UNION), "{trigger:?}");
        }
        assert!(first_volley(&none.events).is_some(), "{trigger:?}");
        // The same troops openly would change it.
        assert_ne!(first_volley(&none.events), first_volley(&play(None).events), "{trigger:?}");
    }
    let answer = |hidden| {
        let battle = past(HoldTrigger::AfterMove {}, Some(hidden));
        let own = known(&battle, UNION);
        let (blue, mover) = (UnitId::new("blue"), UnitId::new("mover"));
        let seat = seat(UNION);
        let question = Question::of(&own, Ruleset::standard(), (&seat, Stage::Orders), None, (&blue, &mover), None);
        let odds = odds(&own, Ruleset::standard(), &question);
        serde_json::to_string(&odds.expect("it may be asked")).expect("odds are JSON")
    };
    assert_eq!(answer([false, false]), answer([true, true]));
}
