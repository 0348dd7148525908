//! A few connections that only read.
//!
//! A read runs on a task of its own: a caller that goes away neither cancels it half way nor spoils its connection.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tracing::error;

use super::StoreError;
use super::connection::{Connection, Failure};
use super::open::Database;
use super::writer::Operation;

/// How many reads run at once.
const READERS: usize = 4;
/// How long a read waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pool.
#[derive(Clone)]
pub(crate) struct Readers {
    database: Database,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    /// A pool that connects when it is first asked.
    pub(crate) fn new(database: Database) -> Self {
        Readers { database, idle: Arc::default(), places: Arc::new(Semaphore::new(READERS)) }
    }

    /// Runs a read.
    pub(crate) async fn read<R: Operation>(&self, read: R) -> Result<R::Answer, StoreError> {
        let place = match tokio::time::timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await {
            Ok(Ok(place)) => place,
            Ok(Err(_closed)) => return Err(StoreError::Unavailable),
            Err(_late) => return Err(StoreError::Overloaded),
        };
        let readers = self.clone();
        let task = tokio::spawn(async move {
            let _place = place;
            let mut db = readers.connection().await?;
            match read.run(&mut db).await {
                Ok(answer) => {
                    readers.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
                    Ok(answer)
                }
                Err(Failure::Refused(refusal)) => {
                    readers.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
                    Err(refusal)
                }
                Err(Failure::Constraint(cause) | Failure::Conflict(cause) | Failure::Broken(cause)) => {
                    error!(%cause, "store: a read failed");
                    Err(StoreError::Unavailable)
                }
            }
        });
        task.await.unwrap_or(Err(StoreError::Unavailable))
    }

    /// Refuses new reads, waits for those that run, and disconnects.
    pub(crate) async fn close(&self) {
        if let Ok(all) = self.places.acquire_many(READERS as u32).await {
            self.places.close();
            drop(all);
        }
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for db in idle {
            if let Err(cause) = db.close().await {
                error!(%cause, "store: a reading connection did not close");
            }
        }
    }

    async fn connection(&self) -> Result<Connection, StoreError> {
        if let Some(db) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(db);
        }
        self.database.connect_reader().await.map_err(|cause| {
            error!(%cause, "store: a reading connection failed");
            StoreError::Unavailable
        })
    }
}
