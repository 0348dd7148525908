//! Charges and pickets. HID-53, HID-54

use protocol::event::OrderShown;
use protocol::orders::{FireOnCharges, Instructions, OpenFire, Order};

use super::*;
use crate::charge::declare;
use crate::dice::Purpose;
use crate::field::Field;
use crate::testing::{give, ix, tell_picket};

/// Every die shows a 3.
struct Threes;

impl Dice for Threes {
    fn die(&self, _: u8, _: Purpose, _: &[&str], _: u32) -> u8 {
        3
    }
}

fn seasoned(maker: Maker) -> Maker {
    maker.with(|unit| {
        unit.opening_volley_used = true;
        unit.first_casualty_taken = true;
        unit.marks.fires = 1;
    })
}

/// A regiment with its front at y = 20 charges one whose front is at y = 25; a wood in the west hides what stands in it.
fn field(target: bool) -> Battle {
    let blue = seasoned(infantry("blue", UNION).at(30_000, 20_000));
    let far = target.then(|| seasoned(infantry("far", CONFEDERATE).at(30_000, 25_000).facing(18_000)));
    let mut battle = battle_on(wood(0, 0, 12_000, 60_000), std::iter::once(blue).chain(far));
    let target = target.then(|| UnitId::new("far"));
    let charge = Order::Charge { target: target.clone(), bearing: None, objective: None, support_of: None };
    give(&mut battle, "blue", charge, Instructions::default());
    let ix = ix(&battle.table, "blue");
    battle.table[ix].marks.shown = Some(OrderShown::Charge { target, support_of: None });
    battle
}

/// Who is charged, in order.
fn charged(battle: Battle) -> (Battle, Vec<String>) {
    let mut play = Play::new(Ruleset::standard(), &Threes, battle, Stage::Charges);
    play.phase = 6;
    crate::phases::charges::play(&mut play);
    let of = |event: &Event| match &event.fact {
        Fact::Charged { unit, by } if by.as_str() == "blue" => Some(unit.as_str().to_owned()),
        _ => None,
    };
    let charged = play.events.iter().filter_map(of).collect();
    (play.battle, charged)
}

#[test]
fn hid_54_hidden_troops_in_the_way_of_a_charge_are_placed_and_become_its_target() {
    // The marker is out of sight in the wood; its regiment's front lies at y = 22.5, halfway to the target.
    let mut battle = field(true);
    let grey = seasoned(infantry("grey", CONFEDERATE).at(30_000, 22_500).facing(18_000));
    hide(&mut battle, GREY, Some(grey), (2_000, 20_000), CONFEDERATE);
    let (battle, charged) = charged(battle);
    assert_eq!(unit(&battle, "grey").picket, Some((GREY, 1)));
    assert_eq!(charged[..2], ["far", "grey"]);
    assert_eq!(unit(&battle, "grey").marks.charged_by, Some(UnitId::new("blue")));
}

#[test]
fn hid_54_hidden_troops_beside_the_way_are_placed_and_the_charge_goes_on() {
    // A regiment is 3.5 inches wide: this one begins 0.8 inch east of the charging one's flank, within touch.
    let mut battle = field(true);
    let grey = seasoned(infantry("grey", CONFEDERATE).at(34_300, 22_500).facing(18_000));
    hide(&mut battle, GREY, Some(grey), (2_000, 20_000), CONFEDERATE);
    let (battle, charged) = charged(battle);
    assert!(is_placed(&battle, "grey"));
    assert_eq!(charged.first().map(String::as_str), Some("far"));
    assert!(!charged.contains(&"grey".to_owned()));
}

#[test]
fn hid_54_a_dummy_is_removed_and_the_charge_goes_on_at_no_cost() {
    let (free, of_free) = charged(field(true));
    let mut battle = field(true);
    dummy(&mut battle, GREY, CONFEDERATE, (30_000, 22_500));
    let (battle, charged) = charged(battle);
    assert_eq!(gone(&battle), [(GREY, PicketEnd::Dummy)]);
    assert_eq!(charged, of_free);
    assert_eq!(unit(&battle, "blue"), unit(&free, "blue"));
}

