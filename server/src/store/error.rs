//! What can go wrong in the store, in words that may reach a player. The database's own words go to the log alone.

use protocol::ids::SeatId;

use super::{GameId, Status};

/// Why the store did not do as asked. Its text names no table, no statement and no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// There is no such game.
    NoSuchGame(GameId),
    /// The game has no such seat.
    NoSuchSeat(SeatId),
    /// There is no such window.
    NoSuchWindow,
    /// The invitation is unknown.
    NoSuchInvitation,
    /// The invitation was used by somebody else.
    InvitationUsed,
    /// The holder of this token has another seat in the game.
    SeatedElsewhere,
    /// As many watch the game as may.
    NoRoom,
    /// A game with this identifier exists.
    GameExists,
    /// The game is held or over.
    NotOpen(Status),
    /// The window is closed, or its deadline has passed.
    WindowClosed,
    /// The window is still open.
    WindowOpen,
    /// The seat has sealed this stage.
    Sealed,
    /// The seat has not sealed this stage.
    NotSealed,
    /// The draft has moved on: another client saved.
    DraftChanged {
        /// The draft's revision now; 0 when there is none.
        revision: u32,
    },
    /// The command's identifier was used before for something else.
    CommandReused,
    /// The stage has its outcome already; this one is dropped.
    AlreadyResolved,
    /// Too much waits to be written.
    Overloaded,
    /// The database failed. Whether the command was carried out is not known; sending it again is safe.
    Unavailable,
}

impl StoreError {
    /// A stable word for clients and logs.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::NoSuchGame(_) => "no_such_game",
            StoreError::NoSuchSeat(_) => "no_such_seat",
            StoreError::NoSuchWindow => "no_such_window",
            StoreError::NoSuchInvitation => "no_such_invitation",
            StoreError::InvitationUsed => "invitation_used",
            StoreError::SeatedElsewhere => "seated_elsewhere",
            StoreError::NoRoom => "no_room",
            StoreError::GameExists => "game_exists",
            StoreError::NotOpen(_) => "not_open",
            StoreError::WindowClosed => "window_closed",
            StoreError::WindowOpen => "window_open",
            StoreError::Sealed => "sealed",
            StoreError::NotSealed => "not_sealed",
            StoreError::DraftChanged { .. } => "draft_changed",
            StoreError::CommandReused => "command_reused",
            StoreError::AlreadyResolved => "already_resolved",
            StoreError::Overloaded => "overloaded",
            StoreError::Unavailable => "unavailable",
        }
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::NoSuchGame(game) => write!(f, "there is no game `{game}`"),
            StoreError::NoSuchSeat(seat) => write!(f, "the game has no seat `{seat}`"),
            StoreError::NoSuchWindow => f.write_str("the game has no such turn and stage"),
            StoreError::NoSuchInvitation => f.write_str("the invitation is not known; ask the host for a new one"),
            StoreError::InvitationUsed => f.write_str("the invitation has been used; ask the host for a new one"),
            StoreError::SeatedElsewhere => f.write_str("you have another place in this game"),
            StoreError::NoRoom => f.write_str("as many watch this game as may"),
            StoreError::GameExists => f.write_str("the game exists already"),
            StoreError::NotOpen(status) => write!(f, "the game is {}", status.as_str()),
            StoreError::WindowClosed => f.write_str("the window is closed"),
            StoreError::WindowOpen => f.write_str("the window is still open"),
            StoreError::Sealed => f.write_str("the orders of this stage are sealed"),
            StoreError::NotSealed => f.write_str("the orders of this stage are not sealed"),
            StoreError::DraftChanged { revision } => {
                write!(f, "the draft was changed elsewhere; it is now at revision {revision}")
            }
            StoreError::CommandReused => f.write_str("the command's identifier was used before for something else"),
            StoreError::AlreadyResolved => f.write_str("the stage has been resolved"),
            StoreError::Overloaded => f.write_str("the server is busy; try again in a moment"),
            StoreError::Unavailable => f.write_str("the server could not reach its records; try again"),
        }
    }
}

impl std::error::Error for StoreError {}

/// Why the store could not be opened: for the operator, with the cause.
#[derive(Debug)]
pub struct OpenError(pub(crate) String);

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}

impl OpenError {
    /// `doing` failed for `cause`.
    pub(crate) fn new(doing: impl std::fmt::Display, cause: impl std::fmt::Display) -> Self {
        OpenError(format!("{doing}: {cause}"))
    }
}
