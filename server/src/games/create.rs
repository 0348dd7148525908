//! Making a game, taking a seat, and the ticket for the socket.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use protocol::ids::{BySide, SeatId, Side};
use protocol::message::rest::{CreateGame, GameCard, GameCreated, Invitation, Join, Joined, Ticket};
use protocol::message::{Deployment, Spectators, StageAt};
use protocol::orders::Stage;
use protocol::words::Fog;
use rules::battle::Theatre;
use rules::dice::{KeyedDice, TurnSeed};
use rules::{archive, setup, stage};
use tracing::{info, warn};

use super::settings::BotSeat;
use super::{ENGINE_VERSION, Games, Present, Refused, Seated, Settings, names, stage_number};
use crate::store::{
    GameId, GameRecord, Hash, NewGame, NewSeat, NewSeed, NewWatchLink, NewWindow, Seed, Status, StoreError,
    StoredBytes, TokenHash, WatchRole,
};

/// The seat of whoever sits at this machine, for `picket run`: its invitation opens the same seat again and again.
#[derive(Clone)]
pub struct House {
    /// The invitation's token.
    pub invitation: String,
    /// The seat's token.
    pub seat_token: String,
}

/// A new game's invitations, with their tokens.
pub struct Created {
    /// The game.
    pub game: GameId,
    /// Seats with their sides and the tokens of their invitations; the bot's seat is taken and has none.
    pub invitations: Vec<(SeatId, Side, String)>,
    /// The token of the umpire's link, if the game has one.
    pub umpire: Option<String>,
    /// The token of the spectators' link, if others may watch.
    pub spectators: Option<String>,
}

impl Games {
    /// Makes a game for somebody at `address`.
    pub async fn create(&self, asked: CreateGame, address: IpAddr) -> Result<GameCreated, Refused> {
        self.shared.new_games.take(address, self.now())?;
        let (created, settings) = self.make(asked).await?;
        let invitations = created.invitations.into_iter().map(|(seat, side, token)| Invitation {
            seat,
            side,
            title: settings.title(side),
            link: format!("/join/{token}"),
        });
        let watch = |token: String| format!("/watch/{token}");
        Ok(GameCreated {
            game: created.game.to_string(),
            invitations: invitations.collect(),
            umpire: created.umpire.map(watch),
            spectators: created.spectators.map(watch),
        })
    }

    /// Makes a game: the battle as it begins, seats, invitations, the first window and its committed seed, in one commit.
    /// The bot's seat is taken at once, and its bot set to work.
    pub async fn make(&self, asked: CreateGame) -> Result<(Created, Settings), Refused> {
        let volume = self.volume(&asked.scenario).await?;
        let (choosing, scenario) = (asked.clone(), Arc::clone(&volume.theatre.scenario));
        let mut settings = self.compute(move || Settings::decide(&choosing, &scenario)).await??;
        let entropy = &self.shared.entropy;
        let id = GameId(entropy.uuid());
        let mut seats = Vec::new();
        let mut invitations = Vec::new();
        for (seat, side) in settings.seats() {
            let token = entropy.token();
            let invitation = Some(TokenHash::of(&token));
            seats.push(NewSeat { seat: seat.clone(), side, required: true, invitation });
            if asked.bot == Some(side) {
                let seed = u64::from_be_bytes(first_eight(entropy.bytes32()));
                settings.bot = Some(BotSeat { seat, token: entropy.token(), invitation: token, seed });
            } else {
                invitations.push((seat, side, token));
            }
        }
        let umpire = settings.umpire.then(|| entropy.token());
        let spectators = (settings.spectators == Spectators::Open).then(|| entropy.token());
        let theatre = self.played(&volume.theatre, &settings).await?;
        let ruleset_hash = played_by(&theatre);
        let (seating, deployment) = (settings.seating.clone(), settings.deployment);
        let first_turn = settings.first_turn();
        let seed = self.new_seed(id, 1, first_turn);
        let dice = KeyedDice::for_setup(&TurnSeed(*seed.seed.expose()), &id.to_string());
        let (battle, events) = self.compute(move || beginning(&theatre, &seating, deployment, &dice)).await?;
        let stored = serde_json::to_string(&settings).expect("settings hold only what JSON can write");
        let game = NewGame {
            id,
            scenario: asked.scenario,
            scenario_text: volume.text.as_bytes().to_vec(),
            settings: stored,
            ruleset_hash,
            engine_version: ENGINE_VERSION.to_owned(),
            host_token: None,
            seats,
            watch_links: watch_links(umpire.as_deref(), spectators.as_deref()),
            battle,
            events,
            // The clock of the first window starts when the last seat is taken.
            first: NewWindow { turn: first_turn, stage: stage_number(Stage::Orders), deadline: None, seed: Some(seed) },
        };
        self.shared.store.create_game(game, self.now()).await?;
        info!(game.id = %id, "games: made");
        if let Some(bot) = &settings.bot {
            self.seat_bot(id, bot).await?;
        }
        Ok((Created { game: id, invitations, umpire, spectators }, settings))
    }

