//! The umpire sees all, through any eyes; spectators see what both sides know, as late as the game says; neither acts.

use protocol::ids::Side;
use protocol::message::rest::{CreateGame, Eyes, GameCard, GameCreated, Join, Joined, Ticket, Watch, Watching};
use protocol::message::{ClientMessage, ErrorMessage, GamePhase, ServerMessage, Spectators, StageAt, WatcherRole};
use protocol::orders::{Draft, Order, Stage};
use protocol::view::Viewer;
use serde_json::{Value, json};
use server::store::GameId;

use super::deployment::PLACING;
use super::hidden::{his_orders, without_commitments};
use super::table::*;
use super::worlds::*;

/// A game that has begun, with links for an umpire and for spectators.
pub(crate) struct Watched {
    pub(crate) server: Server,
    pub(crate) created: GameCreated,
    pub(crate) union: Player,
    pub(crate) confederate: Player,
}

impl Watched {
    pub(crate) async fn begin(folder: &tempfile::TempDir, change: impl FnOnce(&mut CreateGame)) -> Watched {
        let server = Server::start(folder).await;
        let mut asked = CreateGame { umpire: true, spectators: Spectators::Open, ..create() };
        change(&mut asked);
        let created: GameCreated = post(server.address(), "/api/games", None, &asked).await.expect("a game is made");
        let union = server.join(&created, Side::Union, "Ann").await;
        let confederate = server.join(&created, Side::Confederate, "Bob").await;
        let (union, confederate) = (server.sit(&union).await, server.sit(&confederate).await);
        Watched { server, created, union, confederate }
    }

    fn link(&self, role: WatcherRole) -> String {
        let link = match role {
            WatcherRole::Umpire => &self.created.umpire,
            WatcherRole::Spectator => &self.created.spectators,
        };
        let link = link.as_deref().expect("the game has such a link");
        link.strip_prefix("/watch/").expect("a link to watch").to_owned()
    }

    /// Takes a watcher's place. The tokens of `held` are on the same device.
    pub(crate) async fn watch(&self, role: WatcherRole, held: &[&str]) -> Result<Joined, ErrorMessage> {
        let held = held.iter().map(|token| (*token).to_owned()).collect();
        let asked = Watch { link: self.link(role), name: "Cy".to_owned(), held };
        let watching: Watching =
            post(self.server.address(), "/api/watch", None, &asked).await.map_err(|(_, refused)| refused)?;
        assert_eq!(watching.role, role);
        Ok(Joined { game: watching.game, seat: "none".into(), token: watching.token })
    }

    pub(crate) async fn watcher(&self, role: WatcherRole) -> Player {
        let joined = self.watch(role, &[]).await.expect("the link is good");
        self.server.sit(&joined).await
    }

    pub(crate) async fn eyes(&self, token: &str, of: &Viewer) -> Result<String, (u16, ErrorMessage)> {
        let path = format!("/api/games/{}/eyes", self.created.game);
        let asked = Eyes { viewer: of.clone() };
        post::<Ticket>(self.server.address(), &path, Some(token), &asked).await.map(|ticket| ticket.ticket)
    }

    /// The umpire's socket through somebody's eyes.
    pub(crate) async fn through(&self, umpire: &Joined, viewer: Viewer) -> Player {
        let ticket = self.eyes(&umpire.token, &viewer).await.expect("the umpire may");
        sit_by(self.server.address(), ticket, umpire, None).await
    }

    /// What is heard through somebody's eyes at the beginning, and of a replay of turn 0.
    async fn looked(&self, umpire: &Joined, viewer: Viewer) -> Vec<String> {
        let mut player = self.through(umpire, viewer).await;
        player.say(&ClientMessage::Replay { request: "r".to_owned(), at: orders_of(0) }).await;
        player.answer("r").await.expect("it was resolved");
        player.heard
    }

    /// Both seal no orders for a turn, and it is resolved.
    pub(crate) async fn play(&mut self, turn: u32) {
        for player in [&mut self.union, &mut self.confederate] {
            player.seal(orders_of(turn), Draft::default()).await.expect("the window is open");
        }
        for player in [&mut self.union, &mut self.confederate] {
            player.state_at(orders_of(turn + 1), GamePhase::Window).await;
        }
    }
}

pub(crate) fn seat(side: Side) -> Viewer {
    let seat = match side {
        Side::Union => "union",
        Side::Confederate => "confederate",
    };
    Viewer::Seat { side, seat: seat.into() }
}

