// Paints the ground: relief, terrain, contours, water, ways, obstacles, buildings, names. It never paints a unit.
// `prepareGround` does once what does not depend on the eye; `paintGround` is called for each picture.

import type { LineView, MapView, ObstacleView, OutlineView, Point } from "../protocol/types";
import { boxOf, centroid, inside } from "./geometry";
import { roomOf, type Rect } from "./names";
import { paintObstacle } from "./obstacles";
import { paper, serif } from "./palette";
import { fill, onPaper, stroke, trace, write, type Pen } from "./pen";
import { heightField, litGround } from "./relief";
import { toScreen, type Viewport } from "./viewport";

type Kind = "broken" | "woods" | "rough";
/** Softest first: the hardest is painted last and wins, as it does on the table. */
const hardness: readonly Kind[] = ["broken", "woods", "rough"];

interface Sign {
  at: Point;
  kind: Kind;
  variant: number;
}

export interface Ground {
  map: MapView;
  relief: HTMLCanvasElement;
  signs: Sign[];
}

/** A number from a place: the same place always gets the same tree. */
function scatter(x: number, y: number): number {
  let n = Math.imul(x, 374761393) ^ Math.imul(y, 668265263);
  n = Math.imul(n ^ (n >>> 13), 1274126177);
  return ((n ^ (n >>> 16)) >>> 0) / 4294967296;
}

function kindOf(terrain: string): Kind | undefined {
  return hardness.find((kind) => kind === terrain);
}

/** Trees, boulders and tufts, one for each cell of a loose grid, of the hardest area that covers the place. */
function signsOf(map: MapView): Sign[] {
  const areas = map.areas
    .map((area) => ({
      kind: kindOf(area.terrain),
      heavy: area.wooded === "heavy",
      outline: area.outline,
      box: boxOf(area.outline),
    }))
    .filter((area) => area.kind !== undefined);
  const step = 480;
  const signs: Sign[] = [];
  for (let row = 0; row * step < map.height; row++) {
    for (let column = 0; column * step < map.width; column++) {
      const at = {
        x: (column + 0.15 + 0.7 * scatter(column, row)) * step,
        y: (row + 0.15 + 0.7 * scatter(row + 7919, column)) * step,
      };
      let best: { kind: Kind; heavy: boolean } | undefined;
      for (const { kind, heavy, outline, box } of areas) {
        const covers =
          at.x >= box.left &&
          at.x <= box.right &&
          at.y >= box.bottom &&
          at.y <= box.top &&
          inside(at, outline);
        if (covers && kind && (!best || hardness.indexOf(kind) >= hardness.indexOf(best.kind)))
          best = { kind, heavy };
      }
      if (!best) continue;
      const chance = scatter(column + 104729, row + 1299709);
      const density = best.kind === "woods" ? (best.heavy ? 1 : 0.8) : best.kind === "rough" ? 0.75 : 0.38;
      if (chance < density) {
        // A rough wood shows trees among its boulders.
        const kind = best.kind === "rough" && best.heavy && chance < 0.4 ? "woods" : best.kind;
        signs.push({ at, kind, variant: Math.floor(scatter(row, column + 31) * 4) });
      }
    }
  }
  return signs.sort((a, b) => b.at.y - a.at.y);
}

export function prepareGround(map: MapView): Ground {
  const field = heightField(map);
  const relief = document.createElement("canvas");
  relief.width = field.columns;
  relief.height = field.rows;
  relief.getContext("2d")?.putImageData(new ImageData(litGround(field), field.columns, field.rows), 0, 0);
  return { map, relief, signs: signsOf(map) };
}

