//! Points and supports: roles, the way they go, losses shared, halted points, pressing on. CHG-14 to CHG-22, CHG-42 to CHG-47

use protocol::orders::{PressOn, Role};

use super::*;

fn defender() -> Maker {
    confederate("x", 30_000, 19_000)
}

/// A with B behind it in support, 24 inches of charge.
fn pair(b: Maker) -> Field {
    Field::of(vec![union("a", 30_000, 10_000), b, defender()])
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions::default())
        .silent("x")
        .bonus("a", &[6, 6, 6])
}

#[test]
fn chg_18_supports_go_as_far_as_the_point() {
    let played = pair(union("b", 30_000, 8_000)).ends(Ending::Recoiled).play();
    assert_eq!(played.clash(0), "a charging elan + b / x / Front");
    assert_eq!(played.anchor("b"), (30_000, 17_000));
}

#[test]
fn chg_18_a_support_stops_behind_friends_ahead() {
    // C's rear lies at 13.375: the front of B comes to it, and no farther.
    let played =
        Field::of(vec![union("a", 30_000, 10_000), union("b", 34_000, 10_000), union("c", 34_000, 14_000), defender()])
            .charges("a", "x")
            .order("b", in_support_of("a"), Instructions::default())
            .silent("c")
            .silent("x")
            .bonus("a", &[6, 6, 6])
            .ends(Ending::Recoiled)
            .play();
    assert_eq!(played.anchor("b").1 / 10, 1_337);
}

#[test]
fn chg_16_a_support_starts_within_six_inches_of_its_point() {
    // A's stands end at 31.75; B's begin at its x less 1.75.
    let clash = |x: i32| {
        let field = Field::of(vec![union("a", 30_000, 10_000), union("b", x, 10_000), defender()])
            .charges("a", "x")
            .order("b", in_support_of("a"), Instructions::default())
            .silent("x")
            .bonus("a", &[6, 6, 6])
            .ends(Ending::Fought);
        let alone = 39_500 < x;
        let field = if alone { field.bonus("b", &[6, 6, 6]).ends(Ending::Fought) } else { field };
        field.play().clash(0)
    };
    assert!(clash(39_500).contains("+ b"));
    assert!(!clash(39_510).contains("+ b"));
}

#[test]
fn chg_15_chargers_under_one_group_order_are_grouped_by_nearness() {
    let mut field = Field::of(vec![
        union("a", 30_000, 10_000).with(|unit| unit.brigade = Some(protocol::ids::BrigadeId::new("g"))),
        union("b", 30_000, 8_000).with(|unit| unit.brigade = Some(protocol::ids::BrigadeId::new("g"))),
        defender(),
    ]);
    field.orders.push(("a", Order::Charge { target: None, bearing: None, objective: None, support_of: None }, quiet()));
    field.orders.push(("b", Order::Charge { target: None, bearing: None, objective: None, support_of: None }, quiet()));
    let field = field.silent("x").bonus("a", &[6, 6, 6]).ends(Ending::Fought);
    let played = as_group(field);
    assert_eq!(played.clash(0), "a charging elan + b / x / Front");
}

/// As [`Field::play`], every order having come with that of its brigade.
fn as_group(field: Field) -> Played {
    let mut battle = battle(table(field.ground, field.units));
    for (unit, order, said) in field.orders {
        give(&mut battle, unit, order, said);
    }
    for side in Side::BOTH {
        battle.secrets.get_mut(side).open_mut().orders.values_mut().for_each(|orders| orders.by_group = true);
    }
    let mut play = Play::new(Ruleset::standard(), &field.dice, battle, Stage::Charges);
    play.phase = 3;
    phases::reveal::play(&mut play);
    play.phase = 6;
    let clashes: RefCell<Vec<Clash>> = RefCell::new(Vec::new());
    let resolve = |play: &mut Play<'_>, clash: &Clash, _: &mut Engaged| {
        clashes.borrow_mut().push(clash.clone());
        befall(play, clash, &Ending::Fought);
        Ending::Fought
    };
    crate::charge::play_with(&mut play, Contact { strike: &resolve, catch: &|_, _, _| Ending::Fought });
    let (battle, events) = (play.battle, play.events);
    assert_eq!(field.dice.finish(), Ok(()));
    Played { battle, events, clashes: clashes.into_inner() }
}

