// Features of the ground by name, for lists: what has no name of its own goes by its kind, and by where it lies.

import type { MapView, Point, UnitView, View } from "../protocol/types";
import { bearingTo, lengthOf, middle } from "../map/geometry";
import { inches } from "../map/overlay";
import { wind, words } from "./orders";

export interface Named {
  id: string;
  name: string;
}

/** The point of a line that is nearest to another. */
export function nearestOn(line: readonly Point[], to: Point): Point | undefined {
  let best: { at: Point; gap: number } | undefined;
  const take = (at: Point) => {
    const gap = Math.hypot(at.x - to.x, at.y - to.y);
    if (!best || gap < best.gap) best = { at, gap };
  };
  line.forEach((from, i) => {
    take(from);
    const end = line[i + 1];
    if (!end) return;
    const [dx, dy] = [end.x - from.x, end.y - from.y];
    const square = dx * dx + dy * dy;
    if (square === 0) return;
    const t = Math.max(0, Math.min(1, ((to.x - from.x) * dx + (to.y - from.y) * dy) / square));
    take({ x: from.x + dx * t, y: from.y + dy * t });
  });
  return best?.at;
}

const where = (from: Point, at: Point) => {
  const gap = lengthOf([from, at]);
  return gap < 50 ? "right here" : `${inches(gap)} ${wind(bearingTo(from, at))}`;
};

/** What a charge may run at or halt at, the nearest first: areas, ways, obstacles and buildings that still stand. */
export function featuresFrom(map: MapView, from: Point, gone: readonly string[], most = 30_000): Named[] {
  const closed = (outline: Point[]) => [...outline, ...outline.slice(0, 1)];
  const all = [
    ...map.obstacles.map(({ id, name, kind, line }) => ({ id, name: name || words(kind), line })),
    ...map.ways.map(({ id, name, kind, line }) => ({ id, name: name || words(kind), line })),
    ...map.buildings.map(({ id, name, kind, outline }) => ({
      id,
      name: name || `${words(kind)} building`,
      line: closed(outline),
    })),
    ...map.areas.map(({ id, name, terrain, outline }) => ({
      id,
      name: name || words(terrain),
      line: closed(outline),
    })),
  ];
  return all
    .filter(({ id }) => !gone.includes(id))
    .flatMap(({ id, name, line }) => {
      const at = nearestOn(line, from);
      return at ? [{ id, name: `${name} · ${where(from, at)}`, gap: lengthOf([from, at]) }] : [];
    })
    .filter(({ gap }) => gap <= most)
    .sort((a, b) => a.gap - b.gap);
}

/** Chevaux-de-frise that a unit may march to and swing, the nearest first, with how they stand. OBS-23 */
export function swungFrom(map: MapView | undefined, view: View | null, from: Point | undefined): Named[] {
  if (!map || !view || !from) return [];
  const now = (id: string) => view.obstacles?.find((other) => other.id === id);
  const elements = map.obstacles.filter(({ id, kind }) => {
    // What is not as the map has it is among the destroyed, and what is left of it beside them.
    const left = now(id)?.lines.length ?? 0;
    const stands = left > 0 || !view.destroyed.includes(id);
    return kind === "chevaux_de_frise" && stands;
  });
  // They stand end to end: which is which its middle says.
  const obstacles = elements.map((one) => ({ ...one, line: [middle(one.line)] }));
  return featuresFrom({ ...map, obstacles, ways: [], buildings: [], areas: [] }, from, [], 20_000).map(
    ({ id, name }) => ({ id, name: `${name}, ${now(id)?.open ? "swung aside" : "shut"}` }),
  );
}

/** Units by name with how far they are and where, the nearest first. */
export function unitsFrom(units: readonly UnitView[], from: Point | undefined): Named[] {
  const listed = units.map((unit) => {
    const at = unit.stance?.anchor;
    return { unit, at, gap: from && at ? lengthOf([from, at]) : Infinity };
  });
  return listed
    .sort((a, b) => a.gap - b.gap)
    .map(({ unit, at }) => ({
      id: unit.id,
      name: from && at ? `${unit.name} · ${where(from, at)}` : unit.name,
    }));
}
