//! The conversation over one socket: protocol version 1.
//!
//! The client opens the socket, sends [`ClientMessage::Hello`] with a one-time ticket, and is answered by
//! [`ServerMessage::Welcome`]. After that the server sends a whole [`crate::view::View`] and the events of a
//! stage whenever the game has moved on; the client drafts, checks, seals. Every message of the client that
//! changes something carries a `command`, an identifier of its own making: sent twice, it is done once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::Event;
use crate::ids::{BySide, PicketNumber, RuleRef, SeatId, Side, UnitId};
use crate::needs::Needs;
use crate::orders::{Draft, Order, Stage};
use crate::place::Point;
use crate::standing::Standing;
use crate::view::{BattleCard, ChartCard, HouseRuleCard, View, Viewer};
use crate::words::Fog;

/// The version spoken here.
pub const VERSION: u32 = 1;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[ts(export)]
pub enum ClientMessage {
    /// The first message.
    Hello {
        /// The protocol version spoken.
        version: u32,
        /// The one-time ticket from the REST API.
        ticket: String,
        /// The last stage whose events the client has; it gets what came after.
        #[serde(default)]
        have: Option<StageAt>,
    },
    /// Save the draft of this window; the whole draft, the latest wins.
    SaveDraft {
        /// The command's identifier.
        command: String,
        /// For which window.
        at: StageAt,
        /// The draft.
        draft: Draft,
    },
    /// Make the envelope final.
    Seal {
        /// The command's identifier.
        command: String,
        /// For which window.
        at: StageAt,
        /// What is sealed.
        draft: Draft,
        /// 32 random bytes in hexadecimal, mixed into the turn's dice.
        nonce: String,
        /// Seal the legal part although some orders are illegal.
        #[serde(default)]
        drop_illegal: bool,
    },
    /// Take the seal back, while the game allows it and the window is open.
    Unseal {
        /// The command's identifier.
        command: String,
        /// For which window.
        at: StageAt,
    },
    /// Is this draft legal? Changes nothing.
    Check {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
        /// The draft.
        draft: Draft,
    },
    /// Where would this order take the unit? Changes nothing.
    Preview {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
        /// The unit.
        unit: UnitId,
        /// The order.
        order: Order,
    },
    /// Where would this order take the picket? Answered like `preview`. Changes nothing. HID-22
    PreviewPicket {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
        /// The picket.
        picket: PicketNumber,
        /// The order.
        order: Order,
    },
    /// What would this unit's volley do to that enemy, as both stand now? Changes nothing.
    Odds {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
        /// The unit that would fire, one of the asker's own.
        firer: UnitId,
        /// The enemy that it would fire at.
        target: UnitId,
        /// How it would fire; absent: by the order that it has, else by that of the saved draft, else as on HOLD.
        #[serde(default)]
        fire: Option<OddsFire>,
    },
    /// How does this unit stand: its morale point, its command, who helps it? Changes nothing.
    Standing {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
        /// The unit, the asker's or another that he knows of.
        unit: UnitId,
    },
    /// What needs this seat in the open window? Changes nothing.
    Needs {
        /// Echoed in the answer.
        request: String,
        /// For which window.
        at: StageAt,
    },
    /// Events of an earlier stage, for playback.
    Replay {
        /// Echoed in the answer.
        request: String,
        /// Which stage.
        at: StageAt,
    },
    /// Are you there?
    Ping {},
}

/// A stage of a game: line, turn, stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
#[ts(export)]
pub struct StageAt {
    /// The game's line, from 1.
    pub line: u32,
    /// The turn, from 1; 0, with the stage `orders`, is the window in which the sides place their units. SCN-06
    pub turn: u32,
    /// The stage.
    pub stage: Stage,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(export)]
