//! A running server: opened from its settings, stopped in order.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tracing::{error, info, warn};

use crate::app::{App, router};
use crate::clock::{Clock, Entropy, SeededEntropy, SystemClock, SystemEntropy};
use crate::config::Config;
use crate::games::Games;
use crate::shutdown::{Stopper, channel};
use crate::store::Store;

/// Why the server could not start, or had to stop: for the operator.
#[derive(Debug)]
pub struct ServeError(String);

impl ServeError {
    /// In words.
    pub(crate) fn new(words: String) -> Self {
        ServeError(words)
    }
}

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
        // The port comes first: a second server on it must not touch the first one's database.
        let listener = TcpListener::bind(config.listen).await.map_err(|error| cannot_listen(config.listen, &error))?;
        let store = Store::open(config.database.expose(), config.limits.store_queue, clock.now())
            .await
            .map_err(|error| ServeError(error.to_string()))?;
        let address = listener.local_addr().map_err(|error| ServeError(format!("cannot listen: {error}")))?;
        if config.public_url == format!("http://{}", config.listen) {
            // Port 0 is nobody's address; links need the one that the system picked.
            config.public_url = format!("http://{address}");
        }
        let (stopper, shutdown) = channel();
        let limits = config.limits;
        let many_nodes = config.database.expose().starts_with("postgres");
        let games = Games::new(store.clone(), Arc::clone(&clock), Arc::clone(&entropy), many_nodes, config.release);
        let app = App { store, games, clock, entropy, config: Arc::new(config), shutdown: shutdown.clone() };
        // Workers end when shutdown is requested.
        tokio::spawn(app.games.clone().keep(shutdown.clone()));
        app.games.start_bots(format!("http://{}", reachable(address)), shutdown.clone()).await;
        let accepting = tokio::spawn(crate::net::serve(listener, router(app.clone()), limits, shutdown));
        Ok(Running { address, app, stopper, accepting })
    }

    /// Goes on until the process is told to stop, or the store fails.
    pub async fn until_stopped(self) -> Result<(), ServeError> {
        tokio::select! {
            signal = asked_to_stop() => {
                signal.map_err(|error| ServeError(format!("signals cannot be heard: {error}")))?;
                info!("picket stops");
                self.stop().await;
                Ok(())
            }
            // Nothing is closed in order: what the failed database holds is left as it is for recovery.
            reason = self.app.store.stopped() => {
                Err(ServeError(format!("the store failed, and the server stops: {reason}")))
            }
        }
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

/// Chance as the settings say.
pub fn entropy_of(config: &Config) -> Arc<dyn Entropy> {
    match config.seed {
        Some(seed) => {
            warn!(seed, "dice, salts and identifiers are fixed by a seed: whoever knows it knows them all");
            Arc::new(SeededEntropy::new(seed))
        }
        None => Arc::new(SystemEntropy),
    }
}

/// Serves until the process is told to stop, or the store fails.
pub async fn serve(config: Config) -> Result<(), ServeError> {
    let entropy = entropy_of(&config);
    let running = Running::start(config, Arc::new(SystemClock::default()), entropy).await?;
    let config = &running.app.config;
    info!(address = %running.address, url = config.public_url, database = %config.database, "picket listens");
    running.until_stopped().await
}

fn cannot_listen(address: SocketAddr, error: &std::io::Error) -> ServeError {
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return ServeError(format!("cannot listen on {address}: {error}"));
    }
    let other = SocketAddr::new(address.ip(), address.port().wrapping_add(1).max(1024));
    ServeError(format!(
        "{address} is in use by another program, perhaps by another Picket; stop it, or choose another port with \
         `--listen {other}`"
    ))
}

/// Where this machine itself finds a listener.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    let loopback: std::net::IpAddr = match address {
        SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(loopback, address.port())
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
