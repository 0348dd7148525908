//! What is told of a game when it is over: seeds, envelopes, and every throw, those too that were a side's secret. HID-72
//!
//! Owns when it is told, and to whom. What a player makes of it stands in [`crate::verify`].

use protocol::message::StageAt;
use protocol::message::rest::{DisclosedEnvelope, DisclosedSeed, DisclosedThrow, Disclosure};
use rules::archive;
use rules::play::Audience;
use tracing::error;

use super::look::hex;
use super::{Games, Refused, stage_of};
use crate::store::{Disclosed, EnvelopeRecord, GameId, GameRecord, OutcomeRecord, StageKey, Status, TokenHash};

/// Stages read from the store at once.
const AT_ONCE: u32 = 16;

impl Games {
    /// All that was secret of the chance and the orders of a game, for a player of it, once it is over. While a campaign goes on of which
    /// it was part it stays secret. LEAK-75
    pub async fn disclosure(&self, game: GameId, token: &str) -> Result<Disclosure, Refused> {
        let record = self.shared.store.game(game).await?;
        if self.shared.store.seat_of_token(game, TokenHash::of(token)).await?.is_none() {
            return Err(Refused::new("forbidden", "this is not a seat of the game; open your invitation again"));
        }
        if record.status != Status::Ended {
            return Err(Refused::new("not_over", "seeds, orders and secret dice are told when the game is over"));
        }
        let (_, newest) = self.standing(game).await?;
        if newest.battle.table.scenario().options.campaign {
            let why = "the game was part of a campaign, and what was secret in it is told when that is over";
            return Err(Refused::new("not_over", why));
        }
        let Disclosed { seeds, envelopes } = self.shared.store.disclosed(game).await?;
        let mut seats: Vec<_> = self.shared.store.seats(game).await?.into_iter().map(|seat| seat.seat).collect();
        seats.sort();
        let mut throws = Vec::new();
        for line in 1..=record.line {
            throws.extend(self.throws(&record, line).await?);
        }
        let seeds = seeds.into_iter().map(|(line, turn, seed, commitment)| DisclosedSeed {
            line,
            turn,
            seed: hex(seed.expose()),
            commitment: commitment.hex(),
        });
        let envelopes = envelopes.iter().map(|(key, envelope)| told(*key, envelope)).collect::<Result<_, _>>()?;
        Ok(Disclosure { game: game.to_string(), seats, seeds: seeds.collect(), envelopes, throws })
    }

    /// The throws of all stages of a line, in the order in which they were entered.
    async fn throws(&self, game: &GameRecord, line: u32) -> Result<Vec<DisclosedThrow>, Refused> {
        let mut throws = Vec::new();
        let mut from = 0;
        loop {
            let rows = self.shared.store.outcomes(game.id, line, from, AT_ONCE).await?;
            let Some(last) = rows.last().map(|row| row.number) else { return Ok(throws) };
            let id = game.id;
            let read = self.compute(move || rows.iter().map(throws_of).collect::<Result<Vec<_>, _>>()).await?;
            let read = read.map_err(|cause| {
                error!(game.id = %id, line, %cause, "games: a stage cannot be read");
                Refused::new("unavailable", "the battle cannot be read by this version of the server; tell the host")
            })?;
            throws.extend(read.into_iter().flatten());
            from = last + 1;
        }
    }
}

fn throws_of(row: &OutcomeRecord) -> Result<Vec<DisclosedThrow>, archive::Unreadable> {
    let StageKey { line, turn, .. } = row.key;
    let mut throws = Vec::new();
    for event in archive::restore_events(&row.events)? {
        let side = match event.audience {
            Audience::All | Audience::Both | Audience::Umpire => None,
            Audience::Side(side) => Some(side),
            // LOS-10 The umpire's fact, in whose place this one is told, has the throw.
            Audience::Instead(_) => continue,
        };
        let of_event = event.explanation.dice.into_iter();
        throws.extend(of_event.map(|dice| DisclosedThrow { line, turn, phase: event.phase, side, dice }));
    }
    Ok(throws)
}

fn told(key: StageKey, envelope: &EnvelopeRecord) -> Result<DisclosedEnvelope, Refused> {
    let unreadable = || Refused::new("unavailable", "what was sealed cannot be read by this version of the server");
    let stage = stage_of(key.stage).ok_or_else(unreadable)?;
    let content = String::from_utf8(envelope.body.as_bytes().to_vec()).map_err(|_| unreadable())?;
    Ok(DisclosedEnvelope {
        at: StageAt { line: key.line, turn: key.turn, stage },
        seat: envelope.seat.clone(),
        hash: envelope.hash.hex(),
        salt: hex(envelope.salt.expose()),
        nonce: hex(envelope.nonce.expose()),
        content,
    })
}
