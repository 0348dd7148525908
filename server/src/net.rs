//! The accept loop: connections, their number, their patience, their end.
//!
//! It knows no route. `axum::serve` sets no timer, so that hyper's header timeout would never fire; here it does.
//! A connection keeps its place among the counted ones until its socket is gone, upgraded or not.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;
use tracing::{debug, info, warn};

use crate::config::Limits;
use crate::shutdown::Shutdown;

/// Headers a request may have.
const MAX_HEADERS: usize = 64;
/// The pause after a failed accept: with no file descriptors left, trying at once would only burn the processor.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(50);

/// The answer to a connection too many.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n\r\n";

/// Serves `router` until shutdown is requested, then lets requests and sockets end, for a while.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, shutdown: Shutdown) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let accepted = tokio::select! {
            biased;
            () = shutdown.requested() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                warn!(%error, "net: a connection could not be accepted");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            debug!(%peer, "net: full; a connection is refused");
            // Best effort: a client that does not read it sees the connection closed, which says the same.
            let _unread = stream.try_write(FULL);
            continue;
        };
        let (router, shutdown) = (router.clone(), shutdown.clone());
        tokio::spawn(async move { connection(stream, peer, place, router, limits, shutdown).await });
    }
    drop(listener);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let open = limits.connections - places.available_permits();
    info!(open, "net: closing");
    if tokio::time::timeout(limits.shutdown_timeout, places.acquire_many(all)).await.is_err() {
        warn!(open = limits.connections - places.available_permits(), "net: connections were cut off");
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    place: OwnedSemaphorePermit,
    router: Router,
    limits: Limits,
    shutdown: Shutdown,
) {
    // Views leave when they are written, not when more follows.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%peer, %error, "net: the connection was gone at once");
        return;
    }
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        TowerToHyperService::new(router.clone()).call(request)
    });
    let io = TokioIo::new(Placed { stream, patience: limits.request_timeout, stalled: None, _place: place });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_headers(MAX_HEADERS)
        .max_buf_size(limits.header_bytes)
        .serve_connection(io, service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.requested() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // Hanging up, timeouts and nonsense are the client's daily business.
        debug!(%peer, %error, "net: a connection ended early");
    }
}

/// A stream that holds its place, and that fails when its peer has stopped reading.
struct Placed {
    stream: TcpStream,
    /// How long a write may wait for the peer to read.
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl Placed {
    /// Passes a write on; when it has waited too long, an error.
    fn watch<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer has stopped reading")))
    }
}

impl AsyncRead for Placed {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Placed {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
