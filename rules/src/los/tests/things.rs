//! Guns, works, gaps, wagons and the ledger of fire tell nothing of who is not seen. LOS-13, LOS-17, LOS-19

use protocol::orders::{FormTask, HoldTask, Instructions, Order, UnseenFire, Work};
use protocol::words::{Arm, Formation, Quality};

use super::*;
use crate::field::Field;
use crate::ground::{Obstacle, ObstacleKind, Stretch};
use crate::scenario::{Band, PlaceTerm, Special, SpecialKind, TargetClass, Wagon};
use crate::testing::{battery, give, ix};
use crate::{crews, fire, wagons, works};

fn move_to(play: &mut Play<'_>, unit: &str, x: i32, y: i32) {
    let unit = ix(play.table(), unit);
    play.table_mut()[unit].footing.anchor = Point::new(x, y);
}

/// Guns of the Union beyond the edge that bear on the wood.
fn guns_beyond() -> Special {
    Special {
        id: "beyond".to_owned(),
        kind: SpecialKind::OffTableBattery {
            sections: 3,
            gun: "rifle_10_or_3in".to_owned(),
            quality: Quality::Veteran,
            dice: 2,
            band: Band::Long,
            class: TargetClass::None,
            from: String::new(),
        },
        side: Some(UNION),
        who: Vec::new(),
        arm: None,
        formation: Vec::new(),
        place: Some(PlaceTerm::Feature(FeatureId::new("wood"))),
        turns: None,
        optional: false,
        note: String::new(),
    }
}

#[test]
fn los_19_guns_beyond_the_edge_fire_at_whom_their_side_sees() {
    let dice = All(6);
    let struck = |fogged: bool| {
        // At the edge of the wood stand fewer than deep in it.
        let edge = infantry("edge", CONFEDERATE).figures(8).at(30_000, 32_500).facing(18_000);
        let battle = fog_with(wood(), [blue(), red(), edge], |scenario| {
            scenario.specials.push(guns_beyond());
            if !fogged {
                scenario.options.fog = Fog::Tabletop;
            }
        });
        let mut play = play_of(battle, &dice);
        let fires = fire::rolled_from_afar(&play);
        fire::strike_from_afar(&mut play, fires);
        let fired_on = play.table().units().find(|(_, unit)| unit.marks.fired_on);
        fired_on.map(|(_, unit)| unit.id.to_string())
    };
    assert_eq!(struck(false).as_deref(), Some("red"), "on the open table the larger one is the target");
    assert_eq!(struck(true).as_deref(), Some("edge"));
}

#[test]
fn los_19_works_are_held_by_enemies_who_are_seen() {
    let dice = All(6);
    let mut ground = wood();
    let line = vec![Point::new(20_000, 30_500), Point::new(40_000, 30_500)];
    ground.obstacles.push(Obstacle { id: FeatureId::new("works"), kind: ObstacleKind::MediumWorks, line });
    let mut play = play_of(fog(ground, [blue(), red()]), &dice);
    // One inch behind the works, between two tests of sight.
    move_to(&mut play, "red", 30_000, 31_500);
    let refusal = |play: &Play<'_>| {
        let field = Field::new(Ruleset::standard(), play.table(), &dice);
        works::why_not(&field, ix(play.table(), "blue"), Work::BuildHastyWorks, &[]).map(|(rule, _)| rule.to_string())
    };
    assert_eq!(refusal(&play), None);
    super::super::look(&mut play);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    assert_eq!(refusal(&play).as_deref(), Some("WORKS-04"));
}

/// The gaps that a side knows of a fence.
fn gaps(battle: &Battle, side: Side) -> Vec<(i32, i32)> {
    let known = of_side(battle, side);
    let gaps = known.table.changes.gaps.get(&FeatureId::new("fence")).cloned().unwrap_or_default();
    gaps.into_iter().map(|gap| (gap.from, gap.to)).collect()
}

