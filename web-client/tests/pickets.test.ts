import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { standing, welcome } from "../src/fixtures/play";
import type { DeploymentView, StageAt, View } from "../src/protocol/types";
import { asPrinted, deployedView, isPlaced, pieceOf, place, placementOf } from "../src/state/deployment";
import { beginning, indexOfValue, keyForms } from "../src/panels/keys";
import { picketForms } from "../src/panels/picketKeys";
import { afterFact } from "../src/state/playback";
import {
  addDummy,
  enterAsBrigade,
  enterHidden,
  hideBrigade,
  hideUnit,
  hidingOf,
  provisional,
  rideUnder,
  tellPicket,
  toldPicket,
} from "../src/state/pickets";
import { fromMarker, laidOut } from "../src/state/plan";
import { reelOf } from "../src/state/reel";
import { apply, start, type LocalMessage, type State } from "../src/state/state";

const tell = (state: State, message: LocalMessage | undefined): State => {
  if (!message) throw new Error("nothing was said");
  return apply(state, message);
};

const battle = view();
const printed = battle.units.find((unit) => unit.id === "al04")?.stance;
if (!printed) throw new Error("the fixture has the 4th Alabama on the table");

const unitAtDoor = battle.units.find((unit) => unit.own && unit.brigade !== null);
if (!unitAtDoor) throw new Error("the fixture has an own unit in a brigade");

const deployment: DeploymentView = {
  zones: [],
  units: [{ unit: "al04", stances: [printed] }],
  leaders: [],
  hiding: { units: ["al04"], brigades: [], dummies: 2 },
};
const turn0: View = { ...battle, turn: 0, pickets: [], deployment };
const setUp = (): State => {
  const table = standing();
  const status = { ...table.status, at: { ...table.status.at, turn: 0 } };
  return [welcome(), { ...table, status, view: turn0 }].reduce<State>(apply, start);
};

