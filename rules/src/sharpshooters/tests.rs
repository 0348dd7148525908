use protocol::event::Morale;
use protocol::ids::Side;
use protocol::orders::{Draft, Instructions, Stage, UnitDraft};
use protocol::words::Formation;

use super::*;
use crate::battle::{Battle, known};
use crate::dice::ScriptedDice;
use crate::orders;
use crate::ruleset::Ruleset;
use crate::stage;
use crate::testing::{self, Maker, infantry, ix, open_ground, table};

/// A detachment of so many figures at the left of the regiment `host`, so many thousandths off, and an enemy far away.
fn battle(figures: u32, gap: i32, change: fn(Maker) -> Maker) -> Battle {
    // The regiment's line is 3.5 wide: its left end at 28.25. The detachment's stand is one inch wide here.
    let detachment = infantry("s", Side::Union).at(28_250 - gap - 500, 30_000).formation(Formation::SkirmishLine);
    let detachment = detachment.with(|unit| {
        unit.arm = Arm::Sharpshooter;
        unit.weapon = "sharpshooter_rifle".to_owned();
        unit.stands.truncate(1);
        (unit.stands[0].figures, unit.stands[0].full) = (figures, figures);
        (unit.stands_at_start, unit.figures_at_start, unit.stand_width) = (1, figures, 1_000);
    });
    let host = change(infantry("host", Side::Union).at(30_000, 30_000));
    let enemy = infantry("z", Side::Confederate).at(30_000, 58_000).facing(18_000);
    testing::battle(table(open_ground(), [detachment, host, enemy]))
}

fn order() -> Order {
    Order::Form { task: FormTask::JoinRegiment { regiment: "host".into() } }
}

fn draft(unit: &str) -> Draft {
    let said = UnitDraft { order: Some(order()), ..UnitDraft::default() };
    Draft { units: [(unit.into(), said)].into(), ..Draft::default() }
}

fn refused(battle: &Battle, unit: &str) -> Vec<String> {
    let (known, seat) = (known(battle, Side::Union), testing::seat(Side::Union));
    let refusals = orders::check(&known, Ruleset::standard(), &seat, Stage::Orders, &draft(unit));
    refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect()
}

/// Phases 2 and 3 with the order to join.
fn joined(battle: Battle) -> Battle {
    let envelopes = [(testing::seat(Side::Union), draft("s"))].into();
    let dice = ScriptedDice::new();
    let outcome = stage::resolve(Ruleset::standard(), Stage::Orders, battle, &envelopes, &dice);
    dice.finish().expect("nobody throws");
    outcome.battle
}

fn presence(battle: &Battle) -> Presence {
    battle.table[ix(&battle.table, "s")].presence
}

#[test]
fn sharp_11_a_detachment_joins_a_regiment_within_an_inch() {
    let same = |maker: Maker| maker;
    assert!(refused(&battle(2, 1_000, same), "s").is_empty());
    assert_eq!(refused(&battle(2, 1_010, same), "s"), ["SHARP-11"], "too far");
    assert_eq!(refused(&battle(1, 0, same), "s"), ["SHARP-11"], "a single figure");
    assert_eq!(refused(&battle(2, 0, same), "host"), ["SHARP-11"], "no sharpshooters");
    let taken = |maker: Maker| maker.with(|unit| unit.sharpshooters = Some("others".into()));
    assert_eq!(refused(&battle(2, 0, taken), "s"), ["SHARP-11"], "one detachment a regiment");
    let mounted = |maker: Maker| maker.with(|unit| unit.arm = Arm::Cavalry);
    assert_eq!(refused(&battle(2, 0, mounted), "s"), ["SHARP-11"], "no infantry");
    let after = joined(battle(2, 1_000, same));
    assert_eq!(presence(&after), Presence::Attached);
    assert_eq!(after.table[ix(&after.table, "host")].sharpshooters, Some("s".into()));
    assert_eq!(after.table.units().count(), 2, "it is no unit of its own any more");
    let viewer = protocol::view::Viewer::Side { side: Side::Confederate };
    let shown = crate::view::view(Ruleset::standard(), &after, Stage::Orders, &viewer);
    let host = shown.units.iter().find(|unit| unit.id.as_str() == "host").expect("the regiment is seen");
    assert_eq!(host.sharpshooters, Some("s".into()));
}

#[test]
fn sharp_11_not_while_either_is_routed() {
    let routed = |maker: Maker| maker.morale(Morale::Routed).with(|unit| unit.marks.at_its_guns = false);
    let mut battle = battle(2, 0, routed);
    testing::give(&mut battle, "s", order(), Instructions::default());
    let dice = ScriptedDice::new();
    let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Orders);
    join(&mut play);
    assert_eq!(presence(&play.battle), Presence::Table);
}

#[test]
fn sharp_12_they_share_what_becomes_of_the_regiment() {
    let after = |change: fn(&mut crate::battle::Unit)| {
        let mut battle = joined(battle(2, 0, |maker| maker));
        let host = ix(&battle.table, "host");
        change(&mut battle.table[host]);
        let dice = ScriptedDice::new();
        let mut play = Play::new(Ruleset::standard(), &dice, battle, Stage::Movement);
        share(&mut play);
        let told = play.events.len();
        let unit = &play.table()[ix(play.table(), "s")];
        (unit.morale, unit.presence, told)
    };
    assert_eq!(after(|unit| unit.morale = Morale::Shaken), (Morale::Shaken, Presence::Attached, 0));
    assert_eq!(after(|unit| unit.morale = Morale::Routed), (Morale::Routed, Presence::Attached, 0));
    assert_eq!(after(|unit| unit.presence = Presence::Left), (Morale::Good, Presence::Left, 0));
    assert_eq!(after(|unit| unit.presence = Presence::Removed), (Morale::Good, Presence::Removed, 1));
    // It takes no order, so it cannot leave again.
    let battle = joined(battle(2, 0, |maker| maker));
    assert_eq!(refused(&battle, "s"), ["ORD-01"]);
}
