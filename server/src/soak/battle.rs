//! One battle of two bots on a server of its own, told turn by turn or not at all.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

use bot::tally::Rare;
use bot::{Manner, Report};
use protocol::ids::{BySide, Side};
use protocol::message::rest::{CreateGame, Join};
use protocol::message::{Deployment, Spectators};
use protocol::words::Fog;
use tokio::sync::watch;

use super::say;
use crate::clock::{SeededEntropy, SystemClock};
use crate::config::{Config, ConfigArgs};
use crate::games::{Games, Moves, OutcomeSummary, Refused, stage_of};
use crate::serve::Running;
use crate::store::GameId;

/// What is fought.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) scenario: String,
    /// The text of a scenario file to play by instead.
    pub(super) file: Option<String>,
    pub(super) house: Vec<(String, String)>,
    pub(super) deployment: Deployment,
    /// What is seen; absent: as the scenario has it.
    pub(super) fog: Option<Fog>,
    pub(super) windows: Option<Vec<protocol::orders::Stage>>,
    /// After how many turns it is enough.
    pub(super) turns: Option<u32>,
    /// Where the game is kept; absent: nowhere.
    pub(super) keep: Option<PathBuf>,
    pub(super) seed: u64,
    pub(super) manner: BySide<Manner>,
    /// Say how each turn ended.
    pub(super) aloud: bool,
}

/// What came of it.
pub(super) struct Fought {
    /// The newest stage.
    pub(super) last: OutcomeSummary,
    /// Each side's own account; those of several seats added up. Empty for a battle that was broken off.
    pub(super) reports: BySide<Report>,
}

/// Fights a battle.
pub(super) async fn fight(wanted: &Wanted) -> Result<Fought, String> {
    let temporary = std::env::temp_dir().join(format!("picket-bot-{}-{}", std::process::id(), wanted.seed));
    let folder = wanted.keep.clone().unwrap_or_else(|| temporary.clone());
    let settings = ConfigArgs {
        listen: Some((Ipv4Addr::LOCALHOST, 0).into()),
        data: Some(folder.clone()),
        database: Some(format!("sqlite:{}", folder.join("picket.sqlite").display())),
        ..ConfigArgs::default()
    };
    let config = Config::load(&settings).map_err(|error| error.to_string())?;
    let entropy = Arc::new(SeededEntropy::new(wanted.seed));
    let running = Running::start(config, Arc::new(SystemClock::default()), entropy).await;
    let running = running.map_err(|error| error.to_string())?;
    let fought = between_bots(&running, wanted).await;
    running.stop().await;
    if wanted.keep.is_none() {
        let removed = std::fs::remove_dir_all(&temporary);
        removed.map_err(|error| format!("`{}` stays behind: {error}", temporary.display()))?;
    }
    fought
}

async fn between_bots(running: &Running, wanted: &Wanted) -> Result<Fought, String> {
    let games = &running.app.games;
    let scenario = match &wanted.file {
        Some(text) => games.bring(text.clone()).await.map_err(words)?,
        None => wanted.scenario.clone(),
    };
    let asked = CreateGame {
        scenario,
        name: None,
        bot: None,
        windows: wanted.windows.clone(),
        deadline_seconds: None,
        unseal: None,
        deployment: wanted.deployment,
        hidden_movement: None,
        fog: wanted.fog,
        house_rules: wanted.house.iter().cloned().collect(),
        chart: None,
        umpire: false,
        spectators: Spectators::Off,
        spectator_delay_turns: 0,
    };
    let (created, _) = games.make(asked).await.map_err(words)?;
    let mut players = tokio::task::JoinSet::new();
    for (_, side, invitation) in created.invitations {
        let name = format!("{side} bot");
        let joined = games
            .join(Join { invitation, name, held: Vec::new() }, IpAddr::from(Ipv4Addr::LOCALHOST))
            .await
            .map_err(words)?;
        // Each side has a chance of its own.
        let seed = wanted.seed.wrapping_mul(2).wrapping_add(u64::from(side == Side::Confederate));
        let mut options = bot::Options::new(format!("http://{}", running.address), joined.game, joined.token, seed);
        options.manner = *wanted.manner.get(side);
        players.spawn(async move { (side, bot::run(options).await) });
    }
    let mut teller = Teller { games, game: created.game, wanted, next: 0, last: None };
    let mut reports: BySide<Report> = BySide::from_fn(|_| Report::default());
    let playing = async {
        while let Some(played) = players.join_next().await {
            let (side, report) = played.map_err(|error| error.to_string())?;
            add(reports.get_mut(side), report.map_err(|error| error.to_string())?);
        }
        Ok::<_, String>(())
    };
    tokio::select! {
        played = playing => {
            played?;
            teller.tell().await.map_err(words)?;
        }
        told = teller.tell_as_it_goes() => told?,
    }
    let Some(last) = teller.last else { return Err("no turn was played".to_owned()) };
    Ok(Fought { last, reports })
}

