//! The defensive volley: when it is fired, with what, and what it does. CHG-30 to CHG-41, FF-07, FF-08

use protocol::words::Quality;

use super::*;
use crate::testing::commander_of;

/// Two lines nine inches apart; the charge has 6 + 9 inches.
fn nine_inches(defender: Maker, order: Order) -> Field {
    Field::of(vec![union("a", 30_000, 10_000), defender])
        .charges("a", "x")
        .order("x", order, Instructions::default())
        .bonus("a", &[3, 3, 3])
}

fn defender() -> Maker {
    confederate("x", 30_000, 19_000)
}

/// No shot of three dice that sum to three hurts sixteen men.
const HARMLESS: &[u8] = &[1, 1, 1];

#[test]
fn chg_30_to_32_veterans_count_the_die_in_half_inches() {
    // The book's 12th NC: 6 half inches are three inches, normal range, three dice on HOLD.
    let played = nine_inches(defender(), hold())
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], HARMLESS)
        .ends(Ending::Fought)
        .play();
    assert_eq!(
        played.story(),
        [
            "a charges 15000 disorder 10500",
            "x is charged by a",
            "x fires at 3000",
            "a to 30000 16000",
            "x hits a at 3000: 0",
            "a to 30000 19000",
            "a strikes x",
            "a fought hand to hand",
        ]
    );
    assert_eq!(played.sums("dice"), [3]);
}

#[test]
fn chg_30_at_an_inch_the_range_is_close_and_a_die_more() {
    let played = nine_inches(defender(), hold())
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[2])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.story()[2], "x fires at 1000");
    assert_eq!(played.sums("dice"), [4]);
}

#[test]
fn chg_31_and_34_a_green_volley_beyond_the_start_is_lost() {
    // The charge begins five inches off; green men fire at six: nothing, but they have fired.
    let played = Field::of(vec![union("a", 30_000, 14_000), defender().green()])
        .charges("a", "x")
        .bonus("a", &[3, 3, 3])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.story()[2], "x fires at 6000 wasted");
    assert_eq!(played.unit("x").marks.fires, 1);
    assert!(played.unit("x").opening_volley_used);
}

#[test]
fn chg_34_a_volley_at_exactly_the_start_distance_is_fired() {
    let played = Field::of(vec![union("a", 30_000, 14_000), defender().green()])
        .charges("a", "x")
        .bonus("a", &[3, 3, 3])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[5])
        // Five inches are long range: a die less.
        .die(Purpose::FireVolley, &["x"], &[1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.story()[2..5], ["x fires at 5000", "x hits a at 5000: 0", "a to 30000 19000"]);
}

#[test]
fn chg_32_and_33_modifiers_together_move_the_die_by_one_at_most() {
    // Elite -1, officer -1, Conditional Hold +1: -1. 5 - 1 = 4 half inches.
    let held = defender().quality(Quality::Elite).with(|unit| unit.marks.conditional_hold = true);
    let mut field = nine_inches(held, hold())
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[5])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1])
        .die(Purpose::FireConfirm, &["x", "a"], &[1]);
    field.endings.push(Ending::Fought);
    let played = with_leader(field);
    assert_eq!(played.story()[2], "x fires at 2000");
    assert_eq!(played.sums("modifiers of the volley die"), [-1]);
}

/// As [`Field::play`], with a brigade commander beside X.
fn with_leader(field: Field) -> Played {
    let mut battle = battle(table(field.ground, field.units));
    commander_of(&mut battle.table, Side::Confederate, "l", crate::battle::Post::Brigade, (30_000, 20_000), None);
    for (unit, order, said) in field.orders {
        give(&mut battle, unit, order, said);
    }
    let mut play = Play::new(Ruleset::standard(), &field.dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    let clashes: RefCell<Vec<Clash>> = RefCell::new(Vec::new());
    let resolve = |_: &mut Play<'_>, clash: &Clash, _: &mut Engaged| {
        clashes.borrow_mut().push(clash.clone());
        Ending::Fought
    };
    crate::charge::play_with(&mut play, Contact { strike: &resolve, catch: &|_, _, _| Ending::Fought });
    let (battle, events) = (play.battle, play.events);
    assert_eq!(field.dice.finish(), Ok(()));
    Played { battle, events, clashes: clashes.into_inner() }
}

#[test]
fn chg_39_and_48_successive_charges_meet_one_die_less_each_time() {
    // Two charges of their own, more than six inches apart: three dice, then two.
    let played = Field::of(vec![union("a", 26_000, 10_000), union("b", 34_500, 9_000), defender()])
        .charges("a", "x")
        .charges("b", "x")
        .order("x", hold(), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .bonus("b", &[6, 6, 6])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::ChargeVolleyDistance, &["x", "b"], &[6])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1, 1, 1])
        .ends(Ending::Recoiled)
        .ends(Ending::Recoiled)
        .play();
    assert_eq!(played.sums("dice"), [3, 2]);
}

#[test]
fn ff_07_a_first_fire_unit_that_has_fired_fires_again_with_a_die_less() {
    let fired = defender().with(|unit| unit.marks.fires = 1);
    let played = nine_inches(fired, Order::FirstFire {})
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], &[1, 1])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.sums("dice"), [2]);
}