/** Draws one sign into a small picture of its own, to be stamped many times. */
function stamp(kind: Kind, variant: number, size: number, ratio: number): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  picture.width = picture.height = Math.ceil(size * 2 * ratio);
  const to = picture.getContext("2d");
  if (!to) return picture;
  to.scale(ratio, ratio);
  to.translate(size, size);
  const s = size * (0.8 + 0.12 * variant);
  to.lineWidth = Math.max(0.6, size * 0.09);
  if (kind === "woods") {
    // A round crown with its shadow to the south-east.
    to.fillStyle = "rgba(58, 72, 38, 0.22)";
    to.beginPath();
    to.ellipse(s * 0.22, s * 0.3, s * 0.56, s * 0.42, 0.5, 0, Math.PI * 2);
    to.fill();
    to.fillStyle = variant % 2 === 0 ? "#93b07a" : "#88a870";
    to.strokeStyle = paper.tree;
    to.beginPath();
    for (let i = 0; i < 6; i++) {
      const angle = (i / 6) * Math.PI * 2 + variant;
      to.moveTo(Math.cos(angle) * s * 0.28 + s * 0.24, Math.sin(angle) * s * 0.26);
      to.arc(Math.cos(angle) * s * 0.28, Math.sin(angle) * s * 0.26, s * 0.24, 0, Math.PI * 2);
    }
    to.stroke();
    to.fill();
    to.fillStyle = "rgba(226, 236, 190, 0.5)";
    to.beginPath();
    to.arc(-s * 0.14, -s * 0.18, s * 0.2, 0, Math.PI * 2);
    to.fill();
  } else if (kind === "rough") {
    // A boulder, or three grains of stipple.
    if (variant % 2 === 0) {
      to.fillStyle = paper.boulderLight;
      to.strokeStyle = paper.boulder;
      to.beginPath();
      to.moveTo(-s * 0.42, s * 0.2);
      to.lineTo(-s * 0.3, -s * 0.16);
      to.lineTo(s * 0.05, -s * 0.3);
      to.lineTo(s * 0.36, -s * 0.08);
      to.lineTo(s * 0.42, s * 0.22);
      to.closePath();
      to.fill();
      to.stroke();
      to.beginPath();
      to.moveTo(s * 0.05, -s * 0.3);
      to.lineTo(s * 0.12, s * 0.02);
      to.lineTo(s * 0.42, s * 0.22);
      to.stroke();
    } else {
      to.fillStyle = paper.boulder;
      for (const [x, y] of [
        [-0.3, -0.1],
        [0.15, -0.28],
        [0.2, 0.24],
      ] as const) {
        to.beginPath();
        to.arc(x * s, y * s, Math.max(0.5, s * 0.09), 0, Math.PI * 2);
        to.fill();
      }
    }
  } else {
    // A tuft of grass.
    to.strokeStyle = paper.tuft;
    to.lineCap = "round";
    to.beginPath();
    for (const lean of [-0.32, 0, 0.32]) {
      to.moveTo(lean * s * 0.35, s * 0.18);
      to.lineTo(lean * s, -s * (0.3 - Math.abs(lean) * 0.3));
    }
    to.stroke();
  }
  return picture;
}

function paintTerrain(pen: Pen, { map, relief, signs }: Ground, ratio: number): void {
  const { to, view } = pen;
  const corner = toScreen(view, { x: 0, y: map.height });
  const across = (map.width / 1000) * view.scale;
  const down = (map.height / 1000) * view.scale;
  to.imageSmoothingEnabled = true;
  to.imageSmoothingQuality = "high";
  to.drawImage(relief, corner.x, corner.y, across, down);

  // Areas are tinted on a sheet of their own and multiplied in, so that the relief shows through and overlaps stay clean.
  const sheet = document.createElement("canvas");
  sheet.width = to.canvas.width;
  sheet.height = to.canvas.height;
  const tints = sheet.getContext("2d");
  if (tints) {
    tints.fillStyle = "#ffffff";
    tints.fillRect(0, 0, sheet.width, sheet.height);
    tints.scale(ratio, ratio);
    const tinted: Pen = { to: tints, view };
    for (const kind of hardness) {
      for (const area of map.areas) {
        if (area.terrain !== kind || !onPaper(pen, area.outline)) continue;
        const colour =
          kind === "woods"
            ? area.wooded === "heavy"
              ? "#bdd3a0"
              : "#cfe0b2"
            : kind === "rough"
              ? "#e2d8c6"
              : "#eeeec2";
        fill(tinted, area.outline, colour);
      }
    }
    to.save();
    to.beginPath();
    to.rect(corner.x, corner.y, across, down);
    to.clip();
    to.globalCompositeOperation = "multiply";
    to.drawImage(sheet, 0, 0, view.width, view.height);
    to.restore();
  }
  for (const kind of hardness) {
    const line = kind === "woods" ? paper.woodsLine : kind === "rough" ? paper.roughLine : paper.brokenLine;
    for (const area of map.areas) {
      if (area.terrain === kind && onPaper(pen, area.outline)) {
        stroke(pen, area.outline, line, kind === "woods" ? 1 : 0.8, true, kind === "woods" ? [] : [1, 3]);
      }
    }
  }

  // Below four pixels to an inch a tree is a speck of dirt.
  if (view.scale < 4) return;
  const sizes: Record<Kind, number> = { woods: 0.34, rough: 0.26, broken: 0.16 };
  const stamps = new Map<string, { picture: HTMLCanvasElement; size: number }>();
  for (const sign of signs) {
    const { x, y } = toScreen(view, sign.at);
    if (x < -20 || y < -20 || x > view.width + 20 || y > view.height + 20) continue;
    const key = `${sign.kind}${sign.variant}`;
    let entry = stamps.get(key);
    if (!entry) {
      const size = Math.max(1.6, Math.min(16, sizes[sign.kind] * view.scale));
      entry = { picture: stamp(sign.kind, sign.variant, size, ratio), size };
      stamps.set(key, entry);
    }
    to.drawImage(entry.picture, x - entry.size, y - entry.size, entry.size * 2, entry.size * 2);
  }
}

