// The path that is being drawn, written into the draft: of a unit's march or of its answer, of a brigade, of a leader's ride.

import type { Point } from "../protocol/types";
import { enterAlong } from "./entering";
import type { LocalMessage, State } from "./state";

/** The change of the draft by which what is selected takes another path; none where it has no path to draw. */
export function pathEdit(state: State, points: Point[]): LocalMessage | undefined {
  const { selected, draft } = state;
  switch (selected?.kind) {
    case "unit": {
      const unit = draft.units[selected.id];
      const answer = unit?.instructions.path;
      // After the reveal a march may be bent: an answer, not an order.
      if (unit && answer?.type === "waypoints") {
        const instructions = { ...unit.instructions, path: { ...answer, points } };
        return { type: "edit_unit", unit: selected.id, draft: { ...unit, instructions } };
      }
      if (unit?.order?.type !== "move") return undefined;
      return {
        type: "edit_unit",
        unit: selected.id,
        draft: { ...unit, order: { ...unit.order, path: points } },
      };
    }
    case "brigade": {
      const group = draft.brigades[selected.id];
      if (group?.order?.type !== "move") return undefined;
      const order = { ...group.order, path: points };
      return { type: "edit_brigade", brigade: selected.id, draft: { ...group, order } };
    }
    case "leader": {
      const leader = draft.leaders[selected.id];
      if (leader?.ride?.type !== "path") return undefined;
      return {
        type: "edit_leader",
        leader: selected.id,
        draft: { ...leader, ride: { ...leader.ride, points } },
      };
    }
    case "picket": {
      const entering = enterAlong(state, selected.number, points);
      if (entering) return entering;
      const told = draft.pickets?.[selected.number];
      const answer = told?.instructions.path;
      if (told && answer?.type === "waypoints") {
        const instructions = { ...told.instructions, path: { ...answer, points } };
        return { type: "edit_picket", picket: selected.number, draft: { ...told, instructions } };
      }
      if (told?.order?.type !== "move") return undefined;
      return {
        type: "edit_picket",
        picket: selected.number,
        draft: { ...told, order: { ...told.order, path: points } },
      };
    }
    default:
      return undefined;
  }
}
