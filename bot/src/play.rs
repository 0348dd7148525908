//! A whole game: think in each window, make the draft legal, seal, wait for the next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::ids::UnitId;
use protocol::message::{GamePhase, Refusal, StageAt};
use protocol::orders::{Draft, Order, Stage};
use protocol::place::Point;
use protocol::view::{ResultView, View};
use tracing::{debug, info, warn};

use crate::chance::Chance;
use crate::client::{Address, Client, ClientError, Patience, State, Table};
use crate::plan::{self, Charge, Memory, Plan};
use crate::tally::Tally;

/// Rounds of checking and simplifying before the rest is left to the server to drop.
const ROUNDS: u32 = 8;

/// What sort of player a bot is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// It plays to win.
    #[default]
    Plays,
    /// It stands where it is and fires: an enemy to measure others by.
    Holds,
}

/// Whom to play, and how.
#[derive(Clone)]
pub struct Options {
    /// The server, such as `http://127.0.0.1:8080`.
    pub base: String,
    /// The game.
    pub game: String,
    /// The seat's token.
    pub token: String,
    /// Seed of the bot's chance and of its nonces: the same seed plays the same way.
    pub seed: u64,
    /// Pause before sealing, so that a demonstration can be followed.
    pub pause: Duration,
    /// Patience with the connection.
    pub patience: Patience,
    /// What sort of player it is.
    pub manner: Manner,
}

impl Options {
    /// With no pause and the usual patience.
    pub fn new(base: impl Into<String>, game: impl Into<String>, token: impl Into<String>, seed: u64) -> Self {
        Options {
            base: base.into(),
            game: game.into(),
            token: token.into(),
            seed,
            pause: Duration::ZERO,
            patience: Patience::default(),
            manner: Manner::default(),
        }
    }
}

/// What came of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The last turn seen.
    pub turn: u32,
    /// Envelopes sealed.
    pub sealed: u32,
    /// Refusals of the first drafts: how often the bot misjudged the rules.
    pub refused: u32,
    /// Orders that were still refused when the envelope was sealed, and so were dropped.
    pub illegal: u32,
    /// Connections made.
    pub connections: u32,
    /// Turns for which orders were sealed.
    pub turns: u32,
    /// The longest from an open window until what came of it was known, the enemy's thought among it.
    pub slowest: Duration,
    /// The turn of it.
    pub slowest_turn: u32,
    /// What the battle cost, and what charges came to.
    pub tally: Tally,
    /// The result, where there is one.
    pub result: Option<ResultView>,
}

/// Plays a seat until its game has ended.
pub async fn run(options: Options) -> Result<Report, ClientError> {
    let address = Address::new(&options.base, &options.game, &options.token)?;
    let mut client = Client::start(address, options.patience);
    let mut events = client.events();
    let table = client.table().await?;
    let mut player = Player {
        memory: Arc::new(Memory::new(&table.card)),
        table,
        seed: options.seed,
        pause: options.pause,
        manner: options.manner,
        report: Report::default(),
        last: None,
        begun: None,
    };
    loop {
        let state = client.next_state().await?;
        player.time(state.status.at);
        player.report.turn = state.view.turn;
        player.report.connections = client.connections();
        player.report.tally.count_losses(&state.view);
        // The events of a stage come before the state that it led to.
        while let Ok(stage) = events.try_recv() {
            player.report.tally.count_charges(&state.view, &stage.events);
            for event in stage.events.iter().filter(|event| !event.explanation.sentence.is_empty()) {
                debug!(turn = stage.at.turn, phase = event.phase, "{}", event.explanation.sentence);
            }
        }
        if state.status.phase == GamePhase::Ended || state.view.result.is_some() {
            player.report.result = state.view.result.clone();
            info!(game.id = player.table.game, turn = state.view.turn, "the game has ended");
            return Ok(player.report);
        }
        if player.has_to_speak(&state) {
            player.speak(&client, &state).await?;
        }
    }
}

struct Player {
    table: Arc<Table>,
    memory: Arc<Memory>,
    seed: u64,
    pause: Duration,
    manner: Manner,
    report: Report,
    /// The last window that was sealed or found closed.
    last: Option<StageAt>,
    /// When this window was seen open, until it has closed.
    begun: Option<(StageAt, Instant)>,
}

