//! Who sees whom, and when. LOS-01 to LOS-05, LOS-15, LOS-19

use protocol::event::{FlankClass, OrderShown};
use protocol::ids::LeaderId;
use protocol::orders::{Instructions, MoveOrder, Order, RangeBand};

use super::*;
use crate::catalogue::{CHG_28, CHG_52, FIRE_01, REV_02};
use crate::explain::sentence;
use crate::ground::{Building, BuildingKind};
use crate::testing::{give, ix, leader};

#[test]
fn los_02_a_side_sees_whom_any_of_its_units_sees() {
    // One stands in the open behind blue, one eight inches deep in the wood, and a friend of blue looks at neither.
    let open = infantry("open", CONFEDERATE).at(30_000, 12_000);
    let far = infantry("far", UNION).at(5_000, 58_000).facing(0);
    let battle = looked(fog(wood(), [blue(), red(), open, far]), &All(6));
    assert_eq!(sees(&battle, UNION), ["open"]);
    // VIS-04: red does not see out of ten inches of trees either; `open` sees blue, and the wood is between it and `far`.
    assert_eq!(sees(&battle, CONFEDERATE), ["blue"]);
}

#[test]
fn los_02_the_die_of_the_pair_decides_as_ever() {
    // Both in the wood, four inches of trees between their nearest stands: a 4 reaches through, a 3 does not (VIS-04).
    let in_wood = || infantry("blue", UNION).at(30_000, 36_000);
    let other = || infantry("red", CONFEDERATE).at(30_000, 40_625).facing(18_000);
    let with = |face| looked(fog(wood(), [in_wood(), other()]), &All(face));
    assert_eq!(sees(&with(6), UNION), ["red"]);
    assert_eq!(sees(&with(3), UNION), [""; 0]);
}

#[test]
fn los_02_who_is_within_touch_is_seen_through_a_wall() {
    let house = |ground: &mut Ground| {
        let corners = [(20_000, 30_200), (40_000, 30_200), (40_000, 30_700), (20_000, 30_700)];
        ground.buildings.push(Building {
            id: FeatureId::new("barn"),
            name: "Barn".to_owned(),
            kind: BuildingKind::Wood,
            outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
        });
    };
    let battle = |y: i32| {
        let mut ground = open_ground();
        house(&mut ground);
        looked(fog(ground, [blue(), infantry("red", CONFEDERATE).at(30_000, y).facing(18_000)]), &All(6))
    };
    // Front against front over the barn: 1.000 inch is within touch, 1.100 inch is not (HID-39).
    assert_eq!(sees(&battle(31_000), UNION), ["red"]);
    assert_eq!(sees(&battle(31_100), UNION), [""; 0]);
}

#[test]
fn los_03_who_is_acted_upon_sees_the_actor() {
    let dice = All(6);
    let (own, enemy) = (|| UnitId::new("blue"), || UnitId::new("red"));
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    play.tell(CHG_28, Fact::Charged { unit: own(), by: enemy() }, sentence("Charged."));
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE).len()), (vec!["red"], 0));
    let facts = told(&play.events, UNION);
    assert!(matches!(&facts[0], Fact::Sighted { came, .. } if came[0].unit == enemy()), "{facts:?}");
    assert_eq!(facts[1], Fact::Charged { unit: own(), by: enemy() });
    // Contact shows both to both.
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    play.tell(CHG_52, Fact::Contact { unit: own(), target: enemy(), flank: FlankClass::Front }, sentence("They meet."));
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE)), (vec!["red"], vec!["blue"]));
    // It lasts until the end of the stage.
    super::super::look(&mut play);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    super::super::begin_stage(&mut play);
    assert_eq!(sees(&play.battle, UNION), [""; 0]);
}

#[test]
fn los_03_a_declared_charge_gives_the_charger_away_and_not_its_target() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    let shown = OrderShown::Charge { target: Some(UnitId::new("blue")), support_of: None };
    play.tell(REV_02, Fact::OrderRevealed { unit: UnitId::new("red"), shown }, sentence("Charge."));
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE).len()), (vec!["red"], 0));
}

/// A volley of a unit, as it is told.
pub(super) fn volley(firer: &str, target: Option<&str>, figures: u32) -> Fact {
    Fact::Volley {
        firers: vec![UnitId::new(firer)],
        target: target.map(UnitId::new),
        from: Point::new(30_000, 30_000),
        to: Point::new(30_000, 42_000),
        range: 12_000,
        band: RangeBand::Long,
        flank: FlankClass::Front,
        figures,
        result: figures.to_string(),
        canister: 0,
    }
}

#[test]
fn los_04_whoever_fires_is_seen_by_the_enemy() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    // At a point without anybody.
    play.tell(FIRE_01, volley("red", None, 0), sentence("Fire."));
    assert_eq!((sees(&play.battle, UNION), sees(&play.battle, CONFEDERATE).len()), (vec!["red"], 0));
    let facts = told(&play.events, UNION);
    assert!(matches!(facts.as_slice(), [Fact::Sighted { .. }, Fact::Volley { .. }]), "{facts:?}");
}

