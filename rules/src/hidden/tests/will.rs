//! Pickets given up of their owner's will.

use protocol::event::{Fact, PicketEnd};
use protocol::ids::{PicketNumber, Side, UnitId};
use protocol::orders::{Instructions, Order, Reveal, Stage};
use protocol::view::{Presence, Viewer};

use crate::battle::Battle;
use crate::dice::ScriptedDice;
use crate::ruleset::Ruleset;
use crate::stage::{Envelopes, Outcome, resolve};
use crate::testing::{hide, infantry, table};

const REAL: PicketNumber = PicketNumber(417);
const DUMMY: PicketNumber = PicketNumber(802);

/// A regiment under 417 and a dummy 802, both told `reveal`, with the orders of this turn sealed.
fn hidden(reveal: Reveal) -> Battle {
    let open =
        [infantry("blue", Side::Union).at(30_000, 50_000), infantry("grey", Side::Confederate).at(30_000, 5_000)];
    // Deep in the woods, out of sight of everybody.
    let mut battle = crate::testing::battle(table(super::wood(0, 0, 25_000, 20_000), open));
    // A battle longer than its first turn: at the end all pickets are opened. HID-66
    let mut scenario = battle.table.scenario().clone();
    scenario.clock.turns = 9;
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    hide(
        &mut battle,
        REAL,
        Some(infantry("hidden", Side::Confederate).at(10_000, 10_000)),
        (10_000, 10_000),
        Side::Confederate,
    );
    hide(&mut battle, DUMMY, None, (20_000, 10_000), Side::Confederate);
    let said = Instructions { reveal: Some(reveal), ..Instructions::default() };
    for number in [REAL, DUMMY] {
        crate::testing::tell_picket(&mut battle, number, Order::Hold { task: None }, said.clone());
    }
    battle
}

fn play(stage: Stage, battle: Battle) -> Outcome {
    resolve(Ruleset::standard(), stage, battle, &Envelopes::new(), &ScriptedDice::new())
}

#[test]
fn hid_48_a_picket_given_up_when_a_window_closes_is_replaced_and_a_dummy_withdrawn() {
    let moments = [
        (Reveal::WithReactions {}, Stage::Reactions, 4),
        (Reveal::WithCharges {}, Stage::Charges, 6),
        (Reveal::WithMovement {}, Stage::Movement, 7),
        (Reveal::EndOfTurn {}, Stage::Movement, 9),
    ];
    for (reveal, stage, phase) in moments {
        let Outcome { battle, events } = play(stage, hidden(reveal));
        let unit = battle.table.unit(&UnitId::new("hidden")).expect("it keeps its place in the list");
        assert_eq!(unit.presence, Presence::Table, "{reveal:?}");
        assert_eq!(unit.picket.map(|(number, _)| number), Some(REAL));
        assert!(battle.table.pickets.is_empty(), "{reveal:?}");
        let ends: Vec<_> = battle.table.pickets_gone.iter().map(|(number, gone)| (*number, gone.how)).collect();
        assert_eq!(ends, [(REAL, PicketEnd::Placed), (DUMMY, PicketEnd::Withdrawn)]);
        // LEAK-44 All that happens at one instant is one fact, by number.
        let changed = events.iter().filter(|event| matches!(event.fact, Fact::PicketsChanged { .. }));
        // It opens the first phase of the stage, or closes the turn: no phase of its own, which would be another turn's.
        assert_eq!(changed.map(|event| event.phase).collect::<Vec<_>>(), [phase], "{reveal:?}");
    }
}

#[test]
fn hid_48_it_stays_hidden_where_nothing_is_said_or_the_moment_is_another() {
    for (reveal, stage) in [
        (Reveal::Never {}, Stage::Movement),
        (Reveal::WithCharges {}, Stage::Reactions),
        (Reveal::EnemyWithin { distance: 5_000 }, Stage::Charges),
    ] {
        let Outcome { battle, .. } = play(stage, hidden(reveal));
        assert_eq!(battle.table.pickets.len(), 2, "{reveal:?}");
        let unit = battle.table.unit(&UnitId::new("hidden")).expect("it keeps its place in the list");
        assert_eq!(unit.presence, Presence::Hidden);
    }
}

#[test]
fn hid_13_only_its_own_side_is_shown_what_is_under_a_picket() {
    let battle = hidden(Reveal::Never {});
    let seen_by = |viewer: Viewer| crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer);
    let own = seen_by(Viewer::Side { side: Side::Confederate });
    let under = own.units.iter().find(|unit| unit.id.as_str() == "hidden").expect("its side sees it");
    assert_eq!((under.presence, under.picket), (Presence::Hidden, Some(REAL)));
    assert!(own.pickets.iter().all(|picket| picket.own.is_some()));
    for viewer in [Viewer::Side { side: Side::Union }, Viewer::Public {}] {
        let seen = seen_by(viewer.clone());
        assert!(seen.units.iter().all(|unit| unit.id.as_str() != "hidden"), "{viewer:?}");
        assert_eq!(seen.pickets.len(), 2);
        assert!(seen.pickets.iter().all(|picket| picket.own.is_none()));
    }
    let umpire = seen_by(Viewer::Umpire {});
    assert!(umpire.units.iter().any(|unit| unit.id.as_str() == "hidden"));
    assert!(umpire.pickets.iter().all(|picket| picket.own.is_some()));
}