impl Player {
    fn has_to_speak(&self, state: &State) -> bool {
        let open = state.status.phase == GamePhase::Window && state.sealed.is_none();
        // The view may be of a moment ago: then the next state is waited for.
        open && self.last != Some(state.status.at) && state.view.stage == state.status.at.stage
    }

    async fn speak(&mut self, client: &Client, state: &Arc<State>) -> Result<(), ClientError> {
        let at = state.status.at;
        self.begun.get_or_insert((at, Instant::now()));
        self.look(client, state).await?;
        let (plan, nonce) = self.think(state).await?;
        for charge in &plan.charges {
            debug!(turn = at.turn, ?charge, "means to charge");
        }
        let draft = self.made_legal(client, at, &state.view, &plan).await?;
        for (unit, told) in &draft.units {
            let posted = plan.posts.get(unit).map(|post| (post.role, post.objective.as_deref(), post.standoff));
            debug!(turn = at.turn, %unit, posture = told.posture, ?posted, order = ?told.order, "orders");
        }
        if !self.pause.is_zero() {
            tokio::time::sleep(self.pause).await;
        }
        // Dropping what is still illegal keeps a mistake of the bot from stopping the game.
        let sealed = draft.clone();
        match client.seal(at, draft, nonce, true).await {
            Ok(_) => {
                self.report.sealed += 1;
                if at.stage == Stage::Orders && 0 < at.turn {
                    self.report.turns += 1;
                    self.report.tally.count_orders(&state.view, &sealed);
                    Arc::make_mut(&mut self.memory).remember(&state.view, &plan);
                }
                debug!(game.id = self.table.game, turn = at.turn, "sealed");
            }
            // Somebody was quicker, or time was: the next state says what is to be done.
            Err(ClientError::Answer(error)) => {
                warn!(game.id = self.table.game, turn = at.turn, code = error.code, "not sealed");
            }
            Err(error) => return Err(error),
        }
        self.last = Some(at);
        Ok(())
    }

    /// Takes the time of a window that has closed. For reports only: no plan reads it.
    fn time(&mut self, now: StageAt) {
        let Some((at, begun)) = self.begun.filter(|(at, _)| *at != now) else { return };
        self.begun = None;
        if self.report.slowest < begun.elapsed() {
            self.report.slowest = begun.elapsed();
            self.report.slowest_turn = at.turn;
        }
    }

