import { expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import type { Refusal } from "../src/protocol/types";
import { enteringBy, enteringMarks } from "../src/state/entering";
import { overlayOf } from "../src/state/overlay";
import { pathEdit } from "../src/state/paths";
import { provisional } from "../src/state/pickets";
import { chosenOf } from "../src/state/selected";
import { apply, start, type Message, type State } from "../src/state/state";
import { handleMoved, pressOn } from "../src/table/hands";

const door = { x: 44_000, y: 0 };
const inside = { x: 44_000, y: 6_000 };
const hiding = [
  { at: { x: 30_000, y: 0 }, facing: 0, hides: { type: "dummy" as const } },
  { at: door, facing: 0, hides: { type: "dummy" as const } },
];
const select: Message = { type: "select", what: { kind: "picket", number: provisional(1) } };
const play = (from: State, ...messages: Message[]): State => messages.reduce<State>(apply, from);
const entering = play(start, welcome(), standing(), { type: "edit_hiding", hiding }, select);
const drawing = play(entering, { type: "draw", drawing: true });
const view = entering.view;
if (!view) throw new Error("the fixture has a view");
const refused = (subject: string): Refusal => ({
  subject,
  key: "hiding",
  rule: "HID-22",
  message: "refused (HID-22): the picket is too slow",
});
const say = (state: State, message: ReturnType<typeof pathEdit> | "select"): State => {
  if (!message || message === "select") throw new Error("it says something");
  return apply(state, message);
};

test("hid_67 what comes in is selected like a marker on the table, and by nothing but its number here", () => {
  expect(chosenOf(entering, view).picket?.at).toEqual(door);
  expect(enteringBy(entering, provisional(2))).toBeUndefined();
  expect(enteringBy(entering, 417)).toBeUndefined();
});

test("hid_67 a press on the map adds a leg to its line, and no other's; a ring moves it; an empty line stands", () => {
  const first = say(drawing, pressOn(drawing, view, undefined, inside));
  expect(first.draft.hiding?.map((one) => one.path)).toEqual([undefined, [inside]]);
  const second = say(first, pressOn(first, view, undefined, { x: 40_000, y: 9_000 }));
  expect(second.draft.hiding?.[1]?.path).toHaveLength(2);
  const moved = say(second, handleMoved(second, 0, { x: 43_000, y: 5_000 }));
  expect(moved.draft.hiding?.[1]?.path?.[0]).toEqual({ x: 43_000, y: 5_000 });
  expect(say(moved, pathEdit(moved, [])).draft.hiding?.[1]?.path).toEqual([]);
});

test("hid_67 its line is an arrow from its point, and marked when the server refuses it", () => {
  const told = say(drawing, pressOn(drawing, view, undefined, inside));
  const marks = (state: State) => enteringMarks(state, view).map(({ path, refused }) => [path, refused]);
  expect(marks(told)).toEqual([[[door, inside], false]]);
  // The first of the list is refused, which has no line.
  const other = { ...told, refusals: [refused("hiding 1")] };
  expect(marks(other)).toEqual([[[door, inside], false]]);
  const own = { ...told, refusals: [refused("hiding 2")] };
  expect(marks(own)).toEqual([[[door, inside], true]]);
  // Six inches from the door, as the ruler has it.
  expect(overlayOf(told, view, []).ruler?.label).toBe("6.0″");
  expect(overlayOf(own, view, []).ruler?.label).toBe("6.0″ · refused: HID-22");
});

test("hid_67 before turn 1, after the reveal and in the playback nothing comes in", () => {
  const at = entering.status?.at;
  const status = entering.status;
  if (!at || !status) throw new Error("the fixture has a window");
  const setup = { ...entering, status: { ...status, at: { ...at, turn: 0 } } };
  const revealed = { ...entering, status: { ...status, at: { ...at, stage: "reactions" as const } } };
  for (const state of [setup, revealed]) {
    expect(enteringBy(state, provisional(1))).toBeUndefined();
    expect(enteringMarks(state, view)).toEqual([]);
  }
  const playback = { at, beat: 0, playing: false, speed: 1 };
  expect(chosenOf({ ...entering, playback }, view).picket).toBeUndefined();
});