pub enum ServerMessage {
    /// The answer to hello.
    Welcome {
        /// The protocol version spoken.
        version: u32,
        /// The game's identifier.
        game: String,
        /// The game's name.
        name: String,
        /// Who you are.
        viewer: Viewer,
        /// Your name at the table.
        player: String,
        /// The seats.
        seats: Vec<SeatView>,
        /// What never changes.
        card: Box<BattleCard>,
        /// The game's settings.
        settings: SettingsView,
    },
    /// The game as it stands; the latest wins.
    State {
        /// Where the game stands.
        status: GameStatus,
        /// The battle as you may know it.
        view: Box<View>,
        /// Your draft of the open window, as last saved.
        draft: Option<Draft>,
        /// Your sealed envelope of the open window.
        sealed: Option<Box<Receipt>>,
        /// What has been sealed for the open window, by seat: for the umpire alone, who sees all but drafts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<SealedOrders>>")]
        envelopes: Vec<SealedOrders>,
    },
    /// What a stage produced, as you may know it.
    Events {
        /// Which stage.
        at: StageAt,
        /// In order.
        events: Vec<Event>,
        /// The view before them, for playback.
        before: Option<Box<View>>,
        /// Answers a replay request.
        request: Option<String>,
    },
    /// A draft was saved.
    Saved {
        /// The command's identifier.
        command: String,
        /// What is not legal in it.
        refusals: Vec<Refusal>,
        /// Own units on the table for which the draft says nothing.
        without_order: Vec<UnitId>,
        /// Own pickets for which it says nothing: they will hold. HID-17
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<PicketNumber>>")]
        pickets_without_order: Vec<PicketNumber>,
    },
    /// An envelope is final.
    Sealed {
        /// The command's identifier.
        command: String,
        /// The receipt.
        receipt: Box<Receipt>,
    },
    /// A seal was taken back.
    Unsealed {
        /// The command's identifier.
        command: String,
    },
    /// The answer to check.
    Checked {
        /// As asked.
        request: String,
        /// What is not legal.
        refusals: Vec<Refusal>,
        /// Own units on the table for which the draft says nothing.
        without_order: Vec<UnitId>,
        /// Own pickets for which it says nothing: they will hold. HID-17
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<PicketNumber>>")]
        pickets_without_order: Vec<PicketNumber>,
    },
    /// The answer to preview.
    Previewed {
        /// As asked.
        request: String,
        /// What would happen.
        preview: Box<Preview>,
    },
    /// The answer to odds.
    Odds {
        /// As asked.
        request: String,
        /// How the volley may come out.
        odds: Box<Odds>,
    },
    /// The answer to standing.
    Standing {
        /// As asked.
        request: String,
        /// How it stands.
        standing: Box<Standing>,
    },
    /// The answer to needs.
    Needs {
        /// As asked.
        request: String,
        /// What needs you.
        needs: Box<Needs>,
    },
    /// The answer to ping.
    Pong {},
    /// Something was wrong; nothing was changed.
    Error(ErrorMessage),
}

/// An error, for the player and for the client's author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct ErrorMessage {
    /// A stable code, such as `bad_message`, `too_large`, `wrong_turn`, `window_closed`, `already_sealed`, `illegal_orders`, `not_yours`, `overloaded`.
    pub code: String,
    /// For the player: what, which rule, what would do.
    pub message: String,
    /// The command or request it answers.
    pub about: Option<String>,
    /// With `illegal_orders`: each order that was refused.
    pub refusals: Vec<Refusal>,
}

/// Why an order is not legal. ORD-16
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Refusal {
    /// What was refused: a unit, brigade or leader, by identifier; a picket by its number.
    pub subject: String,
    /// `order`, or the key of an instruction.
    pub key: String,
    /// The rule that forbids it.
    pub rule: RuleRef,
    /// The reason and the remedy, in words.
    pub message: String,
}