    /// Reads what has changed on the map, and asks at whom the guns can fire.
    async fn look(&mut self, client: &Client, state: &Arc<State>) -> Result<(), ClientError> {
        let memory = Arc::make_mut(&mut self.memory);
        memory.see(&state.view);
        let mut answers = Vec::new();
        for (gun, enemy) in plan::questions(&self.table.card, &state.view, memory) {
            match client.odds(state.status.at, gun.clone(), enemy.clone()).await {
                Ok(odds) => answers.push((gun, enemy, odds.refused.is_none())),
                Err(ClientError::Answer(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if state.status.at.stage == Stage::Orders {
            memory.learn_sight(&state.view, &answers);
        }
        Ok(())
    }

    /// Thinks off the async threads.
    async fn think(&self, state: &Arc<State>) -> Result<(Plan, String), ClientError> {
        let (table, memory, state) = (self.table.clone(), self.memory.clone(), state.clone());
        let at = state.status.at;
        let (seed, manner) = (self.seed, self.manner);
        let thought = tokio::task::spawn_blocking(move || {
            let mut chance = Chance::for_window(seed, at.line, at.turn, at.stage as u32);
            let plan = match manner {
                Manner::Plays => plan::think(&table.card, &state.view, &memory, &mut chance),
                Manner::Holds => plan::hold(&table.card, &state.view, &memory),
            };
            // A nonce of its own generator: how much chance the plan used must not matter.
            let nonce = Chance::for_window(!seed, at.line, at.turn, at.stage as u32).nonce();
            (plan, nonce)
        });
        thought.await.map_err(|_| ClientError::Closed)
    }

    /// Asks, simplifies, asks again; then looks where the marches end that close with a task.
    async fn made_legal(
        &mut self,
        client: &Client,
        at: StageAt,
        view: &View,
        plan: &Plan,
    ) -> Result<Draft, ClientError> {
        let start = |unit: &UnitId| place_of(view, unit);
        let mut draft = plan.draft.clone();
        for charge in &plan.charges {
            if !self.is_as_meant(client, at, view, charge, &draft).await? {
                plan.give_up(charge, &mut draft);
            }
        }
        self.checked(client, at, view, plan, &mut draft, 0).await?;
        let closing: Vec<(UnitId, Order)> = draft
            .units
            .iter()
            .filter_map(|(unit, told)| Some((unit.clone(), told.order.clone()?)))
            .filter(|(_, order)| matches!(order, Order::Move(order) if order.form_last.is_some() || order.wheel.is_some_and(|w| w.last)))
            .collect();
        let mut changed = false;
        for (unit, mut order) in closing {
            for _ in 0..2 {
                let preview = match client.preview(at, unit.clone(), order.clone()).await {
                    Ok(preview) => preview,
                    Err(ClientError::Answer(_)) => break,
                    Err(error) => return Err(error),
                };
                let Some(shorter) = plan::simplify_end(&order, &preview, start(&unit)) else { break };
                order = shorter;
                if let Some(told) = draft.units.get_mut(&unit) {
                    told.order = Some(order.clone());
                    changed = true;
                }
            }
        }
        if changed {
            self.checked(client, at, view, plan, &mut draft, 1).await?;
        }
        Ok(draft)
    }

    /// Whether the server says too that a charge would be made at its target, and may arrive there.
    async fn is_as_meant(
        &mut self,
        client: &Client,
        at: StageAt,
        view: &View,
        charge: &Charge,
        draft: &Draft,
    ) -> Result<bool, ClientError> {
        let order = |unit: &UnitId| draft.units.get(unit).and_then(|told| told.order.clone());
        let named = view.units.iter().find(|unit| unit.id == charge.target).map(|unit| unit.name.as_str());
        for unit in std::iter::once(&charge.point).chain(&charge.supports) {
            let Some(order) = order(unit) else { return Ok(false) };
            let preview = match client.preview(at, unit.clone(), order).await {
                Ok(preview) => preview,
                Err(ClientError::Answer(_)) => return Ok(false),
                Err(error) => return Err(error),
            };
            if !preview.refusals.is_empty() {
                return Ok(false);
            }
            let at_target = preview.notes.iter().any(|note| named.is_some_and(|name| note.text.contains(name)));
            if *unit == charge.point && (preview.stops.is_some() || !at_target) {
                debug!(turn = at.turn, unit = %unit, target = %charge.target, "would charge another");
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn checked(
        &mut self,
        client: &Client,
        at: StageAt,
        view: &View,
        plan: &Plan,
        draft: &mut Draft,
        first_round: u32,
    ) -> Result<(), ClientError> {
        for round in first_round..ROUNDS {
            let verdict = match client.check(at, draft.clone()).await {
                Ok(verdict) => verdict,
                // The window may have closed meanwhile: the seal will be told so.
                Err(ClientError::Answer(error)) => {
                    debug!(turn = at.turn, code = error.code, "not checked");
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            if verdict.refusals.is_empty() {
                return Ok(());
            }
            if round == 0 {
                self.report.refused += verdict.refusals.len() as u32;
            }
            for refusal in &verdict.refusals {
                debug!(turn = at.turn, round, rule = %refusal.rule, key = refusal.key, "refused, made simpler");
            }
            if round + 1 == ROUNDS {
                self.report.illegal += verdict.refusals.len() as u32;
            }
            Arc::make_mut(&mut self.memory).learn(draft, &verdict.refusals);
            let rest = match round == first_round {
                true => without_refused_charges(plan, draft, &verdict.refusals),
                false => verdict.refusals,
            };
            plan::simplify(draft, &rest, &|unit| place_of(view, unit), round);
        }
        Ok(())
    }
}

/// Gives up the charges of which a part was refused, since who was to support one would charge alone; and the refusals of
/// everybody else.
fn without_refused_charges(plan: &Plan, draft: &mut Draft, refusals: &[Refusal]) -> Vec<Refusal> {
    let mut rest = refusals.to_vec();
    for charge in &plan.charges {
        let is_of_it = |refusal: &Refusal| charge.has(&UnitId::from(refusal.subject.as_str()));
        if refusals.iter().any(|refusal| refusal.key == "order" && is_of_it(refusal)) {
            plan.give_up(charge, draft);
            rest.retain(|refusal| !is_of_it(refusal));
        }
    }
    rest
}

fn place_of(view: &View, unit: &UnitId) -> Option<Point> {
    let unit = view.units.iter().find(|seen| seen.id == *unit)?;
    unit.stance.as_ref().map(|stance| stance.anchor)
}
