//! What one's own troops do, and what befalls them, tells of nobody unseen. LOS-02, LOS-12, LOS-15, LOS-19

use protocol::event::{Dice as Thrown, Explanation};
use protocol::ids::LeaderId;
use protocol::orders::{Instructions, MoveOrder, Order};

use super::sight::volley;
use super::*;
use crate::catalogue::{FIRE_01, LEAD_16, PEN_01};
use crate::explain::{Explain, sentence};
use crate::field::Field;
use crate::ground::{Building, BuildingKind};
use crate::testing::{give, ix, leader};

/// A long barn from y = 30.3 to 30.9 inches, through which nobody sees.
fn barn() -> Ground {
    let mut ground = open_ground();
    let corners = [(20_000, 30_300), (40_000, 30_300), (40_000, 30_900), (20_000, 30_900)];
    ground.buildings.push(Building {
        id: FeatureId::new("barn"),
        name: "Barn".to_owned(),
        kind: BuildingKind::Wood,
        outline: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
    });
    ground
}

/// A battle in this fog, or on the open table.
fn seen_or_not(fogged: bool, ground: Ground, units: [Maker; 2]) -> Battle {
    fog_with(ground, units, |scenario| {
        if !fogged {
            scenario.options.fog = Fog::Tabletop;
        }
    })
}

fn moves(battle: &mut Battle, unit: &str, to: (i32, i32)) {
    let order = Order::Move(MoveOrder { path: vec![Point::new(to.0, to.1)], ..MoveOrder::default() });
    give(battle, unit, order, Instructions::default());
}

#[test]
fn los_02_nobody_is_halted_by_who_stays_unseen() {
    let blue = infantry("blue", UNION).at(30_000, 28_000);
    let mut battle = fog(barn(), [blue, infantry("red", CONFEDERATE).at(30_000, 31_000).facing(18_000)]);
    // To the barn's wall, 30.2: there red's front would be 0.8 inches off, and MV-26 halts blue at one inch, at 30.0.
    moves(&mut battle, "blue", (30_000, 30_200));
    let dice = All(6);
    let battle = looked(battle, &dice);
    assert_eq!(sees(&battle, UNION), [""; 0]);
    let outcome = played(battle, Stage::Movement, &dice);
    for (side, other) in [(UNION, "red"), (CONFEDERATE, "blue")] {
        let facts = told(&outcome.events, side);
        let came = facts.iter().position(
            |fact| matches!(fact, Fact::Sighted { came, .. } if came.iter().any(|came| came.unit.as_str() == other)),
        );
        let moved = facts.iter().position(|fact| matches!(fact, Fact::Moved { .. })).unwrap_or(facts.len());
        assert!(came.is_some_and(|came| came < moved), "{side:?} sees {other} first: {facts:?}");
    }
    let facts = told(&outcome.events, UNION);
    let halt = facts.iter().find_map(|fact| match fact {
        Fact::Moved { track, halted: Some(why), .. } => Some((track.last()?.stance.anchor.y, why.as_str())),
        _ => None,
    });
    assert!(halt.is_some_and(|(y, why)| (29_900..=30_000).contains(&y) && why.contains("`red`")), "{halt:?}");
}

#[test]
fn los_19_nobody_acts_on_whom_his_side_has_not_seen_yet() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    play.phase = 7;
    let (blue, red) = (ix(play.table(), "blue"), ix(play.table(), "red"));
    play.table_mut()[red].footing.anchor = Point::new(30_000, 40_000 - 12_000);
    // It stands in the open between two tests: to be seen, and seen by nobody yet.
    play.segment = Some(5);
    super::super::look(&mut play);
    let field = Field::new(Ruleset::standard(), play.table(), &dice);
    assert!(field.has_in_view(blue, red) && !field.sees(blue, red) && !field.sees_anybody(blue));
    assert_eq!(field.seen_enemies(blue), []);
    play.segment = Some(6);
    super::super::look(&mut play);
    let field = Field::new(Ruleset::standard(), play.table(), &dice);
    assert!(field.sees(blue, red) && field.sees_anybody(blue));
}

