// Plain plane geometry for drawing and pointing. Table points: thousandths of an inch, y to the north.
// It never decides anything about the game; what a unit may do is the server's answer.

import type { Point, Stance } from "../protocol/types";

/** A stand: front left, front right, rear right, rear left. */
export type Corners = Stance["stands"][number];

export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export function boxOf(points: readonly Point[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  return box;
}

export function joinBoxes(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map((b) => b.left)),
    bottom: Math.min(...boxes.map((b) => b.bottom)),
    right: Math.max(...boxes.map((b) => b.right)),
    top: Math.max(...boxes.map((b) => b.top)),
  };
}

/** Even-odd test; a point on the border may fall on either side. */
export function inside(point: Point, outline: readonly Point[]): boolean {
  let result = false;
  let before = outline[outline.length - 1];
  for (const corner of outline) {
    if (before && corner.y > point.y !== before.y > point.y) {
      const x = before.x + ((point.y - before.y) / (corner.y - before.y)) * (corner.x - before.x);
      if (point.x < x) result = !result;
    }
    before = corner;
  }
  return result;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Length of a polyline. */
export function lengthOf(line: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += distance(line[i - 1] as Point, line[i] as Point);
  return sum;
}

/** The first share of a line, at least its beginning. */
export function partOf(line: readonly Point[], share: number): Point[] {
  const first = line[0];
  if (!first) return [];
  let left = lengthOf([...line]) * Math.max(0, Math.min(1, share));
  const part = [first];
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1] as Point, line[i] as Point];
    const leg = lengthOf([a, b]);
    if (leg > left) {
      const t = leg === 0 ? 0 : left / leg;
      if (t > 0) part.push({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
      return part;
    }
    part.push(b);
    left -= leg;
  }
  return part;
}

/** Distance of a point to a segment. */
export function distanceToSegment(point: Point, a: Point, b: Point): number {
  const squared = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
  const t =
    squared === 0
      ? 0
      : Math.max(0, Math.min(1, ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / squared));
  return distance(point, { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });
}

/** 0 inside an outline, else the distance to its border. */
export function distanceToOutline(point: Point, outline: readonly Point[]): number {
  if (inside(point, outline)) return 0;
  let least = Infinity;
  outline.forEach((corner, i) => {
    const next = outline[(i + 1) % outline.length] as Point;
    least = Math.min(least, distanceToSegment(point, corner, next));
  });
  return least;
}

/** Bearing from one point to another, hundredths of a degree clockwise from north. */
export function bearingTo(from: Point, to: Point): number {
  const degrees = (Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI;
  return Math.round(((degrees + 360) % 360) * 100) % 36000;
}

/** A point so far along a bearing. */
export function along(from: Point, bearing: number, length: number): Point {
  const angle = (bearing / 100) * (Math.PI / 180);
  return { x: from.x + Math.sin(angle) * length, y: from.y + Math.cos(angle) * length };
}

/** Mean of the corners: good enough a middle for a name or a marker. */
export function middle(points: readonly Point[]): Point {
  const sum = points.reduce((a, p) => ({ x: a.x + p.x, y: a.y + p.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** Centre of gravity of an outline's area; the mean of the corners where it has none. */
export function centroid(outline: readonly Point[]): Point {
  let twiceArea = 0;
  let x = 0;
  let y = 0;
  outline.forEach((a, i) => {
    const b = outline[(i + 1) % outline.length] as Point;
    const cross = a.x * b.y - b.x * a.y;
    twiceArea += cross;
    x += (a.x + b.x) * cross;
    y += (a.y + b.y) * cross;
  });
  return twiceArea === 0 ? middle(outline) : { x: x / (3 * twiceArea), y: y / (3 * twiceArea) };
}

/** All corners of all stands. */
export function cornersOf(stands: readonly Corners[]): Point[] {
  return stands.flat();
}

/** Rounds a point to the grid of the wire. */
export function toGrid({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Keeps a point on the table. */
export function onTable({ x, y }: Point, table: { width: number; height: number }): Point {
  return { x: Math.max(0, Math.min(table.width, x)), y: Math.max(0, Math.min(table.height, y)) };
}

/** Blends two bearings along the shorter way. */
export function blendBearings(a: number, b: number, t: number): number {
  const turn = ((b - a + 54000) % 36000) - 18000;
  return (a + turn * t + 36000) % 36000;
}

/** The convex hull, counter-clockwise as seen on the table. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: Point[]) => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length >= 2) {
        const [a, b] = chain.slice(-2) as [Point, Point];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}
