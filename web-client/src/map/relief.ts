// Turns contours into shaded relief: a height field, its slopes, the light from the north-west.
// Pure: it makes numbers and colours, the ground painter puts them on the paper.

import type { MapView, Point } from "../protocol/types";

export interface HeightField {
  columns: number;
  rows: number;
  /** Thousandths of an inch to a cell. */
  cell: number;
  /** Feet, row by row from the north. */
  feet: Float32Array;
}

/** Sets every cell whose middle lies inside the outline to at least `feet`. */
function raise(field: HeightField, outline: readonly Point[], feet: number, height: number): void {
  for (let row = 0; row < field.rows; row++) {
    const y = height - (row + 0.5) * field.cell;
    const crossings: number[] = [];
    let before = outline[outline.length - 1];
    for (const corner of outline) {
      if (before && corner.y > y !== before.y > y) {
        crossings.push(before.x + ((y - before.y) / (corner.y - before.y)) * (corner.x - before.x));
      }
      before = corner;
    }
    crossings.sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const first = Math.max(0, Math.ceil((crossings[i] as number) / field.cell - 0.5));
      const last = Math.min(field.columns - 1, Math.floor((crossings[i + 1] as number) / field.cell - 0.5));
      for (let column = first; column <= last; column++) {
        const at = row * field.columns + column;
        if ((field.feet[at] as number) < feet) field.feet[at] = feet;
      }
    }
  }
}

/** One pass of a running mean along rows (`step` 1) or columns. */
function smooth(
  values: Float32Array,
  lines: number,
  length: number,
  lineStep: number,
  step: number,
  radius: number,
) {
  const result = new Float32Array(values.length);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    const at = (i: number) => values[start + Math.max(0, Math.min(length - 1, i)) * step] as number;
    let sum = 0;
    for (let i = -radius; i <= radius; i++) sum += at(i);
    for (let i = 0; i < length; i++) {
      result[start + i * step] = sum / (2 * radius + 1);
      sum += at(i + radius + 1) - at(i - radius);
    }
  }
  return result;
}

/** The heights that the contours tell, with the steps between them worn smooth. */
export function heightField(map: Pick<MapView, "width" | "height" | "contours">, cell = 125): HeightField {
  const columns = Math.max(1, Math.ceil(map.width / cell));
  const rows = Math.max(1, Math.ceil(map.height / cell));
  const field: HeightField = { columns, rows, cell, feet: new Float32Array(columns * rows) };
  for (const contour of [...map.contours].sort((a, b) => a.feet - b.feet)) {
    raise(field, contour.outline, contour.feet, map.height);
  }
  for (const radius of [5, 4, 3]) {
    field.feet = smooth(field.feet, rows, columns, columns, 1, radius);
    field.feet = smooth(field.feet, columns, rows, 1, columns, radius);
  }
  return field;
}

type Colour = [number, number, number];
/** Paper at the foot, a little lighter and warmer with height. */
const tints: [number, Colour][] = [
  [0, [236, 231, 206]],
  [40, [241, 233, 207]],
  [110, [243, 229, 196]],
  [200, [238, 216, 178]],
  [320, [228, 200, 160]],
];

function tint(feet: number): Colour {
  for (let i = 1; i < tints.length; i++) {
    const [low, from] = tints[i - 1] as [number, Colour];
    const [high, to] = tints[i] as [number, Colour];
    if (feet <= high) {
      const t = Math.max(0, (feet - low) / (high - low));
      return [0, 1, 2].map(
        (k) => (from[k] as number) + ((to[k] as number) - (from[k] as number)) * t,
      ) as Colour;
    }
  }
  return (tints[tints.length - 1] as [number, Colour])[1];
}

/** Feet in a table inch: fifty yards. Slopes are drawn steeper than they are, as printed maps do. */
const feetPerInch = 150;
const steeper = 2.6;

/** Colours of the lit ground, four bytes a cell, row by row from the north. */
export function litGround(field: HeightField): Uint8ClampedArray<ArrayBuffer> {
  const { columns, rows, feet, cell } = field;
  const pixels = new Uint8ClampedArray(columns * rows * 4);
  const run = (cell / 1000) * feetPerInch * 2;
  const light = { x: -0.5, y: 0.5, z: 0.707 };
  const at = (column: number, row: number) =>
    feet[
      Math.max(0, Math.min(rows - 1, row)) * columns + Math.max(0, Math.min(columns - 1, column))
    ] as number;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const east = ((at(column + 1, row) - at(column - 1, row)) / run) * steeper;
      const north = ((at(column, row - 1) - at(column, row + 1)) / run) * steeper;
      const length = Math.hypot(east, north, 1);
      const lit = (-east * light.x - north * light.y + light.z) / length / light.z;
      const shade = lit < 1 ? 1 - (1 - lit) * 0.55 : 1 + Math.min(0.08, (lit - 1) * 0.25);
      const [r, g, b] = tint(at(column, row));
      const i = (row * columns + column) * 4;
      // Shadows lean to violet-brown, as printers' shade plates do.
      const dark = Math.max(0, 1 - shade);
      pixels[i] = r * shade + dark * 18;
      pixels[i + 1] = g * shade + dark * 6;
      pixels[i + 2] = b * shade + dark * 24;
      pixels[i + 3] = 255;
    }
  }
  return pixels;
}
