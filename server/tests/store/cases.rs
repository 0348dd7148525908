//! What every store must do.

use std::time::Duration;

use protocol::ids::Side;
use server::store::{
    ClosedBy, Due, EnvelopeSource, Hash, NewEnvelope, Next, Seed, StageKey, Status, StoreError, TokenHash, WatchRole,
};

use super::table::{DEADLINE, NOON, Table, bytes, new_game, resolution, seal, text};

pub(crate) async fn a_new_game_waits_for_its_first_orders(table: Table) {
    let key = table.game(1, Some(DEADLINE)).await;
    let game = table.store.game(key.game).await.expect("the game is there");
    assert_eq!((game.status, game.window()), (Status::Open, key));
    assert_eq!(game.scenario_hash, Hash::of(b"the scenario as it was"));
    assert_eq!(table.store.scenario_text(key.game).await.as_deref(), Ok(b"the scenario as it was".as_slice()));
    let window = table.store.window(key).await.expect("the window is there");
    assert_eq!((window.opened_at, window.deadline, window.closed_at), (NOON, Some(DEADLINE), None));
    assert_eq!(window.commitment, Hash::of(&[1; 32]));
    let seats = table.store.seats(key.game).await.expect("the seats are there");
    let names: Vec<(&str, bool)> = seats.iter().map(|seat| (seat.seat.as_str(), seat.required)).collect();
    assert_eq!(names, [("lee", true), ("meade", true), ("umpire", false)]);
    let beginning = table.store.latest_outcome(key.game, 1).await.expect("the battle is there");
    assert_eq!((beginning.number, beginning.key), (0, StageKey::beginning(key.game, 1)));
    assert_eq!(text(&beginning.battle), "battle 0");
    assert_eq!(table.store.is_host(key.game, TokenHash::of("host")).await, Ok(true));
    assert_eq!(table.store.is_host(key.game, TokenHash::of("guest")).await, Ok(false));
    assert!(table.store.ready().await);
    table.store.close().await;
}

/// The window in which units are placed, stage 1 of turn 0, is a window as any other, beside the battle as it begins.
pub(crate) async fn a_game_may_begin_with_a_window_of_turn_0(mut table: Table) {
    let mut game = new_game(1, Some(DEADLINE));
    game.first.turn = 0;
    let key = StageKey::new(game.id, 1, 0, 1);
    table.store.create_game(game, NOON).await.map(drop).expect("a new game is made");
    assert_eq!(table.store.game(key.game).await.map(|game| game.window()), Ok(key));
    assert_eq!(table.draft(key, 0, "one").await, Ok(1));
    assert_eq!(table.draft(StageKey { turn: 1, ..key }, 0, "two").await, Err(StoreError::WindowClosed));
    table.reopen().await;
    let draft = table.store.draft(key, "meade".into()).await.expect("it can be asked").expect("the draft is there");
    assert_eq!(text(&draft.body), "one");
    let due = table.store.due(DEADLINE, NOON, 10).await.expect("it can be asked");
    assert_eq!(due.past_deadline, [key]);
    table.seal_both(key).await;
    let due = table.store.due(NOON, NOON + 60, 10).await.expect("it can be asked");
    assert_eq!(due.unresolved, [key], "closed and not yet resolved");
    let inputs = table.store.inputs(key).await.expect("it is closed");
    assert_eq!((inputs.before.key, inputs.envelopes.len()), (StageKey::beginning(key.game, 1), 2));
    table.resolve(key, 1, 1).await.map(drop).expect("the placements are opened");
    assert_eq!(table.resolve(key, 1, 1).await.map(drop), Err(StoreError::AlreadyResolved));
    let next = StageKey { turn: 1, ..key };
    assert_eq!(table.store.game(key.game).await.map(|game| game.window()), Ok(next));
    let number = |of| table.store.outcome_number(key.game, 1, of);
    assert_eq!((number(Some((0, 0))).await, number(Some((0, 1))).await), (Ok(Some(0)), Ok(Some(1))));
    let sealed = table.store.last_sealed(key.game, 1).await.expect("it can be asked");
    assert_eq!(sealed.map(|(of, hashes)| (of, hashes.len())), Some((key, 2)));
    table.seal_both(next).await;
    table.resolve(next, 2, 1).await.map(drop).expect("turn 1 is resolved");
}

