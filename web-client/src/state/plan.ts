// How the regiments of a brigade lie about its picket, for the map alone: the plan drawn as it is said. Whether they have room there
// the server says. HID-10

import { cornersOf } from "../map/geometry";
import type { Plan, Point, Stance } from "../protocol/types";

/** A regiment's front and depth, thousandths of an inch. */
export interface Size {
  width: number;
  depth: number;
}

/** Rear of the first line to the fronts of the second, thousandths of an inch. */
const betweenLines = 2000;

/** The size of a stance that faces north at the origin. */
export function sizeOf({ stands }: Stance): Size {
  const corners = cornersOf(stands);
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  return { width: Math.max(...xs) - Math.min(...xs), depth: -Math.min(0, ...ys) };
}

/** Middles of fronts in a line, from left to right, the whole centred; `y`: how far its front lies ahead. */
function inLine(sizes: readonly Size[], gap: number, y: number): Point[] {
  const whole = sizes.reduce((sum, { width }) => sum + width, 0) + gap * Math.max(0, sizes.length - 1);
  let left = -whole / 2;
  return sizes.map(({ width }) => {
    const x = left + width / 2;
    left += width + gap;
    return { x, y };
  });
}

/** Where the fronts lie, seen from a marker that faces north, in the order of the plan. */
export function laidOut(sizes: readonly Size[], { shape, gap }: Pick<Plan, "shape" | "gap">): Point[] {
  switch (shape.type) {
    case "abreast":
      return inLine(sizes, gap, 0);
    case "in_depth": {
      let y = 0;
      return sizes.map(({ depth }) => {
        const at = { x: 0, y };
        y -= depth + gap;
        return at;
      });
    }
    case "two_lines": {
      const [first, second] = [sizes.slice(0, shape.first), sizes.slice(shape.first)];
      const rear = Math.max(0, ...first.map(({ depth }) => depth));
      return [...inLine(first, gap, 0), ...inLine(second, gap, -rear - betweenLines)];
    }
  }
}

/** A place seen from a marker, on the table. */
export function fromMarker(at: Point, facing: number, seen: Point): Point {
  const angle = (facing / 100) * (Math.PI / 180);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: at.x + seen.x * cos + seen.y * sin, y: at.y - seen.x * sin + seen.y * cos };
}
