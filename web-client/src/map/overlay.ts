// Paints what is said about the battle and is not on the table: orders as arrows, ghosts of where a move would end,
// command radius, ranges, the ruler, smoke and results of playback. Numbers come from the server; here they are drawn.

import type { PicketView, Point, Side, Stance } from "../protocol/types";
import { along, bearingTo, lengthOf, partOf } from "./geometry";
import { ink, paper, sans, serif } from "./palette";
import { stroke, trace, write, type Pen } from "./pen";
import {
  fromRim,
  layPlates,
  paintComing,
  paintPastWay,
  paintPlate,
  paintRevealed,
  type PastWay,
  type Revealed,
} from "./pickets";
import { paintTag, type Tag } from "./tags";
import { toScreen } from "./viewport";

/** An order as an arrow or a sign. */
export interface OrderMark {
  side: Side;
  kind:
    | "move"
    | "charge"
    | "hold"
    | "first_fire"
    | "conditional_hold"
    | "disengage"
    | "form"
    | "routed"
    | "special";
  /** From the anchor; one point for an order that stays. */
  path: Point[];
  facing: number;
  /** Own drafts are dashed, revealed orders solid. */
  draft: boolean;
  refused: boolean;
  /** The number of the picket that has the order. */
  marker?: number;
}

export interface Ring {
  at: Point;
  radius: number;
  label: string;
  kind: "command" | "benefit";
}

/** A link of command: from a unit to the friend or commander who holds it. */
export interface Link {
  from: Point;
  to: Point;
  label: string;
  /** Too long otherwise. */
  reaches: boolean;
}

/** Distances from a front edge, forward. */
export interface Bands {
  left: Point;
  right: Point;
  facing: number;
  distances: { length: number; label: string }[];
}

export interface Handle {
  at: Point;
  kind: "anchor" | "waypoint" | "end" | "turn";
  active: boolean;
}

/** What is drawn while a turn is played: a way walked, a volley with its result, a word beside a unit. */
export type Effect =
  | { kind: "trail"; path: Point[]; side: Side }
  /** The arrow of a charge that is being run. */
  | { kind: "charge"; path: Point[]; side: Side }
  | Revealed
  | {
      kind: "volley" | "note";
      from: Point;
      to: Point;
      text: string;
      good: boolean;
      side: Side;
      /** It is aimed at a marker, whose number stays in sight. */
      marker?: boolean;
    };

/** A part of the table in which a side may place its units; dim where the selected one may not. */
export interface Zone {
  outline: Point[];
  side: Side;
  dim: boolean;
}

export interface Overlay {
  zones?: Zone[];
  links?: Link[];
  /** Markers that are to come in. */
  entering?: PicketView[];
  /** Ways of a marker in turns gone by. */
  past?: PastWay[];
  orders: OrderMark[];
  ghosts: { side: Side; stance: Stance }[];
  rings: Ring[];
  bands: Bands[];
  handles: Handle[];
  /** A free measure, or the leg being drawn; `reach`: it can be gone so far, and the rest is refused; `marker`: it begins at one. */
  ruler: { points: Point[]; label: string; reach?: number; marker?: boolean } | undefined;
  effects: Effect[];
}

export const nothing: Overlay = {
  orders: [],
  ghosts: [],
  rings: [],
  bands: [],
  handles: [],
  ruler: undefined,
  effects: [],
};

/** Inches as players say them. */
export function inches(thousandths: number): string {
  return `${(thousandths / 1000).toFixed(1)}″`;
}

function arrowHead(pen: Pen, from: Point, tip: Point, size: number, barbed: boolean): void {
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  const { to } = pen;
  to.save();
  to.translate(tip.x, tip.y);
  to.rotate(angle);
  to.beginPath();
  to.moveTo(0, 0);
  to.lineTo(-size, -size * 0.6);
  if (barbed) to.lineTo(-size * 0.6, 0);
  to.lineTo(-size, size * 0.6);
  to.closePath();
  to.fill();
  to.restore();
}

function paintOrder(pen: Pen, mark: OrderMark): void {
  const { to, view } = pen;
  const colour = mark.refused ? paper.routed : ink[mark.side].text;
  const start = mark.path[0];
  if (!start || mark.kind === "routed") return;
  const path = mark.marker === undefined ? mark.path : fromRim(pen, mark.path);
  if (path.length > 1) {
    const weight = mark.kind === "charge" ? 4.5 : 3;
    to.lineCap = to.lineJoin = "round";
    stroke(pen, path, "rgba(255, 250, 235, 0.9)", weight + 3);
    stroke(pen, path, colour, weight, false, mark.draft ? [9, 6] : []);
    const tip = toScreen(view, path[path.length - 1] as Point);
    const before = toScreen(view, path[path.length - 2] as Point);
    to.fillStyle = colour;
    arrowHead(pen, before, tip, mark.kind === "charge" ? 17 : 13, mark.kind !== "disengage");
  }
}

