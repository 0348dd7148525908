//! A store with a game on it, and short words for what the cases do.

use protocol::ids::{SeatId, Side};
use server::store::{
    CommandId, GameId, Hash, NewGame, NewOutcome, NewSeat, NewSeed, NewWatchLink, NewWindow, Next, Resolution,
    SaveDraft, Seal, Sealed, Seed, StageKey, Store, StoreError, StoredBytes, TokenHash, Unseal, WatchRole,
};
use uuid::Uuid;

/// When the cases begin.
pub(crate) const NOON: i64 = 1_800_000_000_000;
/// The deadline of windows that have one.
pub(crate) const DEADLINE: i64 = NOON + 60_000;

pub(crate) struct Table {
    pub(crate) store: Store,
    url: String,
}

impl Table {
    pub(crate) async fn open(url: String) -> Table {
        let store = Store::open(&url, 4096, NOON).await.expect("the store opens");
        Table { store, url }
    }

    /// Closes the store and opens it again.
    pub(crate) async fn reopen(&mut self) {
        self.store.close().await;
        self.store = Store::open(&self.url, 4096, NOON).await.expect("the store opens again");
    }

    /// A game of two required seats and a spectator, with its first window open.
    pub(crate) async fn game(&self, number: u128, deadline: Option<i64>) -> StageKey {
        let game = new_game(number, deadline);
        let key = StageKey::new(game.id, 1, 1, 1);
        self.store.create_game(game, NOON).await.expect("a new game is made");
        key
    }

    pub(crate) async fn seal(&self, key: StageKey, seat: &str, command: &str, now: i64) -> Result<Sealed, StoreError> {
        self.store.seal(seal(key, seat, command, now)).await
    }

    pub(crate) async fn draft(&self, key: StageKey, replaces: u32, text: &str) -> Result<u32, StoreError> {
        let draft = SaveDraft {
            key,
            seat: "meade".into(),
            body: bytes(text),
            replaces,
            command: command(&format!("save-{text}")),
            now: NOON + 1,
        };
        self.store.save_draft(draft).await
    }

    pub(crate) async fn unseal(&self, key: StageKey, seat: &str, id: &str) -> Result<Sealed, StoreError> {
        let unseal = Unseal {
            key,
            seat: seat.into(),
            command: command(id),
            request: Hash::of(id.as_bytes()),
            answer: bytes(&format!("taken back by {id}")),
            now: NOON + 2,
        };
        self.store.unseal(unseal).await
    }

    /// Both seats seal; the window is closed.
    pub(crate) async fn seal_both(&self, key: StageKey) {
        let name = |seat: &str| format!("{seat}-{}-{}", key.turn, key.stage);
        self.seal(key, "meade", &name("meade"), NOON + 1).await.map(drop).expect("meade seals");
        let last = self.seal(key, "lee", &name("lee"), NOON + 2).await.map(|sealed| sealed.closed);
        assert_eq!(last, Ok(true));
    }

    /// Records an outcome of the window `at`, after which `turn` and `stage` open.
    pub(crate) async fn resolve(&self, at: StageKey, turn: u32, stage: u8) -> Result<Hash, StoreError> {
        let before = self.store.latest_outcome(at.game, at.line).await.expect("there is an outcome before");
        self.store.record(resolution(at, before.hash, &[at.stage], turn, stage)).await
    }
}

pub(crate) fn new_game(number: u128, deadline: Option<i64>) -> NewGame {
    NewGame {
        id: GameId(Uuid::from_u128(number)),
        scenario: "little_round_top".to_owned(),
        scenario_text: b"the scenario as it was".to_vec(),
        settings: "{\"pace\":\"live\"}".to_owned(),
        ruleset_hash: Hash::of(b"tables"),
        engine_version: "0.1.0".to_owned(),
        host_token: Some(TokenHash::of("host")),
        seats: vec![
            new_seat("meade", Side::Union, true, &format!("invite-meade-{number}")),
            new_seat("lee", Side::Confederate, true, &format!("invite-lee-{number}")),
            new_seat("umpire", Side::Union, false, &format!("invite-umpire-{number}")),
        ],
        watch_links: vec![watch_link(WatchRole::Umpire, number), watch_link(WatchRole::Spectator, number)],
        battle: bytes("battle 0"),
        events: bytes("events 0"),
        first: NewWindow { turn: 1, stage: 1, deadline, seed: Some(new_seed(1)) },
    }
}

fn watch_link(role: WatchRole, number: u128) -> NewWatchLink {
    NewWatchLink { role, token: TokenHash::of(&format!("watch-{}-{number}", role.as_str())) }
}

fn new_seat(seat: &str, side: Side, required: bool, invitation: &str) -> NewSeat {
    NewSeat { seat: SeatId::new(seat), side, required, invitation: Some(TokenHash::of(invitation)) }
}

pub(crate) fn new_seed(turn: u8) -> NewSeed {
    NewSeed { seed: Seed::new([turn; 32]), commitment: Hash::of(&[turn; 32]) }
}

pub(crate) fn seal(key: StageKey, seat: &str, id: &str, now: i64) -> Seal {
    Seal {
        key,
        seat: seat.into(),
        body: bytes(&format!("orders of {seat} by {id}")),
        nonce: Seed::new([7; 32]),
        salt: Seed::new([8; 32]),
        hash: Hash::of(format!("orders of {seat} by {id}").as_bytes()),
        command: command(id),
        request: Hash::of(id.as_bytes()),
        answer: bytes(&format!("receipt for {id}")),
        now,
    }
}

pub(crate) fn resolution(at: StageKey, previous: Hash, stages: &[u8], turn: u32, stage: u8) -> Resolution {
    let outcome = |stage: &u8| NewOutcome {
        stage: *stage,
        battle: bytes(&format!("battle {} {stage}", at.turn)),
        events: bytes(&format!("events {} {stage}", at.turn)),
    };
    let seed = (turn != at.turn).then(|| new_seed(turn as u8));
    Resolution {
        at,
        previous,
        outcomes: stages.iter().map(outcome).collect(),
        engine_version: "0.1.0".to_owned(),
        next: Next::Window(NewWindow { turn, stage, deadline: None, seed }),
        now: NOON + 10,
    }
}

pub(crate) fn bytes(text: &str) -> StoredBytes {
    StoredBytes::from_store(text.as_bytes().to_vec())
}

pub(crate) fn text(bytes: &StoredBytes) -> String {
    String::from_utf8(bytes.as_bytes().to_vec()).expect("the cases store text")
}

pub(crate) fn command(id: &str) -> CommandId {
    CommandId::new(id.replace(' ', "-")).expect("the cases use visible identifiers")
}
