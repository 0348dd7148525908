//! The gate: what a viewer is shown, and what must make no difference to him.

use protocol::event::Fact;
use protocol::ids::{BrigadeId, LeaderId, Side, UnitId};
use protocol::orders::{Instructions, LeaderDraft, Order, Stage};
use protocol::view::{Presence, Viewer};
use protocol::words::Formation;

use super::{events, view};
use crate::battle::{Battle, Brigade, Leader, Post, Unit, known};
use crate::catalogue::TURN_01;
use crate::explain::sentence;
use crate::play::{Audience, Event};
use crate::ruleset::Ruleset;
use crate::testing::{self, infantry, open_ground, table};

fn battle() -> Battle {
    let union = infantry("a", Side::Union).at(30_000, 30_000);
    let enemy = infantry("z", Side::Confederate).at(30_000, 36_000).facing(18_000);
    let late = infantry("y", Side::Confederate).with(|unit| {
        unit.presence = Presence::ToCome;
        unit.arrives = Some(3);
    });
    testing::battle(table(open_ground(), [union, enemy, late]))
}

fn bytes(battle: &Battle, viewer: &Viewer) -> Vec<u8> {
    let shown = view(Ruleset::standard(), battle, Stage::Orders, viewer);
    serde_json::to_vec(&shown).expect("a view is plain data")
}

fn union_seat() -> Viewer {
    Viewer::Seat { side: Side::Union, seat: testing::seat(Side::Union) }
}

#[test]
fn sealed_orders_of_the_enemy_change_no_byte_of_a_view() {
    let plain = battle();
    let mut ordered = plain.clone();
    testing::give(
        &mut ordered,
        "z",
        Order::FirstFire {},
        Instructions { fire: Some(false), ..Instructions::default() },
    );
    assert_eq!(known(&plain, Side::Union), known(&ordered, Side::Union));
    for viewer in [union_seat(), Viewer::Side { side: Side::Union }, Viewer::Public {}] {
        assert_eq!(bytes(&plain, &viewer), bytes(&ordered, &viewer), "{viewer:?}");
    }
    let own = Viewer::Side { side: Side::Confederate };
    assert_ne!(bytes(&plain, &own), bytes(&ordered, &own), "their own side sees them");
}

