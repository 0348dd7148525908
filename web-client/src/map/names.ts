// Where the names of units and leaders stand on the map: each where it covers no stand, no badge and no other name, and if it can
// be, no name of the ground either.

import type { GhostView, LeaderView, Point, UnitView } from "../protocol/types";
import { columnsOf } from "../state/column";
import { ghostWords } from "../state/fog";
import { boxOf, cornersOf } from "./geometry";
import { ink, serif } from "./palette";
import { write, type Pen } from "./pen";
import type { Emphasis } from "./units";
import { toScreen } from "./viewport";

/** A box of the screen, in pixels, its top above its bottom. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Named {
  units: readonly UnitView[];
  leaders: readonly LeaderView[];
  /** What is remembered of enemies out of sight. */
  ghosts: readonly GhostView[];
  emphasis: Emphasis;
  /** Room that is taken already. */
  taken: readonly Rect[];
  /** Where the ground has its names: they are kept free if that can be. */
  ground: readonly Rect[];
}

export const meets = (a: Rect, b: Rect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const inside = (room: Rect, sheet: Rect) =>
  sheet.left <= room.left &&
  room.right <= sheet.right &&
  sheet.top <= room.top &&
  room.bottom <= sheet.bottom;

function rectOf(pen: Pen, points: readonly Point[]): Rect {
  const box = boxOf(points.map((point) => toScreen(pen.view, point)));
  return { left: box.left, right: box.right, top: box.bottom, bottom: box.top };
}

/** The room of a line of letters of some size about a point. */
export const roomOf = (at: Point, width: number, size: number): Rect => ({
  left: at.x - width / 2 - 2,
  right: at.x + width / 2 + 2,
  top: at.y - size * 0.55,
  bottom: at.y + size * 0.55,
});

/** Places for a name beside a body, the best first: below, above, at its sides, and a line further off. */
function placesBy(body: Rect, width: number, size: number): Point[] {
  const x = (body.left + body.right) / 2;
  const y = (body.top + body.bottom) / 2;
  const gap = size * 0.9;
  const right = body.right + gap * 0.6 + width / 2;
  const left = body.left - gap * 0.6 - width / 2;
  return [
    { x, y: body.bottom + gap },
    { x, y: body.top - gap },
    { x: right, y },
    { x: left, y },
    { x, y: body.bottom + gap * 2.4 },
    { x, y: body.top - gap * 2.4 },
    { x: right, y: body.top + gap / 2 },
    { x: left, y: body.top + gap / 2 },
    { x: right, y: body.bottom - gap / 2 },
    { x: left, y: body.bottom - gap / 2 },
  ];
}

/** The nearest place at which a name is read whole. */
function slidInto(sheet: Rect, at: Point, width: number, size: number): Point {
  const room = roomOf({ x: 0, y: 0 }, width, size);
  const held = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));
  return {
    x: held(at.x, sheet.left - room.left, Math.max(sheet.left - room.left, sheet.right - room.right)),
    y: held(at.y, sheet.top - room.top, Math.max(sheet.top - room.top, sheet.bottom - room.bottom)),
  };
}

/** The best place for a name: clear of what is taken, of what is seen of the map if it can be, and clear of the names of the ground too. */
export function placeFor(
  body: Rect,
  width: number,
  size: number,
  taken: readonly Rect[],
  ground: readonly Rect[],
  sheet?: Rect,
): Point | undefined {
  const clear = (at: Point, of: readonly Rect[]) => {
    const room = roomOf(at, width, size);
    return of.every((other) => !meets(room, other));
  };
  const free = placesBy(body, width, size).filter((at) => clear(at, taken));
  const best = (places: Point[]) => places.find((at) => clear(at, ground)) ?? places[0];
  // The name of what is not seen itself may as well stay out of sight.
  if (!sheet || !meets(body, sheet)) return best(free);
  const slid = placesBy(body, width, size).map((at) => slidInto(sheet, at, width, size));
  const whole = free.filter((at) => inside(roomOf(at, width, size), sheet));
  // Half a name is worse than none.
  return best(whole) ?? best(slid.filter((at) => clear(at, [...taken, body])));
}

