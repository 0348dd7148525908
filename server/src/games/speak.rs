//! What a seated player says: drafts, seals, questions.
//!
//! A resend is recognised before any rule can refuse it. Whatever is refused has changed nothing. Legality and previews
//! are computed from the seat's own knowledge alone, so no answer can tell more than the player may know.

use protocol::ids::{PicketNumber, SeatId, UnitId};
use protocol::message::{OddsFire, Preview, Receipt, ServerMessage, StageAt};
use protocol::orders::{Draft, Order};
use rules::battle::{Battle, Known, known};
use rules::dice::Envelope;
use rules::odds::{NotAsked, Question};
use rules::{movement, needs, odds, orders, standing};
use serde::Serialize;
use tracing::{error, info};

use super::look::{hex, parse};
use super::{Asking, Games, Refused, Seated, stage_number};
use crate::store::{
    CommandId, GameRecord, Hash, SaveDraft, Seal, Seed, StageKey, Status, StoreError, StoredBytes, Unseal,
};

/// Attempts to save over a draft that other sockets of the same seat keep changing.
const SAVE_ATTEMPTS: u32 = 16;

/// A seal as it was asked for.
pub struct SealAsked {
    /// The command's identifier.
    pub command: String,
    /// For which window.
    pub at: StageAt,
    /// What is sealed.
    pub draft: Draft,
    /// 32 bytes in hexadecimal.
    pub nonce: String,
    /// Seal the legal part.
    pub drop_illegal: bool,
}

/// A volley as it is asked about.
pub struct OddsAsked {
    /// Who would fire.
    pub firer: UnitId,
    /// At whom.
    pub target: UnitId,
    /// How; none: as it is ordered.
    pub fire: Option<OddsFire>,
}

/// What a draft comes to as it stands.
struct Judged {
    refusals: Vec<protocol::message::Refusal>,
    without_order: Vec<UnitId>,
    pickets_without_order: Vec<PicketNumber>,
}

/// What an answer to one player is news of, for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// For nobody.
    Nothing,
    /// For the own side: who of it has sealed.
    Side,
    /// For all: the window has closed.
    Game,
}

impl Games {
    /// Wakes those for whom it is news. Called when the answer is on its way, so that a player hears first what became
    /// of his command, then how the game stands.
    pub fn announce(&self, seated: &Seated, news: News) {
        match news {
            News::Nothing => {}
            News::Side => self.shared.hub.side_changed(seated.game, seated.side),
            News::Game => self.shared.hub.game_moved(seated.game),
        }
    }

    /// Saves a draft: the whole draft, the latest wins. Nobody else is told.
    pub async fn save_draft(
        &self,
        seated: &Seated,
        command: String,
        at: StageAt,
        draft: Draft,
    ) -> Result<ServerMessage, Refused> {
        let id = command_id(&command)?;
        let key = key(seated, at)?;
        let body = StoredBytes::from_store(bytes_of(&draft));
        let saved = self.shared.store.draft(key, seated.seat.clone()).await?;
        let mut replaces = saved.map_or(0, |draft| draft.revision);
        for attempt in 1.. {
            let now = self.now();
            let (seat, body, command) = (seated.seat.clone(), body.clone(), id.clone());
            match self.shared.store.save_draft(SaveDraft { key, seat, body, replaces, command, now }).await {
                Ok(_) => break,
                Err(StoreError::DraftChanged { revision }) if attempt < SAVE_ATTEMPTS => replaces = revision,
                Err(error) => return Err(self.explain(seated, at, error).await),
            }
        }
        let Judged { refusals, without_order, pickets_without_order } = self.judged(seated, at, draft).await?;
        Ok(ServerMessage::Saved { command, refusals, without_order, pickets_without_order })
    }

