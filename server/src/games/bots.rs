//! Bots of this process: each a client of the server's own socket, as any player is.

use tracing::{info, warn};

use super::settings::BotSeat;
use super::{Games, Refused};
use crate::shutdown::Shutdown;
use crate::store::{GameId, TokenHash};

/// The name under which a bot sits at the table.
const NAME: &str = "Picket's bot";
/// Games whose bots are set to work again after a start.
const MOST: u32 = 1024;

impl Games {
    /// From now on bots find the server at `address`, and those of unfinished games go to work again.
    pub async fn start_bots(&self, address: String, shutdown: Shutdown) {
        if self.shared.own_address.set((address, shutdown)).is_err() {
            warn!("games: the bots work already");
            return;
        }
        let games = match self.shared.store.unfinished_games(MOST).await {
            Ok(games) => games,
            Err(cause) => {
                warn!(%cause, "games: bots of unfinished games stay away");
                return;
            }
        };
        for game in games {
            if let Ok(settings) = self.settings(&game)
                && let Some(bot) = &settings.bot
                && let Err(refused) = self.seat_bot(game.id, bot).await
            {
                warn!(game.id = %game.id, code = refused.code, "games: a bot could not take its seat");
            }
        }
    }

    /// Seats a bot, if it does not sit already, and sets it to work in a task of its own, until its game or the server
    /// ends.
    pub(super) async fn seat_bot(&self, game: GameId, seat: &BotSeat) -> Result<(), Refused> {
        let (invitation, token) = (TokenHash::of(&seat.invitation), TokenHash::of(&seat.token));
        self.shared.store.claim_invitation(invitation, NAME.to_owned(), token, self.now()).await?;
        let Some((address, shutdown)) = self.shared.own_address.get() else { return Ok(()) };
        let options = bot::Options::new(address.clone(), game.to_string(), seat.token.clone(), seat.seed);
        let shutdown = shutdown.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = shutdown.requested() => {}
                played = bot::run(options) => match played {
                    Ok(report) => info!(game.id = %game, turn = report.turn, sealed = report.sealed, "bot: the game is over"),
                    Err(cause) => warn!(game.id = %game, %cause, "bot: stopped"),
                },
            }
        });
        Ok(())
    }
}
