//! Command, supply and the turn's marks under pickets.

use protocol::event::Fact;
use protocol::ids::{BrigadeId, LeaderId, Side};
use protocol::orders::Stage;

use super::world::{Faces, REAL, World, hidden_unit, seen_by, told_to};
use crate::battle::{Battle, Post};
use crate::dice::Purpose;
use crate::hidden;
use crate::play::{Audience, Play};
use crate::ruleset::Ruleset;
use crate::testing::{Maker, commander_of, infantry, ix};

/// A hidden regiment of a brigade whose commander stands at `leader`, and an open one of the same brigade.
fn brigade(leader: (i32, i32), open: (i32, i32), under: Maker) -> Battle {
    let of_brigade = |maker: Maker| maker.with(|unit| unit.brigade = Some(BrigadeId::new("general")));
    let friend = of_brigade(infantry("friend", Side::Confederate).at(open.0, open.1).facing(18_000));
    let at = under.clone().unit().footing.anchor;
    let mut battle = World::new().with(friend).hiding(REAL, Some(of_brigade(under)), (at.x, at.y)).battle();
    commander_of(&mut battle.table, Side::Confederate, "general", Post::Brigade, leader, None);
    battle
}

/// Marks command at the start of a turn: whether the open and the hidden regiment are in command.
fn in_command(battle: Battle) -> (bool, bool) {
    let dice = Faces::of(3);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 1;
    crate::phases::turn::begin(&mut play);
    let own = play.battle.secrets.confederate.open();
    (play.table()[ix(play.table(), "friend")].marks.in_command, own.pickets[&REAL].units[0].marks.in_command)
}

#[test]
fn hid_21_a_hidden_unit_links_from_its_marker_to_open_leaders_and_through_open_friends() {
    // In the wood six inches are the radius of foot: 36 inches of cost at 6 an inch. The marker stands five away, the line too.
    let near = hidden_unit().at(30_000, 40_000);
    assert!(in_command(brigade((30_000, 45_500), (30_000, 44_000), near)).1);
    // A march column of 2.5 inches that points away from its leader: by its tail it would reach him, by its marker it does not.
    let away = hidden_unit().at(30_000, 37_000).formation(protocol::words::Formation::MarchColumn);
    let far = brigade((30_000, 45_000), (50_000, 20_000), away);
    assert!(!in_command(far).1);
}

#[test]
fn hid_21_and_leak_88_an_open_unit_never_links_through_hidden_ones_nor_to_a_hidden_leader() {
    // The commander stands beside the hidden regiment, and the open one is linked by it alone.
    let chain = |reveal: bool| {
        let mut battle = brigade((30_000, 47_000), (30_000, 39_000), hidden_unit().at(30_000, 41_000));
        if reveal {
            battle = hidden::behind(&battle, Side::Confederate);
        }
        crate::command::link(
            &crate::field::Field::before_dice(Ruleset::standard(), &battle.table),
            ix(&battle.table, "friend"),
        )
        .in_command()
    };
    assert!(!chain(false));
    assert!(chain(true), "the same link stands when it is revealed");
}

#[test]
fn hid_21_and_leak_55_who_is_out_of_command_under_a_picket_is_told_to_its_side_alone() {
    let battle = brigade((30_000, 10_000), (30_000, 12_000), hidden_unit().at(30_000, 48_000));
    let dice = Faces::of(3);
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
    play.phase = 1;
    crate::phases::turn::begin(&mut play);
    let told: Vec<Audience> = play
        .events
        .iter()
        .filter(|event| matches!(&event.fact, Fact::Command { unit, .. } if unit.as_str() == "hidden"))
        .map(|event| event.audience)
        .collect();
    assert_eq!(told, [Audience::Side(Side::Confederate)]);
}

#[test]
fn hid_74_and_leak_56_a_hidden_unit_finds_ammunition_under_seal() {
    let battle = |out: bool| {
        let unit = hidden_unit().at(30_000, 40_000).with(|unit| unit.ammunition_out_since = out.then_some(1));
        let mut battle = World::new().hiding(REAL, Some(unit), (30_000, 40_000)).battle();
        battle.table.turn = 2;
        battle
    };
    let dice = Faces::of(6);
    let out = dice.play(Stage::Orders, battle(true));
    let full = Faces::of(6).play(Stage::Orders, battle(false));
    assert_eq!(dice.asked(Purpose::ReplaceAmmunition), [("417:hidden".to_owned(), 1)]);
    assert_eq!(out.battle.secrets.confederate.open().pickets[&REAL].units[0].ammunition_out_since, None);
    assert_eq!(told_to(&out.events, Side::Union), told_to(&full.events, Side::Union));
    assert!(told_to(&out.events, Side::Confederate).contains("has ammunition again"));
    assert_eq!(seen_by(&out.battle, Side::Union), seen_by(&full.battle, Side::Union));
}

#[test]
fn hid_74_the_marks_of_hidden_units_are_cleared_and_counted_at_the_turns_end() {
    let unit = hidden_unit().at(30_000, 40_000).with(|unit| {
        (unit.marks.kills, unit.marks.fires, unit.carried.held_turns) = (3, 1, 1);
    });
    let battle = World::new().hiding(REAL, Some(unit), (30_000, 40_000)).battle();
    let outcome = Faces::of(3).play(Stage::Movement, battle);
    let unit = &outcome.battle.secrets.confederate.open().pickets[&REAL].units[0];
    assert_eq!((unit.marks.kills, unit.marks.fires), (0, 0));
    // It has stood two whole turns.
    assert_eq!(unit.carried.held_turns, 2);
    assert!(outcome.battle.secrets.confederate.open().picket_orders.is_empty());
}

