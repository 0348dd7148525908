//! What a charged unit does: forming, Conditional Hold, rising, refusing a stand, turning guns. CF, REV-12, TAC-10, TAC-23

use protocol::orders::{FormTask, IfCharged, MoveOrder};
use protocol::place::Point;
use protocol::words::Formation;

use super::*;
use crate::testing::battery;

fn march() -> Order {
    Order::Move(MoveOrder { path: vec![Point::new(30_000, 30_000)], ..MoveOrder::default() })
}

fn form(formation: Formation) -> Order {
    Order::Form { task: FormTask::Formation { formation, facing: None, pivot: None, gap: None } }
}

/// A charge of 15 inches at a unit nine inches off.
fn at(defender: Maker, order: Order, said: Instructions) -> Field {
    Field::of(vec![union("a", 30_000, 10_000), defender])
        .charges("a", "x")
        .order("x", order, said)
        .bonus("a", &[3, 3, 3])
        .ends(Ending::Fought)
}

fn defender() -> Maker {
    confederate("x", 30_000, 19_000)
}

fn volley_die(field: Field, die: u8, dice: &[u8]) -> Field {
    field.die(Purpose::ChargeVolleyDistance, &["x", "a"], &[die]).die(Purpose::FireVolley, &["x"], dice)
}

fn told(played: &Played, what: &str) -> bool {
    played.story().iter().any(|told| told == what)
}

#[test]
fn rev_12_a_marching_line_that_faces_the_charge_only_goes_to_conditional_hold() {
    // On Conditional Hold: 3 + 1 = 4 half inches, two inches, close: two dice and one.
    let played = volley_die(at(defender(), march(), Instructions::default()), 3, &[1, 1, 1]).play();
    assert!(told(&played, "x on hold forced"));
    assert!(told(&played, "x fires at 2000"));
    assert_eq!(played.sums("dice"), [3]);
    assert!(!played.clashes[0].defender.forming);
}

#[test]
fn cf_05_and_06_a_marching_column_that_passes_its_roll_has_formed() {
    // Formed on Conditional Hold: base 2 less 1, at normal range one die; the volley die 4 + 1 counts 2.5 inches from its new
    // front.
    let column = confederate("x", 30_000, 19_000).formation(Formation::MarchColumn);
    let played =
        volley_die(at(column, march(), Instructions::default()), 4, &[1]).die(Purpose::CfForm, &["x"], &[4]).play();
    assert!(told(&played, "x passes") && told(&played, "x forms"));
    assert_eq!(played.unit("x").footing.formation, Formation::SingleLine);
    assert_eq!(played.sums("dice"), [1]);
    assert!(played.clashes[0].defender.forming);
}

#[test]
fn cf_05_and_06_and_tc_11_one_that_fails_is_in_disorder() {
    let column = confederate("x", 30_000, 19_000).formation(Formation::MarchColumn);
    let played = at(column, march(), Instructions::default())
        .die(Purpose::CfForm, &["x"], &[3])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[4])
        .die(Purpose::FireVolley, &["x"], &[1, 1])
        .play();
    assert!(told(&played, "x fails") && told(&played, "x in disorder"));
    assert_eq!(played.unit("x").footing.formation, Formation::MarchColumn);
    assert!(!played.clashes[0].defender.forming);
    assert!(played.unit("x").marks.conditional_hold && played.unit("x").marks.changed_formation);
}

#[test]
fn cf_07_inside_four_inches_there_is_no_time() {
    let column = |y: i32| {
        let x = confederate("x", 30_000, y).formation(Formation::MarchColumn);
        Field::of(vec![union("a", 30_000, 10_000), x])
            .charges("a", "x")
            .order("x", march(), Instructions { fire: Some(false), ..Instructions::default() })
            .bonus("a", &[3, 3, 3])
            .ends(Ending::Fought)
    };
    let near = column(13_999).play();
    assert!(!told(&near, "x passes") && near.unit("x").marks.conditional_hold);
    let four = column(14_000).die(Purpose::CfForm, &["x"], &[6]).play();
    assert!(told(&four, "x passes"), "exactly four inches leave time");
}

#[test]
fn cf_01_a_change_of_half_a_move_is_done_when_it_is_struck_in_the_second_half() {
    // Nine of fifteen inches: beyond 7.5. It has formed, without a roll and without a penalty; two dice.
    let played = volley_die(at(defender(), form(Formation::DoubleLine), Instructions::default()), 6, &[1, 1]).play();
    assert_eq!(played.unit("x").footing.formation, Formation::DoubleLine);
    assert!(told(&played, "x fires at 3000"), "{:?}", played.story());
    assert_eq!(played.sums("dice"), [2]);
    assert!(!played.clashes[0].defender.forming);
    assert!(!played.unit("x").marks.conditional_hold);
}

#[test]
fn cf_02_and_03_in_the_first_half_it_rolls_and_is_caught_forming() {
    // 6 + 18 = 24 inches: nine lie in the first half. The volley die 5 + 1 counts three inches.
    let played = Field::of(vec![union("a", 30_000, 10_000), defender()])
        .charges("a", "x")
        .order("x", form(Formation::DoubleLine), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::CfForm, &["x"], &[4])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[5])
        .die(Purpose::FireVolley, &["x"], &[1, 1])
        .ends(Ending::Fought)
        .play();
    assert!(told(&played, "x passes") && told(&played, "x fires at 3000"));
    assert!(played.clashes[0].defender.forming);
}

