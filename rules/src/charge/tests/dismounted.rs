//! Horse on foot that is charged. CAV-12, CAV-24

use protocol::orders::{FormTask, IfCharged};
use protocol::words::Formation;

use super::*;
use crate::testing::cavalry;

/// A charge of 15 inches at dismounted veterans nine inches off.
fn at_troopers(order: Order, said: Instructions) -> Field {
    let on_foot = |unit: &mut Unit| {
        unit.mounted = false;
        (unit.stand_width, unit.stand_depth) = (750, 625);
    };
    let troopers = cavalry("x", Side::Confederate).at(30_000, 19_000).facing(18_000).with(on_foot);
    Field::of(vec![union("a", 30_000, 10_000), seasoned(troopers.formation(Formation::DismountedLine))])
        .charges("a", "x")
        .order("x", order, said)
        .bonus("a", &[3, 3, 3])
        .ends(Ending::Fought)
}

fn silent() -> Instructions {
    Instructions { fire: Some(false), ..Instructions::default() }
}

#[test]
fn cav_24_who_was_to_mount_takes_the_charge_on_foot() {
    let order = Order::Form { task: FormTask::Mount { formation: Formation::SingleLine } };
    let played = at_troopers(order, silent()).play();
    assert!(played.clashes[0].defender.forming, "it is caught in the act");
    let unit = played.unit("x");
    assert_eq!((unit.mounted, unit.footing.formation), (false, Formation::DismountedLine));
}

#[test]
fn cav_24_a_formation_of_the_saddle_counts_as_absent_against_a_charge() {
    let forms_in = |formation| {
        let said = Instructions { if_charged: Some(IfCharged::Form), form_if_charged: Some(formation), ..silent() };
        let played = at_troopers(Order::Hold { task: None }, said).die(Purpose::CfForm, &["x"], &[6]).play();
        (played.unit("x").mounted, played.unit("x").footing.formation)
    };
    assert_eq!(forms_in(Formation::DoubleLine), (false, Formation::DismountedLine));
    assert_eq!(forms_in(Formation::SkirmishLine), (false, Formation::SkirmishLine));
}

#[test]
fn cav_12_troopers_on_foot_fire_the_volley_of_infantry_at_a_charge() {
    // At two inches: beyond the close range of a carbine, one inch. A volley of ones takes nobody.
    let played = at_troopers(Order::Hold { task: None }, Instructions::default())
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[4])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1])
        .play();
    assert!(played.story().iter().any(|told| told == "x fires at 2000"), "{:?}", played.story());
}