/// What an order would do, from the asker's own knowledge. MOVE-02
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Preview {
    /// The unit; of a picket its number.
    pub unit: UnitId,
    /// What forbids it.
    pub refusals: Vec<Refusal>,
    /// Cost of each piece, in order.
    pub pieces: Vec<CostPiece>,
    /// Points spent of a turn's 5040000.
    pub spent: u32,
    /// The anchor's way, cut where the budget or the ground ends it.
    pub path: Vec<Point>,
    /// How the unit would stand.
    pub end: Option<crate::event::Stance>,
    /// How the other regiments of its brigade column would stand, from the head (TAC-34), or those of a brigade under its picket.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<crate::event::Stance>>")]
    pub column: Vec<crate::event::Stance>,
    /// Set when it would not come to the end of the path, and why.
    pub stops: Option<String>,
    /// Remarks: disorder to come, rolls to make, enemies that would come into close range.
    pub notes: Vec<crate::event::Note>,
}

/// A piece of a move and its cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct CostPiece {
    /// What it is, such as `woods`, `form double line`, `stone wall`.
    pub label: String,
    /// Length in thousandths of an inch; 0 for a cost without way.
    pub length: u32,
    /// Points of a turn's 5040000.
    pub points: u32,
    /// The rule.
    pub rule: RuleRef,
}

/// By which order a volley is asked about. FIRE-06
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum OddsFire {
    /// On FIRST FIRE, in phase 4.
    FirstFire,
    /// On HOLD, in phase 7.
    Hold,
    /// After moving or forming, in phase 8.
    Moving,
}

/// What a volley would do, exactly, from the asker's own knowledge: no die is thrown for it, and nothing hidden is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Odds {
    /// The unit that would fire.
    pub firer: UnitId,
    /// The enemy that was asked about.
    pub target: UnitId,
    /// How it would fire.
    pub fire: OddsFire,
    /// Why it would not fire, with the rule; the lists below are then empty.
    pub refused: Option<crate::event::Note>,
    /// The enemy that would be hit: the target, or the skirmishers before it. FORM-18
    pub hit: Option<UnitId>,
    /// The sentence, the sums `dice` and `modifiers`, the row of the table, and what is not reckoned, each with its rule.
    pub explanation: crate::event::Explanation,
    /// What the first of the target's checks would have to beat at the lightest loss that forces one. MOR-43
    pub check: Option<crate::event::Sum>,
    /// In how many ways the volley's dice can fall: six to the number of dice.
    pub ways: u32,
    /// What the dice can come to with their modifiers, from the least.
    pub totals: Vec<OddsTotal>,
    /// What the target may lose, the lightest first; the chances add up to one.
    pub losses: Vec<OddsLoss>,
    /// What may become of the target's morale when all its checks are made; the chances add up to one.
    pub fates: Vec<OddsFate>,
}

/// One total of a volley's dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OddsTotal {
    /// Dice and modifiers.
    pub total: i32,
    /// In how many of all ways it falls.
    pub ways: u32,
    /// What the table says, as it prints it: `--`, `MC`, `1*` or a number.
    pub result: String,
}

/// A chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Chance {
    /// Rounded to millionths.
    pub millionths: u32,
    /// Exact, as a fraction in lowest terms, such as `5/36`; `0` and `1` without a line.
    pub exact: String,
}

/// A loss that a volley may cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OddsLoss {
    /// Figures, or sections of a battery; never more than it has. FIRE-34
    pub figures: u32,
    /// Stands that lose their last figure; of guns and sharpshooters sections and figures. MOR-18
    pub stands: u32,
    /// Horses. ARTY-36
    pub horses: u32,
    /// How likely it is.
    pub chance: Chance,
}

/// What may become of a target's morale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct OddsFate {
    /// How it would stand.
    pub fate: Fate,
    /// How likely it is.
    pub chance: Chance,
}

/// What may become of a unit by its checks, the worst last. MOR-01, ROUT-12, ROUT-19
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Fate {
    /// In good morale.
    Good,
    /// Shaken.
    Shaken,
    /// Routed.
    Routed,
    /// Picked up: it failed as a routed unit.
    PickedUp,
    /// Its last figure fell.
    Destroyed,
}

