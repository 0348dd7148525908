// The socket: hello and welcome, commands sent again until they are answered, reconnecting with growing patience.
// It knows the conversation and nothing of the game. Clock, chance and the socket itself are handed in, so that tests can.

import type { ClientMessage, ServerMessage, StageAt } from "../protocol/types";
import { Refused } from "./rest";
import type { Link } from "../state/state";

/** The version that this client speaks. */
export const version = 1;

/** What of a socket is used. */
export interface Wire {
  send: (text: string) => void;
  close: () => void;
}
export interface WireEvents {
  opened: () => void;
  received: (text: string) => void;
  closed: () => void;
}

export interface World {
  ticket: () => Promise<string>;
  open: (events: WireEvents) => Wire;
  /** Calls back later; returns what prevents it. */
  after: (milliseconds: number, then: () => void) => () => void;
  /** 0 to 1, to keep a crowd of clients from coming back in step. */
  chance: () => number;
}

export interface Listener {
  /** The last stage whose events are here. */
  have: () => StageAt | null;
  message: (message: ServerMessage) => void;
  link: (link: Link) => void;
}

/** Messages that change something or ask something, and must be answered. */
export type Asking = Exclude<ClientMessage, { type: "hello" } | { type: "ping" }>;

const longestWait = 30_000;
const pingEvery = 20_000;
const silenceLimit = 45_000;

export function keyOf(message: Asking): string {
  return "command" in message ? message.command : message.request;
}

export interface Connection {
  /** Sends now or after the next welcome, and again after each, until answered. A later one of the same `topic` replaces an earlier. */
  ask: (message: Asking, topic?: string) => void;
  /** Tries at once, while the line is lost and the next try is waited for. */
  again: () => void;
  close: () => void;
}

/** The sizes of messages about orders, bytes. LEAK-18 */
const SIZES = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/** A message as text, with blanks after it up to the next size, so that its length does not tell how much was said. */
export function padded(message: ClientMessage): string {
  const text = JSON.stringify(message);
  if (message.type === "hello" || message.type === "ping") return text;
  const length = new TextEncoder().encode(text).length;
  const size = SIZES.find((most) => length <= most) ?? length;
  return text + " ".repeat(size - length);
}

export function connect(world: World, listener: Listener): Connection {
  const pending = new Map<string, { message: Asking; topic: string | undefined }>();
  let wire: Wire | undefined;
  let welcomed = false;
  let attempt = 0;
  let dials = 0;
  let ended = false;
  let heard = true;
  let waiting = false;
  let stops: (() => void)[] = [];

  const stopTimers = () => {
    for (const stop of stops) stop();
    stops = [];
  };

  const send = (message: ClientMessage) => wire?.send(padded(message));

  const dial = async () => {
    waiting = false;
    listener.link({ kind: "connecting" });
    let ticket: string;
    try {
      ticket = await world.ticket();
    } catch (error) {
      // A seat that is not ours will not become ours by asking again.
      if (error instanceof Refused && [401, 403, 404].includes(error.status)) refuse(error.message);
      else wait();
      return;
    }
    if (ended) return;
    // Events of a socket that was given up are not listened to.
    const mine = (dials += 1);
    wire = world.open({
      opened: () => {
        if (mine === dials) send({ type: "hello", version, ticket, have: listener.have() });
      },
      received: (text) => {
        if (mine === dials) receive(text);
      },
      closed: () => {
        if (mine === dials) lost();
      },
    });
    heard = true;
    watchSilence();
  };

  /** A line that says nothing for long is dead, whatever the browser thinks. */
  const watchSilence = () => {
    stops.push(
      world.after(silenceLimit, () => {
        if (!heard) {
          const dead = wire;
          lost();
          dead?.close();
          return;
        }
        heard = false;
        watchSilence();
      }),
    );
  };

  const ping = () => {
    stops.push(
      world.after(pingEvery, () => {
        if (welcomed) send({ type: "ping" });
        ping();
      }),
    );
  };

  const receive = (text: string) => {
    heard = true;
    let message: ServerMessage;
    try {
      message = JSON.parse(text) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === "welcome") {
      welcomed = true;
      attempt = 0;
      listener.link({ kind: "open" });
      for (const { message: waiting } of pending.values()) send(waiting);
      ping();
    }
    const answered =
      message.type === "error"
        ? message.about
        : "command" in message
          ? message.command
          : "request" in message
            ? message.request
            : null;
    if (answered) pending.delete(answered);
    if (message.type === "error" && message.code === "wrong_version") {
      refuse(message.message);
      return;
    }
    listener.message(message);
  };

  const lost = () => {
    dials += 1;
    wire = undefined;
    welcomed = false;
    stopTimers();
    if (!ended) wait();
  };

  const wait = () => {
    attempt += 1;
    waiting = true;
    const full = Math.min(longestWait, 500 * 2 ** (attempt - 1));
    const pause = full * (0.5 + 0.5 * world.chance());
    listener.link({ kind: "waiting", attempt, seconds: Math.ceil(pause / 1000) });
    stops.push(world.after(pause, () => void dial()));
  };

  const refuse = (why: string) => {
    ended = true;
    stopTimers();
    listener.link({ kind: "refused", why });
    wire?.close();
  };

  void dial();
  return {
    ask: (message, topic) => {
      if (topic) for (const [key, other] of pending) if (other.topic === topic) pending.delete(key);
      pending.set(keyOf(message), { message, topic });
      if (welcomed) send(message);
    },
    again: () => {
      if (!waiting || ended) return;
      stopTimers();
      void dial();
    },
    close: () => {
      ended = true;
      stopTimers();
      wire?.close();
      listener.link({ kind: "closed" });
    },
  };
}

/** A browser's socket as a wire. */
export function browserWire(address: string, events: WireEvents): Wire {
  const socket = new WebSocket(address);
  socket.addEventListener("open", events.opened);
  socket.addEventListener("message", (event) => events.received(String(event.data)));
  socket.addEventListener("close", events.closed);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
