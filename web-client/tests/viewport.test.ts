import { describe, expect, test } from "vitest";
import {
  clamped,
  fitted,
  greatestScale,
  panned,
  pictureMove,
  toScreen,
  toTable,
  wholeTable,
  zoomed,
  type Viewport,
} from "../src/map/viewport";

const table = { width: 54000, height: 40000 };
const eye: Viewport = { centre: { x: 27000, y: 20000 }, scale: 20, width: 1000, height: 800 };

describe("viewport", () => {
  test("north is up: a greater y stands higher on the screen", () => {
    expect(toScreen(eye, { x: 27000, y: 21000 })).toEqual({ x: 500, y: 380 });
  });

  test("table and screen are each other's inverse", () => {
    const point = { x: 12345, y: 6789 };
    const back = toTable(eye, toScreen(eye, point));
    expect(back.x).toBeCloseTo(point.x);
    expect(back.y).toBeCloseTo(point.y);
  });

  test("the paper follows the hand", () => {
    const point = { x: 30000, y: 22000 };
    const before = toScreen(eye, point);
    const after = toScreen(panned(eye, 15, -40), point);
    expect(after.x - before.x).toBeCloseTo(15);
    expect(after.y - before.y).toBeCloseTo(-40);
  });

  test("the point under the finger stays while zooming", () => {
    const at = { x: 120, y: 700 };
    const fixed = toTable(eye, at);
    const after = toScreen(zoomed(eye, 2.5, at, table), fixed);
    expect(after.x).toBeCloseTo(at.x);
    expect(after.y).toBeCloseTo(at.y);
  });

  test("the scale has a floor and a ceiling", () => {
    expect(zoomed(eye, 1000, { x: 0, y: 0 }, table).scale).toBe(greatestScale);
    expect(zoomed(eye, 0.001, { x: 0, y: 0 }, table).scale).toBeCloseTo(wholeTable(table, 1000, 800) * 0.9);
  });

  test("the eye cannot leave the table", () => {
    const lost = clamped({ ...eye, centre: { x: 900000, y: -900000 } }, table);
    const corner = toScreen(lost, { x: 54000, y: 0 });
    expect(corner.x).toBeGreaterThan(0);
    expect(corner.y).toBeLessThanOrEqual(800);
  });

  test("a box that is fitted is wholly on the screen", () => {
    const view = fitted({ left: 10000, right: 14000, bottom: 8000, top: 20000 }, 390, 600, table);
    for (const point of [
      { x: 10000, y: 8000 },
      { x: 14000, y: 20000 },
    ]) {
      const { x, y } = toScreen(view, point);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(390);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(600);
    }
  });

  test("a picture drawn for one viewport, moved, agrees with another", () => {
    const now = zoomed(panned(eye, 33, 12), 1.3, { x: 200, y: 300 }, table);
    const move = pictureMove(eye, now);
    const point = { x: 31000, y: 17500 };
    const drawn = toScreen(eye, point);
    const wanted = toScreen(now, point);
    expect(move.x + move.stretch * drawn.x).toBeCloseTo(wanted.x);
    expect(move.y + move.stretch * drawn.y).toBeCloseTo(wanted.y);
  });
});