describe("pickets", () => {
  test("a unit goes under a picket where it stands, is moved with it, and comes out again", () => {
    const unit = { kind: "unit" as const, id: "al04" };
    let state = setUp();
    const placed = placementOf(state.view, state.draft, "al04");
    if (!placed) throw new Error("it may be placed");
    state = tell(state, hideUnit(state.draft, "al04", placed));
    expect(hidingOf(state.draft)).toEqual([
      {
        at: printed.anchor,
        facing: printed.facing,
        hides: { type: "unit", unit: "al04", formation: printed.formation, gap: null },
      },
    ]);
    expect(isPlaced(state.draft, unit)).toBe(true);
    const marker = pieceOf(state.view, { kind: "picket", number: provisional(0) });
    expect(marker).toEqual({ kind: "marker", id: "0" });
    state = tell(state, marker && place(state, marker, { x: 5_000, y: 6_000 }));
    expect(placementOf(state.view, state.draft, "al04")?.anchor).toEqual({ x: 5_000, y: 6_000 });
    // Its owner sees the marker, and under it how the unit would stand; it is not drawn as an open unit.
    const shown = deployedView(turn0, state.draft);
    expect(shown.pickets.map((picket) => picket.number)).toEqual([-1]);
    expect(shown.units.find((other) => other.id === "al04")?.presence).toBe("hidden");
    state = tell(state, asPrinted(state.draft, unit));
    expect(hidingOf(state.draft)).toEqual([]);
  });

  test("a unit that was placed before has no place of its own beside its picket", () => {
    const placed = { anchor: { x: 3_000, y: 4_000 }, facing: 0, formation: printed.formation, gap: null };
    let state = tell(setUp(), { type: "edit_placement", unit: "al04", place: placed });
    state = tell(state, hideUnit(state.draft, "al04", placed));
    expect(state.draft.deployment).toEqual({});
    expect(hidingOf(state.draft)[0]?.at).toEqual(placed.anchor);
  });

  test("a whole brigade goes under one picket in the middle of its units, a large one in two lines", () => {
    const card = { id: "law", name: "Law", side: "confederate" as const, commander: null, units: [] };
    const place = (x: number) => ({ ...printed, anchor: { x, y: 2_000 }, gap: null });
    const said = hideBrigade(setUp().draft, card, [2_000, 4_000, 9_000].map(place), ["a", "b", "c"]);
    // The middle of two, four and nine inches is five.
    expect(said).toMatchObject({
      hiding: [{ at: { x: 5_000, y: 2_000 }, hides: { plan: { shape: { type: "abreast" } } } }],
    });
    const many = hideBrigade(setUp().draft, card, [place(0)], ["a", "b", "c", "d", "e"]);
    expect(many).toMatchObject({ hiding: [{ hides: { plan: { shape: { type: "two_lines", first: 3 } } } }] });
  });

  test("a leader rides under one picket at a time, and comes out again", () => {
    let state = tell(setUp(), addDummy(setUp().draft, { x: 1_000, y: 2_000 }, 0));
    state = tell(state, addDummy(state.draft, { x: 3_000, y: 2_000 }, 0));
    state = tell(state, rideUnder(state.draft, 0, "law", true));
    state = tell(state, rideUnder(state.draft, 1, "law", true));
    expect(hidingOf(state.draft).map((one) => one.leaders)).toEqual([[], ["law"]]);
    state = tell(state, rideUnder(state.draft, 1, "law", false));
    expect(hidingOf(state.draft).map((one) => one.leaders)).toEqual([[], []]);
  });

  test("a unit at the door comes in under a picket at its point of entry, and its brigade under one", () => {
    const door = { ...printed, anchor: { x: 44_000, y: 18_000 } };
    const own = unitAtDoor.own;
    if (!own) throw new Error("the fixture has an own unit");
    const coming = { ...unitAtDoor, presence: "to_come" as const, own: { ...own, at_door: door } };
    const said = enterHidden(setUp().draft, coming);
    expect(said).toMatchObject({ hiding: [{ at: door.anchor, hides: { unit: coming.id } }] });
    const comrade = { ...coming, id: "al15" };
    const whole = enterAsBrigade(tell(setUp(), said).draft, [coming, comrade]);
    // The picket of its own is gone: all are on the one.
    expect(whole).toMatchObject({
      hiding: [
        { hides: { type: "brigade", plan: { order: [coming.id, "al15"], shape: { type: "in_depth" } } } },
      ],
    });
  });

  test("a dummy is a picket like any other, and is taken away", () => {
    let state = setUp();
    state = tell(state, addDummy(state.draft, { x: 1_000, y: 2_000 }, 9_000));
    expect(deployedView(turn0, state.draft).pickets[0]?.own?.hides).toEqual({ type: "dummy" });
    state = tell(state, asPrinted(state.draft, { kind: "marker", id: "0" }));
    expect(hidingOf(state.draft)).toEqual([]);
  });

  test("what a picket is told goes by its number, and saying nothing takes it back", () => {
    let state = setUp();
    const told = toldPicket(state.draft, 417);
    state = tell(state, tellPicket(417, { ...told, order: { type: "first_fire" } }));
    expect(state.draft.pickets?.[417]?.order).toEqual({ type: "first_fire" });
    state = tell(state, tellPicket(417, told));
    expect(state.draft.pickets).toEqual({});
  });

  test("in the playback a unit of which nothing was known takes the place of its picket", () => {
    const marker = battle.pickets[0];
    const unit = battle.units.find((other) => other.id === "al04");
    if (!marker || !unit?.stance) throw new Error("the fixture has both");
    const before: View = { ...battle, units: battle.units.filter((other) => other !== unit) };
    const fact = {
      type: "pickets_changed" as const,
      placed: [{ picket: marker.number, unit: "al04", after: unit.stance, left: [3, 3, 3, 2], shown: null }],
      gone: [],
      confirmed: [],
    };
    // Alone the view has no room for it; a reel makes room for all who come later.
    expect(afterFact(before, fact).units).toHaveLength(before.units.length);
    const at: StageAt = { line: 1, turn: 1, stage: "reactions" };
    const event = {
      n: 1,
      stage: "reactions" as const,
      phase: 4,
      segment: null,
      rule: "HID-31",
      fact,
      explanation: { sentence: "", sums: [], dice: [], tables: [], notes: [] },
    };
    const reel = reelOf([{ at, events: [event], before }], at, battle);
    const after = reel.frames.at(-1)?.after;
    const revealed = after?.units.find((other) => other.id === "al04");
    expect([revealed?.presence, revealed?.stance, revealed?.picket]).toEqual([
      "table",
      unit.stance,
      marker.number,
    ]);
    expect(revealed?.stands.map((stand) => stand.figures)).toEqual([3, 3, 3, 2]);
    expect(after?.pickets.some((picket) => picket.number === marker.number)).toBe(false);
  });
});