#[test]
fn chg_15_a_role_given_after_the_reveal_makes_a_support() {
    let mut battle = battle(table(open_ground(), [union("a", 30_000, 10_000), union("b", 30_000, 8_000), defender()]));
    give(&mut battle, "a", charge_at("x"), Instructions::default());
    give(&mut battle, "b", charge_at("x"), Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    play.phase = 3;
    phases::reveal::play(&mut play);
    let support_of = |play: &Play<'_>| match &play.table().unit(&UnitId::new("b")).unwrap().marks.shown {
        Some(protocol::event::OrderShown::Charge { support_of, .. }) => support_of.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(support_of(&play), None);
    let orders = &mut play.battle.secrets.get_mut(Side::Union).open_mut().orders;
    let role = Instructions { role: Some(Role::Support { of: UnitId::new("a") }), ..Instructions::default() };
    orders.get_mut(&UnitId::new("b")).unwrap().said.insert(Stage::Reactions, role);
    play.stage = Stage::Reactions;
    play.phase = 4;
    phases::reveal::change_roles(&mut play);
    assert_eq!(support_of(&play), Some(UnitId::new("a")));
}

#[test]
fn chg_17_a_disordered_support_counts_and_a_shaken_one_does_not() {
    let clash = |b: Maker| pair(b).ends(Ending::Fought).play().clash(0);
    assert!(clash(union("b", 30_000, 8_000).disordered()).contains("+ b"));
    assert!(!clash(union("b", 30_000, 8_000).morale(Morale::Shaken)).contains("+ b"));
}

#[test]
fn chg_21_friends_within_two_inches_support_the_defender() {
    // X's stands end at 31.75; a friend's begin at its x less 1.75.
    let clash = |x: i32, y: i32| {
        Field::of(vec![union("a", 30_000, 10_000), defender(), confederate("y", x, y)])
            .charges("a", "x")
            .silent("x")
            .silent("y")
            .bonus("a", &[6, 6, 6])
            .ends(Ending::Fought)
            .play()
            .clash(0)
    };
    assert_eq!(clash(35_500, 19_500), "a charging elan / x + y / Front");
    assert_eq!(clash(35_510, 19_500), "a charging elan / x / Front");
}

#[test]
fn chg_22_a_unit_that_is_charged_itself_supports_nobody() {
    // The book's third version: 7th GA is the target of another charge and gives 4th GA nothing.
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 45_000, 10_000),
        defender(),
        confederate("y", 35_000, 19_500),
    ])
    .charges("a", "x")
    .charges("b", "y")
    .silent("x")
    .silent("y")
    .bonus("a", &[6, 6, 6])
    .bonus("b", &[6, 6, 6])
    .ends(Ending::Recoiled)
    .ends(Ending::Recoiled)
    .play();
    let of_x = (0..2).map(|n| played.clash(n)).find(|clash| clash.contains("/ x")).unwrap();
    assert!(!of_x.contains("+ y"), "{of_x}");
}

#[test]
fn chg_42_supports_take_half_of_what_the_volley_costs_the_point() {
    // 3 + 3 + 4 = 10: two of the point's sixteen, and half of it, one, of the support's.
    let played = Field::of(vec![union("a", 30_000, 10_000), union("b", 30_000, 8_000), defender()])
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions::default())
        .order("x", hold(), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], &[3, 3, 4])
        .ends(Ending::Recoiled)
        .play();
    let lost = |id: &str| 16 - played.unit(id).figures();
    assert_eq!(lost("a"), 2, "{:?}", played.story());
    assert_eq!(lost("b"), 1);
}

#[test]
fn chg_45_supports_of_a_halted_point_stack_up_in_disorder() {
    let played = halted(PressOn::No).play();
    assert!(played.unit("b").footing.disorder);
    assert_eq!(played.clashes.len(), 0);
}

#[test]
fn chg_46_and_47_a_support_that_passes_presses_on_against_no_fresh_volley() {
    let played = halted(PressOn::Yes).die(Purpose::MoralePressOn, &["b"], &[6, 5]).ends(Ending::Fought).play();
    assert_eq!(played.clash(0), "b charging elan / x / Front");
    assert!(played.unit("b").footing.disorder);
    let volleys = played.story().iter().filter(|told| told.contains("fires at")).count();
    assert_eq!(volleys, 1);
    assert_eq!(played.anchor("b").1, 19_000);
}

#[test]
fn chg_46_a_support_that_fails_its_check_is_shaken() {
    let played = halted(PressOn::Yes)
        .die(Purpose::MoralePressOn, &["b"], &[1, 1])
        .die(Purpose::MoraleSawRout, &["a", "b"], &[6, 5])
        .play();
    assert!(played.clashes.is_empty());
    // A natural 2: it routs, and turns its back where it stands, having had its bonus move. MOVE-12
    assert_eq!(played.unit("b").morale, Morale::Routed);
    assert_eq!(played.anchor("b").1 / 1_000, 15);
}

