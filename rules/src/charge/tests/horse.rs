//! Charges of horse on foot, guns and fleeing horse, and who rides in support. CAVC-12, CAVC-26, CAVC-30, CAVC-35, CHG-38

use protocol::words::Formation;

use super::*;

/// A Confederate regiment that holds and fires at three inches (a 6) with three dice; what it hits is not confirmed.
fn volley_at(a: Maker, dice: &[u8]) -> Played {
    Field::of(vec![a, confederate("x", 30_000, 25_000)])
        .charges("a", "x")
        .order("x", hold(), quiet())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], dice)
        .die(Purpose::FireConfirm, &["x", "a"], &[1])
        .ends(Ending::Fought)
        .play()
}

#[test]
fn chg_38_and_cavc_35_the_target_modifiers_of_charging_horse_are_halved() {
    // Line +2, double line +4, disorder +6: halves. 5 and 6 on the row of sixteen are 1*.
    let a = || rider("a", 30_000, 10_000);
    assert_eq!(volley_at(a(), &[1, 1, 2]).sums("modifiers"), [1]);
    assert_eq!(volley_at(a().formation(Formation::DoubleLine), &[1, 1, 1]).sums("modifiers"), [2]);
    assert_eq!(volley_at(a().disordered(), &[1, 1, 1]).sums("modifiers"), [3]);
}

#[test]
fn cavc_26_supports_are_named_and_begin_within_six_inches() {
    let group = |b: Maker, order: Order| {
        Field::of(vec![rider("a", 30_000, 10_000), b, confederate("x", 30_000, 19_000)])
            .charges("a", "x")
            .order("b", order, Instructions::default())
            .silent("x")
            .bonus("a", &[3, 3, 3])
    };
    let b = |x: i32| rider("b", x, 9_000);
    let played = group(b(35_000), in_support_of("a")).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan + b / x / Front");
    // Six inches and a half away, or without a role: a charge of its own.
    for (b, order) in [(b(40_500), in_support_of("a")), (b(35_000), charge_at("x"))] {
        let played = group(b, order).ends(Ending::Broken).bonus("b", &[6, 6, 6]).ends(Ending::Fought).play();
        assert_eq!(played.clash(0), "a charging elan / x / Front");
        assert!(played.clash(1).starts_with("b charging elan / x"), "{}", played.clash(1));
    }
}

#[test]
fn cavc_30_horse_never_supports_a_charge_on_foot_nor_foot_one_of_horse() {
    let mixed = |a: Maker, b: Maker| {
        let field = Field::of(vec![a, b, confederate("x", 30_000, 19_000)]);
        let field = field.charges("a", "x").order("b", in_support_of("a"), Instructions::default()).silent("x");
        let field = field.bonus("a", &[6, 6, 6]).ends(Ending::Broken).bonus("b", &[6, 6, 6]).ends(Ending::Fought);
        field.play()
    };
    let played = mixed(union("a", 30_000, 10_000), rider("b", 35_000, 9_000));
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    let played = mixed(rider("a", 30_000, 10_000), union("b", 35_000, 9_000));
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    // In defence horse within two inches supports foot.
    let beside = trooper("h", 35_000, 19_000);
    let played = Field::of(vec![union("a", 30_000, 10_000), confederate("x", 30_000, 19_000), beside])
        .charges("a", "x")
        .silent("x")
        .silent("h")
        .bonus("a", &[3, 3, 3])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / x + h / Front");
}

#[test]
fn cavc_12_fleeing_horse_is_ridden_after_and_may_get_away() {
    let flees = |y: i32| {
        let field = Field::of(vec![rider("a", 30_000, 10_000), trooper("x", 30_000, y)]).charges("a", "x");
        field.order("x", Order::Disengage { abandon_guns: false }, Instructions::default()).bonus("a", &[3, 3, 3])
    };
    // Within nineteen inches it is caught, and shows its back.
    let played = flees(25_000).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "a charging elan / x / Rear");
    // Else the charge runs its full reach along the line.
    let played = flees(35_000).play();
    assert_eq!(played.anchor("a"), (30_000, 29_000));
    assert_eq!(played.story().last().map(String::as_str), Some("a fell short"));
}