#[test]
fn los_17_one_end_of_a_fence_tells_nothing_of_the_other() {
    let dice = All(6);
    let mut ground = wood();
    // From before the wood, where blue sees it, to deep in the wood beside red.
    let line = vec![Point::new(32_200, 25_000), Point::new(32_200, 45_000)];
    ground.obstacles.push(Obstacle { id: FeatureId::new("fence"), kind: ObstacleKind::Fence, line });
    let mut play = play_of(fog(ground, [blue(), red()]), &dice);
    let fence = FeatureId::new("fence");
    let open = |play: &mut Play<'_>, from: i32, to: i32| {
        play.table_mut().changes.open_gap(&fence, Stretch { from, to });
        super::super::end_phase(play);
    };
    // At y = 42.1 to 42.8: out of sight of blue, half an inch beside red.
    open(&mut play, 17_100, 17_800);
    assert_eq!((gaps(&play.battle, UNION), gaps(&play.battle, CONFEDERATE)), (vec![], vec![(17_100, 17_800)]));
    // At y = 26 to 27.
    open(&mut play, 1_000, 2_000);
    assert_eq!(gaps(&play.battle, UNION), [(1_000, 2_000)]);
    assert_eq!(gaps(&play.battle, CONFEDERATE), [(17_100, 17_800)]);
    // What is known grows by what is seen.
    open(&mut play, 2_000, 3_000);
    assert_eq!(gaps(&play.battle, UNION), [(1_000, 3_000)]);
    // A gap of which one end is seen is known to its other end.
    open(&mut play, 4_000, 16_000);
    assert_eq!(gaps(&play.battle, UNION), [(1_000, 3_000), (4_000, 16_000)]);
}

#[test]
fn los_17_who_destroys_a_wagon_is_seen_by_its_side() {
    let dice = All(6);
    let battle = fog_with(wood(), [blue(), red()], |scenario| {
        scenario.wagons.push(Wagon { id: UnitId::new("wagon"), side: UNION, at: Point::new(30_000, 41_700) });
    });
    let mut play = play_of(battle, &dice);
    play.phase = 7;
    assert_eq!(sees(&play.battle, UNION), [""; 0]);
    wagons::overrun(&mut play);
    let facts = told(&play.events, UNION);
    let [Fact::Sighted { came, .. }, Fact::Special { unit: Some(by) }] = facts.as_slice() else { panic!("{facts:?}") };
    assert_eq!((came[0].unit.as_str(), by.as_str()), ("red", "red"));
    let wagons =
        |viewer: &Viewer| crate::view::view(Ruleset::standard(), &play.battle, Stage::Orders, viewer).wagons.len();
    let side = |side| wagons(&Viewer::Side { side });
    assert_eq!([side(UNION), side(CONFEDERATE), wagons(&Viewer::Umpire {})], [0, 0, 0]);
    // The public has the map as it is printed.
    assert_eq!(wagons(&Viewer::Public {}), 1);
}

/// The crew of a battery that has left its guns.
fn crew(id: &str, side: Side) -> Maker {
    battery(id, side).formation(Formation::SingleLine).with(|unit| {
        unit.arm = Arm::GunCrew;
        unit.guns = None;
        (unit.stand_width, unit.stand_depth) = (625, 625);
    })
}

/// Guns of the Union stand without a crew, their front at such a place; somebody of the Confederates is at them with an order.
fn at_left_guns<'d>(dice: &'d All, y: i32, enemy: Maker, order: Order) -> Play<'d> {
    let enemy = enemy.at(30_000, y).facing(18_000);
    let mut battle = fog(wood(), [blue(), crew("guns", UNION).at(5_000, 5_000), enemy]);
    let left = crate::rout::abandoned(&battery("guns", UNION).at(30_000, y).unit()).expect("a battery has guns");
    battle.table.abandoned.insert(UnitId::new("guns"), left);
    give(&mut battle, "red", order, Instructions::default());
    let mut play = play_of(battle, dice);
    play.phase = 7;
    play
}

/// Whether a side knows its guns to stand there, and to be spiked.
fn guns_left(battle: &Battle) -> Option<bool> {
    of_side(battle, UNION).table.abandoned.get(&UnitId::new("guns")).map(|left| left.guns.spiked)
}

fn specials(play: &Play<'_>, side: Side) -> Vec<String> {
    let facts = told(&play.events, side).into_iter();
    let units = facts.filter_map(|fact| match fact {
        Fact::Special { unit } => unit.map(|unit| unit.to_string()),
        _ => None,
    });
    units.collect()
}