    /// Seals an envelope. The answer is given once the envelope is durable, and again for every resend.
    pub async fn seal(&self, seated: &Seated, asked: SealAsked) -> Result<(ServerMessage, News), Refused> {
        let SealAsked { command, at, draft, nonce, drop_illegal } = asked;
        let id = command_id(&command)?;
        let request = Hash::of(&bytes_of(&("seal", at, &draft, &nonce, drop_illegal)));
        let store = &self.shared.store;
        if let Some(answer) = store.answer(seated.game, seated.seat.clone(), id.clone(), request).await? {
            let receipt = Box::new(read_receipt(&answer)?);
            return Ok((ServerMessage::Sealed { command, receipt }, News::Nothing));
        }
        let nonce = nonce_of(&nonce)?;
        let key = key(seated, at)?;
        let battle = self.battle_of_open_window(seated, at).await?;
        let judging = seated.clone();
        let (legal, refusals) = self
            .compute(move || {
                let known = known(&battle.battle, judging.side);
                orders::legal_part(&known, known.table.rules(), &judging.seat, at.stage, &draft)
            })
            .await?;
        if !refusals.is_empty() && !drop_illegal {
            let message = match refusals.len() {
                1 => "one order is not legal; change it, or seal without it".to_owned(),
                many => format!("{many} orders are not legal; change them, or seal without them"),
            };
            return Err(Refused { code: "illegal_orders", message, refusals });
        }
        let (envelope, receipt) = self.envelope(seated, key, at, legal, nonce);
        let answer = StoredBytes::from_store(bytes_of(&receipt));
        let seal = Seal {
            key,
            seat: seated.seat.clone(),
            body: envelope.body,
            nonce: Seed::new(nonce),
            salt: envelope.salt,
            hash: envelope.hash,
            command: id,
            request,
            answer,
            now: self.now(),
        };
        let sealed = match store.seal(seal).await {
            Ok(sealed) => sealed,
            Err(error) => return Err(self.explain(seated, at, error).await),
        };
        let receipt = Box::new(read_receipt(&sealed.answer)?);
        if sealed.closed {
            info!(game.id = %seated.game, turn = at.turn, stage = key.stage, "games: the last seal closed the window");
            self.resolve_soon(key);
        }
        let news = if sealed.closed { News::Game } else { News::Side };
        Ok((ServerMessage::Sealed { command, receipt }, news))
    }

    /// Takes a seal back while the window is open and the game allows it.
    pub async fn unseal(
        &self,
        seated: &Seated,
        command: String,
        at: StageAt,
    ) -> Result<(ServerMessage, News), Refused> {
        let id = command_id(&command)?;
        let request = Hash::of(&bytes_of(&("unseal", at)));
        let store = &self.shared.store;
        if store.answer(seated.game, seated.seat.clone(), id.clone(), request).await?.is_some() {
            return Ok((ServerMessage::Unsealed { command }, News::Nothing));
        }
        let game = store.game(seated.game).await?;
        if !self.settings(&game)?.unseal {
            return Err(Refused::new("not_allowed", "in this game a seal is final"));
        }
        let unseal = Unseal {
            key: key(seated, at)?,
            seat: seated.seat.clone(),
            command: id,
            request,
            answer: StoredBytes::from_store(b"{}".to_vec()),
            now: self.now(),
        };
        if let Err(error) = store.unseal(unseal).await {
            return Err(self.explain(seated, at, error).await);
        }
        Ok((ServerMessage::Unsealed { command }, News::Side))
    }

    /// Whether a draft is legal. Changes nothing.
    pub async fn check(
        &self,
        seated: &Seated,
        request: String,
        at: StageAt,
        draft: Draft,
    ) -> Result<ServerMessage, Refused> {
        let Judged { refusals, without_order, pickets_without_order } = self.judged(seated, at, draft).await?;
        Ok(ServerMessage::Checked { request, refusals, without_order, pickets_without_order })
    }

    /// Where an order would take a unit. Changes nothing.
    pub async fn preview(
        &self,
        seated: &Seated,
        request: String,
        at: StageAt,
        unit: UnitId,
        order: Order,
    ) -> Result<ServerMessage, Refused> {
        let ask = move |known: &Known, seat: &SeatId| {
            let own = known.table.unit(&unit).is_some_and(|unit| unit.seat == *seat);
            own.then(|| movement::preview(known, known.table.rules(), &unit, &order))
        };
        self.previewed(seated, request, at, "you command no such unit", ask).await
    }

    /// Where an order would take a picket. Changes nothing.
    pub async fn preview_picket(
        &self,
        seated: &Seated,
        request: String,
        at: StageAt,
        picket: PicketNumber,
        order: Order,
    ) -> Result<ServerMessage, Refused> {
        let ask = move |known: &Known, seat: &SeatId| {
            let own = known.under(picket).is_some_and(|under| under.seat == *seat);
            own.then(|| orders::preview_picket(known, known.table.rules(), picket, &order)).flatten()
        };
        self.previewed(seated, request, at, "you command no such picket", ask).await
    }

    /// Of what is not the asker's own nothing is told, whether it is there or not.
    async fn previewed(
        &self,
        seated: &Seated,
        request: String,
        at: StageAt,
        not_own: &str,
        ask: impl FnOnce(&Known, &SeatId) -> Option<Preview> + Send + 'static,
    ) -> Result<ServerMessage, Refused> {
        let battle = self.battle_of_open_window(seated, at).await?;
        if battle.battle.table.is_deploying() {
            return Err(Refused::new(
                "wrong_turn",
                "refused (SCN-06): orders are given from turn 1 on; place your units",
            ));
        }
        let asking = seated.clone();
        match self.compute(move || ask(&known(&battle.battle, asking.side), &asking.seat)).await? {
            Some(preview) => Ok(ServerMessage::Previewed { request, preview: Box::new(preview) }),
            None => Err(Refused::new("not_yours", not_own)),
        }
    }