pub(crate) async fn a_game_is_made_once(table: Table) {
    table.game(1, None).await;
    assert_eq!(table.store.create_game(new_game(1, None), NOON).await, Err(StoreError::GameExists));
    let key = table.game(2, None).await;
    assert_eq!(table.store.game(key.game).await.map(|game| game.status), Ok(Status::Open));
}

pub(crate) async fn an_invitation_is_claimed_once(table: Table) {
    let key = table.game(1, None).await;
    let claim = |invitation: &str, name: &str, token: &str| {
        let claimed =
            table.store.claim_invitation(TokenHash::of(invitation), name.to_owned(), TokenHash::of(token), NOON + 5);
        async move { claimed.await.map(|seat| (seat.seat.0, seat.name)) }
    };
    let seated = Ok(("meade".to_owned(), Some("Ann".to_owned())));
    assert_eq!(claim("invite-meade-1", "Ann", "token-ann").await, seated);
    assert_eq!(claim("invite-meade-1", "Ann", "token-ann").await, seated, "a resend changes nothing");
    assert_eq!(claim("invite-meade-1", "Bob", "token-bob").await, Err(StoreError::InvitationUsed));
    assert_eq!(claim("invite-lee-1", "Ann", "token-ann").await, Err(StoreError::SeatedElsewhere));
    assert_eq!(claim("no-such", "Bob", "token-bob").await, Err(StoreError::NoSuchInvitation));
    // Refused claims have used nothing up.
    assert_eq!(claim("invite-lee-1", "Bob", "token-bob").await, Ok(("lee".to_owned(), Some("Bob".to_owned()))));
    // A second invitation to a seat that is free, and to one that is not.
    let token = TokenHash::of("second");
    assert_eq!(table.store.invite(key.game, "umpire".into(), token, NOON).await, Ok(()));
    let lee = table.store.invite(key.game, "lee".into(), TokenHash::of("third"), NOON).await;
    assert_eq!(lee, Err(StoreError::InvitationUsed));
    assert_eq!(claim("second", "Cy", "token-cy").await, Ok(("umpire".to_owned(), Some("Cy".to_owned()))));
    assert_eq!(claim("invite-umpire-1", "Di", "token-di").await, Err(StoreError::InvitationUsed));
}

pub(crate) async fn a_seat_is_found_by_its_token_alone(table: Table) {
    let first = table.game(1, None).await;
    let second = table.game(2, None).await;
    let ann = TokenHash::of("token-ann");
    for invitation in ["invite-meade-1", "invite-lee-2"] {
        let claimed = table.store.claim_invitation(TokenHash::of(invitation), "Ann".to_owned(), ann, NOON + 5).await;
        assert!(claimed.is_ok(), "{claimed:?}");
    }
    let seat = table.store.seat_of_token(first.game, ann).await.expect("it can be asked").expect("she has a seat");
    assert_eq!((seat.seat.as_str(), seat.side, seat.joined_at), ("meade", Side::Union, Some(NOON + 5)));
    assert_eq!(table.store.seat_of_token(first.game, TokenHash::of("invite-meade-1")).await, Ok(None));
    assert_eq!(table.store.seats_of_token(ann).await.map(|seats| seats.len()), Ok(2));
    let games = table.store.games_of_token(ann).await.expect("it can be asked");
    assert_eq!(games.iter().map(|game| game.id).collect::<Vec<_>>(), [first.game, second.game]);
    assert_eq!(table.store.games_of_token(TokenHash::of("nobody")).await, Ok(vec![]));
}

pub(crate) async fn leak_73_a_token_plays_or_watches(table: Table) {
    let key = table.game(1, None).await;
    let hash = TokenHash::of;
    let watch = |link: &str, token: &str| table.store.claim_watch(hash(link), "Ann".to_owned(), hash(token), 2, NOON);
    let play = |link: &str, token: &str| table.store.claim_invitation(hash(link), "Ann".to_owned(), hash(token), NOON);
    play("invite-meade-1", "plays").await.map(drop).expect("the seat is free");
    for link in ["watch-umpire-1", "watch-spectator-1"] {
        assert_eq!(watch(link, "plays").await, Err(StoreError::SeatedElsewhere), "{link}");
    }
    watch("watch-umpire-1", "sees-all").await.map(drop).expect("the place is free");
    watch("watch-spectator-1", "looks-on").await.map(drop).expect("there is room");
    for token in ["sees-all", "looks-on"] {
        assert_eq!(play("invite-lee-1", token).await, Err(StoreError::SeatedElsewhere), "{token}");
    }
    assert_eq!(watch("watch-spectator-1", "sees-all").await, Err(StoreError::SeatedElsewhere), "one place in a game");
    assert_eq!(table.store.watcher_of_token(key.game, hash("plays")).await, Ok(None));
    assert_eq!(table.store.seat_of_token(key.game, hash("sees-all")).await, Ok(None));
    // Refused claims have used nothing up, and another game is another matter.
    table.game(2, None).await;
    play("invite-lee-1", "another").await.map(drop).expect("the seat is free");
    watch("watch-umpire-2", "plays").await.map(drop).expect("he has no seat there");
}

