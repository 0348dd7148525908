//! The values that the store takes and gives back.
//!
//! Secrets ([`StoredBytes`] of the rules' archive, [`Seed`]) neither print nor serialise: whoever wants the bytes has to ask for them by name.

use std::fmt;

use protocol::ids::SeatId;
use rules::archive::StoredBytes;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Milliseconds since 1970, UTC. The caller's clock gives it; the store never asks for the time.
pub type Millis = i64;

/// A game's identifier: random, without time or order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub Uuid);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for GameId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(GameId)
    }
}

/// One stage of one turn on one line of a game: the key of windows, envelopes and outcomes.
/// Stage 0 of turn 0 is the battle as it begins; the stages of a turn are 1 to 4. Stage 1 of turn 0 is the window in which the
/// players place their units, in a game that lets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StageKey {
    /// The game.
    pub game: GameId,
    /// The line, from 1.
    pub line: u32,
    /// The turn, from 1; 0 before the first.
    pub turn: u32,
    /// The stage, 1 to 4; 0 before the first turn.
    pub stage: u8,
}

impl StageKey {
    /// The stage's key in `game`.
    pub fn new(game: GameId, line: u32, turn: u32, stage: u8) -> Self {
        StageKey { game, line, turn, stage }
    }

    /// The key under which the battle before the first turn is kept.
    pub fn beginning(game: GameId, line: u32) -> Self {
        StageKey { game, line, turn: 0, stage: 0 }
    }
}

/// A turn's secret seed: 32 bytes, published when the game ends and not before.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(pub(crate) [u8; 32]);

impl Seed {
    /// Takes the seed into keeping.
    pub fn new(bytes: [u8; 32]) -> Self {
        Seed(bytes)
    }

    /// The secret itself, for the dice.
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash that stands before the first outcome of a game.
    pub const ZERO: Hash = Hash([0; 32]);

    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Hash(Sha256::digest(bytes).into())
    }

    /// The digest as 64 lower-case hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

/// The SHA-256 of a token (of a seat, an invitation, a host). The token itself is kept nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub(crate) [u8; 32]);

impl TokenHash {
    /// The hash of a token as its holder presents it.
    pub fn of(token: &str) -> Self {
        TokenHash(Hash::of(token.as_bytes()).0)
    }
}

/// The client's identifier of a command, by which a resend is recognised: 1 to 64 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommandId(String);

impl CommandId {
    /// Accepts 1 to 64 visible ASCII characters.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then_some(CommandId(text))
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A window is open.
    Open,
    /// The window is closed and its outcome awaited.
    Resolving,
    /// Stopped with a reason, for its umpire or host.
    Held,
    /// Over.
    Ended,
}

impl Status {
    /// The word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Resolving => "resolving",
            Status::Held => "held",
            Status::Ended => "ended",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Status::Open, Status::Resolving, Status::Held, Status::Ended]
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

/// What closed a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// The last required seat sealed.
    Seals,
    /// Time ran out.
    Deadline,
    /// The host or umpire closed it.
    Host,
}

impl ClosedBy {
    /// The word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            ClosedBy::Seals => "seals",
            ClosedBy::Deadline => "deadline",
            ClosedBy::Host => "host",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [ClosedBy::Seals, ClosedBy::Deadline, ClosedBy::Host].into_iter().find(|by| by.as_str() == text)
    }
}

/// Who made an envelope final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeSource {
    /// The player sealed it.
    Player,
    /// Time ran out and the draft counted as sealed.
    Deadline,
}

impl EnvelopeSource {
    /// The word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            EnvelopeSource::Player => "player",
            EnvelopeSource::Deadline => "deadline",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [EnvelopeSource::Player, EnvelopeSource::Deadline].into_iter().find(|source| source.as_str() == text)
    }
}

/// A new game, as its creator asked for it.
pub struct NewGame {
    /// Random, from the server's entropy.
    pub id: GameId,
    /// The scenario's identifier.
    pub scenario: String,
    /// The scenario file as it was read.
    pub scenario_text: Vec<u8>,
    /// JSON: pace, fog, optional rules.
    pub settings: String,
    /// Hash of tables and switches.
    pub ruleset_hash: Hash,
    /// The version that resolves the first stage.
    pub engine_version: String,
    /// Who may hold, release and close windows; none in a game that nobody hosts.
    pub host_token: Option<TokenHash>,
    /// All seats.
    pub seats: Vec<NewSeat>,
    /// The links by which others come to watch.
    pub watch_links: Vec<NewWatchLink>,
    /// The battle as it begins.
    pub battle: StoredBytes,
    /// What happened before the first turn.
    pub events: StoredBytes,
    /// The first window (stage 1 of turn 1, or of turn 0) and its seed.
    pub first: NewWindow,
}

/// A seat of a new game.
pub struct NewSeat {
    /// The scenario's identifier of the seat.
    pub seat: SeatId,
    /// The seat's side.
    pub side: protocol::ids::Side,
    /// Whether a window waits for this seat.
    pub required: bool,
    /// The invitation by which it is claimed.
    pub invitation: Option<TokenHash>,
}

/// As what somebody watches a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchRole {
    /// The one who sees all.
    Umpire,
    /// One of those who see what both sides know.
    Spectator,
}

impl WatchRole {
    /// The word in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            WatchRole::Umpire => "umpire",
            WatchRole::Spectator => "spectator",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [WatchRole::Umpire, WatchRole::Spectator].into_iter().find(|role| role.as_str() == text)
    }
}

/// A link of a new game to watch it.
pub struct NewWatchLink {
    /// As what.
    pub role: WatchRole,
    /// The link's token.
    pub token: TokenHash,
}

