import { afterEach, expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import { watchSession } from "../src/net/session";
import type { Asking, Connection } from "../src/net/socket";
import type { ServerMessage, Viewer } from "../src/protocol/types";
import { store } from "../src/state/store.svelte";

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A state as somebody is sent it through these eyes. */
function seen(viewer: Viewer, turn = 1): ServerMessage {
  const state = standing();
  const at = { ...state.status.at, turn };
  return {
    ...state,
    draft: null,
    sealed: null,
    status: { ...state.status, at },
    view: { ...state.view, viewer },
  };
}

/** Watches through these eyes, selects an own unit, then an enemy; what was asked. */
function asked(role: "umpire" | "spectator", viewer: Viewer, turn = 1): Asking[] {
  const said: Asking[] = [];
  const connection = { ask: (message: Asking) => said.push(message) } as unknown as Connection;
  store.tell({ type: "watch_as", role });
  const session = watchSession({ ...connection, close: () => undefined });
  stops.push(session.end);
  store.tell({ type: "link_changed", link: { kind: "open" } });
  store.tell(welcome());
  store.tell(seen(viewer, turn));
  const units = store.state.view?.units.filter((unit) => unit.presence === "table") ?? [];
  const own = units.find((unit) => unit.own);
  const enemy = units.find((unit) => unit.side !== own?.side);
  for (const unit of [own, enemy]) store.tell({ type: "select", what: { kind: "unit", id: unit?.id ?? "" } });
  return said;
}

const state = standing().view;
const seat = state.viewer;

test("through a seat's eyes it is asked how a unit stands, and what a volley of its own would do", () => {
  expect(seat.type).toBe("seat");
  expect(asked("umpire", seat).map((message) => message.type)).toEqual(["standing", "odds", "standing"]);
});

test("with his own eyes, the public's or a spectator's nothing is asked, nor before turn 1", () => {
  expect(asked("umpire", { type: "umpire" })).toEqual([]);
  expect(asked("umpire", { type: "public" })).toEqual([]);
  expect(asked("spectator", { type: "public" })).toEqual([]);
  expect(asked("umpire", seat, 0)).toEqual([]);
});

test("nothing is asked any more by who has left, or looks through other eyes", () => {
  const said = asked("umpire", seat);
  stops.splice(0).forEach((stop) => stop());
  const before = said.length;
  store.tell({ type: "select", what: { kind: "unit", id: state.units.find((unit) => unit.own)?.id ?? "" } });
  expect(said).toHaveLength(before);
});
