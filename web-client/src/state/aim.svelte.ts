// A direction or a place that the next press on the map will give. It is a gesture half made, like a finger on the ruler, so it is not
// part of the state; leaving it changes nothing.

import type { Point } from "../protocol/types";

export interface Aim {
  /** From where the direction is measured. */
  from: Point;
  /** Tells one field's aim from another's. */
  key: string;
  /** The direction from there to the press, and where that was. */
  take: (bearing: number, at: Point) => void;
}

let current = $state.raw<Aim>();

export const aim = {
  get current(): Aim | undefined {
    return current;
  },
  begin(wanted: Aim): void {
    current = wanted;
  },
  end(): void {
    current = undefined;
  },
};
