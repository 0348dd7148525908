//! What is told to whom. LOS-09 to LOS-13, LOS-20

use protocol::event::{Dice as Thrown, OrderShown};
use protocol::orders::{Instructions, MoveOrder, Order};

use super::sight::volley;
use super::*;
use crate::catalogue::{CHG_15, FIRE_01, FORM_26, MOR_03, REV_02, VIS_12};
use crate::explain::{Explain, sentence};
use crate::testing::give;

fn open() -> Maker {
    infantry("open", CONFEDERATE).at(30_000, 20_000)
}

fn disorder(unit: &str) -> Fact {
    Fact::Disorder { unit: UnitId::new(unit), disorder: true }
}

#[test]
fn los_09_orders_are_shown_of_those_who_are_seen() {
    let outcome = played(looked(fog(wood(), [blue(), red(), open()]), &All(6)), Stage::Orders, &All(6));
    let revealed = |side| -> Vec<String> {
        let facts = told(&outcome.events, side).into_iter();
        let units = facts.filter_map(|fact| match fact {
            Fact::OrderRevealed { unit, .. } => Some(unit.to_string()),
            _ => None,
        });
        units.collect()
    };
    assert_eq!(revealed(UNION), ["blue", "open"]);
    assert_eq!(revealed(CONFEDERATE), ["blue", "open", "red"]);
}

#[test]
fn los_09_an_order_names_no_third_who_is_unseen() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red(), open()]), &dice);
    let shown = OrderShown::Charge { target: None, support_of: Some(UnitId::new("red")) };
    let unit = crate::testing::ix(play.table(), "open");
    play.table_mut()[unit].marks.shown = Some(shown.clone());
    play.tell(
        CHG_15,
        Fact::OrderRevealed { unit: UnitId::new("open"), shown: shown.clone() },
        sentence("Open supports red."),
    );
    let without = OrderShown::Charge { target: None, support_of: None };
    assert_eq!(told(&play.events, UNION), [Fact::OrderRevealed { unit: UnitId::new("open"), shown: without.clone() }]);
    assert!(!view_bytes(&play.battle, &Viewer::Side { side: UNION }).contains("red"));
    let own = of_side(&play.battle, CONFEDERATE);
    assert_eq!(own.table.unit(&UnitId::new("open")).and_then(|unit| unit.marks.shown.clone()), Some(shown));
    let known = of_side(&play.battle, UNION);
    assert_eq!(known.table.unit(&UnitId::new("open")).and_then(|unit| unit.marks.shown.clone()), Some(without));
}

#[test]
fn los_10_a_fact_is_told_to_its_side_and_to_those_who_see_it() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red(), open()]), &dice);
    for unit in ["red", "open", "blue"] {
        play.tell(FORM_26, disorder(unit), sentence("It loses its order."));
    }
    play.tell(FORM_26, Fact::PhaseBegan {}, sentence("A phase begins."));
    assert_eq!(told(&play.events, UNION), [disorder("open"), disorder("blue"), Fact::PhaseBegan {}]);
    // `open` sees blue.
    assert_eq!(
        told(&play.events, CONFEDERATE),
        [disorder("red"), disorder("open"), disorder("blue"), Fact::PhaseBegan {}]
    );
    let numbers = crate::view::events(&play.events, &Viewer::Side { side: UNION }).into_iter().map(|event| event.n);
    assert_eq!(numbers.collect::<Vec<u32>>(), [1, 2, 3]);
}

#[test]
fn los_10_who_turns_his_back_unseen_is_not_told_to_those_he_leaves() {
    let dice = All(6);
    let leaves = |unit: &str, from: &str| Fact::Disengages {
        unit: UnitId::new(unit),
        from: Some(UnitId::new(from)),
        bearing: protocol::place::Bearing::NORTH,
        total: 6_000,
    };
    let mut play = play_of(fog(wood(), [blue(), red(), open()]), &dice);
    play.tell(FORM_26, leaves("red", "blue"), sentence("It goes."));
    play.tell(FORM_26, leaves("open", "blue"), sentence("It goes."));
    // From whom `open` goes would tell blue that it is seen. LOS-12
    let away = Fact::Disengages {
        unit: UnitId::new("open"),
        from: None,
        bearing: protocol::place::Bearing::NORTH,
        total: 6_000,
    };
    assert_eq!(told(&play.events, UNION), [away]);
    assert_eq!(told(&play.events, CONFEDERATE).len(), 2);
}