/// Proof of a seal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct Receipt {
    /// For which window.
    pub at: StageAt,
    /// The seat.
    pub seat: SeatId,
    /// SHA-256 over salt, game, window, seat, nonce and content, in hexadecimal; see the dice document.
    pub hash: String,
    /// The salt, in hexadecimal.
    pub salt: String,
    /// The nonce given, in hexadecimal.
    pub nonce: String,
    /// The readable copy.
    pub content: Draft,
}

/// What a seat has sealed, as the umpire reads it. The seat's part in the dice is not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct SealedOrders {
    /// The seat.
    pub seat: SeatId,
    /// What it sealed.
    pub content: Draft,
}

/// A seat as all may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct SeatView {
    /// The seat.
    pub seat: SeatId,
    /// Its side.
    pub side: Side,
    /// What it commands, in words.
    pub title: String,
    /// The player's name; absent while nobody has joined.
    pub player: Option<String>,
    /// Played by a bot.
    pub bot: bool,
}

/// The settings of a game that players see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct SettingsView {
    /// The stages whose windows open. TURN-06
    pub windows: Vec<Stage>,
    /// Whether a seal may be taken back while the window is open.
    pub unseal: bool,
    /// Seconds a window stays open; absent: no deadline.
    pub deadline_seconds: Option<u32>,
    /// Who places the units before turn 1. SCN-06
    pub deployment: Deployment,
    /// Whether the game has an umpire, who sees all.
    #[serde(default, skip_serializing_if = "is_default")]
    #[ts(optional, as = "Option<bool>")]
    pub umpire: bool,
    /// Whether others may watch.
    #[serde(default, skip_serializing_if = "is_default")]
    #[ts(optional, as = "Option<Spectators>")]
    pub spectators: Spectators,
    /// So many turns behind the game spectators are.
    #[serde(default, skip_serializing_if = "is_default")]
    #[ts(optional, as = "Option<u32>")]
    pub spectator_delay_turns: u32,
    /// What is seen of the table. LOS-01
    #[serde(default, skip_serializing_if = "is_default")]
    #[ts(optional, as = "Option<Fog>")]
    pub fog: Fog,
}

/// What need not be written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Who may watch a game without playing in it: they are sent what both sides know. LEAK-64
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Spectators {
    /// Nobody.
    #[default]
    Off,
    /// Whoever has the link.
    Open,
}

/// As what somebody watches a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum WatcherRole {
    /// The one who sees all.
    Umpire,
    /// One of those who see what both sides know.
    Spectator,
}

/// Who places the units before turn 1. SCN-06
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Deployment {
    /// Nobody: they stand as the scenario prints them, and the game opens with the orders of turn 1.
    #[default]
    Printed,
    /// The players: the game opens with a window of turn 0, in which each side places its units in its zones, sealed.
    Players,
}

/// Where a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct GameStatus {
    /// The stage that is open or being resolved.
    pub at: StageAt,
    /// What the game is doing.
    pub phase: GamePhase,
    /// Own side's seats that have not sealed; of enemy seats nothing is told before all are in.
    pub waiting_for: Vec<SeatId>,
    /// When the window closes, milliseconds since 1970 as text; absent: no deadline.
    pub deadline: Option<String>,
    /// Why the game is held, if it is.
    pub held: Option<String>,
    /// SHA-256 commitment to the turn's secret seed, in hexadecimal.
    pub commitment: String,
    /// The commitment hashes of all sealed envelopes of the last closed window, by seat.
    pub receipts: Vec<SealedHash>,
}

/// The hash of a sealed envelope, made known when its window has closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[ts(export)]
pub struct SealedHash {
    /// The window.
    pub at: StageAt,
    /// The seat.
    pub seat: SeatId,
    /// The hash.
    pub hash: String,
}

