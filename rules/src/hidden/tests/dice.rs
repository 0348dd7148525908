//! Dice that only a side knows.

use protocol::event::Fact;
use protocol::ids::{Side, UnitId};
use protocol::orders::Stage;

use super::world::{Faces, REAL, World, hidden_unit};
use crate::catalogue::HID_68;
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, sentence};
use crate::hidden::under_seal;
use crate::play::{Audience, Play};
use crate::ruleset::Ruleset;

fn tell_a_roll(play: &mut Play<'_>, key: &[&str]) {
    let first = play.thrown(Purpose::MoraleHit, key) + 1;
    let thrown = throw(play.dice, play.phase, Purpose::MoraleHit, key, first, 2);
    let fact = Fact::Special { unit: Some(UnitId::new(key[0])) };
    play.tell(HID_68, fact, sentence("It rolls.").with_dice(thrown));
}

#[test]
fn hid_68_and_leak_12_and_13_a_secret_roll_moves_no_public_one() {
    let dice = Faces::of(3);
    let battle = World::new().hiding(REAL, Some(hidden_unit().at(30_000, 34_000)), (30_000, 34_000)).battle();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 7;
    under_seal(&mut play, REAL, |inner| tell_a_roll(inner, &["hidden"]));
    under_seal(&mut play, REAL, |inner| tell_a_roll(inner, &["hidden"]));
    tell_a_roll(&mut play, &["blue"]);
    tell_a_roll(&mut play, &["hidden"]);
    let asked = dice.asked(Purpose::MoraleHit);
    let wanted: Vec<(String, u32)> = [
        ("417:hidden", 1),
        ("417:hidden", 2),
        ("417:hidden", 3),
        ("417:hidden", 4),
        ("blue", 1),
        ("blue", 2),
        // Revealed later in the phase, its public dice begin with the first.
        ("hidden", 1),
        ("hidden", 2),
    ]
    .map(|(key, n)| (key.to_owned(), n))
    .into();
    assert_eq!(asked, wanted);
    let audiences: Vec<Audience> = play.events.iter().map(|event| event.audience).collect();
    let secret = Audience::Side(Side::Confederate);
    assert_eq!(audiences, [secret, secret, Audience::All, Audience::All]);
    // LEAK-11, LEAK-12 Each viewer numbers what he is shown.
    let viewer = protocol::view::Viewer::Side { side: Side::Union };
    let numbers: Vec<u32> = crate::view::events(&play.events, &viewer).iter().map(|event| event.n).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn hid_68_a_step_under_seal_changes_nobody_but_those_under_its_picket() {
    let dice = Faces::of(3);
    let battle = World::new().hiding(REAL, Some(hidden_unit().at(30_000, 34_000)), (30_000, 34_000)).battle();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    let before = play.table().clone();
    under_seal(&mut play, REAL, |inner| {
        inner.table_mut().all_units_mut().for_each(|(_, unit)| unit.marks.kills = 7);
    });
    assert_eq!(*play.table(), before);
    assert_eq!(play.battle.secrets.confederate.open().pickets[&REAL].units[0].marks.kills, 7);
}
