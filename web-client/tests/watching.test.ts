import { describe, expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import { routeOf } from "../src/net/seats";
import type { ServerMessage, SettingsView } from "../src/protocol/types";
import { blankOrder, blankUnit, instructions } from "../src/state/orders";
import { apply, start, type Message, type State } from "../src/state/state";
import { waitingFor } from "../src/state/waiting";
import { eyesOf, sealedLines, watchedBy } from "../src/state/watching";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const open: Message = { type: "link_changed", link: { kind: "open" } };
const hold = { ...blankUnit, order: blankOrder("hold") };

/** A state as a watcher is sent it. */
function watched(viewer: "umpire" | "public", waiting: string[] = []): ServerMessage {
  const state = standing();
  return {
    ...state,
    draft: null,
    sealed: null,
    status: { ...state.status, waiting_for: waiting },
    view: { ...state.view, viewer: { type: viewer } },
  };
}
function settled(delay: number): ServerMessage {
  const told = welcome();
  return {
    ...told,
    settings: { ...told.settings, spectators: "open", spectator_delay_turns: delay },
  };
}

describe("who watches", () => {
  test("LEAK-73 other eyes begin with nothing that was seen before", () => {
    const seen = play([{ type: "watch_as", role: "umpire" }, open, welcome(), standing()]);
    expect(seen.view).not.toBeNull();
    const other = apply(
      { ...seen, stages: [{ at: standing().status.at, events: [], before: null }] },
      { type: "watch_as", role: "umpire" },
    );
    expect(other).toEqual({ ...start, watching: "umpire" });
  });

  test("edits nothing", () => {
    const state = play([{ type: "watch_as", role: "umpire" }, open, welcome(), standing()]);
    expect(apply(state, { type: "edit_unit", unit: "me20", draft: hold })).toBe(state);
    expect(apply(state, { type: "draw", drawing: true })).toBe(state);
  });

  test("is told whom the game waits for only where he may know it", () => {
    const umpire = play([
      { type: "watch_as", role: "umpire" },
      open,
      welcome(),
      watched("umpire", ["confederate"]),
    ]);
    const name = welcome().seats.find((seat) => seat.seat === "confederate");
    expect(waitingFor(umpire).text).toBe(`Waiting for ${name?.player ?? name?.title} to seal their orders.`);
    const spectator = play([{ type: "watch_as", role: "spectator" }, open, settled(0), watched("public")]);
    expect(waitingFor(spectator).text).toBe("Waiting for all seats to seal their orders.");
    const late = play([{ type: "watch_as", role: "spectator" }, open, settled(2), watched("public")]);
    expect(waitingFor(late).text).toBe("The next stage is shown when the game has gone a stage further.");
    // Through a seat's eyes nobody is told that it is his turn.
    const eyes = play([{ type: "watch_as", role: "umpire" }, open, welcome(), standing()]);
    expect(waitingFor(eyes).text).toBe("Waiting for all seats to seal their orders.");
    expect(waitingFor(eyes).mine).toBe(false);
  });
});

test("the umpire may look through each seat's eyes and the public's", () => {
  const eyes = eyesOf(welcome().seats);
  expect(eyes.map((one) => one.key)).toEqual([
    "umpire",
    ...welcome().seats.map((seat) => `seat ${seat.seat}`),
    "public",
  ]);
  expect(eyes[0]?.viewer).toBeNull();
});

test("sealed orders are told a line for each who is told something", () => {
  const content = {
    units: { me20: hold },
    brigades: {},
    leaders: {},
    deployment: {},
    pickets: {
      "14": { ...hold, order: null },
      "15": { ...blankUnit, instructions: instructions({ rally: false }) },
    },
  };
  expect(sealedLines({ seat: "union", content }, (id) => id)).toEqual([
    "me20: Hold",
    "Picket 15: instructions",
  ]);
});

test("players are told who watches", () => {
  const settings: SettingsView = welcome().settings;
  expect(watchedBy(settings)).toBe("");
  expect(watchedBy({ ...settings, umpire: true, spectators: "open" })).toBe(
    "An umpire sees all but drafts. Others may watch what both sides know, as it goes on.",
  );
  expect(watchedBy({ ...settings, spectators: "open", spectator_delay_turns: 1 })).toBe(
    "Others may watch what both sides know, 1 turn behind the game.",
  );
});

test("addresses of watchers", () => {
  const at = (path: string) => routeOf(new URL(path, "http://picket.example"));
  expect(at("/watch/a%2Fb")).toEqual({ kind: "watch", link: "a/b" });
  expect(at("/watching/g1")).toEqual({ kind: "watching", game: "g1" });
  expect(at("/watch")).toEqual({ kind: "door" });
});
