import { describe, expect, test } from "vitest";
import { placeFor, roomOf, type Rect } from "../src/map/names";
import { layPlates, type Revealed } from "../src/map/pickets";

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

  test("is read whole at the edge of the map, where its body is seen", () => {
    const sheet: Rect = { left: 90, right: 400, top: 0, bottom: 400 };
    const whole = placeFor(body, 60, 10, [body], [], sheet);
    if (!whole) throw new Error("there is room");
    // To the right of its body: sixty pixels wide about the middle, two more on either side.
    expect(roomOf(whole, 60, 10).left).toBeGreaterThanOrEqual(90);
    // Where nothing beside it is free it slides along below: 90 and half of sixty-four.
    const right: Rect = { left: 121, right: 400, top: 90, bottom: 108 };
    expect(placeFor(body, 60, 10, [body, right], [], { ...sheet, top: 96 })).toEqual({ x: 122, y: 114 });
    // What is not seen itself keeps its place.
    expect(placeFor(body, 60, 10, [body], [], { ...sheet, left: 130 })).toEqual({ x: 100, y: 114 });
  });
});

describe("the words of pickets found at one instant", () => {
  const to = { measureText: () => ({ width: 100 }), font: "" } as unknown as CanvasRenderingContext2D;
  const view = { centre: { x: 10_000, y: 10_000 }, scale: 15, width: 390, height: 600 };
  const found = (number: number, x: number): Revealed => ({
    kind: "revealed",
    number,
    side: "union",
    at: { x, y: 10_000 },
    facing: 0,
    stances: [],
    gone: true,
    text: `${number}: 1st New York`,
  });
  const sheet: Rect = { left: 40, right: 350, top: 20, bottom: 580 };
  const plates = layPlates({ to, view, sheet }, [found(1, 1_000), found(2, 3_000), found(3, 5_000)]);

  test("cover no other's, and are seen whole", () => {
    expect(plates).toHaveLength(3);
    for (const { room } of plates) {
      expect(room.left).toBeGreaterThanOrEqual(sheet.left);
      for (const other of plates)
        if (other.room !== room)
          expect(
            room.top >= other.room.bottom ||
              room.bottom <= other.room.top ||
              room.left >= other.room.right ||
              room.right <= other.room.left,
          ).toBe(true);
    }
  });

  test("stand one above each other at the top of the map only as far as there is room", () => {
    const high = layPlates({ to, view, sheet: { ...sheet, top: 280 } }, [found(1, 1_000), found(2, 3_000)]);
    for (const { room } of high) expect(room.top).toBeGreaterThanOrEqual(280);
  });
});