pub(crate) async fn watchers_come_by_their_links_and_survive_reopening(mut table: Table) {
    let key = table.game(1, None).await;
    let store = table.store.clone();
    let watch = |link: &str, token: &str| {
        let claimed = store.claim_watch(TokenHash::of(link), "Ann".to_owned(), TokenHash::of(token), 2, NOON);
        async move { claimed.await.map(|watcher| (watcher.role, watcher.number)) }
    };
    assert_eq!(watch("watch-umpire-1", "one").await, Ok((WatchRole::Umpire, 1)));
    assert_eq!(watch("watch-umpire-1", "one").await, Ok((WatchRole::Umpire, 1)), "a resend changes nothing");
    assert_eq!(watch("watch-umpire-1", "two").await, Err(StoreError::InvitationUsed));
    for (token, number) in [("three", 2), ("four", 3), ("three", 2)] {
        assert_eq!(watch("watch-spectator-1", token).await, Ok((WatchRole::Spectator, number)), "{token}");
    }
    assert_eq!(watch("watch-spectator-1", "five").await, Err(StoreError::NoRoom), "two were let in");
    assert_eq!(watch("invite-lee-1", "six").await, Err(StoreError::NoSuchInvitation));
    table.reopen().await;
    let watcher = table.store.watcher_of_token(key.game, TokenHash::of("four")).await.expect("it can be asked");
    let watcher = watcher.expect("he is there");
    assert_eq!((watcher.role, watcher.number, watcher.name.as_str()), (WatchRole::Spectator, 3, "Ann"));
    // Watchers are no seats: nothing waits for them, and the turn's dice do not know them.
    let seats = table.store.seats(key.game).await.expect("it can be asked");
    assert_eq!(seats.len(), 3);
}

pub(crate) async fn a_draft_is_saved_by_revision(table: Table) {
    let key = table.game(1, None).await;
    assert_eq!(table.draft(key, 0, "one").await, Ok(1));
    assert_eq!(table.draft(key, 1, "two").await, Ok(2));
    assert_eq!(table.draft(key, 1, "two").await, Ok(2), "a resend is recognised");
    assert_eq!(table.draft(key, 1, "three").await, Err(StoreError::DraftChanged { revision: 2 }));
    let draft = table.store.draft(key, "meade".into()).await.expect("it can be asked").expect("there is a draft");
    assert_eq!((text(&draft.body).as_str(), draft.revision), ("two", 2));
    assert!(table.store.draft(key, "lee".into()).await.is_ok_and(|draft| draft.is_none()));
    table.seal(key, "meade", "seal", NOON + 3).await.map(drop).expect("meade seals");
    assert_eq!(table.draft(key, 2, "four").await, Err(StoreError::Sealed));
    let other = StageKey { turn: 2, ..key };
    assert_eq!(table.draft(other, 0, "five").await, Err(StoreError::WindowClosed));
}

pub(crate) async fn a_draft_survives_reopening(mut table: Table) {
    let key = table.game(1, None).await;
    assert_eq!(table.draft(key, 0, "one").await, Ok(1));
    table.reopen().await;
    let draft = table.store.draft(key, "meade".into()).await.expect("it can be asked").expect("the draft is there");
    assert_eq!((text(&draft.body).as_str(), draft.revision), ("one", 1));
    assert_eq!(table.draft(key, 1, "two").await, Ok(2));
}

