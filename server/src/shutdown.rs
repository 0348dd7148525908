//! One word to all tasks that the server stops.

use tokio::sync::watch;

/// Says that the server stops. Dropping it says so too.
pub struct Stopper(watch::Sender<bool>);

/// Hears that the server stops. Cheap to clone.
#[derive(Clone)]
pub struct Shutdown(watch::Receiver<bool>);

/// A stopper and what hears it.
pub fn channel() -> (Stopper, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (Stopper(sender), Shutdown(receiver))
}

impl Stopper {
    /// The server stops.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Returns once the server stops; at once when it has begun to.
    pub async fn requested(&self) {
        let mut receiver = self.0.clone();
        // An error means that the stopper is gone, and with it the server.
        let _stopped = receiver.wait_for(|stopped| *stopped).await;
    }

    /// Whether the server stops.
    pub fn is_requested(&self) -> bool {
        *self.0.borrow()
    }
}