#[test]
fn ff_08_no_volley_at_the_point_that_was_fired_on_first() {
    let fired = defender().with(|unit| {
        unit.marks.fires = 1;
        unit.marks.fired_at = [UnitId::new("a")].into();
    });
    let played = nine_inches(fired, Order::FirstFire {}).ends(Ending::Fought).play();
    assert!(!played.story().iter().any(|told| told.contains("fires at")));
}

#[test]
fn chg_40_and_dis_16_a_disengaging_unit_fires_no_volley_and_shows_its_back() {
    let played = nine_inches(defender(), Order::Disengage { abandon_guns: false }).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / x / Rear");
    assert!(!played.story().iter().any(|told| told.contains("fires at")));
}

#[test]
fn chg_36_a_charger_past_its_disorder_point_is_fired_on_in_disorder() {
    // 6 + 3 = 9 inches, in disorder after 7.5; the volley falls at an inch, after 8.
    let played = Field::of(vec![union("a", 30_000, 10_000), defender()])
        .charges("a", "x")
        .bonus("a", &[1, 1, 1])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[2])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1, 1])
        .ends(Ending::Fought)
        .play();
    // +3 for disordered infantry.
    assert_eq!(played.sums("modifiers"), [3]);
}

#[test]
fn chg_41_a_point_that_the_volley_shakes_does_not_go_on_to_contact() {
    // 18 on sixteen men at normal range; two stands' worth of losses or none, the check for a lost stand decides.
    let played = nine_inches(defender(), hold())
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], &[6, 6, 5])
        .die(Purpose::MoraleStandLost, &["a"], &[1, 2])
        .die(Purpose::ShakenDistance, &["a"], &[3])
        .play();
    let story = played.story();
    assert!(story.contains(&"a checks, Shaken".to_owned()), "{story:?}");
    assert!(story.contains(&"a was halted by fire".to_owned()), "{story:?}");
    assert!(played.clashes.is_empty());
}

#[test]
fn chg_37_a_charger_has_given_up_its_cover() {
    // At the volley point the fence is a fifth of an inch before the front of A: it would cover a line that stands there.
    let fence = crate::ground::Obstacle {
        id: protocol::ids::FeatureId::new("fence"),
        kind: crate::ground::ObstacleKind::Fence,
        line: vec![protocol::place::Point::new(0, 16_200), protocol::place::Point::new(60_000, 16_200)],
    };
    let ground = crate::ground::Ground { obstacles: vec![fence], ..open_ground() };
    let played = nine_inches(defender(), hold())
        .on(ground)
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], HARMLESS)
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.sums("modifiers"), [0]);
}

#[test]
fn chg_35_a_volley_beyond_what_the_pair_sees_is_area_fire() {
    // The book's figures: visibility 3. Green men throw 4: four inches, 3 - 1 = 2 dice; veterans two inches: 3 + 1 = 4. The victor
    // of a first impact runs on through woods at a second line five inches farther.
    let wood = crate::ground::Area {
        id: protocol::ids::FeatureId::new("wood"),
        name: "Wood".to_owned(),
        terrain: crate::ground::Terrain::Woods,
        wooded: crate::ground::Wooded::Light,
        outline: [(0, 0), (60_000, 0), (60_000, 60_000), (0, 60_000)]
            .map(|(x, y)| protocol::place::Point::new(x, y))
            .to_vec(),
    };
    let dice_of = |second: Maker, dice: &[u8]| {
        let ground = crate::ground::Ground { areas: vec![wood.clone()], ..open_ground() };
        let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 11_500), second])
            .on(ground)
            .charges("a", "x")
            .silent("x")
            .order("y", hold(), quiet())
            .bonus("a", &[6])
            .die(Purpose::VisibilityPair, &["a", "x"], &[3])
            .die(Purpose::VisibilityPair, &["a", "y"], &[3])
            .ends(Ending::Broken)
            .die(Purpose::ChargeVolleyDistance, &["y", "a"], &[4])
            .die(Purpose::FireVolley, &["y"], dice)
            .ends(Ending::Fought)
            .play();
        played.sums("dice")
    };
    let second = || confederate("y", 30_000, 16_500);
    assert_eq!(dice_of(second().green(), &[1, 1]), [2]);
    assert_eq!(dice_of(second(), &[1, 1, 1, 1]), [4]);
}

#[test]
fn chg_34_and_49_behind_a_friend_the_charger_comes_into_view_as_its_front_is_clear() {
    // The friend's front lies six inches on: three are left of the nine. Green men who would fire at four have fired too soon.
    let friend = union("friend", 30_000, 16_000);
    let mut field = Field::of(vec![union("a", 30_000, 10_000), friend, defender().green()])
        .charges("a", "x")
        .silent("friend")
        .bonus("a", &[3, 3, 3])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[4])
        .die(Purpose::TacticalPassThrough, &["a", "friend"], &[6])
        .die(Purpose::TacticalPassThrough, &["friend", "a"], &[6]);
    field = field.ends(Ending::Fought);
    let played = field.play();
    assert!(played.story().contains(&"x fires at 4000 wasted".to_owned()), "{:?}", played.story());
}