#[test]
fn los_19_an_unseen_march_endangers_no_leader() {
    // Red goes along behind the barn, and comes to within two inches of a leader: dice of six hit him (OFF-02), if it counts.
    let is_hit = |fogged: bool| {
        let units = [infantry("blue", UNION).at(30_000, 29_000), infantry("red", CONFEDERATE).at(22_000, 31_700)];
        let mut battle = seen_or_not(fogged, barn(), units);
        let mut man = leader("hood", UNION, 30_000, 29_200);
        man.attached = Some(UnitId::new("blue"));
        battle.table.leaders.insert(LeaderId::new("hood"), man);
        moves(&mut battle, "red", (30_000, 36_000));
        let dice = All(6);
        let outcome = played(looked(battle, &dice), Stage::Movement, &dice);
        let facts = told(&outcome.events, UNION);
        facts.iter().any(|fact| matches!(fact, Fact::LeaderHit { .. }))
    };
    assert!(is_hit(false), "on the open table he is in danger");
    assert!(!is_hit(true));
}

#[test]
fn los_12_fire_that_reaches_somebody_unseen_behind_the_target_reads_as_any_other() {
    let die = |key: &[&str]| Thrown {
        purpose: "fire".to_owned(),
        key: key.iter().map(|key| (*key).to_owned()).collect(),
        faces: vec![3],
        needed: None,
    };
    let read = |explanation: Explanation| {
        let dice = All(6);
        let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
        let mut play = play_of(fog(wood(), [blue(), red(), open]), &dice);
        play.tell(FIRE_01, volley("blue", Some("open"), 1), explanation);
        serde_json::to_string(&crate::view::events(&play.events, &Viewer::Side { side: UNION }))
            .expect("events can be written")
    };
    let plain = || sentence("blue fires at open.").with_dice(die(&["blue"]));
    let behind = plain().with_dice(die(&["blue", "red"])).with_note(PEN_01, "the fire reaches red behind the target");
    assert_eq!(read(behind), read(plain()));
    assert!(read(plain()).contains("blue fires at open."));
}

#[test]
fn los_15_who_takes_over_a_post_is_seen_where_he_stands_himself() {
    let told_of = |with: &str| {
        let dice = All(6);
        let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
        let mut battle = fog(wood(), [blue(), red(), open]);
        let mut man = leader("jones", CONFEDERATE, 30_000, 20_200);
        man.attached = Some(UnitId::new("open"));
        battle.table.leaders.insert(LeaderId::new("jones"), man);
        let mut play = play_of(battle, &dice);
        let post = LeaderId::new("jones");
        let seen = play.table().sights.as_ref().map(|sights| sights.union.leaders.contains(&post));
        assert_eq!(seen, Some(true));
        // He falls in sight; another takes the post, who rides with this unit.
        let man = play.table_mut().leaders.get_mut(&post).expect("he is on the list");
        man.attached = Some(UnitId::new(with));
        let fact = Fact::Replaced { leader: post, name: "Another".to_owned(), level: 0 };
        play.tell(LEAD_16, fact, sentence("A new man takes the post."));
        (told(&play.events, UNION).len(), told(&play.events, CONFEDERATE).len())
    };
    assert_eq!(told_of("open"), (1, 1));
    assert_eq!(told_of("red"), (0, 1));
}

#[test]
fn los_02_who_bars_the_place_of_an_arrival_is_seen_by_those_who_come() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
    let red = ix(play.table(), "red");
    super::super::come_upon(&mut play, UNION, &[red]);
    assert_eq!(sees(&play.battle, UNION), ["red"]);
    assert!(matches!(told(&play.events, UNION).as_slice(), [Fact::Sighted { came, .. }] if came.len() == 1));
    // Those who bar it have seen nobody for that, and twice is told once.
    super::super::come_upon(&mut play, UNION, &[red]);
    assert_eq!((told(&play.events, UNION).len(), told(&play.events, CONFEDERATE).len()), (1, 0));
}

