// Pickets that come in this turn: their markers, each with the line that it goes from its point on, as the draft has them. Their
// numbers are drawn by the server, so until they stand on the table they go by their places in the list. HID-67

import type { OrderMark } from "../map/overlay";
import type { Hiding, PicketView, Point, Refusal, View } from "../protocol/types";
import { editHiding, hidingOf, indexOf, provisionalView } from "./pickets";
import type { LocalMessage, State } from "./state";

/** Whether what the draft hides comes in by the edge: before turn 1 it is set up. */
const atTheEdge = (state: State): boolean =>
  state.status?.at.stage === "orders" && state.status.phase === "window" && state.status.at.turn > 0;

/** The markers that come in this turn. */
export function enteringOf(state: State, view: View): PicketView[] {
  if (!atTheEdge(state)) return [];
  return hidingOf(state.draft).map((one, index) => provisionalView(view, one, index));
}

/** What comes in that goes by a number here, and its place in the list. */
export function enteringBy(state: State, number: number): { one: Hiding; index: number } | undefined {
  const index = indexOf(number);
  const one = index === undefined ? undefined : hidingOf(state.draft)[index];
  return one && index !== undefined && atTheEdge(state) ? { one, index } : undefined;
}

/** Why the server would not have it come in so. */
export const refusalsOfEntering = (state: State, index: number): Refusal[] =>
  state.refusals.filter(({ key, subject }) => key === "hiding" && subject === `hiding ${index + 1}`);

/** The path of what comes in, from its point. */
export function enteringPath(state: State, number: number): { start: Point; points: Point[] } | undefined {
  const found = enteringBy(state, number);
  return found && { start: found.one.at, points: found.one.path ?? [] };
}

/** The change of the draft by which it goes another line; an empty one: it stands at its point. */
export function enterAlong(state: State, number: number, points: Point[]): LocalMessage | undefined {
  const found = enteringBy(state, number);
  return found && editHiding(state.draft, found.index, { path: points });
}

/** The lines that they go, as arrows. */
export function enteringMarks(state: State, view: View): OrderMark[] {
  return enteringOf(state, view).flatMap(({ number, side, at, facing }, index) => {
    const path = hidingOf(state.draft)[index]?.path ?? [];
    const draft = state.sealed === null;
    const refused = refusalsOfEntering(state, index).length > 0;
    const mark: OrderMark = {
      side,
      kind: "move",
      path: [at, ...path],
      facing,
      draft,
      refused,
      marker: number,
    };
    return path.length > 0 ? [mark] : [];
  });
}