pub(crate) async fn an_acknowledged_seal_survives_reopening(mut table: Table) {
    let key = table.game(1, None).await;
    table.seal(key, "meade", "seal", NOON + 1).await.map(drop).expect("meade seals");
    table.reopen().await;
    let envelope = table.store.envelope(key, "meade".into()).await.expect("it can be asked").expect("it is there");
    assert_eq!(text(&envelope.body), "orders of meade by seal");
    assert_eq!((envelope.source, envelope.sealed_at), (EnvelopeSource::Player, NOON + 1));
    assert!(envelope.nonce == Seed::new([7; 32]) && envelope.salt == Seed::new([8; 32]));
    let again = table.seal(key, "meade", "seal", NOON + 2).await.map(|sealed| (sealed.repeated, text(&sealed.answer)));
    assert_eq!(again, Ok((true, "receipt for seal".to_owned())));
}

pub(crate) async fn a_seat_seals_once(table: Table) {
    let key = table.game(1, None).await;
    assert_eq!(table.seal(key, "meade", "one", NOON + 1).await.map(|sealed| sealed.closed), Ok(false));
    assert_eq!(table.seal(key, "meade", "two", NOON + 2).await.map(drop), Err(StoreError::Sealed));
    assert_eq!(
        table.seal(key, "nobody", "three", NOON + 2).await.map(drop),
        Err(StoreError::NoSuchSeat("nobody".into()))
    );
    let envelope = table.store.envelope(key, "meade".into()).await.expect("it can be asked").expect("it is there");
    assert_eq!(text(&envelope.body), "orders of meade by one");
    let sealed = table.store.sealed_seats(key).await.expect("it can be asked");
    assert_eq!(sealed, ["meade".into()]);
}

pub(crate) async fn a_resent_seal_gets_the_first_answer(table: Table) {
    let key = table.game(1, None).await;
    table.seal_both(key).await;
    // The window is closed and even resolved: a rule would refuse, but the resend is recognised first.
    let mut resend = seal(key, "lee", "lee-1-1", NOON + 9);
    resend.answer = bytes("another receipt");
    let answer = table.store.seal(resend).await.map(|sealed| (sealed.repeated, sealed.closed, text(&sealed.answer)));
    assert_eq!(answer, Ok((true, false, "receipt for lee-1-1".to_owned())));
    table.resolve(key, 2, 1).await.expect("the stage is resolved");
    let answer = table.seal(key, "meade", "meade-1-1", NOON + 99).await.map(|sealed| text(&sealed.answer));
    assert_eq!(answer, Ok("receipt for meade-1-1".to_owned()));
}

pub(crate) async fn a_command_means_one_thing(table: Table) {
    let key = table.game(1, None).await;
    table.seal(key, "meade", "one", NOON + 1).await.map(drop).expect("meade seals");
    let mut other = seal(key, "meade", "one", NOON + 2);
    other.request = Hash::of(b"something else");
    assert_eq!(table.store.seal(other).await.map(drop), Err(StoreError::CommandReused));
    // Another seat may use the same identifier.
    assert_eq!(table.seal(key, "lee", "one", NOON + 2).await.map(|sealed| sealed.repeated), Ok(false));
}

pub(crate) async fn a_seal_is_taken_back_while_the_window_is_open(table: Table) {
    let key = table.game(1, None).await;
    assert_eq!(table.unseal(key, "meade", "back").await.map(drop), Err(StoreError::NotSealed));
    table.seal(key, "meade", "one", NOON + 1).await.map(drop).expect("meade seals");
    table.seal(key, "umpire", "umpire", NOON + 1).await.map(drop).expect("a seat that is not waited for may seal");
    assert_eq!(table.unseal(key, "meade", "back").await.map(|it| it.repeated), Ok(false));
    assert_eq!(table.unseal(key, "meade", "back").await.map(|it| it.repeated), Ok(true));
    assert_eq!(table.store.sealed_seats(key).await, Ok(vec!["umpire".into()]), "another seat's envelope stays");
    assert!(table.store.envelope(key, "meade".into()).await.is_ok_and(|envelope| envelope.is_none()));
    // Without meade's envelope, lee's is not the last.
    assert_eq!(table.seal(key, "lee", "two", NOON + 3).await.map(|sealed| sealed.closed), Ok(false));
    assert_eq!(table.seal(key, "meade", "three", NOON + 4).await.map(|sealed| sealed.closed), Ok(true));
    assert_eq!(table.unseal(key, "meade", "back-again").await.map(drop), Err(StoreError::WindowClosed));
}