#[test]
fn los_11_a_march_is_shown_where_it_was_seen() {
    // From before the wood straight into it: a march of some inches, seen until the trees close behind it.
    let red = infantry("red", CONFEDERATE).at(34_000, 31_000).facing(0);
    let mut battle = fog(wood(), [blue(), red]);
    let north = Order::Move(MoveOrder { path: vec![Point::new(34_000, 37_000)], ..MoveOrder::default() });
    give(&mut battle, "red", north, Instructions::default());
    let dice = All(6);
    let outcome = played(looked(battle, &dice), Stage::Movement, &dice);
    let track = |side| {
        let facts = told(&outcome.events, side).into_iter();
        let tracks = facts.filter_map(|fact| match fact {
            Fact::Moved { track, .. } => Some(track),
            _ => None,
        });
        tracks.collect::<Vec<_>>()
    };
    let (own, theirs) = (track(CONFEDERATE), track(UNION));
    let (Some(own), [theirs]) = (own.first().and_then(|track| track.last()), theirs.as_slice()) else {
        panic!("each side is told of one march: {:?}", outcome.events)
    };
    assert!(33_000 < own.stance.anchor.y, "{own:?}");
    let seen: Vec<i32> = theirs.iter().map(|point| point.stance.anchor.y).collect();
    // VIS-04, VIS-06: seen from outside to an inch of trees between the nearest stands, and not beyond the next test.
    assert_eq!(seen.first(), Some(&31_000));
    assert!(seen.iter().all(|y| *y < 34_500) && seen.len() < 21, "{seen:?}");
    assert!(theirs.iter().all(|point| point.segment % 6 == 0));
    // It is a ghost now, where it was last seen.
    let view = crate::view::view(Ruleset::standard(), &outcome.battle, Stage::Orders, &Viewer::Side { side: UNION });
    let ghost: Vec<i32> = view.ghosts.iter().map(|ghost| ghost.stance.anchor.y).collect();
    assert!(ghost.iter().all(|y| Some(y) == seen.last()), "{ghost:?} {seen:?}");
}

#[test]
fn los_12_an_explanation_that_names_somebody_unseen_is_withheld() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red(), open()]), &dice);
    let words = |text: &str| {
        sentence(text).with_dice(Thrown {
            purpose: "morale.hit".to_owned(),
            key: vec!["blue".to_owned()],
            faces: vec![3, 4],
            needed: None,
        })
    };
    let check = || Fact::Competence { unit: UnitId::new("blue"), because: "for red".to_owned(), passed: true };
    play.tell(MOR_03, disorder("blue"), words("It fears red, who is near."));
    play.tell(MOR_03, disorder("blue"), words("It fears open, who is near; a reduced number."));
    play.tell(MOR_03, check(), words("It tries."));
    let shown = crate::view::events(&play.events, &Viewer::Side { side: UNION });
    let read: Vec<&str> = shown.iter().map(|event| event.explanation.sentence.as_str()).collect();
    assert_eq!(read, ["The reason is out of sight.", "It fears open, who is near; a reduced number.", "It tries."]);
    assert_eq!((shown[0].explanation.dice.len(), shown[1].explanation.dice.len()), (0, 1));
    assert!(matches!(&shown[2].fact, Fact::Competence { because, .. } if because == "out of sight"));
    let umpire = crate::view::events(&play.events, &Viewer::Umpire {});
    assert_eq!(umpire.len(), 3, "the umpire has each fact once, whole");
    assert!(umpire[0].explanation.sentence.contains("red"));
}

#[test]
fn los_13_of_fire_at_the_unseen_no_effect_is_told() {
    let dice = All(6);
    let firer = |target, figures, rule| {
        let mut play = play_of(fog(wood(), [blue(), red()]), &dice);
        play.tell(rule, volley("blue", target, figures), sentence("Three figures fall."));
        let own = serde_json::to_string(&crate::view::events(&play.events, &Viewer::Side { side: UNION }));
        (own.expect("events can be written"), told(&play.events, CONFEDERATE))
    };
    let (hit, struck) = firer(Some("red"), 3, FIRE_01);
    let (missed, _) = firer(None, 0, VIS_12);
    assert_eq!(hit, missed, "whether anybody was there is not told");
    assert!(hit.contains("No effect is observed.") && !hit.contains("red") && !hit.contains("Three"), "{hit}");
    // Who is struck is told all, and sees who fired.
    assert!(matches!(struck.as_slice(), [Fact::Sighted { .. }, Fact::Volley { figures: 3, .. }]), "{struck:?}");
}

#[test]
fn los_20_every_throw_counts_whoever_is_told_of_it() {
    let dice = All(6);
    let thrown = |unit: &str| Thrown {
        purpose: "morale.hit".to_owned(),
        key: vec![unit.to_owned()],
        faces: vec![3, 4],
        needed: None,
    };
    let count = |fog_on: bool| {
        let battle = fog_with(wood(), [blue(), red()], |scenario| {
            if !fog_on {
                scenario.options.fog = Fog::Tabletop;
            }
        });
        let mut play = play_of(battle, &dice);
        play.tell(MOR_03, disorder("red"), sentence("It fears.").with_dice(thrown("red")));
        // Told to one whole and to the other in part: it is one throw.
        play.tell(MOR_03, disorder("blue"), sentence("It fears red.").with_dice(thrown("blue")));
        ["red", "blue"].map(|unit| play.thrown(Purpose::MoraleHit, &[unit]))
    };
    assert_eq!(count(true), [2, 2]);
    assert_eq!(count(true), count(false), "the fog changes no key");
}

#[test]
fn los_10_what_is_stored_comes_back_with_those_who_may_know_it() {
    let dice = All(6);
    let mut play = play_of(fog(wood(), [blue(), red(), open()]), &dice);
    play.tell(REV_02, disorder("red"), sentence("It fears blue."));
    play.tell(REV_02, disorder("blue"), sentence("It fears red."));
    let events = crate::archive::restore_events(&crate::archive::store_events(&play.events)).expect("they can be read");
    assert_eq!(events, play.events);
    let theatre = Arc::clone(&play.battle.table.theatre);
    let battle = crate::archive::restore(&crate::archive::store(&play.battle), theatre).expect("it can be read");
    assert_eq!(battle, play.battle);
}