#[test]
fn cf_04_marked_form_and_failed_it_is_in_disorder() {
    let green = confederate("x", 30_000, 19_000).green();
    let played = at(green, form(Formation::DoubleLine), Instructions { fire: Some(false), ..Instructions::default() })
        .die(Purpose::CfForm, &["x"], &[4])
        .play();
    // A whole turn for green troops: they roll although they are struck in the second half. 4 is not above their 4.
    assert!(told(&played, "x fails") && told(&played, "x in disorder"), "{:?}", played.story());
    assert!(!played.clashes[0].defender.forming);
}

#[test]
fn cf_08_a_unit_that_has_changed_formation_does_not_form_again() {
    let column = confederate("x", 30_000, 19_000)
        .formation(Formation::MarchColumn)
        .with(|unit| unit.marks.changed_formation = true);
    let played = at(column, march(), Instructions { fire: Some(false), ..Instructions::default() }).play();
    assert!(!told(&played, "x passes") && !told(&played, "x fails"));
}

#[test]
fn cf_09_a_holding_unit_forms_if_told_so_and_is_then_on_conditional_hold() {
    let said = Instructions { if_charged: Some(IfCharged::Form), fire: Some(false), ..Instructions::default() };
    let played =
        at(defender().formation(Formation::MarchColumn), hold(), said).die(Purpose::CfForm, &["x"], &[6]).play();
    assert!(told(&played, "x on hold") && told(&played, "x passes"));
    assert!(played.unit("x").marks.conditional_hold);
}

#[test]
fn cf_09_form_if_flanked_stands_against_a_charge_from_the_front() {
    let said =
        Instructions { if_charged: Some(IfCharged::FormIfFlanked), fire: Some(false), ..Instructions::default() };
    let front = at(defender(), hold(), said.clone()).play();
    assert!(!told(&front, "x on hold"));
    // Turned to the west, it would be struck on its flank.
    let flank = at(defender().facing(27_000), hold(), said).die(Purpose::CfForm, &["x"], &[6]).play();
    assert!(told(&flank, "x on hold"));
}

#[test]
fn cf_10_it_forms_in_the_formation_of_its_instruction() {
    let said = Instructions {
        if_charged: Some(IfCharged::Form),
        form_if_charged: Some(Formation::DoubleLine),
        fire: Some(false),
        ..Instructions::default()
    };
    let played = at(defender(), hold(), said).die(Purpose::CfForm, &["x"], &[6]).play();
    assert_eq!(played.unit("x").footing.formation, Formation::DoubleLine);
}

#[test]
fn cf_11_a_line_on_hold_bends_back_the_end_that_the_charge_threatens() {
    // The charger comes from beyond the right end of the line, which faces south: from the west.
    let played = Field::of(vec![union("a", 22_000, 17_000).facing(9_000), defender()])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[6, 6, 6])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.unit("x").footing.refused, Some(protocol::words::Flank::Right));
}

#[test]
fn tac_10_a_prone_unit_rises_and_counts_as_forming() {
    let played = volley_die(at(defender().prone(), hold(), Instructions::default()), 5, &[1, 1]).play();
    assert!(!played.unit("x").footing.prone);
    assert!(told(&played, "x fires at 3000"), "5 + 1 half inches");
    assert_eq!(played.sums("dice"), [2]);
    assert!(played.clashes[0].defender.forming);
}

#[test]
fn tac_23_a_screen_falls_back_as_its_regiment_is_charged() {
    // The distance is that to the body: nine inches, though the screen stands three inches before it.
    let screened = confederate("x", 30_000, 19_000).formation(Formation::LineWithSkirmishers);
    let played = at(screened, hold(), silent()).play();
    assert!(played.unit("x").footing.screen_back);
    assert_eq!(played.anchor("a"), (30_000, 19_000));
}

#[test]
fn arty_27_guns_on_hold_turn_on_a_charge_from_outside_their_arc() {
    let guns = seasoned(battery("x", Side::Confederate)).at(30_000, 19_000).facing(0);
    let played = at(guns, hold(), silent()).play();
    assert!(played.unit("x").marks.pivoted);
    assert_eq!(played.unit("x").footing.facing.hundredths() / 1_000, 18);
}

#[test]
fn chg_55_a_unit_that_fell_back_takes_a_charge_as_it_stands_with_two_dice() {
    let driven = defender().with(|unit| unit.marks.fell_back = true);
    let played = volley_die(at(driven, march(), Instructions::default()), 6, &[1, 1]).play();
    assert!(!told(&played, "x on hold forced"));
    assert_eq!(played.sums("dice"), [2]);
}

#[test]
fn cc_05_a_unit_on_first_fire_stands_and_fires() {
    let said = Instructions { if_charged: Some(IfCharged::Countercharge), ..Instructions::default() };
    let played = volley_die(at(defender(), Order::FirstFire {}, said), 6, &[1, 1, 1]).play();
    assert!(!told(&played, "x meets a 15000"));
}

#[test]
fn chg_22_a_charged_unit_is_marked_and_its_march_is_over() {
    let played = at(defender(), march(), Instructions { fire: Some(false), ..Instructions::default() }).play();
    assert_eq!(played.unit("x").marks.charged_by, Some(UnitId::new("a")));
}