/// What a game is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum GamePhase {
    /// Seats have still to be taken.
    Gathering,
    /// A window is open.
    Window,
    /// A stage is being resolved.
    Resolving,
    /// Held for its umpire or host.
    Held,
    /// Over.
    Ended,
}

/// Answers of the REST API.
pub mod rest {
    use super::*;

    /// Create a game.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[ts(export)]
    pub struct CreateGame {
        /// The scenario, such as `little_round_top`.
        pub scenario: String,
        /// The game's name; absent: the scenario's title.
        #[serde(default)]
        pub name: Option<String>,
        /// The side that a bot plays.
        #[serde(default)]
        pub bot: Option<Side>,
        /// The windows that open: `orders` alone, or with `reactions`, and so on; absent: orders.
        #[serde(default)]
        pub windows: Option<Vec<Stage>>,
        /// Seconds a window stays open; absent: no deadline.
        #[serde(default)]
        pub deadline_seconds: Option<u32>,
        /// Whether a seal may be taken back; absent: yes.
        #[serde(default)]
        pub unseal: Option<bool>,
        /// Who places the units before turn 1; `players` only where the scenario has a free setup. SCN-06
        #[serde(default)]
        pub deployment: Deployment,
        /// Whether hidden movement is played; absent: as the scenario has it. Where it is, the players place their units. SCN-07, SCN-20
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pub hidden_movement: Option<bool>,
        /// What is seen of the table; absent: as the scenario has it. Not `line_of_sight` with hidden movement. LOS-01
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pub fog: Option<Fog>,
        /// Choices of the house-rules sheet, line and word; what is not said is as the scenario has it. SCN-20
        #[serde(default)]
        pub house_rules: BTreeMap<String, String>,
        /// A club's own chart, as the text of its TOML file; absent: as the scenario has it. SCN-20
        #[serde(default)]
        pub chart: Option<String>,
        /// Whether the game has an umpire, who sees all.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<bool>")]
        pub umpire: bool,
        /// Whether others may watch; absent: nobody.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<Spectators>")]
        pub spectators: Spectators,
        /// So many turns behind the game spectators are, 0 to 20; absent: none.
        #[serde(default, skip_serializing_if = "is_default")]
        #[ts(optional, as = "Option<u32>")]
        pub spectator_delay_turns: u32,
    }

