// The small tags that say an order: before the front of a unit, about a marker where they hide no number.

import type { Point } from "../protocol/types";
import { along } from "./geometry";
import type { Rect } from "./names";
import type { OrderMark } from "./overlay";
import { ink, paper, sans } from "./palette";
import type { Pen } from "./pen";
import { markerRadius, markerRoom } from "./pickets";
import { toScreen } from "./viewport";

const signs: Partial<Record<OrderMark["kind"], string>> = {
  hold: "H",
  first_fire: "FF",
  conditional_hold: "CH",
  form: "F",
  special: "SP",
  disengage: "DI",
};

export interface Tag {
  mark: OrderMark;
  sign: string;
  at: Point;
  size: number;
  room: Rect;
}

const meets = (a: Rect, b: Rect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Where a tag may stand about a marker, the best first: above, below, at its sides, at its corners. */
function aboutMarker(centre: Point, radius: number, half: number, high: number): Point[] {
  const [x, y] = [radius + half + 1, radius + high + 1];
  const corner = { x: radius * 0.75 + half, y: radius * 0.75 + high };
  return [
    [0, -y],
    [0, y],
    [-x, 0],
    [x, 0],
    [corner.x, -corner.y],
    [-corner.x, -corner.y],
    [corner.x, corner.y],
    [-corner.x, corner.y],
    [0, -y - high * 2],
    [0, y + high * 2],
  ].map(([dx, dy]) => ({ x: centre.x + (dx ?? 0), y: centre.y + (dy ?? 0) }));
}

/** Places for all tags; none while the eye is too far, or of an order without a sign. Those of units keep clear of markers too. */
export function layTags(pen: Pen, orders: readonly OrderMark[], markers: readonly Point[]): Tag[] {
  const { to, view } = pen;
  if (view.scale < 8) return [];
  const numbers = markers.map((at) => markerRoom(pen, at));
  const tags: Tag[] = [];
  const size = Math.max(9, Math.min(13, view.scale * 0.42));
  const high = size * 0.75;
  to.font = `700 ${size}px ${sans}`;
  // Markers first: they have less room for theirs.
  for (const mark of [...orders].sort((a, b) => Number(b.marker ?? 0) - Number(a.marker ?? 0))) {
    const sign = signs[mark.kind];
    const start = mark.path[0];
    if (!sign || !start) continue;
    const half = to.measureText(sign).width / 2 + 4;
    const roomAt = ({ x, y }: Point): Rect => ({
      left: x - half,
      right: x + half,
      top: y - high,
      bottom: y + high,
    });
    const reach = Math.max(650, 15000 / view.scale);
    const places =
      mark.marker === undefined
        ? [1, 2, 3].map((times) => toScreen(view, along(start, mark.facing, reach * times)))
        : aboutMarker(toScreen(view, start), markerRadius(view), half, high);
    const taken = [...numbers, ...tags.map((tag) => tag.room)];
    const clear = (at: Point) => taken.every((room) => !meets(room, roomAt(at)));
    // Of units it is enough not to hide a number: their tags have always stood over each other's.
    const free =
      mark.marker === undefined
        ? places.find((at) => numbers.every((room) => !meets(room, roomAt(at))))
        : places.find(clear);
    const at = free ?? (places[0] as Point);
    tags.push({ mark, sign, at, size, room: roomAt(at) });
  }
  return tags;
}

/** Its rim is dashed while the order is only drafted. */
export function paintTag({ to }: Pen, { mark, sign, at, size, room }: Tag): void {
  const colour = mark.refused ? paper.routed : ink[mark.side].text;
  to.font = `700 ${size}px ${sans}`;
  to.beginPath();
  to.roundRect(room.left, room.top, room.right - room.left, room.bottom - room.top, 3);
  to.fillStyle = "rgba(255, 250, 235, 0.95)";
  to.fill();
  to.setLineDash(mark.draft ? [3, 2] : []);
  to.strokeStyle = colour;
  to.lineWidth = 1.4;
  to.stroke();
  to.setLineDash([]);
  to.fillStyle = colour;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.fillText(sign, at.x, at.y + 0.5);
}