#[test]
fn hid_11_and_leak_85_a_leader_under_the_picket_helps_it_and_an_open_one_does_not() {
    let helped = |hidden_leader: bool| {
        let mut battle = brigade((30_000, 40_500), (50_000, 20_000), hidden_unit().at(30_000, 40_000));
        if hidden_leader {
            let general = battle.table.leaders.remove(&LeaderId::new("general")).expect("he is there");
            let own = battle.secrets.confederate.open_mut();
            own.pickets.get_mut(&REAL).expect("it is there").leaders.push(general);
        }
        let dice = Faces::of(3);
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        let unit = ix(play.table(), "hidden");
        let open = crate::leaders::present(
            &crate::field::Field::new(play.rules, play.table(), &dice),
            ix(play.table(), "friend"),
        );
        assert!(open.is_none(), "a leader far off, or hidden, is not present with the open friend");
        hidden::under_seal(&mut play, REAL, |inner| {
            let field = crate::field::Field::new(inner.rules, inner.table(), inner.dice);
            crate::leaders::present(&field, unit).is_some()
        })
    };
    assert_eq!((helped(true), helped(false)), (Some(true), Some(false)));
}

#[test]
fn hid_63_and_leak_53_a_leader_under_a_picket_does_not_roll_and_nobody_rolls_for_what_is_hidden() {
    let mut battle = brigade((30_000, 40_000), (50_000, 20_000), hidden_unit().at(30_000, 33_900));
    let general = battle.table.leaders.remove(&LeaderId::new("general")).expect("he is there");
    battle.secrets.confederate.open_mut().pickets.get_mut(&REAL).expect("it is there").leaders.push(general);
    commander_of(&mut battle.table, Side::Union, "colonel", Post::Brigade, (30_000, 29_000), None);
    // The Confederate friend is more than twelve inches from the colonel; the hidden regiment five.
    let dice = Faces::of(3);
    dice.play(Stage::Movement, battle);
    assert_eq!(dice.asked(Purpose::OfficerHit), []);
}

/// A brigade of two regiments whose commander fell last turn, both hidden, or one of them open.
fn bereft(open: bool) -> Battle {
    let of_brigade = |maker: Maker| maker.with(|unit| unit.brigade = Some(BrigadeId::new("general")));
    let best = of_brigade(hidden_unit().at(30_000, 40_000).quality(protocol::words::Quality::Elite));
    let other = of_brigade(infantry("other", Side::Confederate).at(40_000, 40_000).facing(18_000));
    let world = World::new().hiding(REAL, Some(best), (30_000, 40_000));
    let mut battle = match open {
        true => world.with(other).battle(),
        false => world.hiding(super::world::DUMMY, Some(other), (40_000, 40_000)).battle(),
    };
    // The names that keep their places are of the brigade as printed.
    for id in ["hidden", "other"] {
        let unit = ix(&battle.table, id);
        battle.table[unit].brigade = Some(BrigadeId::new("general"));
    }
    commander_of(&mut battle.table, Side::Confederate, "general", Post::Brigade, (30_000, 41_000), None);
    let general = battle.table.leaders.get_mut(&LeaderId::new("general")).expect("he was put there");
    (general.lost_in, general.presence) = (Some(1), protocol::view::Presence::Removed);
    battle.table.turn = 2;
    battle
}

#[test]
fn hid_74_and_lead_16_and_leak_56_the_commander_of_a_wholly_hidden_brigade_is_replaced_under_seal() {
    // The elite regiment is the best: a die above 2 finds a man.
    let found = Faces::of(3).play(Stage::Orders, bereft(false));
    let vacant = Faces::of(2).play(Stage::Orders, bereft(false));
    let under = |battle: &Battle| {
        let leaders = &battle.secrets.confederate.open().pickets[&REAL].leaders;
        leaders.iter().map(|leader| (leader.id.to_string(), leader.level, leader.lost_in)).collect::<Vec<_>>()
    };
    assert_eq!(under(&found.battle), [("general".to_owned(), 0, None)]);
    assert_eq!(under(&vacant.battle), []);
    // To all others the post is vacant either way.
    assert_eq!(told_to(&found.events, Side::Union), told_to(&vacant.events, Side::Union));
    assert_eq!(seen_by(&found.battle, Side::Union), seen_by(&vacant.battle, Side::Union));
    let owner = told_to(&found.events, Side::Confederate);
    assert!(owner.contains("\"type\":\"replaced\""), "{owner}");
    // LEAD-17 From the next turn on he is the brigade's link, under his picket.
    let dice = Faces::of(3);
    let mut play = Play::new(Ruleset::standard(), &dice, found.battle, Stage::Movement);
    play.phase = 1;
    crate::phases::turn::begin(&mut play);
    let own = play.battle.secrets.confederate.open();
    assert!(own.pickets[&REAL].units[0].marks.in_command);
}

#[test]
fn hid_61_and_lead_16_of_a_brigade_with_an_open_regiment_that_one_alone_counts() {
    let outcome = Faces::of(4).play(Stage::Orders, bereft(true));
    let general = &outcome.battle.table.leaders[&LeaderId::new("general")];
    // A veteran's four is above his three: he appears beside the open regiment, and nobody under the picket.
    assert_eq!((general.presence, general.lost_in), (protocol::view::Presence::Table, None));
    assert_eq!(outcome.battle.secrets.confederate.open().pickets[&REAL].leaders, []);
}