function paintContours(pen: Pen, map: MapView): void {
  for (const { feet, outline } of map.contours) {
    if (!onPaper(pen, outline)) continue;
    const index = feet % 50 === 0;
    stroke(pen, outline, paper.contour, index ? 1.5 : 0.9, true);
  }
  if (pen.view.scale < 9) return;
  for (const { feet, outline } of map.contours) {
    // The height stands in the line at its southern end, where no other line of the hill crosses it.
    let south = 0;
    outline.forEach((p, i) => {
      if (p.y < (outline[south] as Point).y) south = i;
    });
    const here = outline[south];
    const next = outline[(south + 1) % outline.length];
    if (!here || !next) continue;
    const [a, b] = [toScreen(pen.view, here), toScreen(pen.view, next)];
    let turn = Math.atan2(b.y - a.y, b.x - a.x);
    if (Math.abs(turn) > Math.PI / 2) turn += Math.PI;
    write(
      pen,
      `${feet}`,
      { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
      {
        font: `600 ${Math.min(12, Math.max(9, pen.view.scale * 0.42))}px ${serif}`,
        colour: paper.contourText,
        turn,
        halo: 3,
      },
    );
  }
}

function paintStream(pen: Pen, stream: LineView): void {
  const width = Math.max(1.6, ((stream.width || 120) / 1000) * pen.view.scale);
  pen.to.lineJoin = pen.to.lineCap = "round";
  const line = rounded(stream.line);
  stroke(pen, line, "#e6f0ee", width + 2);
  stroke(pen, line, paper.water, width);
}

/** Water has no corners: cuts each of them twice (Chaikin). It is only drawn, so nothing depends on its line. */
function rounded(line: readonly Point[]): Point[] {
  let points = [...line];
  for (let pass = 0; pass < 2 && points.length > 2; pass++) {
    const next = [points[0] as Point];
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      next.push(
        { x: a.x * 0.75 + b.x * 0.25, y: a.y * 0.75 + b.y * 0.25 },
        { x: a.x * 0.25 + b.x * 0.75, y: a.y * 0.25 + b.y * 0.75 },
      );
    }
    next.push(points[points.length - 1] as Point);
    points = next;
  }
  return points;
}

function paintWay(pen: Pen, way: LineView): void {
  const width = Math.max(2.4, ((way.width || 250) / 1000) * pen.view.scale);
  pen.to.lineJoin = "round";
  pen.to.lineCap = "butt";
  if (way.kind === "trail") {
    stroke(pen, way.line, paper.halo, Math.max(2.2, width * 0.4));
    stroke(pen, way.line, paper.trail, Math.max(1, width * 0.16), false, [6, 4]);
    return;
  }
  stroke(pen, way.line, paper.roadLine, width);
  stroke(pen, way.line, paper.road, Math.max(0.8, width - Math.max(1.6, width * 0.22)));
}