/// A change of what only the Confederates may know, and whether their own view shows it.
type Hidden = (&'static str, bool, fn(&mut Battle));

fn z(battle: &mut Battle) -> &mut Unit {
    let ix = battle.table.find(&UnitId::new("z")).expect("z is there");
    &mut battle.table[ix]
}

fn brigade(battle: &mut Battle) -> &mut Brigade {
    battle.table.brigades.get_mut(&BrigadeId::new("zs")).expect("z has a brigade")
}

fn leader(battle: &mut Battle) -> &mut Leader {
    battle.table.leaders.get_mut(&LeaderId::new("zs")).expect("z has a leader")
}

const HIDDEN: [Hidden; 20] = [
    ("morale points of its own", true, |battle| z(battle).bmp = Some(11)),
    ("canister left", true, |battle| z(battle).guns.as_mut().expect("a battery").canister -= 1),
    ("horses lost when", false, |battle| z(battle).guns.as_mut().expect("a battery").horse_lost_in = Some(1)),
    ("whose seat", true, |battle| z(battle).seat = "another".into()),
    ("what it was last formed in", false, |battle| z(battle).last_formed = Formation::DoubleLine),
    ("its first casualty", false, |battle| z(battle).first_casualty_taken = true),
    ("its opening volley", false, |battle| z(battle).opening_volley_used = true),
    ("turns held", false, |battle| z(battle).carried.held_turns = 3),
    ("checks passed", false, |battle| z(battle).carried.checks_passed = 3),
    ("kills", false, |battle| z(battle).marks.kills = 2),
    ("a shot kept", false, |battle| z(battle).marks.shot_kept = true),
    ("its order spent", false, |battle| z(battle).marks.order_spent = true),
    ("points lost", true, |battle| brigade(battle).points_lost = 4),
    ("regiments lost before", false, |battle| brigade(battle).regiments_lost_before = 2),
    ("regiments lost now", false, |battle| brigade(battle).regiments_lost_now = 2),
    ("whom the leader helped", false, |battle| leader(battle).marks.helped = vec![UnitId::new("z")]),
    ("attempts at a new leader", false, |battle| leader(battle).replacement_attempts = 2),
    ("the leader's words", false, |battle| {
        let said = LeaderDraft { lead: Some(true), ..LeaderDraft::default() };
        let secrets = battle.secrets.confederate.open_mut();
        secrets.leaders.entry(LeaderId::new("zs")).or_default().said.insert(Stage::Orders, said);
    }),
    ("a posture", false, |battle| {
        battle.secrets.confederate.open_mut().postures.insert(UnitId::new("z"), "hold_fast".to_owned());
    }),
    ("who comes when", true, |battle| {
        let ix = battle.table.find(&UnitId::new("y")).expect("y is to come");
        battle.table[ix].arrives = Some(5);
    }),
];

/// HID-14 One hidden thing after another is changed; the enemy's bytes and the public's stay what they were.
#[test]
fn hid_14_what_is_the_enemy_s_alone_changes_no_byte_of_a_view() {
    let guns = testing::battery("z", Side::Confederate).at(30_000, 36_000).facing(18_000);
    let guns = guns.with(|unit| unit.brigade = Some(BrigadeId::new("zs")));
    let union = infantry("a", Side::Union).at(30_000, 30_000);
    let late = infantry("y", Side::Confederate).with(|unit| {
        unit.presence = Presence::ToCome;
        unit.arrives = Some(3);
    });
    let mut table = table(open_ground(), [union, guns, late]);
    testing::commander_of(&mut table, Side::Confederate, "zs", Post::Brigade, (30_000, 40_000), None);
    let plain = testing::battle(table);
    for (what, shown_to_its_own, change) in HIDDEN {
        let mut changed = plain.clone();
        change(&mut changed);
        assert!(plain != changed, "{what}: nothing was changed");
        for viewer in [union_seat(), Viewer::Side { side: Side::Union }, Viewer::Public {}] {
            assert_eq!(text(&plain, &viewer), text(&changed, &viewer), "{what}, as seen by {viewer:?}");
        }
        let own = Viewer::Side { side: Side::Confederate };
        assert_eq!(bytes(&plain, &own) != bytes(&changed, &own), shown_to_its_own, "{what}, as its own side sees it");
    }
}

fn text(battle: &Battle, viewer: &Viewer) -> String {
    String::from_utf8(bytes(battle, viewer)).expect("JSON is text")
}

#[test]
fn scn_12_units_to_come_are_their_own_side_s_business() {
    let battle = battle();
    let has = |viewer: &Viewer| {
        let shown = view(Ruleset::standard(), &battle, Stage::Orders, viewer);
        shown.units.iter().any(|unit| unit.id == UnitId::new("y"))
    };
    assert!(!has(&union_seat()));
    assert!(!has(&Viewer::Public {}));
    assert!(has(&Viewer::Side { side: Side::Confederate }));
    assert!(has(&Viewer::Umpire {}));
}

#[test]
fn only_the_own_side_reads_what_is_its_own_and_numbers_have_no_gap() {
    let event = |audience| Event {
        stage: Stage::Orders,
        phase: 1,
        segment: None,
        rule: TURN_01,
        fact: Fact::PhaseBegan {},
        explanation: sentence("A phase begins."),
        audience,
    };
    let all = [
        event(Audience::All),
        event(Audience::Side(Side::Confederate)),
        event(Audience::Side(Side::Union)),
        event(Audience::All),
    ];
    let numbers = |viewer: &Viewer| events(&all, viewer).iter().map(|event| event.n).collect::<Vec<_>>();
    assert_eq!(numbers(&union_seat()), [1, 2, 3]);
    assert_eq!(numbers(&Viewer::Public {}), [1, 2]);
    assert_eq!(numbers(&Viewer::Umpire {}), [1, 2, 3, 4]);
}

#[test]
fn rout_08_abandoned_guns_are_seen_by_all_and_their_chests_by_nobody() {
    let mut battle = battle();
    let guns = testing::battery("guns", Side::Confederate).at(30_000, 40_000).unit();
    battle.table.insert(guns.clone());
    let left = |canister| {
        let mut left = crate::rout::abandoned(&guns).expect("a battery has guns");
        left.guns.canister = canister;
        left
    };
    battle.table.abandoned.insert(guns.id.clone(), left(6));
    let viewers = [union_seat(), Viewer::Public {}];
    for viewer in &viewers {
        let shown = view(Ruleset::standard(), &battle, Stage::Orders, viewer).abandoned;
        assert_eq!((shown.len(), shown[0].battery.as_str(), shown[0].sections, shown[0].spiked), (1, "guns", 2, false));
        // The stand of an unlimbered battery: an inch wide and deep behind its front.
        let ys: Vec<i32> = shown[0].corners.iter().map(|corner| corner.y).collect();
        assert_eq!((ys.iter().max(), ys.iter().min()), (Some(&40_000), Some(&39_000)));
    }
    let before = viewers.each_ref().map(|viewer| bytes(&battle, viewer));
    battle.table.abandoned.insert(guns.id.clone(), left(0));
    assert_eq!(viewers.each_ref().map(|viewer| bytes(&battle, viewer)), before);
}