/// Adds the account of another seat of the same side. Losses are of the whole side in each of them.
fn add(sum: &mut Report, report: Report) {
    sum.turn = sum.turn.max(report.turn);
    sum.sealed += report.sealed;
    sum.refused += report.refused;
    sum.illegal += report.illegal;
    sum.turns += report.turns;
    if sum.slowest < report.slowest {
        sum.slowest = report.slowest;
        sum.slowest_turn = report.slowest_turn;
    }
    let Rare { mounted_charges, dismounts, mounts, works, unlimbered, lie_down } = sum.tally.orders;
    sum.tally = report.tally;
    let orders = &mut sum.tally.orders;
    orders.mounted_charges += mounted_charges;
    orders.dismounts += dismounts;
    orders.mounts += mounts;
    orders.works += works;
    orders.unlimbered += unlimbered;
    orders.lie_down += lie_down;
}

/// Prints the turns of a game as they end.
struct Teller<'a> {
    games: &'a Games,
    game: GameId,
    wanted: &'a Wanted,
    /// The place in the chain that is looked at next.
    next: u32,
    /// The newest stage, or the last of those that were wanted.
    last: Option<OutcomeSummary>,
}

impl Teller<'_> {
    /// Goes on until enough turns were played, or something is wrong; with the game's end it only falls silent.
    async fn tell_as_it_goes(&mut self) -> Result<(), String> {
        let mut moves: watch::Receiver<Moves> = self.games.listen(self.game);
        loop {
            if self.tell().await.map_err(words)? {
                return Ok(());
            }
            if let Some(reason) = self.games.held(self.game).await.map_err(words)? {
                return Err(format!("the game is held: {reason}"));
            }
            moves.changed().await.map_err(|_| "the server has stopped".to_owned())?;
        }
    }

    /// Prints what is new; true when it is enough.
    async fn tell(&mut self) -> Result<bool, Refused> {
        for summary in self.games.summaries(self.game, self.next).await? {
            if self.is_enough() {
                break;
            }
            self.next += 1;
            if self.wanted.aloud {
                say_stage(&summary);
            }
            self.last = Some(summary);
        }
        Ok(self.is_enough())
    }

    fn is_enough(&self) -> bool {
        let (Some(turns), Some(last)) = (self.wanted.turns, &self.last) else { return false };
        turns <= last.key.turn && is_end_of_turn(last)
    }
}

fn is_end_of_turn(summary: &OutcomeSummary) -> bool {
    stage_of(summary.key.stage).is_some_and(|stage| stage.next().is_none())
}

fn say_stage(summary: &OutcomeSummary) {
    if !is_end_of_turn(summary) && summary.result.is_none() {
        return;
    }
    let OutcomeSummary { key, hash, units, figures, points, result: _ } = summary;
    say(&format!(
        "turn {}: Union {} units {} figures {} points, Confederate {} units {} figures {} points, {}",
        key.turn,
        units.union,
        figures.union,
        points.union,
        units.confederate,
        figures.confederate,
        points.confederate,
        &hash.hex()[..16]
    ));
}

fn words(refused: Refused) -> String {
    refused.message
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A battle of Little Round Top without anything printed.
    fn wanted(turns: u32) -> Wanted {
        Wanted {
            scenario: "little_round_top".to_owned(),
            file: None,
            house: Vec::new(),
            deployment: Deployment::Players,
            fog: None,
            windows: None,
            turns: Some(turns),
            keep: None,
            // Part of the name of the folder: no two tests may have the same.
            seed: 5 + u64::from(turns),
            manner: BySide::from_fn(|_| Manner::Plays),
            aloud: false,
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_whole_battle_between_bots_leaves_no_order_illegal() {
        let whole = Wanted { turns: None, ..wanted(9) };
        let fought = fight(&whole).await.expect("the battle is fought");
        assert!(fought.last.result.is_some(), "it ends");
        for side in [Side::Union, Side::Confederate] {
            let report = fought.reports.get(side);
            assert!(0 < report.sealed, "the {side} plays");
            assert_eq!(report.illegal, 0, "orders of the {side} were dropped");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn los_06_a_whole_battle_of_bots_in_the_fog_leaves_no_order_illegal() {
        let fog = Some(Fog::LineOfSight);
        let whole = Wanted { turns: None, fog, deployment: Deployment::Printed, seed: 41, ..wanted(9) };
        let fought = fight(&whole).await.expect("the battle is fought");
        assert!(fought.last.result.is_some(), "it ends");
        for side in [Side::Union, Side::Confederate] {
            let report = fought.reports.get(side);
            assert!(0 < report.sealed, "the {side} plays");
            assert_eq!(report.illegal, 0, "orders of the {side} were dropped");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_same_seed_is_the_same_battle() {
        let once = fight(&wanted(2)).await.expect("the battle is fought");
        let again = fight(&wanted(2)).await.expect("the battle is fought");
        assert_eq!(once.last.hash.hex(), again.last.hash.hex());
    }
}