#[test]
fn los_17_guns_that_were_left_are_known_as_they_were_until_they_are_seen() {
    const SPIKE: Order = Order::Hold { task: Some(HoldTask::Spike {}) };
    let dice = All(6);
    // ARTY-47: at the end of segment 60, deep in the wood.
    let mut play = at_left_guns(&dice, 42_000, crew("red", CONFEDERATE), SPIKE);
    let before = (of_side(&play.battle, UNION), view_bytes(&play.battle, &Viewer::Side { side: UNION }));
    crews::spike(&mut play, 60);
    super::super::end_phase(&mut play);
    assert!(play.table().abandoned[&UnitId::new("guns")].guns.spiked);
    assert_eq!((of_side(&play.battle, UNION), view_bytes(&play.battle, &Viewer::Side { side: UNION })), before);
    assert_eq!((specials(&play, UNION), specials(&play, CONFEDERATE)), (vec![], vec!["red".to_owned()]));
    // Blue comes to its guns.
    move_to(&mut play, "blue", 30_000, 41_500);
    super::super::end_phase(&mut play);
    assert_eq!(guns_left(&play.battle), Some(true));
    // Before the eyes of blue.
    let mut play = at_left_guns(&dice, 25_000, crew("red", CONFEDERATE), SPIKE);
    crews::spike(&mut play, 60);
    assert_eq!(
        (specials(&play, UNION), specials(&play, CONFEDERATE)),
        (vec!["guns".to_owned()], vec!["red".to_owned()])
    );
    assert_eq!(guns_left(&play.battle), Some(true));
}

#[test]
fn los_17_guns_that_an_unseen_enemy_has_manned_stand_where_they_were_left() {
    let order = Order::Form { task: FormTask::ManGuns { battery: UnitId::new("guns") } };
    let dice = All(6);
    let mut play = at_left_guns(&dice, 42_000, infantry("red", CONFEDERATE), order);
    let before = view_bytes(&play.battle, &Viewer::Side { side: UNION });
    crews::man_guns(&mut play);
    super::super::end_phase(&mut play);
    assert!(play.table().abandoned.is_empty() && play.table().find(&UnitId::new("guns_manned")).is_some());
    assert_eq!(view_bytes(&play.battle, &Viewer::Side { side: UNION }), before);
    assert_eq!((guns_left(&play.battle), told(&play.events, UNION)), (Some(false), vec![]));
    // Blue comes to its guns.
    move_to(&mut play, "blue", 30_000, 41_500);
    super::super::end_phase(&mut play);
    assert_eq!(guns_left(&play.battle), None);
    assert!(sees(&play.battle, UNION).contains(&"guns_manned"));
}

#[test]
fn los_13_a_unit_keeps_no_more_of_a_blind_fire_that_strikes_than_of_one_that_does_not() {
    // Five inches deep in the wood, through which a die of 3 does not reach (VIS-04); or ten inches behind the point.
    let dice = All(3);
    let fired = |fogged: bool, y: i32| {
        let red = infantry("red", CONFEDERATE).at(30_000, y).facing(18_000);
        let mut battle = fog_with(wood(), [blue(), red], |scenario| {
            if !fogged {
                scenario.options.fog = Fog::Tabletop;
            }
        });
        let unseen_fire = Some(UnseenFire::Point { at: Point::new(30_000, 37_500) });
        let said = Instructions { fire: Some(true), unseen_fire, ..Instructions::default() };
        give(&mut battle, "blue", Order::Hold { task: None }, said);
        let mut play = play_of(battle, &dice);
        for unseen in fire::Holders::of(&play).at_the_unseen(&play, &[]) {
            match unseen {
                fire::Unseen::Victim(shot) => _ = fire::shoot(&mut play, vec![*shot]),
                fire::Unseen::Nobody(nothing) => fire::at_nothing(&mut play, &nothing),
            }
        }
        play
    };
    let (strikes, misses) = (fired(true, 37_000), fired(true, 47_500));
    let (blue, red) = (ix(strikes.table(), "blue"), ix(strikes.table(), "red"));
    let victim = &strikes.table()[red];
    assert!(victim.marks.fired_on && !misses.table()[red].marks.fired_on);
    assert!(!victim.located, "it is found by nobody for that");
    assert_eq!(strikes.table()[blue], misses.table()[blue]);
    assert_eq!(strikes.table()[blue].marks.fires, 1);
    assert_eq!(of_side(&strikes.battle, UNION), of_side(&misses.battle, UNION));
    // VIS-08 Whom it fired at sees it for that, as ever.
    let sees = |play: &Play<'_>| Field::new(Ruleset::standard(), play.table(), &dice).has_in_view(red, blue);
    assert!(sees(&strikes) && !sees(&misses));
    // On the open table the ledger has its target.
    let open = fired(false, 37_000);
    assert!(open.table()[blue].marks.fired_at.contains(&UnitId::new("red")) && open.table()[red].located);
}
