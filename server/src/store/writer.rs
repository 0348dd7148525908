//! The only way to write: one task owns the connection, and what waits together is committed together.
//!
//! A batch is `begin`, a savepoint for each command, `commit`, and only then the answers. There is no timer: an idle
//! store commits at once. A caller that goes away cancels nothing, because no database call runs on its task.
//!
//! SQLite has one writer, which also checkpoints when its queue is empty. Postgres has several, each with its own
//! games; other nodes write the same tables, so every command locks its game first and a batch is sorted by game.

use std::pin::Pin;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tracing::{error, info, warn};

use super::connection::{Connection, Failure, Sql, sql};
use super::open::Database;
use super::{GameId, StoreError};

/// How many commands share one commit at most.
const BATCH: usize = 256;
/// How often a batch is run again when another transaction stood in its way.
const ATTEMPTS: usize = 3;
/// After so many commits the writer checkpoints as soon as nothing waits.
const COMMITS_BEFORE_CHECKPOINT: u32 = 100;
/// With fewer commits it waits for a pause.
const PAUSE_BEFORE_CHECKPOINT: Duration = Duration::from_millis(100);
/// How long a lost Postgres is sought before the writer gives up.
const RECONNECT_FOR: Duration = Duration::from_secs(30);

const BEGIN: Sql = Sql { sqlite: "begin immediate", postgres: "begin isolation level read committed" };
const COMMIT: Sql = sql!("commit");
const ROLLBACK: Sql = sql!("rollback");
const SAVEPOINT: Sql = sql!("savepoint command");
const KEEP: Sql = sql!("release savepoint command");
const UNDO: Sql = sql!("rollback to savepoint command");

/// Something to do on a connection.
pub(crate) trait Operation: Send + Sync + 'static {
    /// What the caller gets.
    type Answer: Send + 'static;

    /// Does it. A command may be run again from the start after a rollback, so it takes nothing out of itself.
    fn run(&self, db: &mut Connection) -> impl Future<Output = Result<Self::Answer, Failure>> + Send;
}

/// An operation that writes, on one game.
pub(crate) trait Command: Operation {
    /// The game it changes: it decides which writer runs it, and in which order games are locked.
    fn game(&self) -> GameId;
}

/// The queue to the writers.
pub(crate) struct Writers {
    queues: Vec<mpsc::Sender<Box<dyn Waiting>>>,
}

impl Writers {
    /// Hands a command over and waits for its commit.
    pub(crate) async fn submit<C: Command>(&self, command: C) -> Result<C::Answer, StoreError> {
        let writer = (command.game().0.as_u128() % self.queues.len() as u128) as usize;
        let (reply, answer) = oneshot::channel();
        let waiting = Box::new(Submitted { command, result: None, reply });
        self.queues[writer].try_send(waiting).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Unavailable,
        })?;
        answer.await.unwrap_or(Err(StoreError::Unavailable))
    }

    /// Starts a writer for each connection. `stopped` is told why when one of them stops by failure.
    pub(crate) fn start(
        database: &Database,
        connections: Vec<Connection>,
        queue: usize,
        closing: &watch::Receiver<bool>,
        stopped: &watch::Sender<Option<String>>,
    ) -> (Self, Vec<tokio::task::JoinHandle<()>>) {
        let mut queues = Vec::new();
        let mut tasks = Vec::new();
        for db in connections {
            let (sender, receiver) = mpsc::channel(queue);
            queues.push(sender);
            let writer = Writer {
                db: Some(db),
                database: database.clone(),
                queue: receiver,
                closing: closing.clone(),
                commits: 0,
            };
            let stopped = stopped.clone();
            tasks.push(tokio::spawn(async move {
                // A panic of the writer must stop the server like any other failure, so it runs as a task of its own.
                let reason = match tokio::spawn(writer.run()).await {
                    Ok(Ok(())) => return,
                    Ok(Err(reason)) => reason,
                    Err(panic) => format!("the writer panicked: {panic}"),
                };
                error!(reason, "store: the writer stopped; nothing more is accepted, and the server has to stop");
                stopped.send_replace(Some(reason));
            }));
        }
        (Writers { queues }, tasks)
    }
}