describe("a brigade's plan", () => {
  // Three regiments, two inches wide and one deep, half an inch between them.
  const sizes = [1, 2, 3].map(() => ({ width: 2_000, depth: 1_000 }));

  test("abreast is centred on the marker", () => {
    expect(laidOut(sizes, { shape: { type: "abreast" }, gap: 500 })).toEqual([
      { x: -2_500, y: 0 },
      { x: 0, y: 0 },
      { x: 2_500, y: 0 },
    ]);
  });

  test("in depth goes back from the marker", () => {
    const places = laidOut(sizes, { shape: { type: "in_depth" }, gap: 500 });
    expect(places.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [0, -1_500],
      [0, -3_000],
    ]);
  });

  test("in two lines has the second two inches behind the rear of the first, each centred", () => {
    expect(laidOut(sizes, { shape: { type: "two_lines", first: 2 }, gap: 0 })).toEqual([
      { x: -1_000, y: 0 },
      { x: 1_000, y: 0 },
      { x: 0, y: -3_000 },
    ]);
  });

  test("is turned with its marker: what is to the right of one that faces east lies south", () => {
    const at = fromMarker({ x: 10_000, y: 10_000 }, 9_000, { x: 1_000, y: 0 });
    expect([Math.round(at.x), Math.round(at.y)]).toEqual([10_000, 9_000]);
  });

  test("is drawn under the marker while it is set up", () => {
    const plan = { order: ["al04"], shape: { type: "abreast" as const }, gap: 0 };
    const hides = { type: "brigade" as const, brigade: "law", formation: printed.formation, plan };
    const state = tell(setUp(), {
      type: "edit_hiding",
      hiding: [{ at: { x: 7_000, y: 8_000 }, facing: 0, hides }],
    });
    const unit = deployedView(turn0, state.draft).units.find((other) => other.id === "al04");
    expect([unit?.presence, unit?.stance?.facing]).toEqual(["hidden", 0]);
    expect(Math.round(unit?.stance?.anchor.x ?? 0)).toBe(7_000);
  });
});

describe("what a picket may be told", () => {
  const reveal = (dummy: boolean, ordering: boolean) =>
    picketForms(dummy, ordering).find((form) => form.key === "reveal");
  const kinds = (ordering: boolean) =>
    reveal(false, ordering)?.choices.map((choice) => (choice.value as { type: string }).type);

  test("is the same for a dummy, in words of its own", () => {
    expect([reveal(false, true)?.label, reveal(true, true)?.label]).toEqual(["Reveal it", "Take it off"]);
    const values = (dummy: boolean) => picketForms(dummy, true).map((form) => form.choices);
    expect(values(true)).toEqual(values(false));
  });

  test("with the reveal of orders only before it", () => {
    expect(kinds(true)).toContain("with_orders");
    expect(kinds(false)).not.toContain("with_orders");
  });

  test("a unit is offered the pickets of the enemy as a mark, and the first of them to begin with", () => {
    const form = keyForms.find((other) => other.key === "unseen_fire");
    const choice = form?.choices.find((other) => other.param?.kind === "marker");
    if (!form || !choice) throw new Error("it may be told to fire at a picket");
    expect(beginning(choice, [], undefined, [534, 739])).toEqual({ type: "picket", number: 534 });
    expect(indexOfValue(form, { type: "picket", number: 739 })).toBe(form.choices.indexOf(choice));
  });
});