    /// A turn's seed with its commitment. In a seeded server it depends on nothing but game, line and turn.
    pub(super) fn new_seed(&self, game: GameId, line: u32, turn: u32) -> NewSeed {
        let seed = self.shared.entropy.bytes32_for(&format!("turn seed {game} {line} {turn}"));
        let commitment = Hash(TurnSeed(seed).commitment(&game.to_string(), turn));
        NewSeed { seed: Seed::new(seed), commitment }
    }

    /// Takes the seat of an invitation under a name.
    pub async fn join(&self, asked: Join, address: IpAddr) -> Result<Joined, Refused> {
        self.shared.knocks.take(address, self.now())?;
        let name = names::clean(&asked.name)?;
        let house = self.shared.house.get().filter(|house| house.invitation == asked.invitation);
        let token = house.map_or_else(|| self.shared.entropy.token(), |house| house.seat_token.clone());
        let invitation = TokenHash::of(&asked.invitation);
        let game = self.shared.store.invitation(invitation).await?.game;
        self.must_not_watch(game, &asked.held).await?;
        let seat = self.shared.store.claim_invitation(invitation, name, TokenHash::of(&token), self.now()).await?;
        info!(game.id = %seat.game, seat.id = %seat.seat, "games: a seat is taken");
        self.start_first_clock(seat.game).await?;
        self.shared.hub.seats_changed(seat.game);
        Ok(Joined { game: seat.game.to_string(), seat: seat.seat, token })
    }

