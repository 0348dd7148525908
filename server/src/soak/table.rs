//! `picket bot --table`: many battles, a row each, and what they come to.

use protocol::ids::Side;

use super::battle::{self, Fought, Wanted};
use super::say;

/// Minutes of a turn. SCALE-01
const MINUTES: u32 = 20;

/// Fights so many battles, each with a seed one higher, and prints them as they end.
pub(super) async fn play(first: &Wanted, battles: u32) -> Result<(), String> {
    say(
        "| seed | winner | points | hours | Union losses | Confederate losses | Union charges | Confederate charges | illegal orders |",
    );
    say("|---|---|---|---|---|---|---|---|---|");
    let mut sums = Sums::default();
    for number in 0..battles {
        let wanted = Wanted { seed: first.seed.wrapping_add(u64::from(number)), ..first.clone() };
        let fought = battle::fight(&wanted).await?;
        say(&row(wanted.seed, &fought));
        sums.add(&fought);
    }
    say("");
    say(&sums.sentence(battles));
    Ok(())
}

fn row(seed: u64, fought: &Fought) -> String {
    let Fought { last, reports } = fought;
    let winner = last.result.as_ref().map_or("unfinished".to_owned(), |result| match result.winner {
        Some(side) => side.to_string(),
        None => "draw".to_owned(),
    });
    let points = last.result.as_ref().map_or(last.points, |result| result.points);
    let minutes = last.key.turn.saturating_mul(MINUTES);
    format!(
        "| {seed} | {winner} | {} : {} | {}:{:02} | {} | {} | {} | {} | {} |",
        points.union,
        points.confederate,
        minutes / 60,
        minutes % 60,
        losses(&reports.union),
        losses(&reports.confederate),
        charges(&reports.union),
        charges(&reports.confederate),
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

/// What all battles come to.
#[derive(Default)]
struct Sums {
    wins: protocol::ids::BySide<u32>,
    figures: protocol::ids::BySide<u32>,
    charges: protocol::ids::BySide<[u32; 3]>,
    illegal: u32,
}

impl Sums {
    fn add(&mut self, fought: &Fought) {
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
        }
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