/** What a unit is called on the map; nothing: it goes by the name of the lead of its column. */
function nameOf(unit: UnitView, columns: Columns, full: boolean): string | undefined {
  if (columns.followers.has(unit.id) && !full) return undefined;
  const regiments = columns.leads.get(unit.id);
  const name = regiments === undefined ? unit.name : `${unit.name}, column of ${regiments}`;
  if (!full) return name;
  const left = unit.stands.reduce((sum, stand) => sum + stand.figures, 0);
  const strength = unit.sections === null ? `${left}/${unit.figures_at_start}` : `${unit.sections} sections`;
  return `${name} · ${strength}`;
}

interface Columns {
  leads: Map<string | undefined, number>;
  followers: Set<string>;
}

/** Writes the names; what is selected is always named. */
export function paintNames(pen: Pen, named: Named): void {
  const { to, view, sheet } = pen;
  const { units, leaders, emphasis, ground } = named;
  if (view.scale < 11 && emphasis.units.size === 0) return;
  const inColumn = columnsOf(units);
  const columns = {
    leads: new Map(inColumn.map((column) => [column[0]?.id, column.length])),
    followers: new Set(inColumn.flatMap((column) => column.slice(1).map((unit) => unit.id))),
  };
  const taken = [...named.taken];
  for (const unit of units)
    if (unit.stance) for (const stand of unit.stance.stands) taken.push(rectOf(pen, stand));
  for (const leader of leaders) if (leader.corners) taken.push(rectOf(pen, leader.corners));
  const size = Math.max(10.5, Math.min(15, view.scale * 0.46));
  const order = [...units].sort(
    (a, b) => Number(emphasis.units.has(b.id)) - Number(emphasis.units.has(a.id)),
  );
  /** Where it is seen whole, if what it names is seen. */
  const shown = (at: Point, width: number) => {
    const seen = sheet && meets({ left: at.x, right: at.x, top: at.y, bottom: at.y }, sheet);
    return seen ? slidInto(sheet, at, width, size) : at;
  };
  for (const unit of order) {
    if (!unit.stance) continue;
    const selected = emphasis.units.has(unit.id);
    if (view.scale < 11 && !selected) continue;
    const text = nameOf(unit, columns, view.scale >= 26 || selected);
    if (text === undefined) continue;
    to.font = `${selected ? 700 : 600} ${size}px ${serif}`;
    const width = to.measureText(text).width;
    const body = rectOf(pen, cornersOf(unit.stance.stands));
    const below = { x: (body.left + body.right) / 2, y: body.bottom + size * 0.9 };
    const place =
      placeFor(body, width, size, taken, ground, sheet) ?? (selected ? shown(below, width) : undefined);
    if (!place) continue;
    taken.push(roomOf(place, width, size));
    write(pen, text, place, { font: to.font, colour: ink[unit.side].text, halo: 4 });
  }
  for (const ghost of named.ghosts) {
    const selected = emphasis.units.has(ghost.unit);
    if (view.scale < 11 && !selected) continue;
    const small = size * 0.88;
    const font = `italic ${selected ? 700 : 500} ${small}px ${serif}`;
    to.font = font;
    const body = rectOf(pen, cornersOf(ghost.stance.stands));
    // All of it where there is room, else who and when, else nothing but the outline.
    for (const text of [`${ghost.name}, ${ghostWords(ghost)}`, `${ghost.name}, turn ${ghost.turn}`]) {
      const width = to.measureText(text).width;
      const below = { x: (body.left + body.right) / 2, y: body.bottom + size * 0.9 };
      const place = placeFor(body, width, small, taken, []) ?? (selected ? below : undefined);
      if (!place) continue;
      taken.push(roomOf(place, width, small));
      write(pen, text, place, { font, colour: ink[ghost.side].text, halo: 4 });
      break;
    }
  }
  if (view.scale < 16) return;
  for (const leader of leaders) {
    if (!leader.corners) continue;
    const body = rectOf(pen, leader.corners);
    const surname = leader.name.split(" ").slice(-1)[0] ?? leader.name;
    const font = `italic ${size * 0.92}px ${serif}`;
    to.font = font;
    const width = to.measureText(surname).width;
    const at = shown({ x: (body.left + body.right) / 2, y: body.bottom + size * 0.7 }, width);
    const room = roomOf(at, width, size * 0.92);
    if (taken.some((other) => meets(room, other))) continue;
    taken.push(room);
    write(pen, surname, at, { font, colour: ink[leader.side].text });
  }
}
