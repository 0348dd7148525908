import { describe, expect, test } from "vitest";
import {
  along,
  bearingTo,
  blendBearings,
  centroid,
  distanceToOutline,
  hull,
  inside,
  lengthOf,
} from "../src/map/geometry";

const square = [
  { x: 0, y: 0 },
  { x: 4000, y: 0 },
  { x: 4000, y: 4000 },
  { x: 0, y: 4000 },
];

describe("geometry", () => {
  test("a point is inside a square or outside it", () => {
    expect(inside({ x: 2000, y: 2000 }, square)).toBe(true);
    expect(inside({ x: 4001, y: 2000 }, square)).toBe(false);
  });

  test("a notch in an outline is outside", () => {
    const notched = [...square.slice(0, 3), { x: 2000, y: 1000 }, { x: 0, y: 4000 }];
    expect(inside({ x: 2000, y: 3000 }, notched)).toBe(false);
    expect(inside({ x: 2000, y: 500 }, notched)).toBe(true);
  });

  test("distance to an outline is zero inside and the way to the nearest side outside", () => {
    expect(distanceToOutline({ x: 1, y: 1 }, square)).toBe(0);
    expect(distanceToOutline({ x: 7000, y: 8000 }, square)).toBe(5000);
  });

  test("bearings run clockwise from north in hundredths", () => {
    const origin = { x: 0, y: 0 };
    expect(bearingTo(origin, { x: 0, y: 10 })).toBe(0);
    expect(bearingTo(origin, { x: 10, y: 0 })).toBe(9000);
    expect(bearingTo(origin, { x: 0, y: -10 })).toBe(18000);
    expect(bearingTo(origin, { x: -10, y: 10 })).toBe(31500);
  });

  test("a way along a bearing ends where the bearing points", () => {
    const end = along({ x: 1000, y: 1000 }, 9000, 6000);
    expect(end.x).toBeCloseTo(7000);
    expect(end.y).toBeCloseTo(1000);
  });

  test("bearings blend across north by the shorter way", () => {
    expect(blendBearings(35000, 1000, 0.5)).toBe(0);
    expect(blendBearings(1000, 35000, 0.5)).toBe(0);
  });

  test("the length of a path is the sum of its legs", () => {
    expect(
      lengthOf([
        { x: 0, y: 0 },
        { x: 3000, y: 4000 },
        { x: 3000, y: 5000 },
      ]),
    ).toBe(6000);
  });

  test("the centre of gravity and the hull ignore points inside", () => {
    expect(centroid(square)).toEqual({ x: 2000, y: 2000 });
    expect(hull([...square, { x: 1000, y: 1000 }])).toHaveLength(4);
  });
});