/// All that was on its way is heard before the pong.
pub(crate) async fn settle(player: &mut Player) {
    player.say(&ClientMessage::Ping {}).await;
    player.hear_until(|message| matches!(message, ServerMessage::Pong {}).then_some(())).await;
}

/// The messages of a type as values.
pub(crate) fn heard(player: &Player, kind: &str) -> Vec<Value> {
    let all = player.heard.iter().map(|text| serde_json::from_str::<Value>(text).expect("a message"));
    all.filter(|message| message["type"] == kind).collect()
}

/// Every message that acts or asks of a seat's affairs, with the name it is answered by.
fn all_that_seats_say(unit: &protocol::ids::UnitId) -> Vec<ClientMessage> {
    let name = || "n".to_owned();
    let (at, draft, order) = (FIRST, Draft::default(), Order::Hold { task: None });
    vec![
        ClientMessage::SaveDraft { command: name(), at, draft: draft.clone() },
        ClientMessage::Seal { command: name(), at, draft: draft.clone(), nonce: "11".repeat(32), drop_illegal: true },
        ClientMessage::Unseal { command: name(), at },
        ClientMessage::Check { request: name(), at, draft },
        ClientMessage::Preview { request: name(), at, unit: unit.clone(), order: order.clone() },
        ClientMessage::PreviewPicket { request: name(), at, picket: protocol::ids::PicketNumber(1), order },
        ClientMessage::Odds { request: name(), at, firer: unit.clone(), target: unit.clone(), fire: None },
        ClientMessage::Standing { request: name(), at, unit: unit.clone() },
        ClientMessage::Needs { request: name(), at },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_64_a_spectator_hears_nothing_before_all_have_sealed_and_then_what_both_sides_know() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |_| {}).await;
    let mut spectator = table.watcher(WatcherRole::Spectator).await;
    let first = spectator.last_state();
    assert_eq!((&first.view.viewer, first.status.at), (&Viewer::Public {}, FIRST));
    assert_eq!((first.status.waiting_for.len(), first.draft, first.sealed), (0, None, None));
    assert!(first.view.units.iter().all(|unit| unit.own.is_none()), "nobody's own affairs are shown");
    settle(&mut spectator).await;
    let before = spectator.heard.len();
    let own = table.union.last_state().a_unit_of(Side::Union);
    table.union.save(FIRST, hold(&own)).await.expect("she may draft");
    table.union.seal(FIRST, told(&own, Order::FirstFire {})).await.expect("she may seal");
    table.union.unseal(FIRST).await.expect("she may take it back");
    table.union.seal(FIRST, told(&own, Order::FirstFire {})).await.expect("she may seal");
    table.union.state().await;
    settle(&mut spectator).await;
    assert_eq!(spectator.heard.len(), before + 1, "the pong alone: {:?}", spectator.heard.last());
    // Others who come are told the same.
    let late = table.watcher(WatcherRole::Spectator).await;
    assert_eq!(late.heard[..2], spectator.heard[..2]);
    table.confederate.seal(FIRST, Draft::default()).await.expect("he may seal");
    let state = spectator.state_at(orders_of(2), GamePhase::Window).await;
    assert_eq!(state.status.receipts.len(), 2, "all are in");
    assert!(state.view.units.iter().all(|unit| unit.own.is_none()));
    let events = heard(&spectator, "events");
    assert_eq!(events.len(), 4);
    // Of the words behind a choice its own side alone is told (TURN-06).
    assert!(!spectator.heard.iter().any(|text| text.contains(r#""type":"choice""#)));
    // Players hear of no watcher.
    for player in [&table.union, &table.confederate] {
        assert_eq!(heard(player, "welcome").len(), 1, "who sits where has not changed");
        assert!(!player.heard.iter().any(|text| text.contains("Cy")));
    }
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_64_a_delayed_spectator_is_sent_the_record_of_then_byte_by_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |asked| asked.spectator_delay_turns = 2).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let joined = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    let mut spectator = table.server.sit(&joined).await;
    settle(&mut spectator).await;
    let before = spectator.heard.clone();
    // What the public may know of now, of each turn in its time.
    let mut at_once = Vec::new();
    for turn in [1, 2] {
        table.play(turn).await;
        at_once.push(table.through(&umpire, Viewer::Public {}).await.heard);
    }
    settle(&mut spectator).await;
    assert_eq!(spectator.heard.len(), before.len() + 1, "two turns went by, and nothing was told but the pong");
    // He asks for what has been resolved, and for what has not: the same is said, in as many bytes.
    let mut refused = Vec::new();
    for turn in [1, 2, 3, 9, u32::MAX] {
        for stage in [Stage::Orders, Stage::Movement] {
            let at = StageAt { stage, ..orders_of(turn) };
            spectator.say(&ClientMessage::Replay { request: "r".to_owned(), at }).await;
            let error = spectator.answer("r").await.expect_err("to him it has not been resolved");
            refused.push((error, spectator.heard.last().expect("it was heard").clone()));
        }
    }
    assert_eq!(refused[0].0.code, "no_such_stage");
    assert!(refused.iter().all(|other| other == &refused[0]), "{refused:?}");
    // Whatever he says that he has, he begins where he may.
    for have in [orders_of(1), StageAt { stage: Stage::Movement, ..orders_of(2) }, orders_of(7)] {
        let again = table.server.sit_with(&joined, Some(have)).await;
        assert_eq!(again.heard, before[..2], "{have:?}");
    }
    // Turn 3 is resolved: he gets turn 1, as the public got it at its time but for what is said of the window of now.
    table.play(3).await;
    let state = spectator.state_at(orders_of(2), GamePhase::Window).await;
    settle(&mut spectator).await;
    let events: Vec<&String> = spectator.heard.iter().filter(|text| text.contains(r#"{"type":"events""#)).collect();
    let then: Vec<&String> = at_once[0].iter().filter(|text| text.contains(r#"{"type":"events""#)).collect();
    assert_eq!((events.len(), &events), (4, &then));
    let of_state = |heard: &[String]| serde_json::from_str::<Value>(heard.last().expect("a state")).expect("a message");
    let (mine, theirs) = (serde_json::to_value(&state.view).expect("JSON"), of_state(&at_once[0]));
    assert_eq!(mine, theirs["view"]);
    assert_eq!(state.status.commitment, theirs["status"]["commitment"], "of the turn that he sees");
    assert_eq!((state.status.deadline, state.status.receipts.len(), state.status.held), (None, 0, None));
    let late = table.server.sit(&joined).await;
    assert_eq!(late.heard[0], before[0], "the card is of then");
    spectator.say(&ClientMessage::Replay { request: "r".to_owned(), at: orders_of(2) }).await;
    assert_eq!(spectator.answer("r").await.expect_err("not yet").code, "no_such_stage");
    spectator.say(&ClientMessage::Replay { request: "r".to_owned(), at: orders_of(1) }).await;
    spectator.answer("r").await.expect("he may know that");
    // When it is over all is open to all.
    let game: GameId = table.created.game.parse().expect("an identifier");
    table.server.running.app.store.end_game(game, "null".to_owned(), NOON).await.expect("it can be ended");
    let after = table.server.sit(&joined).await;
    assert_eq!(after.last_state().status.phase, GamePhase::Ended);
    assert_eq!(heard(&after, "events").len(), 12);
    table.server.running.stop().await;
}

/// A delay of one turn while every window opens: a stage for a stage.
#[tokio::test(flavor = "multi_thread")]
async fn leak_64_one_stage_resolved_shows_one_stage_of_the_turn_before() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |asked| {
        asked.windows = Some(Stage::ALL.to_vec());
        asked.spectator_delay_turns = 1;
        asked.deadline_seconds = Some(3600);
    })
    .await;
    let mut spectator = table.watcher(WatcherRole::Spectator).await;
    assert_eq!(spectator.last_state().status.deadline, None, "of now");
    for turn in [1, 2] {
        for stage in Stage::ALL {
            let at = StageAt { stage, ..orders_of(turn) };
            table.union.seal(at, Draft::default()).await.expect("the window is open");
            settle(&mut spectator).await;
            let before = spectator.heard.len();
            table.confederate.seal(at, Draft::default()).await.expect("the window is open");
            let next = stage.next().map_or(orders_of(turn + 1), |stage| StageAt { stage, ..at });
            table.union.state_at(next, GamePhase::Window).await;
            table.confederate.state_at(next, GamePhase::Window).await;
            if turn == 2 {
                spectator.state_at(StageAt { turn: next.turn - 1, ..next }, GamePhase::Window).await;
            }
            settle(&mut spectator).await;
            let kinds: Vec<String> = spectator.heard[before..]
                .iter()
                .map(|text| serde_json::from_str::<Value>(text).expect("a message")["type"].to_string())
                .collect();
            let wanted: &[&str] = if turn == 1 { &[r#""pong""#] } else { &[r#""events""#, r#""state""#, r#""pong""#] };
            assert_eq!(kinds, wanted, "{at:?}");
        }
    }
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_64_who_watches_says_nothing_that_acts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = Watched::begin(&folder, |_| {}).await;
    let unit = table.union.last_state().a_unit_of(Side::Union);
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let through_eyes = table.through(&umpire, seat(Side::Union)).await;
    let watchers = [table.server.sit(&umpire).await, through_eyes, table.watcher(WatcherRole::Spectator).await];
    // He who looks through a seat's eyes may ask how units stand for it.
    let asked_as_a_seat =
        |message: &ClientMessage| matches!(message, ClientMessage::Odds { .. } | ClientMessage::Standing { .. });
    let game: GameId = table.created.game.parse().expect("an identifier");
    for (eyes, mut watcher) in [false, true, false].into_iter().zip(watchers) {
        for message in all_that_seats_say(&unit) {
            if eyes && asked_as_a_seat(&message) {
                continue;
            }
            watcher.say(&message).await;
            let refused = watcher.answer("n").await.expect_err("he watches");
            assert_eq!((refused.code.as_str(), refused.about.as_deref()), ("watching", Some("n")), "{message:?}");
        }
        watcher.say(&ClientMessage::Hello { version: 1, ticket: "again".to_owned(), have: None }).await;
        assert_eq!(watcher.error().await.code, "bad_message");
        watcher.say_text("{\"type\":\"conquer\"}").await;
        assert_eq!(watcher.error().await.code, "bad_message");
        // LEAK-09 His answers have the sizes of everybody's.
        assert!(watcher.heard.last().is_some_and(|text| text.len() == 4096));
    }
    let store = &table.server.running.app.store;
    let key = server::store::StageKey::new(game, 1, 1, 1);
    for seat in ["union", "confederate", "none"] {
        assert!(store.draft(key, seat.into()).await.expect("the store answers").is_none());
        assert!(store.envelope(key, seat.into()).await.expect("the store answers").is_none());
    }
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_who_floods_is_told_to_wait() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = Watched::begin(&folder, |_| {}).await;
    let mut spectator = table.watcher(WatcherRole::Spectator).await;
    for _ in 0..60 {
        settle(&mut spectator).await;
    }
    spectator.say(&ClientMessage::Ping {}).await;
    assert_eq!(spectator.error().await.code, "overloaded");
    table.server.running.stop().await;
}

/// What is sent, without draft and envelope, with which a state ends.
fn without_envelope(heard: &[String]) -> Vec<String> {
    let cut = |text: &String| match text.rfind(r#","draft":"#) {
        Some(end) if text.starts_with(r#"{"type":"state""#) => text[..end].to_owned(),
        _ => text.clone(),
    };
    heard.iter().map(cut).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn through_eyes_the_umpire_is_sent_what_they_are_sent_but_for_the_envelope() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Hampton, Fitz Lee and Chambliss stand on pickets: the sides know different things.
    let mut table = Watched::begin(&folder, |asked| {
        asked.scenario = "east_cavalry_field".to_owned();
        asked.hidden_movement = Some(true);
    })
    .await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let placing = orders_of(0);
    for player in [&mut table.union, &mut table.confederate] {
        player.seal_legal(placing, Draft::default()).await.expect("the window is open");
    }
    for player in [&mut table.union, &mut table.confederate] {
        player.state_at(FIRST, GamePhase::Window).await;
    }
    let own = table.union.last_state().a_unit_of(Side::Union);
    table.union.save(FIRST, hold(&own)).await.expect("she may draft");
    table.confederate.seal(FIRST, Draft::default()).await.expect("he may seal");
    let spectator = table.watcher(WatcherRole::Spectator).await;
    let mut streams = Vec::new();
    for player in [&table.union, &table.confederate] {
        let side = if player.joined().seat.as_str() == "union" { Side::Union } else { Side::Confederate };
        let mut again = table.server.sit(player.joined()).await;
        again.say(&ClientMessage::Replay { request: "r".to_owned(), at: orders_of(0) }).await;
        again.answer("r").await.expect("it was resolved");
        let state = again.last_state();
        assert_eq!((state.draft.is_some(), state.sealed.is_some()), (side == Side::Union, side == Side::Confederate));
        let eyes = table.looked(&umpire, seat(side)).await;
        must_be_the_same(&without_envelope(&again.heard), &without_envelope(&eyes));
        assert_eq!(eyes.len(), again.heard.len());
        assert!(eyes.iter().any(|text| text.ends_with(r#","draft":null,"sealed":null}"#)), "a draft is its seat's");
        streams.push(eyes);
    }
    assert_ne!(streams[0], streams[1], "the sides know the same");
    let public = table.looked(&umpire, Viewer::Public {}).await;
    must_be_the_same(&spectator.heard, &public[..spectator.heard.len()]);
    let of_side = table.looked(&umpire, Viewer::Side { side: Side::Confederate }).await;
    let hidden = |heard: &[String]| {
        heard
            .iter()
            .rev()
            .find(|text| text.starts_with(r#"{"type":"state""#))
            .is_some_and(|text| text.contains(r#""hides":"#))
    };
    let told = [&streams[0], &streams[1], &public, &of_side].map(|heard| hidden(heard));
    assert_eq!(told, [false, true, false, true], "what a picket hides is its side's");
    // With his own eyes he sees all of it.
    assert!(hidden(&table.server.sit(&umpire).await.heard));
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_umpire_sees_who_has_sealed_what_and_no_draft() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |_| {}).await;
    let mut umpire = table.watcher(WatcherRole::Umpire).await;
    let seats = |state: &State| state.status.waiting_for.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(seats(&umpire.last_state()), ["confederate", "union"]);
    let own = table.union.last_state().a_unit_of(Side::Union);
    let secret = told(&own, Order::FirstFire {});
    table.union.save(FIRST, secret.clone()).await.expect("she may draft");
    settle(&mut umpire).await;
    assert!(!umpire.heard.iter().any(|text| text.contains("first_fire\"}")), "a draft is its seat's");
    table.union.seal(FIRST, secret.clone()).await.expect("she may seal");
    let state = umpire.state().await;
    assert_eq!(seats(&state), ["confederate"]);
    let sealed: Vec<(&str, &Draft)> =
        state.envelopes.iter().map(|sealed| (sealed.seat.as_str(), &sealed.content)).collect();
    assert_eq!(sealed, [("union", &secret)]);
    // Neither her part in the dice nor the salt is his to know.
    assert!(!umpire.heard.iter().any(|text| text.contains("nonce") || text.contains("salt")));
    table.union.unseal(FIRST).await.expect("she may take it back");
    let state = umpire.state().await;
    assert_eq!((seats(&state).len(), state.envelopes.len()), (2, 0));
    // A player's state has no such key at all.
    assert!(!table.union.heard.iter().any(|text| text.contains("envelopes")));
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_umpire_alone_looks_through_eyes_and_only_such_as_there_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let table = Watched::begin(&folder, |_| {}).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let spectator = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    let viewers = [seat(Side::Union), seat(Side::Confederate), Viewer::Public {}, Viewer::Umpire {}];
    for token in [&table.union.joined().token, &spectator.token, &"nobody".to_owned()] {
        for viewer in &viewers {
            let (status, refused) = table.eyes(token, viewer).await.expect_err("they are not his");
            assert_eq!((status, refused.code.as_str()), (403, "umpire_only"), "{viewer:?}");
        }
    }
    let path = format!("/api/games/{}/eyes", table.created.game);
    let malformed = [
        json!({}),
        json!({"as": null}),
        json!({"as": "union"}),
        json!({"as": {"type": "god"}}),
        json!({"as": {"type": "seat", "side": "union"}}),
        json!({"as": {"type": "seat", "side": "union", "seat": "confederate"}}),
        json!({"as": {"type": "seat", "side": "union", "seat": "nobody"}}),
        json!({"as": {"type": "seat", "side": "neither", "seat": "union"}}),
        json!({"as": {"type": "public", "extra": 1}}),
        json!({"as": {"type": "public"}, "extra": 1}),
    ];
    for body in malformed {
        let asked = post::<Ticket>(table.server.address(), &path, Some(&umpire.token), &body).await;
        let (status, refused) = asked.expect_err("there are no such eyes");
        assert_eq!((status, refused.code.as_str()), (400, "bad_message"), "{body}");
    }
    let none = post::<Ticket>(table.server.address(), &path, None, &json!({"as": {"type": "public"}})).await;
    assert_eq!(none.expect_err("nobody asks").1.code, "unauthorized");
    // The ticket is for this game alone, and good once.
    let ticket = table.eyes(&umpire.token, &Viewer::Umpire {}).await.expect("the umpire may");
    let player = sit_by(table.server.address(), ticket, &umpire, None).await;
    assert_eq!(player.last_state().view.viewer, Viewer::Umpire {});
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_73_who_plays_does_not_watch_and_who_watches_does_not_play() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let asked = CreateGame { umpire: true, spectators: Spectators::Open, ..create() };
    let created: GameCreated = post(server.address(), "/api/games", None, &asked).await.expect("a game is made");
    let union = server.join(&created, Side::Union, "Ann").await;
    let union = server.sit(&union).await;
    let (confederate, token) = (server.sit(union.joined()).await, union.joined().token.clone());
    let table = Watched { server, created, union, confederate };
    for role in [WatcherRole::Umpire, WatcherRole::Spectator] {
        let refused = table.watch(role, &["other", &token]).await.expect_err("she plays");
        assert_eq!(refused.code, "seated_elsewhere", "{role:?}");
    }
    let umpire = table.watch(WatcherRole::Umpire, &["other"]).await.expect("nobody watches yet");
    assert_eq!(table.watch(WatcherRole::Umpire, &[]).await.expect_err("there is one").code, "invitation_used");
    let spectator = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    table.watch(WatcherRole::Spectator, &[]).await.expect("it is good for many");
    let link = table.created.invitations.iter().find(|it| it.side == Side::Confederate).expect("it is free");
    let invitation = link.link.replace("/join/", "");
    let join = |invitation: &str, held: Vec<String>| {
        let body = Join { invitation: invitation.to_owned(), name: "Di".to_owned(), held };
        let address = table.server.address();
        async move { post::<Joined>(address, "/api/join", None, &body).await }
    };
    for token in [&umpire.token, &spectator.token] {
        let refused = join(&invitation, vec![token.clone()]).await.expect_err("he watches").1;
        assert_eq!(refused.code, "seated_elsewhere");
    }
    // A link to watch opens no seat, and an invitation no place to watch.
    let watch = table.link(WatcherRole::Spectator);
    assert_eq!(join(&watch, Vec::new()).await.expect_err("no seat").1.code, "no_such_invitation");
    let wrong = Watch { link: invitation.clone(), name: "Di".to_owned(), held: Vec::new() };
    let refused = post::<Watching>(table.server.address(), "/api/watch", None, &wrong).await.expect_err("a seat's").1;
    assert_eq!(refused.code, "no_such_invitation");
    let many = vec!["x".to_owned(); 101];
    assert_eq!(join(&invitation, many).await.expect_err("too many").1.code, "bad_message");
    join(&invitation, vec!["other".to_owned()]).await.expect("the seat is free");
    // A watcher's token lists no games, and after the end who played may look on.
    let games: Vec<GameCard> =
        get(table.server.address(), "/api/games", Some(&umpire.token)).await.expect("it can be asked");
    assert_eq!(games, []);
    let game: GameId = table.created.game.parse().expect("an identifier");
    table.server.running.app.store.end_game(game, "null".to_owned(), NOON).await.expect("it can be ended");
    table.watch(WatcherRole::Spectator, &[&token]).await.expect("it is over");
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |asked| asked.spectator_delay_turns = 1).await;
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let spectator = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    table.play(1).await;
    let seen = [table.server.sit(&umpire).await.heard, table.server.sit(&spectator).await.heard];
    let Watched { server, created, union, confederate } = table;
    let server = server.restart().await;
    let again = [server.sit(&umpire).await.heard, server.sit(&spectator).await.heard];
    assert_eq!(again, seen);
    let table = Watched { server, created, union, confederate };
    table.watch(WatcherRole::Spectator, &[]).await.expect("the link is still good");
    assert_eq!(table.watch(WatcherRole::Umpire, &[]).await.expect_err("it was used").code, "invitation_used");
    table.server.running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_nobody_may_watch_has_no_links() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder).await;
    let created: GameCreated = post(server.address(), "/api/games", None, &create()).await.expect("a game is made");
    assert_eq!((created.umpire, created.spectators), (None, None));
    for (spectators, delay) in [(Spectators::Off, 1), (Spectators::Open, 21)] {
        let asked = CreateGame { spectators, spectator_delay_turns: delay, ..create() };
        let refused =
            post::<GameCreated>(server.address(), "/api/games", None, &asked).await.expect_err("no such game");
        assert_eq!((refused.0, refused.1.code.as_str()), (400, "bad_settings"));
    }
    server.running.stop().await;
}

/// What those who watch hear of two turns, in a world in which the enemy hides these things: a spectator a turn behind, and the umpire
/// through the eyes of the public and of the Union. With it what the umpire himself is shown in the end.
async fn watched(contents: Contents, busy: bool) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut table = Watched::begin(&folder, |asked| {
        wilderness(asked);
        asked.spectator_delay_turns = 1;
    })
    .await;
    let spectator = table.watch(WatcherRole::Spectator, &[]).await.expect("the link is good");
    let umpire = table.watch(WatcherRole::Umpire, &[]).await.expect("the link is good");
    let mut watchers = vec![
        table.server.sit(&spectator).await,
        table.through(&umpire, Viewer::Public {}).await,
        table.through(&umpire, seat(Side::Union)).await,
    ];
    let setup = his_setup(contents);
    if busy {
        table.confederate.save(PLACING, setup.clone()).await.expect("he may draft");
        table.confederate.seal(PLACING, setup.clone()).await.expect("he may seal");
        table.confederate.unseal(PLACING).await.expect("he may take it back");
    }
    table.union.seal(PLACING, her_setup()).await.expect("she may seal");
    watchers[2].state().await;
    open_setups(&table.server, &table.confederate, &setup).await;
    let begun = table.union.state_at(FIRST, GamePhase::Window).await;
    table.confederate.state_at(FIRST, GamePhase::Window).await;
    let enemy = numbers(&begun, Side::Confederate);
    let mut at = FIRST;
    while at.turn <= 2 {
        let orders = at.stage == Stage::Orders;
        let theirs = if orders { his_orders(&table.confederate.last_state(), &enemy) } else { Draft::default() };
        if busy {
            table.confederate.save(at, theirs.clone()).await.expect("he may draft");
            table.confederate.seal_legal(at, theirs.clone()).await.expect("he may seal");
            table.confederate.unseal(at).await.expect("he may take it back");
        }
        for watcher in &mut watchers {
            settle(watcher).await;
        }
        table.confederate.seal(at, theirs).await.expect("what he orders is legal in both worlds");
        table.union.seal(at, Draft::default()).await.expect("she may seal");
        let next = after(at);
        table.union.state_at(next, GamePhase::Window).await;
        table.confederate.state_at(next, GamePhase::Window).await;
        watchers[1].state_at(next, GamePhase::Window).await;
        watchers[2].state_at(next, GamePhase::Window).await;
        let then = if next.turn == 1 { FIRST } else { StageAt { turn: next.turn - 1, ..next } };
        watchers[0].state_at(then, GamePhase::Window).await;
        for watcher in &mut watchers {
            watcher.say(&ClientMessage::Replay { request: "r".to_owned(), at }).await;
            let _refused_to_who_is_behind = watcher.answer("r").await;
        }
        at = next;
    }
    let own = table.server.sit(&umpire).await.last_state();
    let own: Vec<String> = own.view.pickets.iter().map(|picket| format!("{:?}", picket.own)).collect();
    let now = watchers[2].last_state();
    assert_eq!(numbers(&now, Side::Confederate).len(), PLACES.len(), "nothing was revealed: the worlds never part");
    let mut bytes: Vec<String> = watchers.iter_mut().flat_map(|watcher| std::mem::take(&mut watcher.heard)).collect();
    table.server.running.stop().await;
    // Of two states in a row a socket may tell the latest alone: when a window closes, and its stage is there.
    bytes.retain(|text| !text.contains(r#""phase":"resolving""#));
    (without_commitments(&begun, bytes), own.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn leak_64_two_hidden_worlds_give_those_who_watch_the_same_bytes() {
    let (quiet, of_quiet) = watched(ONE, false).await;
    let (busy, of_busy) = watched(OTHER, true).await;
    assert!(60 < quiet.len(), "only {} messages were compared", quiet.len());
    must_be_the_same(&quiet, &busy);
    assert_ne!(of_quiet, of_busy, "the worlds were the same");
    assert!(quiet.iter().any(|text| text.contains("pickets_moved")), "nothing was told of markers");
}
