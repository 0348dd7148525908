//! What a side and the public know of the table. LOS-06, LOS-14, LOS-16, LOS-21

use protocol::event::Morale;
use protocol::ids::{BrigadeId, LeaderId};
use protocol::orders::{Draft, Order, UnitDraft};

use super::*;
use crate::battle::CommandLosses;
use crate::testing::{commander_of, ix, seat};

/// What happens, and how.
type Happening = (&'static str, fn(&mut Battle));

/// What may become of red out of sight.
const UNSEEN: [Happening; 8] = [
    ("place", |battle| red_of(battle).footing.anchor = Point::new(20_000, 44_000)),
    ("facing and formation", |battle| {
        red_of(battle).footing.formation = protocol::words::Formation::MarchColumn;
        red_of(battle).footing.facing = protocol::place::Bearing::wrapping(9_000);
    }),
    ("losses", |battle| _ = red_of(battle).stands.pop()),
    ("morale", |battle| red_of(battle).morale = Morale::Shaken),
    ("ammunition", |battle| red_of(battle).ammunition_out_since = Some(1)),
    ("order", |battle| red_of(battle).marks.shown = Some(protocol::event::OrderShown::Hold {})),
    ("lost", |battle| {
        red_of(battle).presence = Presence::Removed;
        red_of(battle).stands.clear();
    }),
    ("still to come", |battle| red_of(battle).presence = Presence::ToCome),
];

fn red_of(battle: &mut Battle) -> &mut crate::battle::Unit {
    let unit = ix(&battle.table, "red");
    &mut battle.table[unit]
}

#[test]
fn los_06_and_14_what_becomes_of_an_unseen_unit_changes_no_byte() {
    let dice = All(6);
    let plain = looked(fog(wood(), [blue(), red()]), &dice);
    for (what, change) in UNSEEN {
        let mut changed = plain.clone();
        change(&mut changed);
        for viewer in [Viewer::Side { side: UNION }, Viewer::Seat { side: UNION, seat: seat(UNION) }, Viewer::Public {}]
        {
            assert_eq!(view_bytes(&changed, &viewer), view_bytes(&plain, &viewer), "{what}: {viewer:?}");
        }
        assert_eq!(of_side(&changed, UNION), of_side(&plain, UNION), "{what}");
        let umpire = Viewer::Umpire {};
        assert_ne!(view_bytes(&changed, &umpire), view_bytes(&plain, &umpire), "{what}: the umpire sees it");
    }
    assert!(!view_bytes(&plain, &Viewer::Side { side: UNION }).contains("red"));
}

#[test]
fn los_06_what_is_legal_is_asked_of_what_is_seen() {
    let dice = All(6);
    let refused = |y: i32| -> Vec<String> {
        let units = [blue(), infantry("red", CONFEDERATE).at(30_000, y).facing(18_000)];
        let battle = looked(fog(wood(), units), &dice);
        let order =
            Order::Charge { target: Some(UnitId::new("red")), bearing: None, objective: None, support_of: None };
        let said = UnitDraft { order: Some(order), ..UnitDraft::default() };
        let draft = Draft { units: [(UnitId::new("blue"), said)].into(), ..Draft::default() };
        let known = of_side(&battle, UNION);
        let refusals = crate::orders::check(&known, Ruleset::standard(), &seat(UNION), Stage::Orders, &draft);
        refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
    };
    assert!(refused(31_500).is_empty(), "{:?}", refused(31_500));
    assert!(!refused(42_000).is_empty(), "nobody charges whom he does not see");
}

#[test]
fn los_14_who_was_seen_to_go_is_known_to_be_gone() {
    let dice = All(6);
    let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
    let mut play = play_of(fog(wood(), [blue(), red(), open]), &dice);
    for id in ["open", "red"] {
        let unit = ix(play.table(), id);
        play.table_mut()[unit].presence = Presence::Removed;
        let fact = Fact::Removed { unit: UnitId::new(id), how: "picked up".to_owned() };
        play.tell(crate::catalogue::MOR_01, fact, crate::explain::sentence("Gone."));
    }
    super::super::end_phase(&mut play);
    let known = of_side(&play.battle, UNION);
    assert_eq!((presence(&known, "open"), presence(&known, "red")), (Presence::Removed, Presence::Hidden));
    let removed = |side| {
        let facts = told(&play.events, side).into_iter();
        facts.filter(|fact| matches!(fact, Fact::Removed { .. })).count()
    };
    assert_eq!((removed(UNION), removed(CONFEDERATE)), (1, 2));
}

#[test]
fn los_16_of_the_enemy_s_commands_nothing_is_known() {
    let dice = All(6);
    let mut table = fog(wood(), [blue(), red()]);
    commander_of(&mut table.table, CONFEDERATE, "law", crate::battle::Post::Brigade, (30_000, 42_000), None);
    let plain = looked(table, &dice);
    let mut worn = plain.clone();
    let brigade = worn.table.brigades.get_mut(&BrigadeId::new("law")).expect("it was put there");
    (brigade.points_lost, brigade.level, brigade.commander_lost) = (5, 60, true);
    worn.table.losses.insert(LeaderId::new("law"), CommandLosses { commanders_killed: 1, level: 60 });
    assert_eq!(of_side(&worn, UNION), of_side(&plain, UNION));
    let side = Viewer::Side { side: UNION };
    assert_eq!(view_bytes(&worn, &side), view_bytes(&plain, &side));
    assert_ne!(of_side(&worn, CONFEDERATE), of_side(&plain, CONFEDERATE));
    // That it must withdraw is told to its own side.
    let mut play = play_of(plain, &dice);
    let fact = Fact::CommandLevel { brigade: BrigadeId::new("law"), percent: 60 };
    play.tell(crate::catalogue::LVL_05, fact, crate::explain::sentence("It withdraws."));
    assert_eq!((told(&play.events, UNION).len(), told(&play.events, CONFEDERATE).len()), (0, 1));
}

#[test]
fn los_21_the_public_is_shown_nobody_until_the_battle_is_over() {
    let dice = All(6);
    let open = infantry("open", CONFEDERATE).at(30_000, 20_000);
    let mut play = play_of(fog(wood(), [blue(), red(), open]), &dice);
    let shown = |battle: &Battle| -> Vec<String> {
        let view = crate::view::view(Ruleset::standard(), battle, Stage::Orders, &Viewer::Public {});
        assert!(view.ghosts.is_empty());
        view.units.iter().map(|unit| unit.id.to_string()).collect()
    };
    // Blue and `open` have each other before them: that would tell blue that it is seen.
    assert_eq!(shown(&play.battle), [""; 0]);
    for unit in ["red", "open", "blue"] {
        let fact = Fact::Disorder { unit: UnitId::new(unit), disorder: true };
        play.tell(crate::catalogue::FORM_26, fact, crate::explain::sentence("It loses its order."));
    }
    play.tell(crate::catalogue::TURN_01, Fact::PhaseBegan {}, crate::explain::sentence("A phase begins."));
    let public = crate::view::events(&play.events, &Viewer::Public {});
    assert!(matches!(&public[..], [event] if event.fact == Fact::PhaseBegan {}), "{public:?}");
    // Both sides were told of `open` and of blue.
    assert_eq!((told(&play.events, UNION).len(), told(&play.events, CONFEDERATE).len()), (3, 4));
    play.table_mut().ended = Some(crate::battle::Ended { winner: None, lines: Vec::new() });
    assert_eq!(shown(&play.battle), ["blue", "open", "red"]);
}