pub(crate) async fn the_last_seal_closes_the_window(table: Table) {
    let key = table.game(1, None).await;
    table.seal(key, "umpire", "umpire", NOON + 1).await.map(drop).expect("a seat that is not waited for may seal");
    table.seal_both(key).await;
    let window = table.store.window(key).await.expect("the window is there");
    assert_eq!((window.closed_at, window.closed_by), (Some(NOON + 2), Some(ClosedBy::Seals)));
    assert_eq!(table.store.game(key.game).await.map(|game| game.status), Ok(Status::Resolving));
    assert_eq!(table.draft(key, 0, "late").await, Err(StoreError::WindowClosed));
}

pub(crate) async fn two_last_seals_at_one_instant_close_once(table: Table) {
    for number in 0..40 {
        let key = table.game(number, None).await;
        let (one, two) =
            tokio::join!(table.seal(key, "meade", "one", NOON + 1), table.seal(key, "lee", "two", NOON + 1));
        let closed = [one, two].map(|sealed| sealed.map(|sealed| sealed.closed).expect("both seal"));
        assert_eq!(closed.iter().filter(|closed| **closed).count(), 1, "game {number}: {closed:?}");
    }
}

pub(crate) async fn a_seal_at_the_deadline_is_late(table: Table) {
    let key = table.game(1, Some(DEADLINE)).await;
    assert_eq!(table.seal(key, "meade", "one", DEADLINE).await.map(drop), Err(StoreError::WindowClosed));
    assert_eq!(table.seal(key, "meade", "two", DEADLINE - 1).await.map(drop), Ok(()));
}

pub(crate) async fn the_deadline_and_the_last_seal_close_once(table: Table) {
    for number in 0..40 {
        let key = table.game(number, Some(DEADLINE)).await;
        table.seal(key, "meade", "one", NOON + 1).await.map(drop).expect("meade seals");
        let (seal, first, second) = tokio::join!(
            table.seal(key, "lee", "two", DEADLINE - 1),
            table.store.close_window(key, ClosedBy::Deadline, DEADLINE),
            table.store.close_window(key, ClosedBy::Deadline, DEADLINE)
        );
        let by_seal = match &seal {
            Ok(sealed) => sealed.closed,
            Err(refusal) => {
                assert_eq!(refusal, &StoreError::WindowClosed);
                false
            }
        };
        let closed = [by_seal, first.expect("it can be closed"), second.expect("it can be closed")];
        assert_eq!(closed.iter().filter(|closed| **closed).count(), 1, "game {number}: {closed:?}");
        let kept = table.store.envelope(key, "lee".into()).await.expect("it can be asked").is_some();
        assert_eq!(kept, seal.is_ok(), "acknowledged is kept, refused is not");
    }
}

pub(crate) async fn a_window_closes_at_its_deadline_and_not_before(table: Table) {
    let key = table.game(1, Some(DEADLINE)).await;
    let early = table.store.close_window(key, ClosedBy::Deadline, DEADLINE - 1).await;
    assert_eq!(early, Err(StoreError::WindowOpen));
    assert_eq!(table.store.set_deadline(key, Some(DEADLINE + 10)).await, Ok(()));
    let moved = table.store.close_window(key, ClosedBy::Deadline, DEADLINE).await;
    assert_eq!(moved, Err(StoreError::WindowOpen), "an extension that was granted holds");
    assert_eq!(table.store.close_window(key, ClosedBy::Deadline, DEADLINE + 10).await, Ok(true));
    assert_eq!(table.store.close_window(key, ClosedBy::Deadline, DEADLINE + 10).await, Ok(false));
    assert_eq!(table.store.set_deadline(key, None).await, Err(StoreError::WindowClosed));
    let endless = table.game(2, None).await;
    let never = table.store.close_window(endless, ClosedBy::Deadline, i64::MAX).await;
    assert_eq!(never, Err(StoreError::WindowOpen));
    assert_eq!(table.store.close_window(endless, ClosedBy::Host, NOON + 1).await, Ok(true));
}