/// A command in the queue, whatever its type.
trait Waiting: Send {
    fn game(&self) -> GameId;
    /// Runs the command and keeps its result for later.
    fn run<'a>(&'a mut self, db: &'a mut Connection) -> Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;
    /// Sends the result, after the commit.
    fn answer(self: Box<Self>);
    /// Sends an error in place of the result.
    fn fail(self: Box<Self>);
}

/// What to do with what a command has written.
enum Verdict {
    Keep,
    Undo,
    Stop(Failure),
}

struct Submitted<C: Command> {
    command: C,
    result: Option<Result<C::Answer, StoreError>>,
    reply: oneshot::Sender<Result<C::Answer, StoreError>>,
}

impl<C: Command> Waiting for Submitted<C> {
    fn game(&self) -> GameId {
        self.command.game()
    }

    fn run<'a>(&'a mut self, db: &'a mut Connection) -> Pin<Box<dyn Future<Output = Verdict> + Send + 'a>> {
        Box::pin(async move {
            let (result, verdict) = match self.command.run(db).await {
                Ok(answer) => (Ok(answer), Verdict::Keep),
                Err(Failure::Refused(refusal)) => (Err(refusal), Verdict::Undo),
                Err(Failure::Constraint(cause)) => {
                    warn!(game.id = %self.game(), %cause, "store: the schema refused a command that the checks let pass");
                    (Err(StoreError::Unavailable), Verdict::Undo)
                }
                Err(failure) => (Err(StoreError::Unavailable), Verdict::Stop(failure)),
            };
            self.result = Some(result);
            verdict
        })
    }

    fn answer(self: Box<Self>) {
        // A caller that went away gets no answer; its command stands all the same.
        let _gone = self.reply.send(self.result.unwrap_or(Err(StoreError::Unavailable)));
    }

    fn fail(self: Box<Self>) {
        let _gone = self.reply.send(Err(StoreError::Unavailable));
    }
}

struct Writer {
    /// Always there but while a lost connection is replaced.
    db: Option<Connection>,
    database: Database,
    queue: mpsc::Receiver<Box<dyn Waiting>>,
    closing: watch::Receiver<bool>,
    /// Commits since the last checkpoint.
    commits: u32,
}

impl Writer {
    /// Serves the queue until the store is closed; an error says why the writer had to stop before.
    async fn run(mut self) -> Result<(), String> {
        let mut db = self.db.take().expect("a writer starts with a connection");
        while let Some(first) = self.next(&mut db).await? {
            let mut batch = vec![first];
            while batch.len() < BATCH {
                let Ok(job) = self.queue.try_recv() else { break };
                batch.push(job);
            }
            // Locks are taken in the order of games on every node, so that two batches cannot wait for each other.
            // The sort is stable: commands on one game stay in the order of their arrival.
            batch.sort_by_key(|job| job.game());
            match commit(&mut db, &mut batch).await {
                Ok(()) => {
                    self.commits += 1;
                    batch.into_iter().for_each(Waiting::answer);
                }
                Err(failure) => {
                    batch.into_iter().for_each(Waiting::fail);
                    db = self.recover(db, failure).await?;
                }
            }
        }
        self.checkpoint(&mut db).await?;
        db.close().await.map_err(|cause| format!("the database did not close: {cause}"))
    }

