//! A running server: opened from its settings, stopped in order.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tracing::{error, info, warn};

use crate::app::{App, router};
use crate::clock::{Clock, Entropy, SeededEntropy, SystemClock, SystemEntropy};
use crate::config::Config;
use crate::shutdown::{Stopper, channel};
use crate::store::Store;

/// Why the server could not start, or had to stop: for the operator.
#[derive(Debug)]
pub struct ServeError(String);

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServeError {}

/// A server that accepts connections.
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// What its handlers use.
    pub app: App,
    stopper: Stopper,
    accepting: JoinHandle<()>,
}

impl Running {
    /// Opens the store, listens and serves. With port 0 the system picks one, told by `address`.
    pub async fn start(
        mut config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Running, ServeError> {
        make_folders(&config)?;
        let store = Store::open(config.database.expose(), config.limits.store_queue, clock.now())
            .await
            .map_err(|error| ServeError(error.to_string()))?;
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(|error| ServeError(format!("cannot listen on {}: {error}", config.listen)))?;
        let address = listener.local_addr().map_err(|error| ServeError(format!("cannot listen: {error}")))?;
        if config.public_url == format!("http://{}", config.listen) {
            // Port 0 is nobody's address; links need the one that the system picked.
            config.public_url = format!("http://{address}");
        }
        let (stopper, shutdown) = channel();
        let limits = config.limits;
        let app = App { store, clock, entropy, config: Arc::new(config), shutdown: shutdown.clone() };
        // Workers (sweep, outbox) are started here; they end when shutdown is requested.
        let accepting = tokio::spawn(crate::net::serve(listener, router(app.clone()), limits, shutdown));
        Ok(Running { address, app, stopper, accepting })
    }

    /// Lets requests and sockets end, then closes the store.
    pub async fn stop(self) {
        self.stopper.stop();
        if let Err(cause) = self.accepting.await {
            error!(%cause, "net: the accept loop did not end well");
        }
        self.app.store.close().await;
    }
}

/// Serves until the process is told to stop, or the store fails.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    let entropy: Arc<dyn Entropy> = match config.seed {
        Some(seed) => {
            warn!(seed, "dice, salts and identifiers are fixed by a seed: whoever knows it knows them all");
            Arc::new(SeededEntropy::new(seed))
        }
        None => Arc::new(SystemEntropy),
    };
    let running = Running::start(config, Arc::new(SystemClock::default()), entropy).await?;
    let config = &running.app.config;
    info!(address = %running.address, url = config.public_url, database = %config.database, "picket listens");
    tokio::select! {
        signal = asked_to_stop() => {
            signal.map_err(|error| ServeError(format!("signals cannot be heard: {error}")))?;
            info!("picket stops");
            running.stop().await;
            Ok(())
        }
        // Nothing is closed in order: what the failed database holds is left as it is for recovery.
        reason = running.app.store.stopped() => Err(ServeError(format!("the store failed, and the server stops: {reason}"))),
    }
}

fn make_folders(config: &Config) -> Result<(), ServeError> {
    let failed = |folder: &std::path::Path, error: std::io::Error| {
        ServeError(format!("the folder `{}` cannot be made: {error}", folder.display()))
    };
    std::fs::create_dir_all(&config.data).map_err(|error| failed(&config.data, error))?;
    if let Some(path) = config.database.expose().strip_prefix("sqlite:")
        && let Some(folder) = std::path::Path::new(path.strip_prefix("//").unwrap_or(path)).parent()
    {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    Ok(())
}

#[cfg(unix)]
async fn asked_to_stop() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn asked_to_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
