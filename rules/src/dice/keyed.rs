//! Dice from a turn key, and the hashes that let players check them. `docs/dice.md` states all of it to the byte.

use hmac::{Hmac, KeyInit, Mac};
use protocol::ids::{PicketNumber, Side};
use protocol::orders::Stage;
use sha2::{Digest, Sha256};

use super::{Dice, Purpose};

/// A turn's secret seed: 256 random bits, shown when the game is over.
///
/// It does not print: whoever has it knows every die of the turn.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnSeed(pub [u8; 32]);

impl TurnSeed {
    /// SHA-256(seed, game, turn): published before orders are taken, so that the seed cannot be changed afterwards.
    pub fn commitment(&self, game: &str, turn: u32) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(game.as_bytes());
        hash.update(turn.to_be_bytes());
        hash.finalize().into()
    }

    /// The key of the turn's dice, from the seed and from what every seat sealed in window O, in the order of the seats.
    ///
    /// No one seat, and not the server alone once the seals are in, can choose it.
    pub fn turn_key(&self, game: &str, turn: u32, seats: &[SealedOrders]) -> TurnKey {
        let mut mac = hmac(&self.0);
        mac.update(b"picket turn key 1");
        mac.update(&length(game.as_bytes()));
        mac.update(game.as_bytes());
        mac.update(&turn.to_be_bytes());
        mac.update(&u32::try_from(seats.len()).unwrap_or(u32::MAX).to_be_bytes());
        for SealedOrders { nonce, envelope_hash } in seats {
            mac.update(nonce);
            mac.update(envelope_hash);
        }
        TurnKey(mac.finalize().into_bytes().into())
    }
}

impl std::fmt::Debug for TurnSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TurnSeed(..)")
    }
}

/// What a seat's sealed orders add to the turn key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SealedOrders {
    /// The nonce its player gave.
    pub nonce: [u8; 32],
    /// The hash of its envelope, as on its receipt.
    pub envelope_hash: [u8; 32],
}

impl SealedOrders {
    /// A seat that sealed nothing.
    pub const ABSENT: SealedOrders = SealedOrders { nonce: [0; 32], envelope_hash: [0; 32] };
}

/// What the hash on a receipt covers.
#[derive(Clone, Copy)]
pub struct Envelope<'a> {
    /// 32 random bytes of the server: there are too few possible orders for a hash without salt.
    pub salt: &'a [u8; 32],
    /// The game's identifier.
    pub game: &'a str,
    /// The turn.
    pub turn: u32,
    /// The window.
    pub stage: Stage,
    /// The seat.
    pub seat: &'a str,
    /// The nonce its player gave.
    pub nonce: &'a [u8; 32],
    /// What was sealed: the bytes of its JSON, as stored.
    pub content: &'a [u8],
}

impl Envelope<'_> {
    /// The salted hash on the receipt.
    pub fn hash(&self) -> [u8; 32] {
        let Envelope { salt, game, turn, stage, seat, nonce, content } = *self;
        let mut hash = Sha256::new();
        hash.update(b"picket envelope 1");
        hash.update(salt);
        for text in [game.as_bytes(), stage_word(stage).as_bytes(), seat.as_bytes(), content] {
            hash.update(length(text));
            hash.update(text);
        }
        hash.update(turn.to_be_bytes());
        hash.update(nonce);
        hash.finalize().into()
    }
}

/// HID-72 What the published hash of a picket covers.
#[derive(Clone, Copy)]
pub struct SealedPicket<'a> {
    /// 16 bytes from the setup key: there are too few possible contents for a hash without salt.
    pub salt: &'a [u8; 16],
    /// The picket's number.
    pub number: PicketNumber,
    /// Its side.
    pub side: Side,
    /// What it hides: the bytes of its JSON, as stored.
    pub contents: &'a str,
    /// Its line in the roster.
    pub line: &'a str,
}

impl SealedPicket<'_> {
    /// The salted hash that is published with the marker.
    pub fn hash(&self) -> [u8; 32] {
        let SealedPicket { salt, number, side, contents, line } = *self;
        let mut hash = Sha256::new();
        hash.update(b"picket contents 1");
        hash.update(salt);
        hash.update(number.0.to_be_bytes());
        for text in [side_word(side), contents, line] {
            hash.update(length(text.as_bytes()));
            hash.update(text.as_bytes());
        }
        hash.finalize().into()
    }
}

/// The key of a turn's dice. It does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnKey(pub [u8; 32]);

impl std::fmt::Debug for TurnKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TurnKey(..)")
    }
}

/// The dice of a turn, each a keyed hash of its own name. SCALE-05, TURN-05
#[derive(Clone, Debug)]
pub struct KeyedDice {
    key: TurnKey,
}

impl KeyedDice {
    /// The dice of a turn key.
    pub fn new(key: TurnKey) -> KeyedDice {
        KeyedDice { key }
    }

    /// The dice thrown before the first turn, from the setup seed alone. HID-02
    pub fn for_setup(seed: &TurnSeed, game: &str) -> KeyedDice {
        KeyedDice::new(seed.turn_key(game, 0, &[]))
    }

    /// HID-72 The salt of a picket's commitment: 128 bits that nobody knows who has not the seed.
    pub fn salt(&self, number: PicketNumber) -> [u8; 16] {
        let mut mac = hmac(&self.key.0);
        mac.update(b"picket salt 1");
        mac.update(&number.0.to_be_bytes());
        let [salt @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = <[u8; 32]>::from(mac.finalize().into_bytes());
        salt
    }
}

impl Dice for KeyedDice {
    fn die(&self, phase: u8, purpose: Purpose, key: &[&str], n: u32) -> u8 {
        // A byte below 252 gives every face 42 times; 252 to 255 would favour four of them and are passed over. That
        // happens once in 64 hashes, so the loop ends.
        let mut counter: u32 = 0;
        loop {
            let mut mac = hmac(&self.key.0);
            mac.update(die_name(phase, purpose, key, n, counter).as_bytes());
            let byte = mac.finalize().into_bytes()[0];
            if byte < 252 {
                return byte % 6 + 1;
            }
            counter += 1;
        }
    }
}

/// The canonical JSON of a die's name: `[phase,"purpose",["part",...],n,counter]`, no blanks.
fn die_name(phase: u8, purpose: Purpose, key: &[&str], n: u32, counter: u32) -> String {
    serde_json::json!([phase, purpose.as_str(), key, n, counter]).to_string()
}

fn hmac(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length")
}

fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes()
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Union => "union",
        Side::Confederate => "confederate",
    }
}

fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Orders => "orders",
        Stage::Reactions => "reactions",
        Stage::Charges => "charges",
        Stage::Movement => "movement",
    }
}
