//! Leaders step out from under a picket. HID-11, HID-79

use protocol::event::Fact;
use protocol::ids::{LeaderId, PicketNumber, Side};
use protocol::orders::{Draft, Hides, LeaderDraft, Order, Stage, StepOut};
use protocol::view::Presence;

use crate::battle::{Battle, Leader, LeaderOrders, Post, known};
use crate::dice::ScriptedDice;
use crate::ruleset::Ruleset;
use crate::stage::{Envelopes, Outcome, resolve};
use crate::testing::{commander_of, hide, infantry, seat, table};

const REAL: PicketNumber = PicketNumber(417);
const HERE: (i32, i32) = (10_000, 10_000);

/// A regiment under 417 with its brigadier, who has said when he steps out.
fn hidden(step_out: Option<StepOut>) -> Battle {
    let open =
        [infantry("blue", Side::Union).at(30_000, 50_000), infantry("grey", Side::Confederate).at(30_000, 5_000)];
    let mut battle = crate::testing::battle(table(super::wood(0, 0, 25_000, 20_000), open));
    // A battle longer than its first turn: at the end all pickets are opened. HID-66
    let mut scenario = battle.table.scenario().clone();
    scenario.clock.turns = 9;
    battle.table.theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    commander_of(&mut battle.table, Side::Confederate, "brigadier", Post::Brigade, (1_000, 1_000), None);
    let rider: Leader = battle.table.leaders[&LeaderId::new("brigadier")].clone();
    hide(&mut battle, REAL, Some(infantry("hidden", Side::Confederate).at(HERE.0, HERE.1)), HERE, Side::Confederate);
    let id = rider.id.clone();
    if let Some(name) = battle.table.leaders.get_mut(&id) {
        name.presence = Presence::Hidden;
    }
    let secrets = battle.secrets.confederate.open_mut();
    let under = secrets.pickets.get_mut(&REAL).expect("it was hidden");
    assert!(matches!(under.hides, Hides::Unit { .. }));
    under.leaders.push(Leader { presence: Presence::Hidden, ..rider });
    let said = LeaderDraft { step_out, ..LeaderDraft::default() };
    secrets.leaders.insert(id, LeaderOrders { said: [(Stage::Orders, said)].into() });
    crate::testing::tell_picket(&mut battle, REAL, Order::Hold { task: None }, Default::default());
    battle
}

fn play(stage: Stage, battle: Battle) -> Outcome {
    let mut envelopes = Envelopes::new();
    // The orders window is opened anew, and forgets what was sealed before.
    if stage == Stage::Orders {
        let said = battle.secrets.confederate.open().leaders[&LeaderId::new("brigadier")].said[&Stage::Orders].clone();
        let leaders = [("brigadier".into(), said)].into();
        envelopes.insert(seat(Side::Confederate), Draft { leaders, ..Draft::default() });
    }
    resolve(Ruleset::standard(), stage, battle, &envelopes, &ScriptedDice::new())
}

fn is_out(battle: &Battle) -> bool {
    let leader = &battle.table.leaders[&LeaderId::new("brigadier")];
    leader.presence == Presence::Table && (leader.at.x, leader.at.y) == HERE
}

#[test]
fn hid_11_a_leader_steps_out_at_the_marker_s_point_when_he_was_told() {
    for (step_out, stage) in
        [(StepOut::WithOrders, Stage::Orders), (StepOut::Phase6, Stage::Charges), (StepOut::Phase7, Stage::Movement)]
    {
        let Outcome { battle, events } = play(stage, hidden(Some(step_out)));
        assert!(is_out(&battle), "{step_out:?}");
        let under = battle.secrets.confederate.open().pickets.get(&REAL).expect("its unit stays hidden");
        assert!(under.leaders.is_empty() && under.units.len() == 1);
        // His figure shows that the picket is real.
        assert!(battle.table.pickets[&REAL].confirmed.is_some());
        let told = events.iter().filter(|event| matches!(event.fact, Fact::LeaderArrived { .. })).count();
        assert_eq!(told, 1);
    }
}

#[test]
fn hid_11_he_stays_under_it_by_default_and_at_every_other_instant() {
    for (step_out, stage) in [
        (None, Stage::Orders),
        (None, Stage::Movement),
        (Some(StepOut::Never), Stage::Movement),
        (Some(StepOut::Phase6), Stage::Orders),
        (Some(StepOut::Phase7), Stage::Charges),
    ] {
        let Outcome { battle, .. } = play(stage, hidden(step_out));
        assert!(!is_out(&battle), "{step_out:?} in {stage:?}");
        assert_eq!(battle.secrets.confederate.open().pickets[&REAL].leaders.len(), 1);
        assert_eq!(battle.table.pickets[&REAL].confirmed, None);
    }
}

#[test]
fn hid_79_an_open_leader_cannot_be_told_to_step_out_and_a_hidden_one_not_too_late() {
    let told = |battle: &Battle, stage: Stage, step_out: StepOut| {
        let said = LeaderDraft { step_out: Some(step_out), ..LeaderDraft::default() };
        let draft = Draft { leaders: [("brigadier".into(), said)].into(), ..Draft::default() };
        let known = known(battle, Side::Confederate);
        let seat = seat(Side::Confederate);
        let (_, refusals) = crate::orders::legal_part(&known, Ruleset::standard(), &seat, stage, &draft);
        refusals.into_iter().map(|refusal| refusal.rule.to_string()).collect::<Vec<_>>()
    };
    let battle = hidden(None);
    assert!(told(&battle, Stage::Orders, StepOut::WithOrders).is_empty());
    assert!(told(&battle, Stage::Movement, StepOut::Phase7).is_empty());
    assert_eq!(told(&battle, Stage::Reactions, StepOut::WithOrders), ["HID-11"]);
    assert_eq!(told(&battle, Stage::Movement, StepOut::Phase6), ["HID-11"]);
    let Outcome { battle, .. } = play(Stage::Charges, hidden(Some(StepOut::Phase6)));
    assert_eq!(told(&battle, Stage::Movement, StepOut::Phase7), ["HID-79"]);
}