function paintGhost(pen: Pen, side: Side, stance: Stance): void {
  const { to } = pen;
  to.save();
  to.globalAlpha = 0.45;
  to.fillStyle = ink[side].fill;
  to.beginPath();
  for (const stand of stance.stands) trace(pen, stand, true);
  to.fill();
  to.globalAlpha = 1;
  to.strokeStyle = ink[side].line;
  to.lineWidth = 1.2;
  to.setLineDash([4, 3]);
  to.stroke();
  to.setLineDash([]);
  to.lineWidth = 3;
  to.beginPath();
  for (const stand of stance.stands) trace(pen, [stand[0], stand[1]], false);
  to.stroke();
  to.restore();
}

function paintZone(pen: Pen, zone: Zone): void {
  const { to } = pen;
  to.save();
  to.globalAlpha = zone.dim ? 0.07 : 0.2;
  to.beginPath();
  trace(pen, zone.outline, true);
  to.fillStyle = ink[zone.side].text;
  to.fill();
  to.globalAlpha = zone.dim ? 0.4 : 1;
  stroke(pen, zone.outline, "rgba(255, 250, 235, 0.8)", 4.5, true);
  stroke(pen, zone.outline, ink[zone.side].text, 2, true, [8, 5]);
  to.restore();
}

function paintRing(pen: Pen, ring: Ring): void {
  const { to, view } = pen;
  const { x, y } = toScreen(view, ring.at);
  const radius = (ring.radius / 1000) * view.scale;
  if (radius < 4) return;
  for (const [style, width] of [
    ["rgba(255, 250, 235, 0.7)", 3.5],
    [paper.place, 1.6],
  ] as const) {
    to.beginPath();
    to.arc(x, y, radius, 0, Math.PI * 2);
    to.strokeStyle = style;
    to.lineWidth = width;
    to.setLineDash(ring.kind === "command" ? [10, 6] : [2, 5]);
    to.stroke();
  }
  to.setLineDash([]);
  write(pen, ring.label, { x, y: y - radius - 9 }, { font: `600 11px ${sans}`, colour: paper.placeText });
}

/** A link is a line with a knot at either end; one that is too long is broken, in the colour of alarm. */
function paintLink(pen: Pen, link: Link): void {
  const { to, view } = pen;
  const colour = link.reaches ? paper.placeText : paper.routed;
  to.lineCap = "round";
  stroke(pen, [link.from, link.to], "rgba(255, 250, 235, 0.9)", 6);
  stroke(pen, [link.from, link.to], colour, 2.4, false, link.reaches ? [] : [4, 6]);
  const ends = [toScreen(view, link.from), toScreen(view, link.to)] as const;
  for (const end of ends) {
    to.beginPath();
    to.arc(end.x, end.y, 4, 0, Math.PI * 2);
    to.fillStyle = colour;
    to.fill();
    to.strokeStyle = "rgba(255, 250, 235, 0.9)";
    to.lineWidth = 1.2;
    to.stroke();
  }
  const middle = { x: (ends[0].x + ends[1].x) / 2, y: (ends[0].y + ends[1].y) / 2 };
  // Beside the line; of one that is shorter than a word, clear of both its ends.
  const short = Math.hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y) < 30;
  const steep = Math.abs(ends[1].x - ends[0].x) < Math.abs(ends[1].y - ends[0].y);
  const at = steep || short ? { x: middle.x + 10, y: middle.y } : { x: middle.x, y: middle.y - 11 };
  const align = steep || short ? "left" : "center";
  write(pen, link.label, at, { font: `600 12px ${sans}`, colour, align });
}

/** Lines of equal distance before a front: straight before it, quarter circles at its ends. */
function paintBands(pen: Pen, bands: Bands): void {
  const { to, view } = pen;
  const left = toScreen(view, bands.left);
  const right = toScreen(view, bands.right);
  const facing = (bands.facing / 100) * (Math.PI / 180) - Math.PI / 2;
  let labelled = 0;
  for (const { length, label } of bands.distances) {
    const radius = (length / 1000) * view.scale;
    if (radius < 6) continue;
    for (const [style, width] of [
      ["rgba(255, 250, 235, 0.75)", 3.2],
      ["#5b3d00", 1.3],
    ] as const) {
      to.beginPath();
      to.arc(left.x, left.y, radius, facing - Math.PI / 4, facing);
      to.arc(right.x, right.y, radius, facing, facing + Math.PI / 4);
      to.strokeStyle = style;
      to.lineWidth = width;
      to.setLineDash([7, 4]);
      to.stroke();
    }
    to.setLineDash([]);
    // Far away the lines are too near each other to be named each.
    if (radius - labelled < 24) continue;
    labelled = radius;
    const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
    write(
      pen,
      label,
      { x: middle.x + Math.cos(facing) * radius, y: middle.y + Math.sin(facing) * radius },
      { font: `600 11px ${sans}`, colour: "#5b3d00" },
    );
  }
}