pub(crate) async fn drafts_count_as_sealed_after_the_deadline(table: Table) {
    let key = table.game(1, Some(DEADLINE)).await;
    table.draft(key, 0, "my draft").await.expect("a draft is saved");
    table.seal(key, "lee", "two", NOON + 1).await.map(drop).expect("lee seals");
    let envelope = |seat: &str| NewEnvelope {
        seat: seat.into(),
        body: bytes("from the draft"),
        nonce: Seed::new([0; 32]),
        salt: Seed::new([9; 32]),
        hash: Hash::of(b"from the draft"),
    };
    let early = table.store.seal_drafts(key, vec![envelope("meade")], NOON + 2).await;
    assert_eq!(early, Err(StoreError::WindowOpen));
    assert_eq!(table.store.close_window(key, ClosedBy::Deadline, DEADLINE).await, Ok(true));
    let inputs = table.store.inputs(key).await.map_err(|error| error.code()).expect("the stage can be resolved");
    assert_eq!(inputs.drafts.iter().map(|draft| draft.seat.as_str()).collect::<Vec<_>>(), ["meade"]);
    for _ in 0..2 {
        let both = vec![envelope("meade"), envelope("lee")];
        assert_eq!(table.store.seal_drafts(key, both, DEADLINE + 1).await, Ok(()));
    }
    let inputs = table.store.inputs(key).await.map_err(|error| error.code()).expect("the stage can be resolved");
    let sealed: Vec<_> = inputs.envelopes.iter().map(|it| (it.seat.as_str(), it.source, text(&it.body))).collect();
    assert_eq!(
        sealed,
        [
            ("lee", EnvelopeSource::Player, "orders of lee by two".to_owned()),
            ("meade", EnvelopeSource::Deadline, "from the draft".to_owned()),
        ]
    );
    assert!(inputs.drafts.is_empty());
}

pub(crate) async fn inputs_are_what_was_sealed(table: Table) {
    let key = table.game(1, None).await;
    let open = table.store.inputs(key).await.map(drop);
    assert_eq!(open, Err(StoreError::WindowOpen));
    table.seal_both(key).await;
    table.resolve(key, 1, 2).await.expect("stage 1 is resolved");
    let second = StageKey { stage: 2, ..key };
    table.seal_both(second).await;
    let inputs = table.store.inputs(second).await.map_err(|error| error.code()).expect("stage 2 can be resolved");
    let own: Vec<_> = inputs.envelopes.iter().map(|it| it.seat.as_str()).collect();
    let earlier: Vec<_> = inputs.earlier.iter().map(|(stage, it)| (*stage, it.seat.as_str())).collect();
    assert_eq!((own, earlier), (vec!["lee", "meade"], vec![(1, "lee"), (1, "meade")]));
    assert!(inputs.seed == Seed::new([1; 32]), "the turn's seed serves all its stages");
    assert_eq!((text(&inputs.before.battle).as_str(), inputs.before.number), ("battle 1 1", 1));
    assert_eq!(table.store.inputs(key).await.map(drop), Err(StoreError::AlreadyResolved));
}

pub(crate) async fn a_second_outcome_loses(table: Table) {
    let key = table.game(1, None).await;
    let before = table.store.latest_outcome(key.game, 1).await.expect("there is a beginning").hash;
    let open = table.store.record(resolution(key, before, &[1], 1, 2)).await;
    assert_eq!(open, Err(StoreError::WindowOpen));
    table.seal_both(key).await;
    let first = table.store.record(resolution(key, before, &[1], 1, 2)).await.expect("the first is recorded");
    let second = table.store.record(resolution(key, before, &[1], 2, 1)).await;
    assert_eq!(second, Err(StoreError::AlreadyResolved));
    let game = table.store.game(key.game).await.expect("the game is there");
    assert_eq!((game.status, game.turn, game.stage), (Status::Open, 1, 2));
    assert_eq!(table.store.latest_outcome(key.game, 1).await.map(|outcome| outcome.hash), Ok(first));
    // One that was computed from another battle than the one that stands.
    let next = game.window();
    table.seal_both(next).await;
    assert_eq!(table.store.record(resolution(next, before, &[2], 2, 1)).await, Err(StoreError::AlreadyResolved));
    assert_eq!(table.store.record(resolution(next, first, &[2], 2, 1)).await.map(drop), Ok(()));
}

pub(crate) async fn two_outcomes_at_one_instant_are_recorded_once(table: Table) {
    for number in 0..20 {
        let key = table.game(number, None).await;
        table.seal_both(key).await;
        let (one, two) = tokio::join!(table.resolve(key, 2, 1), table.resolve(key, 2, 1));
        let recorded = [&one, &two].iter().filter(|result| result.is_ok()).count();
        assert_eq!(recorded, 1, "game {number}: {one:?} {two:?}");
        assert!([one, two].contains(&Err(StoreError::AlreadyResolved)));
        assert_eq!(table.store.outcomes(key.game, 1, 0, 9).await.map(|all| all.len()), Ok(2));
    }
}