#[test]
fn hid_53_a_picket_is_neither_the_nearest_enemy_nor_a_target() {
    let declared = |battle: &Battle, wish: Option<&str>| {
        let field = Field::new(Ruleset::standard(), &battle.table, &Threes);
        let wish = wish.map(UnitId::new);
        declare::declaration(&field, ix(&battle.table, "blue"), wish.as_ref(), None, None)
    };
    let at_far = Some(OrderShown::Charge { target: Some(UnitId::new("far")), support_of: None });
    for confirmed in [None, Some(1)] {
        let mut battle = field(true);
        under(&mut battle, GREY, CONFEDERATE, "grey", (30_000, 21_500));
        battle.table.pickets.get_mut(&GREY).expect("it is there").confirmed = confirmed;
        // It stands nearer than the open unit, and is named itself.
        assert_eq!(declared(&battle, None), at_far);
        assert_eq!(declared(&battle, Some("grey")), at_far);
        // Alone it is nobody.
        let mut alone = field(false);
        under(&mut alone, GREY, CONFEDERATE, "grey", (30_000, 21_500));
        assert_eq!(declared(&alone, None), None);
    }
}

/// The charge of [`field`], past a regiment hidden 1.5 inches deep in a wood in its west that ends at x = 24, and looks out of it on a
/// die of 3: less than six inches from the charge, long range of a rifle musket. Who is placed, and whether it has fired.
fn ambush(hides: bool, keys: Instructions) -> (bool, u32) {
    let mut battle = field(true);
    let mut scenario = battle.table.scenario().clone();
    scenario.ground = wood(0, 0, 24_000, 60_000);
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    let grey = infantry("grey", CONFEDERATE).at(22_500, 22_000).facing(9_000).with(|unit| {
        (unit.opening_volley_used, unit.first_casualty_taken) = (true, true);
    });
    hide(&mut battle, GREY, hides.then_some(grey), (22_500, 22_000), CONFEDERATE);
    tell_picket(&mut battle, GREY, Order::Hold { task: None }, keys);
    let (battle, charged) = charged(battle);
    assert_eq!(charged.first().map(String::as_str), Some("far"));
    let fired = battle.table.unit(&UnitId::new("grey")).map_or(0, |unit| unit.marks.fires);
    (hides && is_placed(&battle, "grey"), fired)
}

#[test]
fn hid_52_and_chg_50_a_hidden_bystander_opens_fire_at_a_charge_when_it_was_told_to_and_a_dummy_never() {
    let open = |open_fire| Instructions { open_fire, ..Instructions::default() };
    assert_eq!(ambush(true, open(Some(OpenFire::AtLong {}))), (true, 1));
    // Nobody said anything: every order but FIRST FIRE keeps hidden.
    assert_eq!(ambush(true, open(None)), (false, 0));
    assert_eq!(ambush(true, open(Some(OpenFire::AtClose {}))), (false, 0));
    assert_eq!(ambush(true, open(Some(OpenFire::WhenCharged {}))), (false, 0));
    // CHG-50 Who declines to fire at charges keeps hidden too.
    let declines = Instructions { fire_on_charges: Some(FireOnCharges::Never), ..open(Some(OpenFire::AtLong {})) };
    assert_eq!(ambush(true, declines), (false, 0));
    assert_eq!(ambush(false, open(Some(OpenFire::AtLong {}))), (false, 0));
}

#[test]
fn hid_76_looks_along_a_charge_that_find_nothing_tell_nothing() {
    let told = |marker: bool| {
        let mut battle = field(true);
        if marker {
            // Deep in the wood, ten inches from its edge.
            dummy(&mut battle, GREY, CONFEDERATE, (2_000, 20_000));
        }
        let mut play = Play::new(Ruleset::standard(), &Threes, battle, Stage::Charges);
        play.phase = 6;
        crate::phases::charges::play(&mut play);
        play.events.into_iter().map(|event| event.fact).collect::<Vec<Fact>>()
    };
    assert_eq!(told(true), told(false));
}
