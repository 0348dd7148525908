//! What is read of a game that is over, and refused before: seeds, commitments and envelopes. HID-72

use super::connection::{Connection, Failure, sql, values};
use super::reads::{game, read_envelope};
use super::writer::Operation;
use super::{EnvelopeRecord, GameId, Hash, Seed, StageKey, Status, StoreError};

/// The secrets of a game that is over.
pub struct Disclosed {
    /// Line, turn, seed and commitment, in the order of lines and turns.
    pub seeds: Vec<(u32, u32, Seed, Hash)>,
    /// What was sealed, in the order of lines, turns, stages and seats.
    pub envelopes: Vec<(StageKey, EnvelopeRecord)>,
}

/// The secrets of a game. Refused while it is not over.
pub(crate) struct ReadDisclosed(pub(crate) GameId);

impl Operation for ReadDisclosed {
    type Answer = Disclosed;

    async fn run(&self, db: &mut Connection) -> Result<Disclosed, Failure> {
        let status = game(db, self.0).await?.status;
        if status != Status::Ended {
            return Err(StoreError::NotOpen(status).into());
        }
        let rows = db
            .fetch(
                sql!("select line, turn, seed, commitment from seeds where game = $1 order by line, turn"),
                values![self.0],
            )
            .await?;
        let seeds = rows.into_iter().map(|mut row| Ok((row.next()?, row.next()?, row.next()?, row.next()?)));
        let seeds = seeds.collect::<Result<Vec<_>, Failure>>()?;
        let rows = db
            .fetch(
                sql!(
                    "select line, turn, stage, seat, body, nonce, salt, hash, source, sealed_at from envelopes \
                     where game = $1"
                ),
                values![self.0],
            )
            .await?;
        let mut envelopes = Vec::new();
        for mut row in rows {
            let (line, turn, stage) = (row.next()?, row.next()?, row.next()?);
            envelopes.push((StageKey { game: self.0, line, turn, stage }, read_envelope(row)?));
        }
        envelopes.sort_by(|(one, a), (other, b)| {
            (one.line, one.turn, one.stage, &a.seat).cmp(&(other.line, other.turn, other.stage, &b.seat))
        });
        Ok(Disclosed { seeds, envelopes })
    }
}