    /// The first window of a game with deadlines counts from when all its seats were taken.
    pub(super) async fn start_first_clock(&self, game: GameId) -> Result<(), Refused> {
        let record = self.shared.store.game(game).await?;
        let settings = self.settings(&record)?;
        let Some(seconds) = settings.deadline_seconds else { return Ok(()) };
        let window = self.shared.store.window(record.window()).await?;
        let seats = self.shared.store.seats(game).await?;
        let gathered = seats.iter().all(|seat| !seat.required || seat.joined_at.is_some());
        if !gathered || window.deadline.is_some() || window.closed_at.is_some() {
            return Ok(());
        }
        let deadline = self.now() + i64::from(seconds) * 1000;
        match self.shared.store.set_deadline(window.key, Some(deadline)).await {
            // Closed in the meantime: there is nothing to wait for.
            Ok(()) | Err(StoreError::WindowClosed) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The seat at this machine, for `picket run`. Set once.
    pub fn set_house(&self, house: House) {
        if self.shared.house.set(house).is_err() {
            warn!("games: the house has its seat already");
        }
    }

    /// A one-time ticket for the socket of a game, for the holder of a seat's token or of a watcher's.
    pub async fn ticket(&self, game: GameId, token: &str, address: IpAddr) -> Result<Ticket, Refused> {
        self.shared.knocks.take(address, self.now())?;
        self.shared.store.game(game).await?;
        let token = TokenHash::of(token);
        if let Some(seat) = self.shared.store.seat_of_token(game, token).await? {
            return self.give_ticket(Present::Player(Seated { game, seat: seat.seat, side: seat.side }));
        }
        match self.shared.store.watcher_of_token(game, token).await? {
            Some(watcher) => self.give_ticket(super::watch::present(&watcher)),
            None => Err(Refused::new("forbidden", "this is not a seat of the game; open your invitation again")),
        }
    }

    /// Gives out a ticket for somebody.
    pub(super) fn give_ticket(&self, present: Present) -> Result<Ticket, Refused> {
        let ticket = self.shared.entropy.token();
        self.shared.tickets.give(&ticket, present, self.now())?;
        Ok(Ticket { ticket })
    }

    /// Takes a ticket in at the socket of a game.
    pub fn take_ticket(&self, game: GameId, ticket: &str) -> Option<Present> {
        self.shared.tickets.take(ticket, game, self.now())
    }

    /// The games in which the holder of a token sits.
    pub async fn games_of(&self, token: &str) -> Result<Vec<GameCard>, Refused> {
        let token = TokenHash::of(token);
        let seats = self.shared.store.seats_of_token(token).await?;
        let games = self.shared.store.games_of_token(token).await?;
        let mut cards = Vec::new();
        for game in games {
            let Some(seat) = seats.iter().find(|seat| seat.game == game.id) else { continue };
            let gathered = self.gathered(game.id).await?;
            cards.push(GameCard {
                game: game.id.to_string(),
                name: self.settings(&game)?.name,
                scenario: game.scenario.clone(),
                seat: seat.seat.clone(),
                side: seat.side,
                at: at(&game)?,
                phase: super::look::phase(game.status, gathered),
            });
        }
        Ok(cards)
    }

    /// Whether every seat that a window waits for is taken.
    pub(super) async fn gathered(&self, game: GameId) -> Result<bool, Refused> {
        Ok(super::watch::gathered(&self.shared.store.seats(game).await?))
    }

    /// Why a game is held, if it is.
    pub async fn held(&self, game: GameId) -> Result<Option<String>, Refused> {
        let record = self.shared.store.game(game).await?;
        Ok((record.status == Status::Held).then(|| record.held_reason.unwrap_or_default()))
    }

    /// Whether a game can still be played on. None: there is no such game.
    pub async fn is_unfinished(&self, game: GameId) -> Result<Option<bool>, Refused> {
        match self.shared.store.game(game).await {
            Ok(record) => Ok(Some(record.status != Status::Ended)),
            Err(StoreError::NoSuchGame(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The window a game stands at, as the wire has it.
pub(super) fn at(game: &GameRecord) -> Result<StageAt, Refused> {
    let stage =
        super::stage_of(game.stage).ok_or_else(|| Refused::new("unavailable", "the game stands at no stage"))?;
    Ok(StageAt { line: game.line, turn: game.turn, stage })
}

/// The hash of what a battle is played by: its tables and house rules, and the fog `line_of_sight` where it is played. LOS-01
fn played_by(theatre: &Theatre) -> Hash {
    let tables = &theatre.rules().hash;
    match theatre.scenario.options.fog {
        Fog::Tabletop => Hash::of(tables.as_bytes()),
        Fog::LineOfSight => Hash::of(format!("{tables} line_of_sight").as_bytes()),
    }
}

/// The links by which others come to watch.
fn watch_links(umpire: Option<&str>, spectators: Option<&str>) -> Vec<NewWatchLink> {
    let links = [(WatchRole::Umpire, umpire), (WatchRole::Spectator, spectators)];
    let given = links.into_iter().filter_map(|(role, token)| Some((role, token?)));
    given.map(|(role, token)| NewWatchLink { role, token: TokenHash::of(token) }).collect()
}

/// Optional troops that take part: none yet, in any game. SCN-12
pub(super) fn switched_on() -> BTreeSet<String> {
    BTreeSet::new()
}

/// The battle before the first window. As the file prints it, turn 1 has opened: the marks of its first phase are set, and
/// what is told of them is the log's beginning (CMD-06). Its dice come from the first window's seed alone: nobody has sealed
/// anything yet. Where the players place their units nothing has happened.
fn beginning(
    theatre: &Arc<Theatre>,
    seating: &setup::Seating,
    deployment: Deployment,
    dice: &KeyedDice,
) -> (StoredBytes, StoredBytes) {
    let rules = theatre.rules();
    let (battle, events) = match deployment {
        Deployment::Printed => {
            let battle = setup::start(theatre, rules, seating, &switched_on(), &BySide::default());
            let opened = stage::open(rules, battle, dice);
            (opened.battle, opened.events)
        }
        Deployment::Players => (setup::muster(theatre, rules, seating, &switched_on()), Vec::new()),
    };
    (archive::store(&battle), archive::store_events(&events))
}

fn first_eight(bytes: [u8; 32]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = bytes;
    [a, b, c, d, e, f, g, h]
}
