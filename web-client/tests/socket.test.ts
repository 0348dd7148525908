import { describe, expect, test } from "vitest";
import { welcome } from "../src/fixtures/play";
import { Refused } from "../src/net/rest";
import { connect, type Asking, type WireEvents } from "../src/net/socket";
import type { ClientMessage, ServerMessage } from "../src/protocol/types";
import { emptyDraft, type Link } from "../src/state/state";

const at = { line: 1, turn: 1, stage: "orders" as const };
const save = (command: string): Asking => ({ type: "save_draft", command, at, draft: emptyDraft });
const saved = (command: string): ServerMessage => ({
  type: "saved",
  command,
  refusals: [],
  without_order: [],
});

/** A world whose clock moves by hand and whose sockets are lists. */
function world(ticket: () => Promise<string> = () => Promise.resolve("ticket")) {
  const sockets: { events: WireEvents; sent: ClientMessage[]; closed: boolean }[] = [];
  const timers: { at: number; then: () => void; live: boolean }[] = [];
  const links: Link[] = [];
  const heard: ServerMessage[] = [];
  let now = 0;
  const connection = connect(
    {
      ticket,
      open: (events) => {
        const socket = { events, sent: [] as ClientMessage[], closed: false };
        sockets.push(socket);
        return {
          send: (text) => socket.sent.push(JSON.parse(text) as ClientMessage),
          close: () => {
            socket.closed = true;
          },
        };
      },
      after: (milliseconds, then) => {
        const timer = { at: now + milliseconds, then, live: true };
        timers.push(timer);
        return () => (timer.live = false);
      },
      chance: () => 1,
    },
    { have: () => at, message: (message) => heard.push(message), link: (link) => links.push(link) },
  );
  const settle = async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return {
    connection,
    sockets,
    links,
    heard,
    settle,
    latest: () => {
      const socket = sockets.at(-1);
      if (!socket) throw new Error("no socket was opened");
      return socket;
    },
    say: (message: ServerMessage) => sockets.at(-1)?.events.received(JSON.stringify(message)),
    pass: async (milliseconds: number) => {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.filter((timer) => timer.live && timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        now = next.at;
        next.live = false;
        next.then();
        await settle();
      }
      now = end;
    },
    /** Opens the newest socket and welcomes. */
    welcomed: async function () {
      await settle();
      sockets.at(-1)?.events.opened();
      sockets.at(-1)?.events.received(JSON.stringify(welcome()));
    },
  };
}

describe("socket", () => {
  test("says hello first, with its ticket and the last stage it has", async () => {
    const w = world();
    await w.settle();
    w.latest().events.opened();
    expect(w.latest().sent).toEqual([{ type: "hello", version: 1, ticket: "ticket", have: at }]);
  });

  test("sends nothing else before the welcome, and what waited after it", async () => {
    const w = world();
    await w.settle();
    w.latest().events.opened();
    w.connection.ask(save("a"));
    expect(w.latest().sent).toHaveLength(1);
    w.say(welcome());
    expect(w.latest().sent.map((m) => m.type)).toEqual(["hello", "save_draft"]);
    expect(w.links.at(-1)).toEqual({ kind: "open" });
  });

  test("sends an unanswered command again after a break, with the same identifier, and an answered one never", async () => {
    const w = world();
    await w.welcomed();
    w.connection.ask(save("answered"));
    w.connection.ask(save("lost"));
    w.say(saved("answered"));
    w.latest().events.closed();
    await w.pass(1000);
    await w.welcomed();
    expect(w.sockets).toHaveLength(2);
    expect(w.latest().sent.slice(1)).toEqual([save("lost")]);
  });

  test("an error answers a command too", async () => {
    const w = world();
    await w.welcomed();
    w.connection.ask(save("bad"));
    w.say({ type: "error", code: "wrong_turn", message: "that turn is over", about: "bad", refusals: [] });
    w.latest().events.closed();
    await w.pass(1000);
    await w.welcomed();
    expect(w.latest().sent).toHaveLength(1);
  });

  test("of one topic only the latest is sent again", async () => {
    const w = world();
    await w.settle();
    w.connection.ask(save("old"), "save");
    w.connection.ask(save("new"), "save");
    await w.welcomed();
    expect(w.latest().sent.slice(1)).toEqual([save("new")]);
  });

  test("waits longer from try to try, up to half a minute", async () => {
    const w = world();
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      await w.settle();
      w.latest().events.closed();
      const link = w.links.at(-1);
      if (link?.kind === "waiting") waits.push(link.seconds);
      await w.pass(30_000);
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("is patient again after a welcome", async () => {
    const w = world();
    for (let i = 0; i < 4; i++) {
      await w.settle();
      w.latest().events.closed();
      await w.pass(30_000);
    }
    await w.welcomed();
    w.latest().events.closed();
    expect(w.links.at(-1)).toMatchObject({ kind: "waiting", attempt: 1 });
  });

  test("a line that stays silent is given up, and what it says later is not heard", async () => {
    const w = world();
    await w.welcomed();
    const first = w.latest();
    await w.pass(95_000);
    expect(first.closed).toBe(true);
    expect(w.sockets.length).toBeGreaterThan(1);
    const before = w.heard.length;
    first.events.received(JSON.stringify(saved("late")));
    expect(w.heard).toHaveLength(before);
  });

  test("a line that answers its pings is kept", async () => {
    const w = world();
    await w.welcomed();
    for (let i = 0; i < 10; i++) {
      await w.pass(20_000);
      w.say({ type: "pong" });
    }
    expect(w.sockets).toHaveLength(1);
    expect(w.latest().sent.filter((message) => message.type === "ping").length).toBeGreaterThan(5);
  });

  test("a seat that is not ours is not asked for again", async () => {
    const w = world(() => Promise.reject(new Refused("not_yours", "this seat is not yours", 403)));
    await w.settle();
    await w.pass(120_000);
    expect(w.sockets).toHaveLength(0);
    expect(w.links.at(-1)).toEqual({ kind: "refused", why: "this seat is not yours" });
  });

  test("a server that cannot be reached is asked again", async () => {
    let tries = 0;
    const w = world(() => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Refused("unreachable", "no", 0)) : Promise.resolve("late");
    });
    await w.settle();
    await w.pass(10_000);
    expect(tries).toBe(3);
    expect(w.sockets).toHaveLength(1);
  });

  test("a closed connection stays closed", async () => {
    const w = world();
    await w.welcomed();
    w.connection.close();
    w.latest().events.closed();
    await w.pass(120_000);
    expect(w.sockets).toHaveLength(1);
    expect(w.links.at(-1)).toEqual({ kind: "closed" });
  });

  test("what is not JSON is passed over", async () => {
    const w = world();
    await w.welcomed();
    w.latest().events.received("{");
    w.say({ type: "pong" });
    expect(w.heard.at(-1)).toEqual({ type: "pong" });
  });

  test("a lost line is tried at once when the player wants it, and only once", async () => {
    const { connection, sockets, latest, settle, say } = world();
    await settle();
    latest().events.opened();
    say(welcome());
    latest().events.closed();
    expect(sockets).toHaveLength(1);
    connection.again();
    connection.again();
    await settle();
    expect(sockets).toHaveLength(2);
  });
});
