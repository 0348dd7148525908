import { describe, expect, test } from "vitest";
import { placeFor, roomOf, type Rect } from "../src/map/names";

/** A body of 40 by 10 pixels about (100, 100), and a name of 60 by 10 beside it. */
const body: Rect = { left: 80, right: 120, top: 95, bottom: 105 };
const at = (taken: Rect[], ground: Rect[] = []) => placeFor(body, 60, 10, taken, ground);
const below = roomOf({ x: 100, y: 114 }, 60, 10);
const above = roomOf({ x: 100, y: 86 }, 60, 10);

describe("a name on the map", () => {
  test("stands below its body, and above where something is there", () => {
    expect(at([body])).toEqual({ x: 100, y: 114 });
    expect(at([body, below])).toEqual({ x: 100, y: 86 });
  });

  test("goes round a name of the ground, and over it rather than away", () => {
    expect(at([body], [below])).toEqual({ x: 100, y: 86 });
    const everywhere: Rect = { left: 0, right: 300, top: 0, bottom: 300 };
    expect(at([body], [everywhere])).toEqual({ x: 100, y: 114 });
    expect(at([body, everywhere])).toBeUndefined();
  });

  test("has room for two lines on either side of a row of columns", () => {
    const wall: Rect = { left: 0, right: 300, top: 95, bottom: 105 };
    const third = at([wall, below, above]);
    if (!third) throw new Error("there is room a line further off");
    expect(at([wall, below, above, roomOf(third, 60, 10)])).toBeDefined();
  });
});
