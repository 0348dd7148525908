//! All that a viewer may ask of a battle, asked at random, as bytes: the doors of the server's socket beside the view.

use protocol::ids::{SeatId, UnitId};
use protocol::orders::{Draft, Order, Stage, UnitDraft};
use serde::Serialize;

use super::chance::Chance;
use super::players::random_draft;
use crate::battle::Known;
use crate::odds::{self, Question};
use crate::ruleset::Ruleset;
use crate::{movement, needs, orders, standing};

/// An answer: what was asked, and the bytes that are sent.
pub(super) struct Answer {
    pub(super) asked: String,
    pub(super) bytes: String,
}

/// Asks a seat's questions. The same numbers ask the same of two worlds that look alike.
pub(super) fn ask(known: &Known, rules: &Ruleset, seat: &SeatId, stage: Stage, chance: &mut Chance) -> Vec<Answer> {
    let mut answers = Vec::new();
    let mut answer = |asked: String, bytes: String| answers.push(Answer { asked, bytes });
    let draft = random_draft(known, seat, stage, chance);
    let refusals = orders::check(known, rules, seat, stage, &draft);
    answer("check".to_owned(), json(&refusals));
    answer("without order".to_owned(), json(&orders::without_order(known, seat, &draft)));
    answer("needs".to_owned(), json(&needs::needs(known, rules, seat, stage)));
    // A number that is not the asker's own, whatever it hides. LEAK-21, LEAK-66
    answer(
        "order to strange pickets".to_owned(),
        json(&orders::check(known, rules, seat, stage, &to_strangers(known))),
    );
    let own: Vec<UnitId> = known.table.units_of(known.side).map(|(_, unit)| unit.id.clone()).collect();
    let enemies: Vec<UnitId> =
        known.table.all_units().filter(|(_, unit)| unit.side != known.side).map(|(_, unit)| unit.id.clone()).collect();
    for _ in 0..3 {
        let (Some(unit), Some(enemy)) = (chance.one_of(&own), chance.one_of(&enemies)) else { continue };
        if let Some(order) = draft.units.get(unit).and_then(|said| said.order.clone()) {
            answer(format!("preview of {unit}"), preview(known, rules, unit, &order));
        }
        answer(format!("standing of {enemy}"), json(&standing::standing(known, rules, stage, enemy, None)));
        answer(format!("standing of {unit}"), json(&standing::standing(known, rules, stage, unit, Some(&draft))));
        answer(format!("odds of {unit} at {enemy}"), asked_odds(known, rules, (seat, stage), &draft, (unit, enemy)));
    }
    answers
}

/// An order to every picket of the enemy.
fn to_strangers(known: &Known) -> Draft {
    let strange = known.table.pickets.values().filter(|picket| picket.side != known.side);
    let hold = || UnitDraft { order: Some(Order::Hold { task: None }), ..UnitDraft::default() };
    Draft { pickets: strange.map(|picket| (picket.number, hold())).collect(), ..Draft::default() }
}

fn preview(known: &Known, rules: &Ruleset, unit: &UnitId, order: &Order) -> String {
    json(&movement::preview(known, rules, unit, order))
}

fn asked_odds(
    known: &Known,
    rules: &Ruleset,
    (seat, stage): (&SeatId, Stage),
    draft: &Draft,
    (unit, enemy): (&UnitId, &UnitId),
) -> String {
    let question = Question::of(known, rules, (seat, stage), Some(draft), (unit, enemy), None);
    match odds::odds(known, rules, &question) {
        Ok(odds) => json(&odds),
        Err(refused) => format!("{refused:?}"),
    }
}

/// The bytes of an answer, as the socket sends them.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers hold only what JSON can write")
}
