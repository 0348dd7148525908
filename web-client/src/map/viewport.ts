// Where the eye is: which part of the table the screen shows, and how large. Pure arithmetic.
// Screen points are CSS pixels from the top left; table points are thousandths of an inch, y to the north.

import type { Point } from "../protocol/types";
import type { Box } from "./geometry";

export interface Viewport {
  /** The table point in the middle of the screen. */
  centre: Point;
  /** CSS pixels to a table inch. */
  scale: number;
  /** Size of the screen, CSS pixels. */
  width: number;
  height: number;
}

export interface Table {
  width: number;
  height: number;
}

/** The nearest that makes sense: a stand of three figures as wide as a thumb. */
export const greatestScale = 120;

export function toScreen(view: Viewport, point: Point): Point {
  return {
    x: view.width / 2 + ((point.x - view.centre.x) / 1000) * view.scale,
    y: view.height / 2 - ((point.y - view.centre.y) / 1000) * view.scale,
  };
}

export function toTable(view: Viewport, point: Point): Point {
  return {
    x: view.centre.x + ((point.x - view.width / 2) / view.scale) * 1000,
    y: view.centre.y - ((point.y - view.height / 2) / view.scale) * 1000,
  };
}

/** The scale at which the whole table is on the screen. */
export function wholeTable(table: Table, width: number, height: number): number {
  return Math.min((width * 1000) / table.width, (height * 1000) / table.height);
}

/** Keeps the eye over the table, and the scale between whole table and thumb size. */
export function clamped(view: Viewport, table: Table): Viewport {
  const least = wholeTable(table, view.width, view.height) * 0.9;
  const scale = Math.max(least, Math.min(greatestScale, view.scale));
  const between = (value: number, size: number, screen: number) => {
    const half = (screen / scale) * 500;
    return size <= 2 * half
      ? Math.max(size - half, Math.min(half, value))
      : Math.max(half * 0.6, Math.min(size - half * 0.6, value));
  };
  return {
    ...view,
    scale,
    centre: {
      x: between(view.centre.x, table.width, view.width),
      y: between(view.centre.y, table.height, view.height),
    },
  };
}

/** Moves what is shown by so many pixels, as if the hand lay on the paper. */
export function panned(view: Viewport, dx: number, dy: number): Viewport {
  return {
    ...view,
    centre: {
      x: view.centre.x - (dx / view.scale) * 1000,
      y: view.centre.y + (dy / view.scale) * 1000,
    },
  };
}

/** Zooms about a point of the screen, which keeps its place on the table. */
export function zoomed(view: Viewport, factor: number, at: Point, table: Table): Viewport {
  const least = wholeTable(table, view.width, view.height) * 0.9;
  const scale = Math.max(least, Math.min(greatestScale, view.scale * factor));
  const fixed = toTable(view, at);
  return {
    ...view,
    scale,
    centre: {
      x: fixed.x - ((at.x - view.width / 2) / scale) * 1000,
      y: fixed.y + ((at.y - view.height / 2) / scale) * 1000,
    },
  };
}

/** Shows a box of the table with some paper around it. */
export function fitted(box: Box, width: number, height: number, table: Table, margin = 24): Viewport {
  const across = Math.max(1000, box.right - box.left);
  const up = Math.max(1000, box.top - box.bottom);
  const scale = Math.min(
    (Math.max(40, width - 2 * margin) * 1000) / across,
    (Math.max(40, height - 2 * margin) * 1000) / up,
    greatestScale,
  );
  const centre = { x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2 };
  return clamped({ centre, scale, width, height }, table);
}

/** How a picture drawn for one viewport must be moved and stretched to serve another: screen = offset + stretch * picture. */
export function pictureMove(drawn: Viewport, now: Viewport): { x: number; y: number; stretch: number } {
  const stretch = now.scale / drawn.scale;
  const corner = toScreen(now, toTable(drawn, { x: 0, y: 0 }));
  return { x: corner.x, y: corner.y, stretch };
}

/** A viewport larger by a margin on each side, about the same middle. */
export function widened(view: Viewport, margin: number): Viewport {
  return { ...view, width: view.width + 2 * margin, height: view.height + 2 * margin };
}

/** A round length in inches for the scale bar, near the wished number of pixels. */
export function scaleBarInches(scale: number, wished: number): number {
  const raw = wished / scale;
  return [1, 2, 4, 6, 12, 18, 36, 72].reduce((best, inches) =>
    Math.abs(inches - raw) < Math.abs(best - raw) ? inches : best,
  );
}
