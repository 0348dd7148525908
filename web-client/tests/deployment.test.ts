import { describe, expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import type { DeploymentView, Placement, Stance } from "../src/protocol/types";
import {
  asPrinted,
  carry,
  change,
  counted,
  deployedView,
  deploymentOverlay,
  facingTo,
  isAPlaceFor,
  isDeploying,
  isPlaced,
  lift,
  mayPlace,
  pieceOf,
  place,
  placementOf,
  shifted,
} from "../src/state/deployment";
import { apply, start, type LocalMessage, type Message, type State } from "../src/state/state";
import { waitingFor } from "../src/state/waiting";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const tell = (state: State, message: LocalMessage | undefined): State => {
  if (!message) throw new Error("nothing was said");
  return apply(state, message);
};

/** Two stands side by side, each 800 wide and 600 deep, facing north at (10000, 5000). */
const line: Stance = {
  anchor: { x: 10_000, y: 5_000 },
  facing: 0,
  formation: "single_line",
  disorder: false,
  prone: false,
  stands: [
    [
      { x: 9_200, y: 5_000 },
      { x: 10_000, y: 5_000 },
      { x: 10_000, y: 4_400 },
      { x: 9_200, y: 4_400 },
    ],
    [
      { x: 10_000, y: 5_000 },
      { x: 10_800, y: 5_000 },
      { x: 10_800, y: 4_400 },
      { x: 10_000, y: 4_400 },
    ],
  ],
};
const column: Stance = {
  ...line,
  formation: "march_column",
  stands: [line.stands[0] as Stance["stands"][number]],
};
const deployment: DeploymentView = {
  zones: [
    {
      id: "hill",
      outline: [
        { x: 0, y: 0 },
        { x: 20_000, y: 0 },
        { x: 20_000, y: 20_000 },
        { x: 0, y: 20_000 },
      ],
      units: ["me20"],
      leaders: ["vincent"],
    },
    {
      id: "spur",
      outline: [
        { x: 30_000, y: 0 },
        { x: 40_000, y: 0 },
        { x: 40_000, y: 10_000 },
      ],
      units: [],
      leaders: ["vincent"],
    },
  ],
  units: [{ unit: "me20", stances: [line, column] }],
  leaders: ["vincent"],
};

function table(): State {
  const state = standing();
  const units = state.view.units
    .filter((unit) => unit.own)
    .map((unit) => (unit.id === "me20" ? { ...unit, stance: line } : unit));
  return play([
    { type: "link_changed", link: { kind: "open" } },
    welcome(),
    {
      ...state,
      status: { ...state.status, at: { line: 1, turn: 0, stage: "orders" } },
      view: { ...state.view, turn: 0, units, deployment },
      draft: null,
      sealed: null,
    },
  ]);
}
const maine = { kind: "unit", id: "me20" } as const;
const vincent = { kind: "leader", id: "vincent" } as const;

describe("placing units before turn 1", () => {
  test("is for turn 0 alone", () => {
    expect(isDeploying(table())).toBe(true);
    expect(isDeploying(play([welcome(), standing()]))).toBe(false);
  });

  test("is not done any more when it is sealed, and nothing is lifted then", () => {
    const state = table();
    const sealed = { ...state, sealed: { content: state.draft } as NonNullable<State["sealed"]> };
    expect([mayPlace(state), mayPlace(sealed)]).toEqual([true, false]);
    expect(lift(sealed, maine, { x: 10_000, y: 5_000 })).toBeUndefined();
  });

  test("a unit that is left alone stands as printed", () => {
    const { view, draft } = table();
    expect(placementOf(view, draft, "me20")).toEqual<Placement>({
      anchor: line.anchor,
      facing: 0,
      formation: "single_line",
      gap: null,
    });
    expect(placementOf(view, draft, "nobody")).toBeUndefined();
  });

  test("a stance is moved and turned as a whole", () => {
    // To the east: what was left of the front is now north of it.
    const turned = shifted(line, { x: 2_000, y: 3_000 }, 9_000);
    const rounded = turned.stands[0]?.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
    expect(rounded).toEqual([
      { x: 2_000, y: 3_800 },
      { x: 2_000, y: 3_000 },
      { x: 1_400, y: 3_000 },
      { x: 1_400, y: 3_800 },
    ]);
    expect([turned.anchor, turned.facing]).toEqual([{ x: 2_000, y: 3_000 }, 9_000]);
  });

  test("a drag keeps the grip, is saved as a placement, and shows on the map", () => {
    let state = table();
    const carried = lift(state, maine, { x: 10_300, y: 4_900 });
    if (!carried) throw new Error("it can be lifted");
    state = tell(state, carry(state, carried, { x: 5_300.4, y: 7_900 }));
    expect(state.draft.deployment["me20"]?.anchor).toEqual({ x: 5_000, y: 8_000 });
    expect(state.saving).toBe("changed");
    const shown = state.view && deployedView(state.view, state.draft);
    const stance = shown?.units.find((unit) => unit.id === "me20")?.stance;
    expect(stance?.stands[0]?.[0]).toEqual({ x: 4_200, y: 8_000 });
    // A second finger breaks the drag off.
    state = tell(state, carried.back);
    expect(isPlaced(state.draft, maine)).toBe(false);
  });

  test("a second drag that is broken off goes back to the first place", () => {
    let state = tell(table(), place(table(), maine, { x: 1_000, y: 1_000 }));
    const carried = lift(state, maine, { x: 1_000, y: 1_000 });
    if (!carried) throw new Error("it can be lifted");
    state = tell(state, carry(state, carried, { x: 9_000, y: 9_000 }));
    state = tell(state, carried.back);
    expect(state.draft.deployment["me20"]?.anchor).toEqual({ x: 1_000, y: 1_000 });
  });

  test("only what the seat may place is lifted", () => {
    const state = table();
    expect(lift(state, { kind: "unit", id: "pa83" }, { x: 0, y: 0 })).toBeUndefined();
    expect(lift(state, { kind: "leader", id: "weed" }, { x: 0, y: 0 })).toBeUndefined();
    expect(lift(state, undefined, { x: 0, y: 0 })).toBeUndefined();
    expect(pieceOf(state.view, { kind: "brigade", id: "vincent" })).toBeUndefined();
  });

  test("a unit is turned, to five degrees by its handle and past north by the buttons", () => {
    let state = table();
    state = tell(state, facingTo(state, { kind: "unit", id: "me20" }, { x: 20_000, y: 5_100 }));
    expect(state.draft.deployment["me20"]?.facing).toBe(9_000);
    state = tell(state, change(state, "me20", { facing: -1_500 }));
    expect(state.draft.deployment["me20"]?.facing).toBe(34_500);
    state = tell(state, change(state, "me20", { facing: 36_000 }));
    expect(state.draft.deployment["me20"]?.facing).toBe(0);
  });

  test("another formation is drawn as the server has drawn it, where the unit stands", () => {
    let state = tell(table(), place(table(), maine, { x: 1_000, y: 1_000 }));
    state = tell(state, change(state, "me20", { formation: "march_column" }));
    expect(state.draft.deployment["me20"]).toEqual({
      anchor: { x: 1_000, y: 1_000 },
      facing: 0,
      formation: "march_column",
      gap: null,
    });
    const shown = state.view && deployedView(state.view, state.draft);
    expect(shown?.units.find((unit) => unit.id === "me20")?.stance?.stands).toHaveLength(1);
  });

  test("a leader is placed and put back", () => {
    let state = table();
    state = tell(state, place(state, vincent, { x: 3_000, y: 3_000 }));
    expect(state.draft.leaders["vincent"]?.place).toEqual({ x: 3_000, y: 3_000 });
    const shown = state.view && deployedView(state.view, state.draft);
    expect(shown?.leaders.find((leader) => leader.id === "vincent")?.at).toEqual({ x: 3_000, y: 3_000 });
    state = tell(state, asPrinted(state.draft, vincent));
    expect(state.draft.leaders).toEqual({});
  });

  test("all as printed empties the draft, and that is saved too", () => {
    let state = table();
    state = tell(state, place(state, maine, { x: 1_000, y: 1_000 }));
    state = tell(state, place(state, vincent, { x: 3_000, y: 3_000 }));
    state = apply(state, { type: "edit_deployment", draft: null });
    expect([state.draft.deployment, state.draft.leaders, state.saving]).toEqual([{}, {}, "changed"]);
  });

  test("a tap in a zone that is for it is a place, elsewhere it is not", () => {
    const { view } = table();
    expect(isAPlaceFor(view, maine, { x: 5_000, y: 5_000 })).toBe(true);
    expect(isAPlaceFor(view, maine, { x: 38_000, y: 4_000 })).toBe(false);
    expect(isAPlaceFor(view, vincent, { x: 38_000, y: 4_000 })).toBe(true);
  });

  test("a refusal stands at its unit with the rule, and zones of others are dim", () => {
    let state = tell(table(), place(table(), maine, { x: 25_000, y: 1_000 }));
    const refusal = { subject: "me20", key: "deployment", rule: "SCN-06", message: "refused (SCN-06): …" };
    state = play(
      [
        { type: "draft_sent" },
        { type: "saved", command: "1", refusals: [refusal], without_order: [] },
        { type: "select", what: maine },
      ],
      state,
    );
    const view = state.view && deployedView(state.view, state.draft);
    if (!view) throw new Error("there is a view");
    const overlay = deploymentOverlay(state, view);
    expect(overlay.effects).toMatchObject([
      { kind: "note", to: { x: 25_000, y: 1_000 }, text: "refused: SCN-06" },
    ]);
    expect(overlay.zones?.map((zone) => zone.dim)).toEqual([false, true]);
    expect(overlay.handles).toHaveLength(1);
    expect(counted(state)).toEqual({ placed: 1, all: 1, refused: 1 });
  });

  test("when both have sealed the page says so, and keeps no turn to be watched", () => {
    const opened = {
      type: "events",
      at: { line: 1, turn: 0, stage: "orders" },
      events: [],
      before: null,
      request: null,
    } as const;
    const state = play([{ ...opened, events: [] }], table());
    expect([state.stages, state.unwatched]).toEqual([[], null]);
    expect(state.notices.map((notice) => notice.text)).toEqual([
      "Both sides have placed their units. Turn 1 begins.",
    ]);
    // Told again after the line was lost in turn 1, it is no news.
    expect(play([welcome(), standing(), { ...opened, events: [] }]).notices).toEqual([]);
  });

  test("the page says what it waits for", () => {
    const state = table();
    expect(waitingFor(state)).toMatchObject({
      text: "Waiting for you: place your units, then seal.",
      mine: true,
    });
    const sealed = { ...state, sealed: { content: state.draft } as NonNullable<State["sealed"]> };
    expect(waitingFor(sealed).text).toBe("Sealed. Waiting for the enemy to seal.");
  });
});