#[test]
fn los_12_what_an_enemy_does_for_reasons_of_his_own_is_told_without_them() {
    let dice = All(6);
    let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
    let read = |side, words: &str, because: &str| {
        let mut play = play_of(fog(wood(), [blue(), red(), open.clone()]), &dice);
        let check = Fact::Competence { unit: UnitId::new("open"), because: because.to_owned(), passed: true };
        play.tell(LEAD_16, check, sentence(words));
        serde_json::to_string(&crate::view::events(&play.events, &Viewer::Side { side }))
            .expect("events can be written")
    };
    // Whether it sees blue or nobody reads alike on the other side, and whole on its own.
    let pair = |side| (read(side, "It sees blue.", "seeing blue"), read(side, "It sees nobody.", "seeing nobody"));
    let (one, other) = pair(UNION);
    assert_eq!(one, other);
    assert!(one.contains("LOS-12") && one.contains("out of sight"), "{one}");
    let (one, other) = pair(CONFEDERATE);
    assert_ne!(one, other);
}

#[test]
fn los_15_a_leader_in_danger_and_unhurt_is_told_to_his_own_side_and_the_fallen_is_seen_no_longer() {
    let dice = All(6);
    let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
    let mut battle = fog(wood(), [blue(), red(), open]);
    let mut man = leader("jones", CONFEDERATE, 30_000, 20_200);
    man.attached = Some(UnitId::new("open"));
    battle.table.leaders.insert(LeaderId::new("jones"), man);
    let mut play = play_of(battle, &dice);
    let post = LeaderId::new("jones");
    let hit = |outcome: &str| Fact::LeaderHit { leader: post.clone(), outcome: outcome.to_owned() };
    let sees_him =
        |play: &Play<'_>| play.table().sights.as_ref().is_some_and(|sights| sights.union.leaders.contains(&post));
    play.tell(LEAD_16, hit("unhurt"), sentence("He was within 12 inches of blue."));
    assert_eq!((told(&play.events, UNION).len(), told(&play.events, CONFEDERATE).len()), (0, 1));
    assert!(sees_him(&play));
    if let Some(man) = play.table_mut().leaders.get_mut(&post) {
        man.presence = Presence::Removed;
    }
    play.tell(LEAD_16, hit("killed"), sentence("He is dead."));
    assert_eq!(told(&play.events, UNION), [hit("killed")]);
    assert!(!sees_him(&play));
}

#[test]
fn los_14_sharpshooters_who_have_joined_are_seen_where_their_regiment_is() {
    let battle = |host: (i32, i32)| {
        let host = infantry("host", CONFEDERATE).at(host.0, host.1).facing(18_000);
        let mut battle = fog(wood(), [blue(), host, infantry("shots", CONFEDERATE).at(50_000, 55_000)]);
        let (host, shots) = (ix(&battle.table, "host"), ix(&battle.table, "shots"));
        battle.table[host].sharpshooters = Some(UnitId::new("shots"));
        battle.table[shots].presence = Presence::Attached;
        battle
    };
    assert_eq!(sees(&looked(battle((30_000, 20_000)), &All(6)), UNION), ["host", "shots"]);
    let unseen = looked(battle((30_000, 42_000)), &All(6));
    assert_eq!(sees(&unseen, UNION), [""; 0]);
    // It has gone into the wood with its regiment: neither is seen any longer.
    let dice = All(6);
    let mut play = play_of(battle((30_000, 20_000)), &dice);
    let host = ix(play.table(), "host");
    play.table_mut()[host].footing.anchor = Point::new(30_000, 42_000);
    super::super::look(&mut play);
    assert_eq!(sees(&play.battle, UNION), [""; 0]);
}
