//! Who is at a socket: a player, the umpire, a spectator. What acts asks for a [`Seated`], so a watcher cannot.

use protocol::ids::Side;
use protocol::view::Viewer;

use super::{Moves, Refused, Seated};
use crate::store::GameId;

/// Who is at a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Present {
    /// Somebody who plays.
    Player(Seated),
    /// The umpire.
    Umpire(Umpire),
    /// Somebody who only looks on.
    Spectator(Spectator),
}

/// The umpire of a game, who sees all but drafts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Umpire {
    /// The game.
    pub game: GameId,
    /// Through whose eyes he looks; none: his own. It is never an umpire's.
    pub eyes: Option<Viewer>,
}

/// One of those who see what both sides know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spectator {
    /// The game.
    pub game: GameId,
    /// Which of its watchers.
    pub number: u32,
}

/// Who asks how things stand for a seat: its player, or the umpire through its eyes. It can not act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Of which seat.
    pub seated: Seated,
    /// Whether its draft counts: drafts are nobody's but their seat's.
    pub drafts: bool,
}

impl Present {
    /// The game.
    pub fn game(&self) -> GameId {
        match self {
            Present::Player(Seated { game, .. })
            | Present::Umpire(Umpire { game, .. })
            | Present::Spectator(Spectator { game, .. }) => *game,
        }
    }

    /// The seat of somebody who may act.
    pub fn seated(&self) -> Result<&Seated, Refused> {
        match self {
            Present::Player(seated) => Ok(seated),
            Present::Umpire(_) | Present::Spectator(_) => {
                Err(Refused::new("watching", "you watch this game; orders and questions are its players' affair"))
            }
        }
    }

    /// The seat as which somebody may ask.
    pub fn asking(&self) -> Result<Asking, Refused> {
        match self {
            Present::Umpire(Umpire { game, eyes: Some(Viewer::Seat { side, seat }) }) => {
                let seated = Seated { game: *game, seat: seat.clone(), side: *side };
                Ok(Asking { seated, drafts: false })
            }
            Present::Player(_) | Present::Umpire(_) | Present::Spectator(_) => {
                self.seated().map(|seated| Asking { seated: seated.clone(), drafts: true })
            }
        }
    }

    /// He as the gate knows him.
    pub fn viewer(&self) -> Viewer {
        match self {
            Present::Player(seated) => Viewer::Seat { side: seated.side, seat: seated.seat.clone() },
            Present::Umpire(Umpire { eyes, .. }) => eyes.clone().unwrap_or(Viewer::Umpire {}),
            Present::Spectator(_) => Viewer::Public {},
        }
    }

    /// Whether what has moved may be news for him. What only one side may know does not even make others look.
    pub fn concerned(&self, before: &Moves, now: &Moves) -> bool {
        let moved = |side: Side| now.sides.get(side) != before.sides.get(side);
        let of_side = match self.viewer() {
            Viewer::Seat { side, .. } | Viewer::Side { side } => moved(side),
            Viewer::Umpire {} => Side::BOTH.into_iter().any(moved),
            Viewer::Public {} => false,
        };
        now.seats != before.seats || now.game != before.game || of_side
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn all() -> [Present; 4] {
        let game = GameId(Uuid::from_u128(1));
        let seated = Seated { game, seat: "union".into(), side: Side::Union };
        let eyes = Viewer::Seat { side: Side::Union, seat: "union".into() };
        [
            Present::Player(seated),
            Present::Umpire(Umpire { game, eyes: None }),
            Present::Umpire(Umpire { game, eyes: Some(eyes) }),
            Present::Spectator(Spectator { game, number: 2 }),
        ]
    }

    #[test]
    fn who_watches_has_no_seat() {
        let codes = all().map(|present| present.seated().map(drop).map_err(|refused| refused.code));
        assert_eq!(codes, [Ok(()), Err("watching"), Err("watching"), Err("watching")]);
    }

    /// The umpire asks as the seat through whose eyes he looks, but not of its draft; nobody else who watches asks.
    #[test]
    fn who_looks_through_a_seats_eyes_asks_as_it_but_for_its_draft() {
        let asked = all().map(|present| present.asking().ok().map(|asking| (asking.seated.seat, asking.drafts)));
        assert_eq!(asked, [Some(("union".into(), true)), None, Some(("union".into(), false)), None]);
        let game = GameId(Uuid::from_u128(1));
        for eyes in [Viewer::Public {}, Viewer::Side { side: Side::Union }, Viewer::Umpire {}] {
            let umpire = Present::Umpire(Umpire { game, eyes: Some(eyes) });
            assert_eq!(umpire.asking().map_err(|refused| refused.code), Err("watching"), "{umpire:?}");
        }
    }

    #[test]
    fn a_seal_wakes_the_own_side_and_the_umpire() {
        let before = Moves::default();
        let mut sealed = before;
        *sealed.sides.get_mut(Side::Union) += 1;
        assert_eq!(all().map(|present| present.concerned(&before, &sealed)), [true, true, true, false]);
        let mut sealed = before;
        *sealed.sides.get_mut(Side::Confederate) += 1;
        assert_eq!(all().map(|present| present.concerned(&before, &sealed)), [false, true, false, false]);
        let moved = Moves { game: 1, ..before };
        assert_eq!(all().map(|present| present.concerned(&before, &moved)), [true; 4]);
    }
}
