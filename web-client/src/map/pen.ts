// A pen on a canvas that knows a viewport: table points in, pixels out. Shared by all painters.

import type { Point } from "../protocol/types";
import type { Rect } from "./names";
import { paper } from "./palette";
import { toScreen, type Viewport } from "./viewport";

export interface Pen {
  to: CanvasRenderingContext2D;
  view: Viewport;
  /** What is seen of the paper, which is larger than the screen; absent: all of it. */
  sheet?: Rect;
}

/** Whether anything of a line or outline can be on the paper. */
export function onPaper({ view }: Pen, points: readonly Point[], margin = 40): boolean {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of points) {
    const { x, y } = toScreen(view, point);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right >= -margin && left <= view.width + margin && bottom >= -margin && top <= view.height + margin;
}

/** Adds a line to the path; `closed` makes it an outline. */
export function trace({ to, view }: Pen, points: readonly Point[], closed: boolean): void {
  points.forEach((point, i) => {
    const { x, y } = toScreen(view, point);
    if (i === 0) to.moveTo(x, y);
    else to.lineTo(x, y);
  });
  if (closed) to.closePath();
}

/** Strokes a line of table points. */
export function stroke(
  pen: Pen,
  points: readonly Point[],
  style: string,
  width: number,
  closed = false,
  dash: number[] = [],
): void {
  pen.to.beginPath();
  trace(pen, points, closed);
  pen.to.strokeStyle = style;
  pen.to.lineWidth = width;
  pen.to.setLineDash(dash);
  pen.to.stroke();
  pen.to.setLineDash([]);
}

/** Fills an outline of table points. */
export function fill(pen: Pen, points: readonly Point[], style: string | CanvasPattern): void {
  pen.to.beginPath();
  trace(pen, points, true);
  pen.to.fillStyle = style;
  pen.to.fill();
}

export interface Lettering {
  font: string;
  colour: string;
  align?: CanvasTextAlign;
  baseline?: CanvasTextBaseline;
  /** Radians. */
  turn?: number;
  halo?: number;
  spacing?: number;
}

/** Writes with a halo of paper, so that it reads on any ground. */
export function write({ to }: Pen, text: string, at: Point, how: Lettering): void {
  to.save();
  to.translate(at.x, at.y);
  if (how.turn) to.rotate(how.turn);
  to.font = how.font;
  to.textAlign = how.align ?? "center";
  to.textBaseline = how.baseline ?? "middle";
  if (how.spacing && "letterSpacing" in to) to.letterSpacing = `${how.spacing}px`;
  to.lineJoin = "round";
  to.strokeStyle = paper.halo;
  to.lineWidth = how.halo ?? 3.5;
  to.strokeText(text, 0, 0);
  to.fillStyle = how.colour;
  to.fillText(text, 0, 0);
  to.restore();
}

/** Points along a line at even steps of pixels, with the direction there (radians, screen). */
export function stepsAlong(
  { view }: Pen,
  line: readonly Point[],
  step: number,
): { x: number; y: number; turn: number }[] {
  const result: { x: number; y: number; turn: number }[] = [];
  let rest = step / 2;
  for (let i = 1; i < line.length; i++) {
    const a = toScreen(view, line[i - 1] as Point);
    const b = toScreen(view, line[i] as Point);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const turn = Math.atan2(b.y - a.y, b.x - a.x);
    while (rest < length) {
      const t = rest / length;
      result.push({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, turn });
      rest += step;
    }
    rest -= length;
  }
  return result;
}