    /// The next command; none when the store is closed and the queue empty. Checkpoints while nothing waits.
    async fn next(&mut self, db: &mut Connection) -> Result<Option<Box<dyn Waiting>>, String> {
        loop {
            if let Ok(job) = self.queue.try_recv() {
                return Ok(Some(job));
            }
            if COMMITS_BEFORE_CHECKPOINT <= self.commits {
                self.checkpoint(db).await?;
            }
            let closing = *self.closing.borrow_and_update();
            if closing {
                self.queue.close();
            }
            tokio::select! {
                biased;
                job = self.queue.recv() => return Ok(job),
                changed = self.closing.changed(), if !closing => {
                    if changed.is_err() {
                        self.queue.close();
                        return Ok(self.queue.recv().await);
                    }
                }
                () = tokio::time::sleep(PAUSE_BEFORE_CHECKPOINT), if 0 < self.commits => self.checkpoint(db).await?,
            }
        }
    }

    /// Copies the log into the database file, as far as readers allow.
    async fn checkpoint(&mut self, db: &mut Connection) -> Result<(), String> {
        if let Connection::Sqlite(_) = db
            && 0 < self.commits
        {
            let checkpoint = db.fetch(sql!("pragma wal_checkpoint(passive)"), vec![]).await;
            checkpoint.map_err(|failure| format!("a checkpoint failed: {failure}"))?;
        }
        self.commits = 0;
        Ok(())
    }

    /// After a failure: SQLite's is final, because what a failed write or fsync left behind is not known. Postgres
    /// recovers by itself, so its connection is sought again.
    async fn recover(&self, db: Connection, failure: Failure) -> Result<Connection, String> {
        let reason = failure.to_string();
        if let Failure::Conflict(_) = failure {
            warn!(reason, "store: a batch gave way to another writer and was refused");
            return Ok(db);
        }
        if let Connection::Sqlite(_) = db {
            // Closing would checkpoint, and so write again over what has just failed. The process ends; let it lie.
            std::mem::forget(db);
            return Err(format!("writing failed: {reason}"));
        }
        warn!(reason, "store: the database was lost; connecting again");
        drop(db);
        let give_up = tokio::time::Instant::now() + RECONNECT_FOR;
        loop {
            match self.database.connect_writer().await {
                Ok(connection) => {
                    info!("store: the database is back");
                    return Ok(connection);
                }
                Err(error) if give_up < tokio::time::Instant::now() => {
                    return Err(format!("the database was lost ({reason}) and did not come back: {error}"));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(250)).await,
            }
        }
    }
}

/// Commits a batch, again when another writer stood in its way. On an error nothing of it is known to be kept.
async fn commit(db: &mut Connection, batch: &mut [Box<dyn Waiting>]) -> Result<(), Failure> {
    let mut attempt = 1;
    loop {
        let Err(failure) = try_commit(db, batch).await else { return Ok(()) };
        let Failure::Conflict(_) = failure else { return Err(failure) };
        if ATTEMPTS <= attempt {
            return Err(failure);
        }
        attempt += 1;
    }
}

async fn try_commit(db: &mut Connection, batch: &mut [Box<dyn Waiting>]) -> Result<(), Failure> {
    db.control(BEGIN).await?;
    let Err(failure) = run_batch(db, batch).await else { return Ok(()) };
    if let Failure::Conflict(_) = failure {
        db.control(ROLLBACK).await?;
    }
    Err(failure)
}

async fn run_batch(db: &mut Connection, batch: &mut [Box<dyn Waiting>]) -> Result<(), Failure> {
    let alone = batch.len() == 1;
    for job in batch {
        // The transaction itself is the savepoint of a command that is alone in it.
        if !alone {
            db.control(SAVEPOINT).await?;
        }
        match job.run(db).await {
            Verdict::Keep if alone => {}
            Verdict::Keep => db.control(KEEP).await?,
            Verdict::Undo if alone => return db.control(ROLLBACK).await,
            Verdict::Undo => {
                db.control(UNDO).await?;
                db.control(KEEP).await?;
            }
            Verdict::Stop(failure) => return Err(failure),
        }
    }
    db.control(COMMIT).await
}