#[test]
fn los_04_an_ambush_is_seen_when_it_fires() {
    // Red is two inches deep in the wood: it sees out with a 2 or more, and is seen by nobody outside (VIS-06).
    let red = infantry("red", CONFEDERATE).at(30_000, 34_000).facing(18_000);
    let mut battle = fog(wood(), [blue(), red]);
    give(&mut battle, "red", Order::FirstFire {}, Instructions::default());
    let dice = All(6);
    let battle = looked(battle, &dice);
    assert_eq!((sees(&battle, UNION).len(), sees(&battle, CONFEDERATE)), (0, vec!["blue"]));
    let outcome = played(battle, Stage::Reactions, &dice);
    let facts = told(&outcome.events, UNION);
    let seen = facts.iter().position(|fact| matches!(fact, Fact::Sighted { came, .. } if !came.is_empty()));
    let fired = facts.iter().position(|fact| matches!(fact, Fact::Volley { .. }));
    assert!(seen.is_some() && seen < fired, "{facts:?}");
}

#[test]
fn los_05_sight_is_tested_at_fixed_instants() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    play.phase = 7;
    let unit = ix(play.table(), "red");
    play.table_mut()[unit].footing.anchor = Point::new(30_000, 20_000);
    for segment in [1, 5, 7, 119] {
        play.segment = Some(segment);
        super::super::look(&mut play);
        assert!(sees(&play.battle, UNION).is_empty(), "segment {segment}");
    }
    play.segment = Some(6);
    super::super::look(&mut play);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    // It is told to the side alone, once; where nothing changes nothing is told.
    assert_eq!((told(&play.events, UNION).len(), play.events.len()), (1, 2), "red sees blue as well");
    super::super::look(&mut play);
    assert_eq!(play.events.len(), 2);
}

#[test]
fn los_05_a_march_out_of_the_wood_is_seen_while_it_goes_on() {
    let mut battle = fog(wood(), [blue(), infantry("red", CONFEDERATE).at(30_000, 36_000).facing(9_000)]);
    let east = Order::Move(MoveOrder { path: vec![Point::new(33_000, 36_000)], ..MoveOrder::default() });
    give(&mut battle, "red", east, Instructions::default());
    let dice = All(3);
    let outcome = played(looked(battle, &dice), Stage::Movement, &dice);
    // Four inches deep all the way: nothing at all of it.
    let facts = told(&outcome.events, UNION);
    assert!(!facts.iter().any(|fact| matches!(fact, Fact::Moved { .. } | Fact::Sighted { .. })), "{facts:?}");
    assert!(told(&outcome.events, CONFEDERATE).iter().any(|fact| matches!(fact, Fact::Moved { .. })));
}

#[test]
fn los_15_a_leader_with_a_unit_is_seen_with_it_and_one_alone_by_himself() {
    let put = |battle: &mut Battle, id: &str, side, at: (i32, i32), with: Option<&str>| {
        let mut man = leader(id, side, at.0, at.1);
        man.attached = with.map(UnitId::new);
        battle.table.leaders.insert(LeaderId::new(id), man);
    };
    let mut battle = fog(wood(), [blue(), red()]);
    // With red, who is unseen, though he himself stands in the open; and one who rides alone in the open.
    put(&mut battle, "with", CONFEDERATE, (30_000, 20_000), Some("red"));
    put(&mut battle, "alone", CONFEDERATE, (33_000, 20_000), None);
    let battle = looked(battle, &All(6));
    let seen = |battle: &Battle| battle.table.sights.as_ref().expect("the fog is played").union.leaders.clone();
    assert_eq!(seen(&battle), [LeaderId::new("alone")].into());
    let known = of_side(&battle, UNION);
    let man = &known.table.leaders[&LeaderId::new("with")];
    assert_eq!((man.presence, man.at), (Presence::Hidden, Point::default()));
    // A leader by himself looks for his side.
    let mut lonely = fog(wood(), [infantry("blue", UNION).at(5_000, 58_000), red()]);
    put(&mut lonely, "scout", UNION, (30_000, 39_000), None);
    assert_eq!(sees(&looked(lonely.clone(), &All(6)), UNION), ["red"]);
    put(&mut lonely, "scout", UNION, (30_000, 39_000), Some("blue"));
    assert_eq!(sees(&looked(lonely, &All(6)), UNION), [""; 0]);
}

#[test]
fn los_19_an_unseen_enemy_endangers_no_leader() {
    // Behind a barn, an inch and a half from the leader: near, and seen by nobody.
    let closest = |fogged: bool| {
        let mut ground = open_ground();
        let corners = [(20_000, 30_300), (40_000, 30_300), (40_000, 30_900), (20_000, 30_900)];
        ground.buildings.push(Building {
            id: FeatureId::new("barn"),
            name: "Barn".to_owned(),
            kind: BuildingKind::Wood,
            outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
        });
        let units = [blue(), infantry("red", CONFEDERATE).at(30_000, 31_400).facing(18_000)];
        let mut battle = fog_with(ground, units, |scenario| {
            if !fogged {
                scenario.options.fog = Fog::Tabletop;
            }
        });
        let mut man = leader("hood", UNION, 30_000, 29_500);
        man.attached = Some(UnitId::new("blue"));
        battle.table.leaders.insert(LeaderId::new("hood"), man);
        let dice = All(1);
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Reactions);
        super::super::begin_stage(&mut play);
        play.phase = 4;
        crate::leaders::begin_phase(&mut play);
        crate::leaders::end_phase(&mut play);
        play.table().leaders[&LeaderId::new("hood")].marks.closest_enemy
    };
    // His stand is 500 wide: 31.400 - 29.750 = 1.650 inches.
    assert_eq!(closest(false).map(|near| near < 2_000), Some(true));
    assert_eq!(closest(true), None);
}
