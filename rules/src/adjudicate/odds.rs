//! What a volley of a case would do, before a die is thrown.
//!
//! Owns the way from a [`Case`] to a question of [`crate::odds`], and the answer as a referee writes it down. No phase is
//! played: the units stand as the case has them, and what they are ordered counts as not yet revealed.

use protocol::ids::{SeatId, UnitId};
use protocol::message::{Chance, Fate, Odds, OddsFire, OddsLoss};
use protocol::orders::Stage;

use super::told::{line, of_sum, of_table};
use super::{Case, of_side, set_up};
use crate::battle::known;
use crate::dice::ScriptedDice;
use crate::leaders;
use crate::odds::{self, NotAsked, Question};
use crate::play::Play;
use crate::ruleset::Ruleset;
use crate::setup::Seating;

/// What the volley of `firer` at `target` would do, from what the firer's side knows: by the order that the case gives it,
/// else as on HOLD; `fire` asks for another.
///
/// # Errors
/// When there is no such firer on the table, or no such enemy that it knows of.
pub fn odds(
    case: &Case,
    rules: &Ruleset,
    (firer, target): (&UnitId, &UnitId),
    fire: Option<OddsFire>,
) -> Result<Odds, NotAsked> {
    let no_dice = ScriptedDice::new();
    let mut play = Play::new(rules, &no_dice, set_up::battle(case, rules), Stage::Orders);
    leaders::begin_turn(&mut play);
    let mut battle = play.battle;
    set_up::command(&mut battle, case);
    set_up::show_orders(&mut battle, case);
    let side = battle.table.unit(firer).ok_or(NotAsked::NotOwn)?.side;
    let seat: SeatId = Seating::one_each().otherwise.get(side).clone();
    let draft = case.envelopes.get(&Stage::Orders).map(|draft| of_side(draft, &battle, side));
    let known = known(&battle, side);
    let question = Question::of(&known, rules, (&seat, Stage::Orders), draft.as_ref(), (firer, target), fire);
    odds::odds(&known, rules, &question)
}

/// An answer as text for reading: the sentence, how it is reckoned, then losses and morale with their chances.
pub fn odds_text(odds: &Odds) -> String {
    let mut out = String::new();
    let fire = match odds.fire {
        OddsFire::FirstFire => "on FIRST FIRE",
        OddsFire::Hold => "on HOLD",
        OddsFire::Moving => "after moving",
    };
    line(&mut out, 0, &format!("{} at {}, {fire}", odds.firer, odds.target));
    out.push('\n');
    let told = &odds.explanation;
    match &odds.refused {
        Some(refused) => line(&mut out, 1, &format!("{} ({})", told.sentence, refused.rule)),
        None => line(&mut out, 1, &told.sentence),
    }
    told.sums.iter().for_each(|sum| line(&mut out, 2, &of_sum(sum)));
    told.tables.iter().for_each(|table| line(&mut out, 2, &of_table(table)));
    told.notes.iter().for_each(|note| line(&mut out, 2, &format!("{} ({})", note.text, note.rule)));
    if !odds.losses.is_empty() {
        heading(&mut out, "Losses of the target");
        odds.losses.iter().for_each(|loss| row(&mut out, &loss_words(loss), &loss.chance));
    }
    if !odds.fates.is_empty() {
        heading(&mut out, "Its morale after its checks");
        odds.fates.iter().for_each(|fate| row(&mut out, fate_words(fate.fate), &fate.chance));
        if let Some(check) = &odds.check {
            line(&mut out, 2, &format!("first check, {}", of_sum(check)));
        }
    }
    out
}

fn heading(out: &mut String, words: &str) {
    out.push('\n');
    line(out, 0, words);
    out.push('\n');
}

/// `none              56.9 %  41/72`
fn row(out: &mut String, what: &str, chance: &Chance) {
    let tenths = (chance.millionths + 500) / 1_000;
    let percent = format!("{}.{} %", tenths / 10, tenths % 10);
    line(out, 1, &format!("{what:<28}{percent:>8}  {}", chance.exact));
}

fn loss_words(loss: &OddsLoss) -> String {
    let counted = |count: u32, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
    match (loss.figures, loss.stands, loss.horses) {
        (0, _, 0) => "none".to_owned(),
        (0, _, horses) => counted(horses, "horse"),
        (figures, 0, 0) => counted(figures, "figure"),
        (figures, stands, 0) => format!("{}, {}", counted(figures, "figure"), counted(stands, "stand")),
        (figures, _, horses) => format!("{}, {}", counted(figures, "section"), counted(horses, "horse")),
    }
}

fn fate_words(fate: Fate) -> &'static str {
    match fate {
        Fate::Good => "good",
        Fate::Shaken => "shaken",
        Fate::Routed => "routed",
        Fate::PickedUp => "picked up",
        Fate::Destroyed => "nobody left",
    }
}