    /// What a volley would do. Changes nothing.
    pub async fn odds(
        &self,
        asking: &Asking,
        request: String,
        at: StageAt,
        asked: OddsAsked,
    ) -> Result<ServerMessage, Refused> {
        let battle = self.battle_of_open_window(&asking.seated, at).await?;
        if battle.battle.table.is_deploying() {
            return Err(Refused::new("wrong_turn", "refused (SCN-06): nobody fires before turn 1; place your units"));
        }
        let draft = self.said(asking, at).await?;
        let asking = asking.seated.clone();
        let answered = self
            .compute(move || {
                let known = known(&battle.battle, asking.side);
                let OddsAsked { firer, target, fire } = asked;
                // Of a unit that is not the asker's own nothing is told, whether it is there or not.
                let own = known.table.unit(&firer).is_some_and(|unit| unit.seat == asking.seat);
                if !own {
                    return Err(NotAsked::NotOwn);
                }
                let rules = known.table.rules();
                let (seat, pair) = (&asking.seat, (&firer, &target));
                let question = Question::of(&known, rules, (seat, at.stage), draft.as_ref(), pair, fire);
                odds::odds(&known, rules, &question)
            })
            .await?;
        match answered {
            Ok(odds) => Ok(ServerMessage::Odds { request, odds: Box::new(odds) }),
            Err(NotAsked::NotOwn) => Err(Refused::new("not_yours", "you command no such unit")),
            Err(NotAsked::NoSuchEnemy) => {
                Err(Refused::new("bad_message", "`target` is no enemy on the table that you know of"))
            }
        }
    }

    /// How a unit that the seat's side knows of stands. Changes nothing.
    pub async fn unit_standing(
        &self,
        asking: &Asking,
        request: String,
        at: StageAt,
        unit: UnitId,
    ) -> Result<ServerMessage, Refused> {
        let battle = self.battle_of_open_window(&asking.seated, at).await?;
        if battle.battle.table.is_deploying() {
            return Err(Refused::new("wrong_turn", "refused (SCN-06): nobody stands to be asked about before turn 1"));
        }
        let draft = self.said(asking, at).await?;
        let side = asking.seated.side;
        let answered = self
            .compute(move || {
                let known = known(&battle.battle, side);
                standing::standing(&known, known.table.rules(), at.stage, &unit, draft.as_ref())
            })
            .await?;
        match answered {
            Some(standing) => Ok(ServerMessage::Standing { request, standing: Box::new(standing) }),
            None => Err(Refused::new("bad_message", "`unit` is no unit on the table that you know of")),
        }
    }

    /// What needs the seat. Changes nothing.
    pub async fn needs(&self, seated: &Seated, request: String, at: StageAt) -> Result<ServerMessage, Refused> {
        let battle = self.battle_of_open_window(seated, at).await?;
        if battle.battle.table.is_deploying() {
            return Err(Refused::new("wrong_turn", "refused (SCN-06): nothing needs an answer before turn 1"));
        }
        let asking = seated.clone();
        let needs = self
            .compute(move || {
                let known = known(&battle.battle, asking.side);
                needs::needs(&known, known.table.rules(), &asking.seat, at.stage)
            })
            .await?;
        Ok(ServerMessage::Needs { request, needs: Box::new(needs) })
    }

    /// What the seat has said in a window: what it has sealed, else its draft as last saved, where that may count.
    async fn said(&self, Asking { seated, drafts }: &Asking, at: StageAt) -> Result<Option<Draft>, Refused> {
        let (store, key) = (&self.shared.store, key(seated, at)?);
        let body = match store.envelope(key, seated.seat.clone()).await? {
            Some(envelope) => Some(envelope.body),
            None if !drafts => None,
            None => store.draft(key, seated.seat.clone()).await?.map(|draft| draft.body),
        };
        body.map(|body| parse(seated.game, &body)).transpose()
    }

    async fn judged(&self, seated: &Seated, at: StageAt, draft: Draft) -> Result<Judged, Refused> {
        let battle = self.battle_of_open_window(seated, at).await?;
        let asking = seated.clone();
        let judged = self
            .compute(move || {
                let known = known(&battle.battle, asking.side);
                let refusals = orders::check(&known, known.table.rules(), &asking.seat, at.stage, &draft);
                let without_order = orders::without_order(&known, &asking.seat, &draft);
                let pickets_without_order = orders::pickets_without_order(&known, &asking.seat, &draft);
                Judged { refusals, without_order, pickets_without_order }
            })
            .await?;
        Ok(judged)
    }

