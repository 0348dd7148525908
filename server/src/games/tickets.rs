//! One-time tickets: a seat's token stays out of addresses and of the socket; what travels there is good once, for half
//! a minute, for one seat or watcher of one game, at the node that gave it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use protocol::ids::{SeatId, Side};

use super::{Present, Refused};
use crate::store::{GameId, Millis, TokenHash};

/// How long a ticket is good.
const GOOD_FOR: Millis = 30_000;
/// Tickets that may be out at once; more would be somebody's attack.
const MOST: usize = 65_536;
/// Tickets that one seat or watcher may have out at once.
const MOST_OF_A_SEAT: usize = 16;

/// Who sits where: a player, who may act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// The game.
    pub game: GameId,
    /// The seat.
    pub seat: SeatId,
    /// Its side.
    pub side: Side,
}

/// The tickets that are out. Kept as hashes.
#[derive(Default)]
pub(super) struct Tickets {
    out: Mutex<HashMap<TokenHash, (Present, Millis)>>,
}

impl Tickets {
    /// Gives out `ticket` for somebody.
    pub(super) fn give(&self, ticket: &str, present: Present, now: Millis) -> Result<(), Refused> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if MOST <= out.len() {
            out.retain(|_, (_, until)| now < *until);
        }
        let of_seat = out.values().filter(|(other, until)| *other == present && now < *until).count();
        if MOST <= out.len() || MOST_OF_A_SEAT <= of_seat {
            return Err(Refused::new("too_many", "too many tickets are out; try again in half a minute"));
        }
        out.insert(TokenHash::of(ticket), (present, now + GOOD_FOR));
        Ok(())
    }

    /// Takes a ticket in: it is good once, and only for the game whose socket it is shown at.
    pub(super) fn take(&self, ticket: &str, game: GameId, now: Millis) -> Option<Present> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let (present, until) = out.remove(&TokenHash::of(ticket))?;
        (now < until && present.game() == game).then_some(present)
    }

    /// Forgets what is no longer good.
    pub(super) fn tidy(&self, now: Millis) {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, (_, until)| now < *until);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn seated(game: u128) -> Present {
        Present::Player(Seated { game: GameId(Uuid::from_u128(game)), seat: "union".into(), side: Side::Union })
    }

    #[test]
    fn a_ticket_is_good_once_for_its_game_and_for_half_a_minute() {
        let tickets = Tickets::default();
        for ticket in ["a", "b", "c"] {
            tickets.give(ticket, seated(1), 0).expect("there is room");
        }
        assert_eq!(tickets.take("a", seated(1).game(), 29_999), Some(seated(1)));
        assert_eq!(tickets.take("a", seated(1).game(), 29_999), None, "used");
        assert_eq!(tickets.take("b", seated(2).game(), 1), None, "another game's socket");
        assert_eq!(tickets.take("b", seated(1).game(), 1), None, "shown at the wrong game, it is spent");
        assert_eq!(tickets.take("c", seated(1).game(), 30_000), None, "too late");
        assert_eq!(tickets.take("d", seated(1).game(), 0), None, "never given");
    }

    #[test]
    fn one_seat_may_have_so_many_out() {
        let tickets = Tickets::default();
        for ticket in 0..MOST_OF_A_SEAT {
            tickets.give(&ticket.to_string(), seated(1), 0).expect("there is room");
        }
        assert!(tickets.give("more", seated(1), 0).is_err());
        assert!(tickets.give("other", seated(2), 0).is_ok());
        assert!(tickets.give("later", seated(1), GOOD_FOR).is_ok());
    }
}
