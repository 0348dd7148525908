// A place of the table that a panel wants to be seen. The map goes there once; it is a gesture, so it is not part of the state.

import type { Point } from "../protocol/types";

let wanted = $state.raw<{ at: Point }>();

export const gaze = {
  get wanted(): { at: Point } | undefined {
    return wanted;
  },
  at(at: Point): void {
    wanted = { at };
  },
};