/** Names a line along its longest straight piece that is on the paper. */
function nameLine(pen: Pen, line: LineView, colour: string, italic: boolean): void {
  if (!line.name || pen.view.scale < 9) return;
  const { view } = pen;
  let best: { x: number; y: number; turn: number; length: number } | undefined;
  for (let i = 1; i < line.line.length; i++) {
    const a = toScreen(view, line.line[i - 1] as Point);
    const b = toScreen(view, line.line[i] as Point);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const seen = middle.x > 0 && middle.y > 0 && middle.x < view.width && middle.y < view.height;
    if (seen && (!best || length > best.length))
      best = { ...middle, turn: Math.atan2(b.y - a.y, b.x - a.x), length };
  }
  if (!best) return;
  const turn = Math.abs(best.turn) > Math.PI / 2 ? best.turn + Math.PI : best.turn;
  const size = Math.min(15, Math.max(10, view.scale * 0.52));
  pen.to.font = `${italic ? "italic " : ""}${size}px ${serif}`;
  if (pen.to.measureText(line.name).width > best.length * 0.95) return;
  const off = Math.max(8, size * 0.85);
  write(
    pen,
    line.name,
    { x: best.x + Math.sin(turn) * off, y: best.y - Math.cos(turn) * off },
    {
      font: `${italic ? "italic " : ""}${size}px ${serif}`,
      colour,
      turn,
      spacing: 0.6,
    },
  );
}

function paintBuilding(pen: Pen, building: OutlineView, destroyed: boolean): void {
  const colour = building.kind === "stone" ? paper.stone : paper.wood;
  if (destroyed) {
    stroke(pen, building.outline, colour, 1.4, true, [2, 2]);
    return;
  }
  pen.to.save();
  pen.to.shadowColor = "rgba(50, 35, 20, 0.45)";
  pen.to.shadowOffsetX = pen.to.shadowOffsetY = Math.max(1, pen.view.scale * 0.06);
  fill(pen, building.outline, colour);
  pen.to.restore();
  stroke(pen, building.outline, "#2a1c12", 1, true);
}

/** Paints the objectives and the names of places, and tells where the names stand. */
function paintPlaces(pen: Pen, map: MapView): Rect[] {
  const { view } = pen;
  for (const place of map.places) {
    if (place.outline.length < 3 || !onPaper(pen, place.outline)) continue;
    stroke(pen, place.outline, paper.place, 1.3, true, [5, 3, 1, 3]);
  }
  const size = Math.min(19, Math.max(9, view.scale * 0.66));
  const [west, east] = [toScreen(view, { x: 0, y: 0 }), toScreen(view, { x: map.width, y: 0 })];
  const written: { x: number; y: number; half: number }[] = [];
  const rooms: Rect[] = [];
  const clear = (x: number, y: number, half: number) =>
    written.every(
      (other) => Math.abs(other.y - y) > size * 1.2 || Math.abs(other.x - x) > other.half + half + 4,
    );
  const name = (text: string, outline: readonly Point[], colour: string, font: string) => {
    if (!text || outline.length === 0 || !onPaper(pen, outline, 0)) return;
    const at = toScreen(view, outline.length < 3 ? (outline[0] as Point) : centroid(outline));
    pen.to.font = font;
    const words = wrapped(text, view.scale < 14 ? 18 : 24);
    const half = Math.max(...words.map((word) => pen.to.measureText(word).width)) / 2;
    // Names that would lie on each other are left out: the nearer the eye, the more of them.
    // What would be cut off by the edge of the table is written beside it.
    at.x = Math.min(Math.max(at.x, west.x + half + 6), Math.max(east.x - half - 6, west.x + half + 6));
    if (!clear(at.x, at.y, half)) return;
    words.forEach((word, i) => {
      const y = at.y + (i - (words.length - 1) / 2) * size * 1.08;
      written.push({ x: at.x, y, half });
      rooms.push(roomOf({ x: at.x, y }, pen.to.measureText(word).width, size));
      write(pen, word, { x: at.x, y }, { font, colour, spacing: 0.8, halo: 4 });
    });
  };
  // An objective's name stands at its northern edge: its middle is where the troops will be.
  for (const place of map.places) {
    const box = boxOf(place.outline);
    const edge = { x: (box.left + box.right) / 2, y: box.top + (size * 0.75 * 1000) / view.scale };
    name(
      place.name,
      place.outline.length === 0 ? [] : [edge],
      paper.placeText,
      `600 ${size * 0.92}px ${serif}`,
    );
  }
  if (view.scale >= 7) {
    for (const area of map.areas)
      name(area.name, area.outline, paper.text, `italic ${size * 0.92}px ${serif}`);
    for (const house of map.buildings) {
      const south = house.outline.reduce(
        (low, p) => (p.y < low.y ? p : low),
        house.outline[0] ?? { x: 0, y: 0 },
      );
      name(house.name, [{ x: south.x, y: south.y - 400 }], paper.text, `italic ${size * 0.78}px ${serif}`);
    }
  }
  return rooms;
}