    /// The battle before the window `at`, if that is the one the game waits for.
    async fn battle_of_open_window(
        &self,
        seated: &Seated,
        at: StageAt,
    ) -> Result<std::sync::Arc<super::records::Resolved>, Refused> {
        let (game, newest) = self.standing(seated.game).await?;
        must_wait_for(&game, at)?;
        Ok(newest)
    }

    /// An envelope with its salt and hash, and the receipt that proves it.
    pub(super) fn envelope(
        &self,
        seated: &Seated,
        key: StageKey,
        at: StageAt,
        content: Draft,
        nonce: [u8; 32],
    ) -> (crate::store::NewEnvelope, Receipt) {
        let StageKey { game, line, turn, stage } = key;
        let salt = self.shared.entropy.bytes32_for(&format!("salt {game} {line} {turn} {stage} {}", seated.seat));
        let body = bytes_of(&content);
        let hash = Envelope {
            salt: &salt,
            game: &game.to_string(),
            turn,
            stage: at.stage,
            seat: seated.seat.as_str(),
            nonce: &nonce,
            content: &body,
        }
        .hash();
        let receipt =
            Receipt { at, seat: seated.seat.clone(), hash: hex(&hash), salt: hex(&salt), nonce: hex(&nonce), content };
        let envelope = crate::store::NewEnvelope {
            seat: seated.seat.clone(),
            body: StoredBytes::from_store(body),
            nonce: Seed::new(nonce),
            salt: Seed::new(salt),
            hash: Hash(hash),
        };
        (envelope, receipt)
    }

    /// The store's refusal in the words that fit where the game stands by now.
    async fn explain(&self, seated: &Seated, at: StageAt, error: StoreError) -> Refused {
        if matches!(error, StoreError::WindowClosed | StoreError::NoSuchWindow | StoreError::NotOpen(_))
            && let Ok(game) = self.shared.store.game(seated.game).await
            && let Err(refused) = must_wait_for(&game, at)
        {
            return refused;
        }
        error.into()
    }
}

/// Refuses unless the game waits for this very window.
fn must_wait_for(game: &GameRecord, at: StageAt) -> Result<(), Refused> {
    let asked = (at.line, at.turn, stage_number(at.stage));
    let stands = (game.line, game.turn, game.stage);
    if asked != stands {
        let message = match asked < stands {
            true => "that window has closed; the game has moved on",
            false => "that window has not opened yet",
        };
        return Err(Refused::new("wrong_turn", message));
    }
    match game.status {
        Status::Open => Ok(()),
        Status::Resolving => Err(Refused::new("window_closed", "the window is closed and the stage is being resolved")),
        Status::Held => Err(Refused::new("held", "the game is held; nothing can be ordered until it goes on")),
        Status::Ended => Err(Refused::new("ended", "the game is over")),
    }
}

fn key(seated: &Seated, at: StageAt) -> Result<StageKey, Refused> {
    // The database's whole numbers end there.
    if i32::MAX as u32 <= at.turn.max(at.line) {
        return Err(Refused::new("wrong_turn", "that window has not opened yet"));
    }
    Ok(StageKey::new(seated.game, at.line, at.turn, stage_number(at.stage)))
}

fn command_id(command: &str) -> Result<CommandId, Refused> {
    CommandId::new(command)
        .ok_or_else(|| Refused::new("bad_message", "`command` has to be 1 to 64 visible characters of ASCII"))
}

fn nonce_of(text: &str) -> Result<[u8; 32], Refused> {
    let refused = || Refused::new("bad_message", "`nonce` has to be 32 bytes as 64 hexadecimal digits");
    if text.len() != 64 || !text.is_ascii() {
        return Err(refused());
    }
    let mut nonce = [0; 32];
    for (place, byte) in nonce.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).map_err(|_| refused())?;
    }
    Ok(nonce)
}

fn read_receipt(answer: &StoredBytes) -> Result<Receipt, Refused> {
    serde_json::from_slice(answer.as_bytes()).map_err(|cause| {
        error!(%cause, "games: a stored receipt cannot be read");
        Refused::new("unavailable", "the receipt cannot be read by this version of the server; tell the host")
    })
}

fn bytes_of(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("drafts and receipts hold only maps with text keys, which JSON can write")
}

/// The battle a window is judged by. Here for the keeper, which judges drafts at a deadline.
pub(super) fn legal_part(battle: &Battle, seated: &Seated, at: StageAt, draft: &Draft) -> Draft {
    let known = known(battle, seated.side);
    orders::legal_part(&known, known.table.rules(), &seated.seat, at.stage, draft).0
}
