// Paints pickets: numbered markers, one picture for all contents, with what they hide written beside them for their owner alone;
// and the instant at which one turns into troops.

import type { PicketView, Point, Side, Stance, UnitView, View } from "../protocol/types";
import { lengthOf, partOf } from "./geometry";
import { meets, placeFor, roomOf, type Rect } from "./names";
import { ink, paper, sans, serif } from "./palette";
import { onPaper, stroke, write, type Pen } from "./pen";
import { toScreen, type Viewport } from "./viewport";

export const markerRadius = (view: Viewport): number => Math.max(10, Math.min(17, view.scale * 0.55));

/** The room that a marker's number takes. */
export function markerRoom(pen: Pen, at: Point): Rect {
  const { x, y } = toScreen(pen.view, at);
  const radius = markerRadius(pen.view);
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

/** A line from a marker, begun at its rim, so that its number can be read. */
export function fromRim(pen: Pen, points: readonly Point[]): Point[] {
  const whole = lengthOf([...points]);
  const rim = ((markerRadius(pen.view) + 2) / pen.view.scale) * 1000;
  if (whole <= rim) return [];
  return partOf([...points].reverse(), (whole - rim) / whole).reverse();
}

/** The Union's markers are round, the Confederate ones stand on a corner. */
function outline(to: CanvasRenderingContext2D, side: Side, radius: number): void {
  to.beginPath();
  if (ink[side].hatched) {
    to.moveTo(0, -radius * 1.2);
    to.lineTo(radius * 1.2, 0);
    to.lineTo(0, radius * 1.2);
    to.lineTo(-radius * 1.2, 0);
    to.closePath();
  } else to.arc(0, 0, radius, 0, Math.PI * 2);
}

/** How a marker is drawn besides as all see it. */
interface Look {
  selected: boolean;
  /** It hides nothing, and the viewer owns it. */
  dummy: boolean;
  /** It has just been taken off. */
  ghost: boolean;
}

type Face = Pick<PicketView, "number" | "side" | "at" | "facing" | "confirmed">;

function paintMarker(pen: Pen, picket: Face, look: Look): void {
  const { to, view } = pen;
  const { x, y } = toScreen(view, picket.at);
  const radius = markerRadius(view);
  const colours = ink[picket.side];
  to.save();
  to.translate(x, y);
  to.globalAlpha = look.ghost ? 0.55 : 1;
  if (look.selected) {
    outline(to, picket.side, radius + 5);
    to.fillStyle = paper.selectionLine;
    to.fill();
    outline(to, picket.side, radius + 3.5);
    to.fillStyle = paper.selection;
    to.fill();
  }
  to.save();
  to.rotate((picket.facing / 100) * (Math.PI / 180));
  to.beginPath();
  to.moveTo(-radius * 0.45, -radius * 0.8);
  to.lineTo(0, -radius * 1.5);
  to.lineTo(radius * 0.45, -radius * 0.8);
  to.fillStyle = colours.front;
  to.fill();
  to.restore();
  outline(to, picket.side, radius);
  to.fillStyle = look.dummy ? "#fffdf4" : colours.hatched ? "#f7e3d4" : "#dfe8f5";
  to.fill();
  to.strokeStyle = colours.line;
  to.lineWidth = 1.6;
  to.setLineDash(look.dummy || look.ghost ? [3, 2.5] : []);
  to.stroke();
  to.setLineDash([]);
  // Known to be real: a second rim.
  if (picket.confirmed !== null) {
    outline(to, picket.side, radius + 3);
    to.lineWidth = 1.4;
    to.stroke();
  }
  to.fillStyle = colours.line;
  to.font = `700 ${radius * 0.88}px ${sans}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(picket.number > 0 ? `${picket.number}` : "?", 0, radius * 0.06);
  to.restore();
}

/** The way that a picket went last, as all have seen it. HID-12 */
function paintTravelled(pen: Pen, picket: PicketView): void {
  if (picket.travelled.length < 2) return;
  stroke(pen, fromRim(pen, [...picket.travelled].reverse()), ink[picket.side].line, 1.2, false, [3, 4]);
}

/** What stands under an own picket, as it would stand if it were revealed: pale, and for its owner alone. */
function paintHidden(pen: Pen, unit: UnitView): void {
  for (const stand of unit.stance?.stands ?? []) stroke(pen, stand, ink[unit.side].line, 1, true, [4, 3]);
}

/** All markers, with their last ways, and for their owner the troops under them. */
export function paintPickets(pen: Pen, view: View, selected: ReadonlySet<number>): void {
  for (const unit of view.units) if (unit.presence === "hidden") paintHidden(pen, unit);
  for (const picket of view.pickets) paintTravelled(pen, picket);
  for (const picket of view.pickets)
    if (onPaper(pen, [picket.at]))
      paintMarker(pen, picket, {
        selected: selected.has(picket.number),
        dummy: picket.own?.hides.type === "dummy",
        ghost: false,
      });
}

/** A marker that is to come in. */
export function paintComing(pen: Pen, picket: PicketView): void {
  const dummy = picket.own?.hides.type === "dummy";
  paintMarker(pen, picket, { selected: false, dummy, ghost: true });
}

/** What an own picket hides, short enough for the map. */
function truthOf(picket: PicketView, view: View): string | undefined {
  const hides = picket.own?.hides;
  switch (hides?.type) {
    case "dummy":
      return "dummy";
    case "unit":
      return view.units.find((unit) => unit.id === hides.unit)?.name ?? "a unit";
    case "brigade":
      return `brigade, ${picket.own?.units.length ?? 0} units`;
    case undefined:
      return undefined;
  }
}

/** Writes beside one's own markers what they hide, where there is room; those that are selected always. The room that it takes. */
export function paintTruths(
  pen: Pen,
  view: View,
  selected: ReadonlySet<number>,
  rooms: { taken: readonly Rect[]; ground: readonly Rect[] },
): Rect[] {
  const { to } = pen;
  const size = Math.max(9.5, Math.min(13, pen.view.scale * 0.42));
  const markers = view.pickets.map((picket) => markerRoom(pen, picket.at));
  const written: Rect[] = [];
  for (const picket of view.pickets) {
    const chosen = selected.has(picket.number);
    const text = truthOf(picket, view);
    if (!text || !onPaper(pen, [picket.at]) || (pen.view.scale < 9 && !chosen)) continue;
    const font = `italic 600 ${size}px ${serif}`;
    to.font = font;
    const width = to.measureText(text).width;
    const body = markerRoom(pen, picket.at);
    const place =
      placeFor(body, width, size, [...markers, ...rooms.taken, ...written], rooms.ground, pen.sheet) ??
      (chosen ? { x: (body.left + body.right) / 2, y: body.bottom + size } : undefined);
    if (!place) continue;
    written.push(roomOf(place, width, size));
    write(pen, text, place, { font, colour: ink[picket.side].text, halo: 4 });
  }
  return [...written, ...markers];
}

/** The instant at which a marker is found: what it was, and what stands in its place. */
export interface Revealed {
  kind: "revealed";
  number: number;
  side: Side;
  at: Point;
  facing: number;
  /** Who stands there now; nobody: it was taken off, or stays and is known to be real. */
  stances: Stance[];
  /** The marker itself is no more. */
  gone: boolean;
  text: string;
}

/** A word about a picket that was found, and its room. */
export interface Plate {
  text: string;
  side: Side;
  room: Rect;
}

/** Where the words of what was found stand: above or below it, one line further off where another has the room, and seen whole. */
export function layPlates(pen: Pen, found: readonly Revealed[]): Plate[] {
  const { to, view } = pen;
  const sheet = pen.sheet ?? { left: 0, right: view.width, top: 0, bottom: view.height };
  const radius = markerRadius(view);
  const plates: Plate[] = [];
  for (const { text, side, at } of found) {
    if (!text) continue;
    to.font = plateFont;
    const half = to.measureText(text).width / 2 + 9;
    const { x, y } = toScreen(view, at);
    const middle = Math.max(sheet.left + half + 4, Math.min(sheet.right - half - 4, x));
    const lines = [0, 1, 2].flatMap((n) => [
      y - radius * 2 - 26 - n * (plateHeight + 2),
      y + radius * 2 + 4 + n * (plateHeight + 2),
    ]);
    const rooms = lines.map((top) => ({
      left: middle - half,
      right: middle + half,
      top,
      bottom: top + plateHeight,
    }));
    const free = rooms.filter((room) => plates.every((other) => !meets(room, other.room)));
    const room = free.find(({ top, bottom }) => sheet.top <= top && bottom <= sheet.bottom) ?? free[0];
    plates.push({ text, side, room: room ?? (rooms[0] as Rect) });
  }
  return plates;
}

const plateFont = `700 14px ${serif}`;
const plateHeight = 24;

export function paintPlate({ to }: Pen, { text, side, room }: Plate): void {
  to.font = plateFont;
  to.beginPath();
  to.roundRect(room.left, room.top, room.right - room.left, plateHeight, plateHeight / 2);
  to.fillStyle = "#fff6dc";
  to.fill();
  to.strokeStyle = ink[side].line;
  to.lineWidth = 1.6;
  to.stroke();
  to.fillStyle = "#2b2218";
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(text, (room.left + room.right) / 2, room.top + plateHeight / 2 + 0.5);
}

/** Rings about what was found, and the marker pale over it. Those who stand there now are lit up by themselves. */
export function paintRevealed(pen: Pen, effect: Revealed): void {
  const { to, view } = pen;
  const { x, y } = toScreen(view, effect.at);
  const radius = markerRadius(view);
  for (const [reach, alpha] of [
    [1.7, 0.9],
    [2.4, 0.5],
    [3.1, 0.25],
  ] as const) {
    to.save();
    to.globalAlpha = alpha;
    to.beginPath();
    to.arc(x, y, radius * reach, 0, Math.PI * 2);
    to.strokeStyle = ink[effect.side].line;
    to.lineWidth = 2;
    to.stroke();
    to.restore();
  }
  if (effect.gone) {
    paintMarker(pen, { ...effect, confirmed: null }, { selected: false, dummy: false, ghost: true });
    if (effect.stances.length === 0) {
      to.beginPath();
      to.moveTo(x - radius, y - radius);
      to.lineTo(x + radius, y + radius);
      to.moveTo(x + radius, y - radius);
      to.lineTo(x - radius, y + radius);
      to.strokeStyle = paper.routed;
      to.lineWidth = 2.4;
      to.stroke();
    }
  }
}

/** The way of a marker in a turn gone by. */
export interface PastWay {
  points: Point[];
  label: string;
  side: Side;
}

/** A dotted line with the turn at its end. */
export function paintPastWay(pen: Pen, way: PastWay): void {
  const end = way.points.at(-1);
  if (!end || way.points.length < 2) return;
  stroke(pen, way.points, "rgba(255, 250, 235, 0.9)", 6);
  stroke(pen, way.points, ink[way.side].line, 2.4, false, [2, 5]);
  const { x, y } = toScreen(pen.view, way.points[0] as Point);
  write(pen, way.label, { x, y: y + 14 }, { font: `600 11px ${sans}`, colour: ink[way.side].text });
}