/// A volley of 17 shakes A, which falls back an inch to the side; B stands to its right.
fn halted(press_on: PressOn) -> Field {
    // X stands astride the ways of both.
    Field::of(vec![union("a", 30_000, 10_000), union("b", 34_000, 10_000), confederate("x", 32_000, 19_000)])
        .charges("a", "x")
        .order("b", in_support_of("a"), Instructions { press_on: Some(press_on), ..Instructions::default() })
        .order("x", hold(), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
        .die(Purpose::FireVolley, &["x"], &[6, 6, 5])
        .die(Purpose::MoraleStandLost, &["a"], &[1, 2])
        .die(Purpose::ShakenDistance, &["a"], &[1])
}

#[test]
fn chg_50_a_holding_unit_beside_the_charge_fires_where_it_comes_nearest() {
    // Y stands to the east of the charge's way, facing it, 3.75 inches off where the point comes to its level.
    let played =
        Field::of(vec![union("a", 30_000, 10_000), defender(), confederate("y", 35_500, 16_000).facing(27_000)])
            .charges("a", "x")
            .silent("x")
            .order("y", hold(), Instructions::default())
            .bonus("a", &[6, 6, 6])
            // From the flank three pips are a possible casualty, which a 1 does not confirm.
            .die(Purpose::FireVolley, &["y"], &[1, 1, 1])
            .die(Purpose::FireConfirm, &["y", "a"], &[1])
            .ends(Ending::Recoiled)
            .play();
    let hit = played.story().into_iter().find(|told| told.starts_with("y hits a")).unwrap();
    assert_eq!(hit, "y hits a at 3750: 0");
    assert_eq!(played.unit("y").marks.fires, 1);
}

#[test]
fn chg_50_never_by_default_for_a_unit_that_is_itself_to_be_charged() {
    let played = Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 44_000, 4_000),
        defender(),
        confederate("y", 44_000, 19_000),
    ])
    .charges("a", "x")
    .charges("b", "y")
    .silent("x")
    .order("y", hold(), Instructions::default())
    .bonus("a", &[6, 6, 6])
    .bonus("b", &[1, 1, 1])
    .ends(Ending::Recoiled)
    .play();
    assert!(!played.story().iter().any(|told| told.starts_with("y hits a")), "{:?}", played.story());
}

#[test]
fn chg_14_a_coordinated_charge_meets_one_volley_and_one_dice_down() {
    let played =
        Field::of(vec![union("a", 30_000, 10_000), union("b", 34_000, 10_000), confederate("x", 32_000, 19_000)])
            .charges("a", "x")
            .order("b", in_support_of("a"), Instructions::default())
            .order("x", hold(), Instructions::default())
            .bonus("a", &[6, 6, 6])
            .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[6])
            .die(Purpose::FireVolley, &["x"], &[1, 1, 1])
            .ends(Ending::Broken)
            .play();
    assert_eq!(played.clashes.len(), 1);
    assert_eq!(played.sums("dice"), [3]);
}

/// B goes beside A on the side of Y, who faces west and fires at it.
fn fired_on_support(dice: &[u8]) -> Field {
    Field::of(vec![
        union("a", 30_000, 10_000),
        union("b", 34_500, 10_000),
        defender(),
        confederate("y", 40_000, 16_000).facing(27_000),
    ])
    .charges("a", "x")
    .order("b", in_support_of("a"), Instructions::default())
    .silent("x")
    .order("y", hold(), Instructions::default())
    .bonus("a", &[6, 6, 6])
    .die(Purpose::FireVolley, &["y"], dice)
}

#[test]
fn chg_43_a_support_that_is_fired_on_itself_takes_the_full_effect() {
    // 3 + 3 + 4 = 10 and 2 for a partial flank: 12 on sixteen men are three figures, none of them the point's.
    let played = fired_on_support(&[3, 3, 4]).ends(Ending::Recoiled).play();
    let hit: Vec<String> = played.story().into_iter().filter(|told| told.starts_with("y hits")).collect();
    assert_eq!(hit, ["y hits b at 3750: 3"]);
    assert_eq!(played.unit("a").figures(), 16);
}

#[test]
fn chg_44_a_support_that_is_shaken_drops_out_in_disorder() {
    // 6 + 6 + 5 = 17 and 2: nine figures of sixteen are two stands; both checks are failed or one is.
    let played = fired_on_support(&[6, 5, 3])
        .die(Purpose::MoraleStandLost, &["b"], &[1, 2])
        .die(Purpose::ShakenDistance, &["b"], &[1])
        .ends(Ending::Recoiled)
        .play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    assert!(played.unit("b").footing.disorder && played.unit("b").morale == Morale::Shaken);
}