/// A watcher as he stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatcherRecord {
    /// The game.
    pub game: GameId,
    /// 1, 2, 3 ... as they came.
    pub number: u32,
    /// As what.
    pub role: WatchRole,
    /// The watcher's name.
    pub name: String,
}

/// A window to open.
pub struct NewWindow {
    /// The turn.
    pub turn: u32,
    /// The stage, 1 to 4.
    pub stage: u8,
    /// When it closes by itself; none waits for the seats, however long.
    pub deadline: Option<Millis>,
    /// The turn's seed, exactly when the turn is new.
    pub seed: Option<NewSeed>,
}

/// A turn's seed with its public commitment.
pub struct NewSeed {
    /// The secret.
    pub seed: Seed,
    /// What is published before orders are taken.
    pub commitment: Hash,
}

/// A game without its large parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The game.
    pub id: GameId,
    /// The scenario's identifier.
    pub scenario: String,
    /// Hash of the scenario file.
    pub scenario_hash: Hash,
    /// JSON: pace, fog, optional rules.
    pub settings: String,
    /// Hash of tables and switches.
    pub ruleset_hash: Hash,
    /// The version that resolves the next stage.
    pub engine_version: String,
    /// Where the game stands.
    pub status: Status,
    /// Why it is held.
    pub held_reason: Option<String>,
    /// The newest line.
    pub line: u32,
    /// The newest window's turn.
    pub turn: u32,
    /// The newest window's stage.
    pub stage: u8,
    /// When it was made.
    pub created_at: Millis,
    /// When status or window last changed.
    pub updated_at: Millis,
}

impl GameRecord {
    /// The key of the newest window.
    pub fn window(&self) -> StageKey {
        StageKey::new(self.id, self.line, self.turn, self.stage)
    }
}

/// A seat as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRecord {
    /// The game.
    pub game: GameId,
    /// The seat.
    pub seat: SeatId,
    /// Its side.
    pub side: protocol::ids::Side,
    /// Whether a window waits for it.
    pub required: bool,
    /// The player's name, once claimed.
    pub name: Option<String>,
    /// When it was claimed.
    pub joined_at: Option<Millis>,
}

/// A window as it stands. Of seals it says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowRecord {
    /// Its key.
    pub key: StageKey,
    /// When it opened.
    pub opened_at: Millis,
    /// When it closes by itself.
    pub deadline: Option<Millis>,
    /// When it closed.
    pub closed_at: Option<Millis>,
    /// What closed it.
    pub closed_by: Option<ClosedBy>,
    /// When its outcome was recorded.
    pub resolved_at: Option<Millis>,
    /// The commitment to the turn's seed: public.
    pub commitment: Hash,
}

/// A draft as saved.
#[derive(Clone, PartialEq, Eq)]
pub struct DraftRecord {
    /// Whose it is.
    pub seat: SeatId,
    /// JSON as received.
    pub body: StoredBytes,
    /// 1 for the first save, then one more each time.
    pub revision: u32,
    /// When it was saved.
    pub saved_at: Millis,
}

/// A sealed envelope.
#[derive(Clone, PartialEq, Eq)]
pub struct EnvelopeRecord {
    /// Whose it is.
    pub seat: SeatId,
    /// Bytes as received.
    pub body: StoredBytes,
    /// The player's part in the dice.
    pub nonce: Seed,
    /// What keeps the hash from being guessed.
    pub salt: Seed,
    /// The hash on the receipt.
    pub hash: Hash,
    /// Who made it final.
    pub source: EnvelopeSource,
    /// When.
    pub sealed_at: Millis,
}

/// All that a stage is resolved from. Committed, and final once the window is closed.
pub struct Inputs {
    /// The game.
    pub game: GameRecord,
    /// The window. Closed, or there is nothing to resolve yet.
    pub window: WindowRecord,
    /// All seats, sorted by identifier.
    pub seats: Vec<SeatRecord>,
    /// What was sealed for this stage, sorted by seat.
    pub envelopes: Vec<EnvelopeRecord>,
    /// What was sealed in earlier stages of this turn, in the order of stages, then sorted by seat.
    pub earlier: Vec<(u8, EnvelopeRecord)>,
    /// Drafts of this stage from seats that did not seal, sorted by seat.
    pub drafts: Vec<DraftRecord>,
    /// The turn's secret seed.
    pub seed: Seed,
    /// The outcome before this stage: the battle to begin with.
    pub before: OutcomeRecord,
}

/// A resolved stage as recorded.
#[derive(Clone, PartialEq, Eq)]
pub struct OutcomeRecord {
    /// Its stage.
    pub key: StageKey,
    /// Its place in the line's chain, from 0 without a gap.
    pub number: u32,
    /// The battle after it.
    pub battle: StoredBytes,
    /// What happened.
    pub events: StoredBytes,
    /// The hash of the outcome before.
    pub previous_hash: Hash,
    /// This outcome's hash.
    pub hash: Hash,
    /// The version that resolved it.
    pub engine_version: String,
    /// When it was recorded.
    pub resolved_at: Millis,
}

/// The events of one stage, without the battle.
#[derive(Clone, PartialEq, Eq)]
pub struct EventsRecord {
    /// Its stage.
    pub key: StageKey,
    /// Its place in the line's chain, from 0 without a gap.
    pub number: u32,
    /// What happened; to be filtered for the viewer.
    pub events: StoredBytes,
    /// The outcome's hash: public.
    pub hash: Hash,
    /// When it was recorded.
    pub resolved_at: Millis,
}

/// What the sweep has to see to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Windows open past their deadline: close them.
    pub past_deadline: Vec<StageKey>,
    /// Windows closed without an outcome: resolve them.
    pub unresolved: Vec<StageKey>,
}