pub(crate) async fn outcomes_form_one_chain(table: Table) {
    let key = table.game(1, None).await;
    let mut at = key;
    for (turn, stage) in [(1, 2), (2, 1), (2, 2), (3, 1)] {
        table.seal_both(at).await;
        table.resolve(at, turn, stage).await.expect("the stage is resolved");
        at = StageKey { turn, stage, ..key };
    }
    let chain = table.store.outcomes(key.game, 1, 0, 99).await.map_err(|error| error.code()).expect("it can be read");
    assert_eq!(chain.iter().map(|outcome| outcome.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(chain[0].previous_hash, Hash::ZERO);
    for pair in chain.windows(2) {
        assert_eq!(pair[1].previous_hash, pair[0].hash);
        assert_ne!(pair[1].hash, pair[0].hash);
    }
    let events = table.store.events(key.game, 1, 3, 99).await.map_err(|error| error.code()).expect("it can be read");
    let texts: Vec<_> = events.iter().map(|it| (it.number, text(&it.events))).collect();
    assert_eq!(texts, [(3, "events 2 1".to_owned()), (4, "events 2 2".to_owned())]);
    let commitments = table.store.commitments(key.game, 1).await.expect("it can be read");
    assert_eq!(commitments, [(1, Hash::of(&[1; 32])), (2, Hash::of(&[2; 32])), (3, Hash::of(&[3; 32]))]);
}

pub(crate) async fn one_window_may_decide_several_stages(table: Table) {
    let key = table.game(1, None).await;
    table.seal_both(key).await;
    let before = table.store.latest_outcome(key.game, 1).await.expect("there is a beginning").hash;
    let last = table.store.record(resolution(key, before, &[1, 2, 3, 4], 2, 1)).await.expect("they are recorded");
    let chain = table.store.outcomes(key.game, 1, 1, 99).await.map_err(|error| error.code()).expect("it can be read");
    let stages: Vec<_> = chain.iter().map(|it| (it.number, it.key.turn, it.key.stage)).collect();
    assert_eq!(stages, [(1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 1, 4)]);
    assert_eq!(chain[3].hash, last);
    assert_eq!(table.store.game(key.game).await.map(|game| game.window()), Ok(StageKey { turn: 2, ..key }));
}

pub(crate) async fn a_held_game_takes_nothing_and_goes_on(table: Table) {
    let key = table.game(1, Some(DEADLINE)).await;
    let held = StoreError::NotOpen(Status::Held);
    table.store.hold(key.game, "the umpire looks into it".to_owned(), NOON + 1).await.expect("it is held");
    let game = table.store.game(key.game).await.expect("the game is there");
    assert_eq!((game.status, game.held_reason.as_deref()), (Status::Held, Some("the umpire looks into it")));
    assert_eq!(table.seal(key, "meade", "one", NOON + 2).await.map(drop), Err(held.clone()));
    assert_eq!(table.draft(key, 0, "one").await, Err(held.clone()));
    assert_eq!(table.store.close_window(key, ClosedBy::Deadline, DEADLINE).await, Err(held.clone()));
    assert_eq!(table.store.due(DEADLINE, DEADLINE, 9).await, Ok(Due::default()));
    assert_eq!(table.store.release(key.game, NOON + 3).await, Ok(Status::Open));
    table.seal_both(key).await;
    table.store.hold(key.game, "again".to_owned(), NOON + 4).await.expect("it is held");
    assert_eq!(table.resolve(key, 2, 1).await, Err(held));
    assert_eq!(table.store.release(key.game, NOON + 5).await, Ok(Status::Resolving));
    assert_eq!(table.resolve(key, 2, 1).await.map(drop), Ok(()));
}

pub(crate) async fn the_sweep_finds_what_was_left(table: Table) {
    let overdue = table.game(1, Some(DEADLINE)).await;
    let left = table.game(2, None).await;
    let waiting = table.game(3, Some(DEADLINE + 1)).await;
    table.seal_both(left).await;
    assert_eq!(table.store.due(NOON + 3, NOON, 9).await, Ok(Due::default()), "whoever closed it has some time");
    let due = Due { past_deadline: vec![overdue], unresolved: vec![left] };
    assert_eq!(table.store.due(DEADLINE, DEADLINE, 9).await, Ok(due));
    table.resolve(left, 2, 1).await.expect("the stage is resolved");
    assert_eq!(table.store.close_window(overdue, ClosedBy::Deadline, DEADLINE).await, Ok(true));
    let due = Due { past_deadline: vec![waiting], unresolved: vec![overdue] };
    assert_eq!(table.store.due(DEADLINE + 1, DEADLINE + 1, 9).await, Ok(due));
}

pub(crate) async fn a_result_ends_the_game_and_reveals_its_seeds(table: Table) {
    let key = table.game(1, None).await;
    table.seal_both(key).await;
    assert_eq!(table.store.result(key.game, 1).await, Ok(None));
    let early = table.store.revealed_seeds(key.game).await.map(drop);
    assert_eq!(early, Err(StoreError::NotOpen(Status::Resolving)));
    let before = table.store.latest_outcome(key.game, 1).await.expect("there is a beginning").hash;
    let mut last = resolution(key, before, &[1, 2, 3, 4], 2, 1);
    last.next = Next::End { result: "{\"winner\":\"union\"}".to_owned() };
    table.store.record(last).await.expect("it is recorded");
    assert_eq!(table.store.game(key.game).await.map(|game| game.status), Ok(Status::Ended));
    assert_eq!(table.store.result(key.game, 1).await, Ok(Some("{\"winner\":\"union\"}".to_owned())));
    let seeds = table.store.revealed_seeds(key.game).await.map_err(|error| error.code()).expect("the game is over");
    assert!(seeds == [(1, 1, Seed::new([1; 32]))]);
    let over = Err(StoreError::NotOpen(Status::Ended));
    assert_eq!(table.store.hold(key.game, "too late".to_owned(), NOON).await, over);
    assert_eq!(table.store.end_game(key.game, "{}".to_owned(), NOON).await, over);
    let resigned = table.game(2, None).await;
    assert_eq!(table.store.end_game(resigned.game, "{\"winner\":null}".to_owned(), NOON).await, Ok(()));
    assert_eq!(table.store.result(resigned.game, 1).await, Ok(Some("{\"winner\":null}".to_owned())));
}

/// A request that is dropped at any point must not leave the writer inside a transaction.
pub(crate) async fn callers_that_go_away_leave_the_writer_working(table: Table) {
    for number in 0..60_u64 {
        let key = table.game(u128::from(number), None).await;
        let store = table.store.clone();
        let caller = tokio::spawn(async move {
            let _sealed = store.seal(seal(key, "meade", "one", NOON + 1)).await;
            let _read = store.seats(key.game).await;
        });
        tokio::time::sleep(Duration::from_micros(number * 13 % 700)).await;
        caller.abort();
        assert_eq!(table.draft(StageKey { ..key }, 0, "x").await.err().filter(|it| *it != StoreError::Sealed), None);
        // Whether the first seal was carried out or not, sending it again answers.
        let answer = table.seal(key, "meade", "one", NOON + 2).await.map(|sealed| text(&sealed.answer));
        assert_eq!(answer, Ok("receipt for one".to_owned()), "game {number}");
    }
}

/// One refused command in a batch does not take the others with it.
pub(crate) async fn commands_that_wait_together_stand_or_fall_alone(table: Table) {
    let key = table.game(1, None).await;
    let other = table.game(2, None).await;
    let mut tasks = Vec::new();
    for number in 0..200 {
        let store = table.store.clone();
        tasks.push(tokio::spawn(async move {
            // Every second one is refused: the seat is unknown, or has sealed.
            let (at, seat) = if number % 2 == 0 { (key, "nobody") } else { (other, "meade") };
            store.seal(seal(at, seat, &format!("c{number}"), NOON + 1)).await.map(|sealed| sealed.closed)
        }));
    }
    let mut sealed = 0;
    for task in tasks {
        match task.await.expect("the task ends") {
            Ok(closed) => {
                assert!(!closed);
                sealed += 1;
            }
            Err(refusal) => assert!(matches!(refusal, StoreError::Sealed | StoreError::NoSuchSeat(_)), "{refusal:?}"),
        }
    }
    assert_eq!(sealed, 1);
    assert!(table.store.envelope(other, "meade".into()).await.is_ok_and(|envelope| envelope.is_some()));
    assert_eq!(table.store.sealed_seats(key).await, Ok(vec![]));
}