function paintHandle(pen: Pen, handle: Handle): void {
  const { to, view } = pen;
  const { x, y } = toScreen(view, handle.at);
  const radius = handle.kind === "end" || handle.kind === "turn" ? 10 : 8;
  to.beginPath();
  to.arc(x, y, radius, 0, Math.PI * 2);
  to.fillStyle = handle.active ? paper.selection : "rgba(255, 252, 240, 0.95)";
  to.fill();
  to.strokeStyle = paper.selectionLine;
  to.lineWidth = 2;
  to.stroke();
  if (handle.kind === "turn") {
    // An arrow in a circle.
    to.beginPath();
    to.arc(x, y, 4, -Math.PI * 0.2, Math.PI * 1.3);
    to.stroke();
    to.fillStyle = paper.selectionLine;
    to.beginPath();
    to.moveTo(x + 6.5, y - 4.5);
    to.lineTo(x + 5, y + 1);
    to.lineTo(x + 0.5, y - 2.5);
    to.fill();
  }
  if (handle.kind === "end") {
    to.beginPath();
    to.moveTo(x - 4.5, y);
    to.lineTo(x + 4.5, y);
    to.moveTo(x, y - 4.5);
    to.lineTo(x, y + 4.5);
    to.stroke();
  }
}

type Ruler = NonNullable<Overlay["ruler"]>;

function paintRuler(pen: Pen, { points: whole, label, reach, marker }: Ruler): void {
  const points = marker ? fromRim(pen, whole) : whole;
  const last = points[points.length - 1];
  if (!last || points.length < 2) return;
  const { to, view } = pen;
  stroke(pen, points, "rgba(255, 250, 235, 0.9)", 5);
  stroke(pen, points, "#2b2218", 1.8);
  if (reach !== undefined) {
    const length = lengthOf(whole);
    const back = partOf([...whole].reverse(), length === 0 ? 0 : Math.max(0, length - reach) / length);
    stroke(pen, back, paper.routed, 4.5, false, [5, 4]);
  }
  // A tick every inch, a long one every six, as on a folding rule.
  const total = lengthOf(points);
  if (view.scale >= 5) {
    let gone = 0;
    let next = 1000;
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      const leg = lengthOf([a, b]);
      const bearing = bearingTo(a, b);
      for (; next <= gone + leg && next <= total; next += 1000) {
        const at = along(a, bearing, next - gone);
        const half = ((next % 6000 === 0 ? 8 : 4) / view.scale) * 1000;
        stroke(pen, [along(at, bearing + 9000, half), along(at, bearing + 27000, half)], "#2b2218", 1.4);
      }
      gone += leg;
    }
  }
  const at = toScreen(view, last);
  to.font = `600 13px ${sans}`;
  const half = to.measureText(label).width / 2 + 7;
  to.beginPath();
  to.roundRect(at.x - half, at.y - 38, half * 2, 22, 4);
  to.fillStyle = "#2b2218";
  to.fill();
  to.fillStyle = "#fbf3dc";
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(label, at.x, at.y - 26.5);
}

/** A way walked: a thin line with a head, on a pale band that parts it from the ground. */
function paintTrail(pen: Pen, path: Point[], side: Side): void {
  const { to, view } = pen;
  const colour = ink[side].text;
  to.lineCap = to.lineJoin = "round";
  stroke(pen, path, "rgba(255, 250, 235, 0.85)", 6);
  stroke(pen, path, colour, 2.4, false, side === "union" ? [] : [7, 3]);
  const tip = toScreen(view, path[path.length - 1] as Point);
  const before = toScreen(view, path[path.length - 2] as Point);
  to.fillStyle = colour;
  if (Math.hypot(tip.x - before.x, tip.y - before.y) > 4) arrowHead(pen, before, tip, 11, true);
}

