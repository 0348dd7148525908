// What a press on the map says of what is in hand: a place, a point of a path, a charge's target. It tells and sends nothing itself.

import { toGrid } from "../map/geometry";
import { hitAt, type Hit } from "../map/hit";
import type { Point, View } from "../protocol/types";
import { facingTo, isAPlaceFor, isDeploying, mayPlace, pieceOf, place } from "../state/deployment";
import { pathInHand } from "../state/overlay";
import { pathEdit } from "../state/paths";
import type { LocalMessage, State } from "../state/state";

/** What a press changes of what is in hand; `select`: nothing is in hand, so it selects. */
export function pressOn(state: State, shown: View, hit: Hit, at: Point): LocalMessage | "select" | undefined {
  if (isDeploying(state) && !state.playback && isPlaced(state, shown, at)) return placed(state, at);
  if (state.drawing && state.view) {
    const path = pathInHand(state, state.view);
    return path ? pathEdit(state, [...path.points, toGrid(at)]) : undefined;
  }
  return targetNamed(state, shown, hit) ?? "select";
}

/** Whether a press means a place for what is selected: in a zone, and not right upon something else. */
function isPlaced(state: State, shown: View, at: Point): boolean {
  const piece = pieceOf(state.view, state.selected);
  if (!piece || !mayPlace(state) || !isAPlaceFor(state.view, piece, at)) return false;
  // A thumb's reach is wider than the ranks are apart: what it only comes near to is not meant.
  return !hitAt(shown, at, 250);
}

function placed(state: State, at: Point): LocalMessage | undefined {
  const piece = pieceOf(state.view, state.selected);
  return piece && place(state, piece, at);
}

/** With a charge in hand and no target yet, a press on an enemy names it. */
function targetNamed(state: State, shown: View, hit: Hit): LocalMessage | undefined {
  if (hit?.kind !== "unit" || state.selected?.kind !== "unit" || state.sealed) return undefined;
  const selected = state.selected.id;
  const unit = shown.units.find((other) => other.id === selected);
  const enemy = state.view?.units.find((other) => other.id === hit.id);
  const draft = unit?.own ? state.draft.units[unit.id] : undefined;
  const order = draft?.order;
  if (!unit || !draft || !enemy || enemy.side === unit.side) return undefined;
  if (order?.type !== "charge" || order.target !== null) return undefined;
  return {
    type: "edit_unit",
    unit: unit.id,
    draft: { ...draft, order: { ...order, target: enemy.id } },
  };
}

/** What moving a handle of the overlay changes: the facing of what is being placed, else the path in hand. */
export function handleMoved(state: State, index: number, at: Point): LocalMessage | undefined {
  if (!state.view) return undefined;
  if (isDeploying(state) && !state.playback) {
    const piece = pieceOf(state.view, state.selected);
    return piece && facingTo(state, piece, at);
  }
  const path = pathInHand(state, state.view);
  if (!path) return undefined;
  return pathEdit(
    state,
    path.points.length === 0 ? [at] : path.points.map((point, i) => (i === index ? at : point)),
  );
}