    /// A game was created.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct GameCreated {
        /// The game.
        pub game: String,
        /// One invitation for each seat.
        pub invitations: Vec<Invitation>,
        /// The path of the umpire's link, good once, such as `/watch/…`, if the game has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pub umpire: Option<String>,
        /// The path of the spectators' link, good for all of them, if others may watch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pub spectators: Option<String>,
    }

    /// An invitation to a seat.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct Invitation {
        /// The seat.
        pub seat: SeatId,
        /// Its side.
        pub side: Side,
        /// What it commands.
        pub title: String,
        /// The path of the link, such as `/join/…`.
        pub link: String,
    }

    /// Take a seat.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[ts(export)]
    pub struct Join {
        /// The invitation's token.
        pub invitation: String,
        /// The player's name.
        pub name: String,
        /// Tokens that this device holds: who watches the game may not play in it. LEAK-73
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        pub held: Vec<String>,
    }

    /// Watch a game, as the link says: as its umpire or as a spectator.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[ts(export)]
    pub struct Watch {
        /// The link's token.
        pub link: String,
        /// The watcher's name.
        pub name: String,
        /// Tokens that this device holds: who plays in a game may not watch it before it is over. LEAK-73
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        pub held: Vec<String>,
    }

    /// Somebody watches.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct Watching {
        /// The game.
        pub game: String,
        /// As what.
        pub role: WatcherRole,
        /// The watcher's token, sent as `authorization: Bearer …` from now on.
        pub token: String,
    }

    /// A ticket for a look through somebody's eyes: for the umpire alone. What comes over its socket is what that viewer is
    /// sent, but for drafts and envelopes, which are a seat's own.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[ts(export)]
    pub struct Eyes {
        /// Whose.
        #[serde(rename = "as")]
        pub viewer: Viewer,
    }

    /// A seat was taken.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct Joined {
        /// The game.
        pub game: String,
        /// The seat.
        pub seat: SeatId,
        /// The seat's token, sent as `authorization: Bearer …` from now on.
        pub token: String,
    }

    /// A game in which the asker holds a seat.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct GameCard {
        /// The game.
        pub game: String,
        /// Its name.
        pub name: String,
        /// The scenario.
        pub scenario: String,
        /// The asker's seat.
        pub seat: SeatId,
        /// Its side.
        pub side: Side,
        /// The window that is open, or was last.
        pub at: StageAt,
        /// What the game is doing.
        pub phase: GamePhase,
    }

    /// A one-time ticket for the socket.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct Ticket {
        /// Good once, for half a minute.
        pub ticket: String,
    }

    /// A scenario as offered.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct ScenarioCard {
        /// The scenario.
        pub id: String,
        /// Its title.
        pub title: String,
        /// The day.
        pub date: String,
        /// Turns.
        pub turns: u32,
        /// Units of each side.
        pub units: BySide<u32>,
        /// A paragraph.
        pub story: String,
        /// Whether a game of it may let the players place their units. SCN-06
        pub free_setup: bool,
        /// Whether a game of it has pickets, unless it says otherwise. SCN-07
        pub hidden_movement: bool,
        /// What is seen of the table, unless the game says otherwise. LOS-01
        pub fog: Fog,
        /// The house-rules sheet, with what the scenario plays of each line. SCN-20
        pub house_rules: Vec<HouseRuleCard>,
        /// The club's own chart that it comes with. SCN-20
        pub chart: Option<ChartCard>,
    }

    /// All that was secret of the chance and the orders of a game that is over, for its players to check. HID-72
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct Disclosure {
        /// The game.
        pub game: String,
        /// All seats, by identifier.
        pub seats: Vec<SeatId>,
        /// The seeds of its turns, by line and turn.
        pub seeds: Vec<DisclosedSeed>,
        /// What was sealed, by line, turn, window and seat.
        pub envelopes: Vec<DisclosedEnvelope>,
        /// Every throw of the record, those that were a side's secret included, in the order in which they were entered.
        pub throws: Vec<DisclosedThrow>,
    }

    /// The seed of a turn.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct DisclosedSeed {
        /// The line of the game.
        pub line: u32,
        /// The turn; 0 before turn 1.
        pub turn: u32,
        /// The seed, in hexadecimal.
        pub seed: String,
        /// What was shown before the turn's orders were taken, in hexadecimal.
        pub commitment: String,
    }

    /// An envelope as it was sealed.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct DisclosedEnvelope {
        /// For which window.
        pub at: StageAt,
        /// The seat.
        pub seat: SeatId,
        /// The hash on its receipt, in hexadecimal.
        pub hash: String,
        /// The salt, in hexadecimal.
        pub salt: String,
        /// The nonce that the seat gave, in hexadecimal.
        pub nonce: String,
        /// The JSON that was sealed, byte for byte.
        pub content: String,
    }

    /// Dice of the record.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct DisclosedThrow {
        /// The line of the game.
        pub line: u32,
        /// The turn.
        pub turn: u32,
        /// The phase.
        pub phase: u8,
        /// Whose secret it was until now; absent: all saw it.
        pub side: Option<Side>,
        /// The dice.
        pub dice: crate::event::Dice,
    }

    /// A rule's text.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
    #[ts(export)]
    pub struct RuleText {
        /// The rule.
        pub id: String,
        /// Its title.
        pub title: String,
        /// What it says, in our words.
        pub text: String,
        /// How it is computed, where the book leaves that open.
        pub ruling: Option<String>,
        /// `printed`, `ambiguous`, `conflict` or `missing`.
        pub status: String,
    }
}
