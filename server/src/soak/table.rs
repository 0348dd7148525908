//! `picket bot --table`: many battles, a row each, and what they come to.

use std::collections::BTreeMap;
use std::time::Duration;

use protocol::ids::Side;

use super::battle::{self, Fought, Wanted};
use super::say;

/// Minutes of a turn. SCALE-01
const MINUTES: u32 = 20;

/// Fights so many battles, each with a seed one higher, and prints them as they end.
pub(super) async fn play(first: &Wanted, battles: u32) -> Result<(), String> {
    say(
        "| seed | winner | points | hours | Union losses | Confederate losses | Union charges | Confederate charges | Union orders of note | Confederate orders of note | illegal orders |",
    );
    say("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut sums = Sums::default();
    for number in 0..battles {
        let wanted = Wanted { seed: first.seed.wrapping_add(u64::from(number)), ..first.clone() };
        let fought = battle::fight(&wanted).await?;
        say(&row(wanted.seed, &fought));
        sums.add(wanted.seed, &fought);
    }
    say("");
    say(&sums.sentence(battles));
    say(&sums.means(battles));
    say(&sums.pace());
    Ok(())
}

fn row(seed: u64, fought: &Fought) -> String {
    let Fought { last, reports } = fought;
    let winner = last.result.as_ref().map_or("unfinished".to_owned(), |result| match result.winner {
        Some(side) => side.to_string(),
        None => "draw".to_owned(),
    });
    let points = last.result.as_ref().map_or(last.points, |result| result.points);
    let minutes = minutes(last);
    format!(
        "| {seed} | {winner} | {} : {} | {}:{:02} | {} | {} | {} | {} | {} | {} | {} |",
        points.union,
        points.confederate,
        minutes / 60,
        minutes % 60,
        losses(&reports.union),
        losses(&reports.confederate),
        charges(&reports.union),
        charges(&reports.confederate),
        of_note(&reports.union),
        of_note(&reports.confederate),
        reports.union.illegal + reports.confederate.illegal,
    )
}

/// Figures, then each brigade's, with its units that are gone.
fn losses(report: &bot::Report) -> String {
    let brigades: Vec<String> = report
        .tally
        .losses
        .iter()
        .filter(|(_, loss)| 0 < loss.figures)
        .map(|(brigade, loss)| {
            let name = brigade.as_ref().map_or("others", |brigade| brigade.as_str());
            let gone = if loss.units == 0 { String::new() } else { format!(" ({} gone)", loss.units) };
            format!("{name} {}{gone}", loss.figures)
        })
        .collect();
    if brigades.is_empty() {
        return "0".to_owned();
    }
    format!("{}: {}", report.tally.figures(), brigades.join(", "))
}

fn charges(report: &bot::Report) -> String {
    let tally = &report.tally;
    format!("{}, {} struck, {} won", tally.charges, tally.struck, tally.won)
}

/// The orders of which a battle has few.
fn of_note(report: &bot::Report) -> String {
    let named = report.tally.orders.named();
    let some: Vec<String> =
        named.iter().filter(|(_, count)| 0 < *count).map(|(name, count)| format!("{name} {count}")).collect();
    if some.is_empty() { "none".to_owned() } else { some.join(", ") }
}

/// How long a battle lasted.
fn minutes(last: &crate::games::OutcomeSummary) -> u32 {
    last.key.turn.saturating_mul(MINUTES)
}

/// What all battles come to.
#[derive(Default)]
struct Sums {
    draws: u32,
    minutes: u32,
    /// Figures that each brigade lost, those without one under `others`.
    brigades: protocol::ids::BySide<BTreeMap<String, u32>>,
    orders: protocol::ids::BySide<BTreeMap<&'static str, u32>>,
    /// Turns for which a bot has sealed orders.
    turns: u32,
    /// The longest turn with its seed and number.
    slowest: (Duration, u64, u32),
    wins: protocol::ids::BySide<u32>,
    figures: protocol::ids::BySide<u32>,
    charges: protocol::ids::BySide<[u32; 3]>,
    illegal: u32,
}

impl Sums {
    fn add(&mut self, seed: u64, fought: &Fought) {
        let undecided = fought.last.result.as_ref().is_some_and(|result| result.winner.is_none());
        self.draws += u32::from(undecided);
        self.minutes += minutes(&fought.last);
        for side in [Side::Union, Side::Confederate] {
            let won = fought.last.result.as_ref().is_some_and(|result| result.winner == Some(side));
            let report = fought.reports.get(side);
            *self.wins.get_mut(side) += u32::from(won);
            *self.figures.get_mut(side) += report.tally.figures();
            let sums = self.charges.get_mut(side);
            for (sum, one) in sums.iter_mut().zip([report.tally.charges, report.tally.struck, report.tally.won]) {
                *sum += one;
            }
            self.illegal += report.illegal;
            self.turns += report.turns;
            if self.slowest.0 < report.slowest {
                self.slowest = (report.slowest, seed, report.slowest_turn);
            }
            for (brigade, loss) in &report.tally.losses {
                let name = brigade.as_ref().map_or("others", |brigade| brigade.as_str());
                *self.brigades.get_mut(side).entry(name.to_owned()).or_default() += loss.figures;
            }
            for (name, count) in report.tally.orders.named() {
                *self.orders.get_mut(side).entry(name).or_default() += count;
            }
        }
    }

    /// Hours and losses of a battle on the mean, brigade by brigade, and the orders of note.
    fn means(&self, battles: u32) -> String {
        let each = |count: u32| f64::from(count) / f64::from(battles.max(1));
        let of = |side: Side| {
            let brigades: Vec<String> =
                self.brigades.get(side).iter().map(|(name, figures)| format!("{name} {:.1}", each(*figures))).collect();
            let orders: Vec<String> = self
                .orders
                .get(side)
                .iter()
                .filter(|(_, count)| 0 < **count)
                .map(|(name, count)| format!("{name} {:.1}", each(*count)))
                .collect();
            format!(
                "the {side} loses {:.1} figures ({}), with orders of note: {}",
                each(*self.figures.get(side)),
                brigades.join(", "),
                orders.join(", ")
            )
        };
        let hours = each(self.minutes) / 60.0;
        format!("On the mean {hours:.1} hours, {} drawn; {}; {}", self.draws, of(Side::Union), of(Side::Confederate))
    }

    /// How many turns the bots have played, and how long the slowest took.
    fn pace(&self) -> String {
        let (time, seed, turn) = self.slowest;
        format!("{} bot turns; the slowest took {:.1} s, turn {turn} of seed {seed}", self.turns, time.as_secs_f64())
    }

    fn sentence(&self, battles: u32) -> String {
        let of = |side: Side| {
            let [charges, struck, won] = self.charges.get(side);
            format!(
                "the {side} wins {} of {battles}, loses {} figures, makes {charges} charges of which {struck} strike and {won} win",
                self.wins.get(side),
                self.figures.get(side)
            )
        };
        format!("{}; {}; {} illegal orders", of(Side::Union), of(Side::Confederate), self.illegal)
    }
}