/** Breaks a name into lines of about so many letters. */
function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Table inches along the edge: every 6 a tick, every 12 a number; 36 are a mile. */
function paintFrame(pen: Pen, map: MapView): void {
  const { to, view } = pen;
  const frame = [
    { x: 0, y: 0 },
    { x: map.width, y: 0 },
    { x: map.width, y: map.height },
    { x: 0, y: map.height },
  ];
  stroke(pen, frame, paper.frame, 5, true);
  stroke(pen, frame, paper.table, 2.4, true);
  to.font = `10px ${serif}`;
  to.strokeStyle = to.fillStyle = paper.frame;
  to.lineWidth = 1;
  to.textAlign = "center";
  for (let inch = 0; inch * 1000 <= Math.max(map.width, map.height); inch += 6) {
    const long = inch % 12 === 0;
    if (inch * 1000 <= map.width) {
      const { x, y } = toScreen(view, { x: inch * 1000, y: 0 });
      to.beginPath();
      to.moveTo(x, y + 3);
      to.lineTo(x, y + (long ? 9 : 6));
      to.stroke();
      to.textBaseline = "top";
      if (long && view.scale > 6) to.fillText(`${inch}`, x, y + 10);
    }
    if (inch * 1000 <= map.height) {
      const { x, y } = toScreen(view, { x: 0, y: inch * 1000 });
      to.beginPath();
      to.moveTo(x - 3, y);
      to.lineTo(x - (long ? 9 : 6), y);
      to.stroke();
      to.textBaseline = "middle";
      if (long && view.scale > 6) to.fillText(`${inch}`, x - 17, y);
    }
  }
}

/**
 * Paints the whole ground for one viewport, and tells where it has its names. `ratio` is the number of device pixels to a CSS
 * pixel.
 */
export function paintGround(
  to: CanvasRenderingContext2D,
  view: Viewport,
  ratio: number,
  ground: Ground,
  destroyed: ReadonlySet<string>,
  changed: readonly ObstacleView[] = [],
): Rect[] {
  const pen: Pen = { to, view };
  const { map } = ground;
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.fillStyle = paper.beyond;
  to.fillRect(0, 0, view.width, view.height);
  to.lineJoin = "round";
  paintTerrain(pen, ground, ratio);
  to.save();
  to.beginPath();
  trace(
    pen,
    [
      { x: 0, y: 0 },
      { x: map.width, y: 0 },
      { x: map.width, y: map.height },
      { x: 0, y: map.height },
    ],
    true,
  );
  to.clip();
  paintContours(pen, map);
  for (const stream of map.streams) paintStream(pen, stream);
  for (const way of map.ways) paintWay(pen, way);
  for (const obstacle of map.obstacles) {
    if (!destroyed.has(obstacle.id) && onPaper(pen, obstacle.line)) paintObstacle(pen, obstacle);
  }
  // What is left of an obstacle that is not as the map has it, and what was built.
  for (const { id, kind, open, lines } of changed) {
    to.globalAlpha = open ? 0.35 : 1;
    for (const line of lines)
      if (onPaper(pen, line)) paintObstacle(pen, { id, name: "", kind, line, width: 0 });
    to.globalAlpha = 1;
  }
  for (const building of map.buildings)
    if (onPaper(pen, building.outline)) paintBuilding(pen, building, destroyed.has(building.id));
  for (const stream of map.streams) nameLine(pen, stream, paper.waterText, true);
  for (const way of map.ways) nameLine(pen, way, paper.text, false);
  const names = paintPlaces(pen, map);
  to.restore();
  paintFrame(pen, map);
  return names;
}
