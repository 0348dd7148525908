// What lies under a finger. A thumb is wide: the nearest thing within reach counts, stands before leaders' paper.

import type { Point, View } from "../protocol/types";
import { isAtDoor, standing } from "../state/orders";
import { distance, distanceToOutline } from "./geometry";

export type Hit =
  | { kind: "unit"; id: string }
  | { kind: "leader"; id: string }
  | { kind: "picket"; number: number }
  | undefined;

/** The thing nearest to a table point, at most `reach` thousandths away. */
export function hitAt(view: View, point: Point, reach: number): Hit {
  let best: Hit;
  let least = reach;
  for (const leader of view.leaders) {
    if (!leader.corners || leader.presence !== "table") continue;
    const away = distanceToOutline(point, leader.corners);
    if (away < least || (away === 0 && least === 0)) {
      best = { kind: "leader", id: leader.id };
      least = away;
    }
  }
  for (const unit of view.units) {
    const stance = standing(unit);
    if (!stance || (unit.presence !== "table" && !isAtDoor(unit))) continue;
    for (const stand of stance.stands) {
      const away = distanceToOutline(point, stand);
      if (away < least || (away === 0 && least === 0 && best?.kind !== "leader")) {
        best = { kind: "unit", id: unit.id };
        least = away;
      }
    }
  }
  // What is remembered lies under what stands there.
  if (!best)
    for (const ghost of view.ghosts ?? [])
      for (const stand of ghost.stance.stands) {
        const away = distanceToOutline(point, stand);
        if (away < least || away === 0) {
          best = { kind: "unit", id: ghost.unit };
          least = away;
        }
      }
  for (const picket of view.pickets) {
    const away = Math.max(0, distance(point, picket.at) - 500);
    if (away < least) {
      best = { kind: "picket", number: picket.number };
      least = away;
    }
  }
  return best;
}