/** The arrow of a charge under way: broad and see-through, so that what it crosses stays in sight. */
function paintCharge(pen: Pen, path: Point[], side: Side): void {
  const { to, view } = pen;
  const [from, tip] = [path[0], path[path.length - 1]];
  if (!from || !tip) return;
  const [a, b] = [toScreen(view, from), toScreen(view, tip)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length < 24) return;
  // It ends before whom it runs at.
  const end = {
    x: a.x + ((b.x - a.x) * (length - 10)) / length,
    y: a.y + ((b.y - a.y) * (length - 10)) / length,
  };
  const neck = {
    x: a.x + ((b.x - a.x) * (length - 30)) / length,
    y: a.y + ((b.y - a.y) * (length - 30)) / length,
  };
  to.save();
  to.globalAlpha = 0.75;
  to.lineCap = "butt";
  for (const [style, width] of [
    ["rgba(255, 250, 235, 0.9)", 13],
    [ink[side].text, 8],
  ] as const) {
    to.beginPath();
    to.moveTo(a.x, a.y);
    to.lineTo(neck.x, neck.y);
    to.strokeStyle = style;
    to.lineWidth = width;
    to.stroke();
  }
  to.fillStyle = ink[side].text;
  arrowHead(pen, a, end, 24, false);
  to.restore();
}

function paintEffect(pen: Pen, effect: Effect): void {
  if (effect.kind === "trail") return;
  if (effect.kind === "charge") return paintCharge(pen, effect.path, effect.side);
  if (effect.kind === "revealed") return paintRevealed(pen, effect);
  const { to, view } = pen;
  const target = toScreen(view, effect.to);
  if (effect.kind === "volley") {
    const from = toScreen(view, effect.from);
    const line = effect.marker ? fromRim(pen, [effect.to, effect.from]).reverse() : [effect.from, effect.to];
    const end = line.at(-1);
    stroke(pen, line, "rgba(255, 250, 235, 0.95)", 5);
    stroke(pen, line, ink[effect.side].text, 2.2, false, [2, 4]);
    to.fillStyle = ink[effect.side].text;
    if (end) arrowHead(pen, from, toScreen(view, end), 10, true);
    // Smoke at the muzzles.
    for (const [dx, dy, r] of [
      [0, 0, 8],
      [7, -4, 6],
      [-7, -3, 6.5],
      [2, -9, 5],
    ] as const) {
      to.beginPath();
      to.arc(from.x + dx, from.y + dy, r, 0, Math.PI * 2);
      to.fillStyle = "rgba(250, 248, 244, 0.82)";
      to.fill();
      to.strokeStyle = "rgba(90, 84, 76, 0.5)";
      to.lineWidth = 0.8;
      to.stroke();
    }
  }
  if (!effect.text) return;
  to.font = `700 15px ${serif}`;
  const half = to.measureText(effect.text).width / 2 + 8;
  to.beginPath();
  to.roundRect(target.x - half, target.y - 36, half * 2, 24, 12);
  to.fillStyle = effect.good ? "#eaf3e4" : "#fbe4de";
  to.fill();
  to.strokeStyle = effect.good ? paper.good : paper.routed;
  to.lineWidth = 1.6;
  to.stroke();
  to.fillStyle = "#2b2218";
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(effect.text, target.x, target.y - 23.5);
}

/** What lies under the troops: radii and ranges. */
export function paintUnder(pen: Pen, overlay: Overlay): void {
  for (const zone of overlay.zones ?? []) paintZone(pen, zone);
  for (const ring of overlay.rings) paintRing(pen, ring);
  for (const bands of overlay.bands) paintBands(pen, bands);
  for (const way of overlay.past ?? []) paintPastWay(pen, way);
  for (const effect of overlay.effects)
    if (effect.kind === "trail" && effect.path.length > 1) paintTrail(pen, effect.path, effect.side);
  for (const ghost of overlay.ghosts) paintGhost(pen, ghost.side, ghost.stance);
}

/** What lies over the troops: orders, handles, the ruler, results. */
export function paintOver(pen: Pen, overlay: Overlay, tags: readonly Tag[]): void {
  for (const link of overlay.links ?? []) paintLink(pen, link);
  for (const mark of overlay.orders) paintOrder(pen, mark);
  for (const tag of tags) paintTag(pen, tag);
  for (const picket of overlay.entering ?? []) paintComing(pen, picket);
  for (const handle of overlay.handles) paintHandle(pen, handle);
  if (overlay.ruler) paintRuler(pen, overlay.ruler);
  for (const effect of overlay.effects) paintEffect(pen, effect);
  const found = overlay.effects.filter((effect) => effect.kind === "revealed");
  for (const plate of layPlates(pen, found)) paintPlate(pen, plate);
}
