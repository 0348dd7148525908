// How the selected unit stands: which one is asked about, and what the server told of it, put together for the eye. What
// counts, and how much, came from the server.

import { inches, type Link } from "../map/overlay";
import type { CommandLink, LeaderHelp, LevelStanding, Standing } from "../protocol/types";
import { signed } from "./facts";
import type { State } from "./state";
import { percentWords } from "./volley";

/** A unit whose standing is asked about, and what was told, once the server has. */
export interface Asked {
  unit: string;
  told: Standing | null;
}

/** What a selection asks about: a unit on the table, own or enemy. */
export function askedOf(view: State["view"], selected: State["selected"]): Asked | null {
  const unit =
    selected?.kind === "unit"
      ? view?.units.find((other) => other.id === selected.id && other.presence === "table")
      : undefined;
  return unit ? { unit: unit.id, told: null } : null;
}

/** The sum in one line: `must beat 4 · holds in 83 %`; of an enemy what can be seen of it. */
export function headline(told: Standing): string {
  const point = told.own ? `must beat ${told.point.total}` : `seen to beat ${told.point.total}`;
  return told.passes ? `${point} · holds in ${percentWords(told.passes.millionths)}` : point;
}

/** `6.9″` where the ground is open, `6.9″, weighs 8.9″ of 12.0″` where it is not. */
export function linkWords(link: CommandLink): string {
  const way = inches(link.distance);
  if (!link.reaches) return `${way}, weighs ${inches(link.weighed)}: too far for ${inches(link.radius)}`;
  return link.weighed === link.distance
    ? `${way} of ${inches(link.radius)}`
    : `${way}, weighs ${inches(link.weighed)} of ${inches(link.radius)}`;
}

/** From whom a link leads to whom. */
export function linkEnds(told: Standing, link: CommandLink, nameOf: (id: string) => string): string {
  const inner = link.friend ?? told.command?.leader;
  return `${nameOf(link.unit)} → ${inner ? nameOf(inner) : "its commander"}`;
}

/** What a leader can do for the unit, in one line. */
export function helpWords(told: Standing, help: LeaderHelp, nameOf: (id: string) => string): string {
  const others = help.order.filter((id) => id !== told.unit).map(nameOf);
  const places = `helps ${help.places === 1 ? "1 unit" : `${help.places} units`} in a phase`;
  const rivals = others.length > 0 ? `; near him too: ${others.join(", ")}` : "";
  const sure = help.helps ? "" : "; this one may have to wait";
  return `level ${help.level}, ${inches(help.distance)} of ${inches(help.radius)}, ${signed(help.morale)}; ${places}${sure}${rivals}`;
}

/** A bar of command points with its two marks, all as shares of the whole. */
export interface LevelBar {
  lost: number;
  marks: { at: number; label: string; reached: boolean }[];
  words: string;
}

/** What a formation has lost; nothing to draw for one of which only the level is known. */
export function levelBar(level: LevelStanding): LevelBar | null {
  const points = level.points;
  if (!points || points.total === 0) return null;
  const share = (value: number) => Math.min(1, value / points.total);
  const mark = (limit: number, label: string) => ({
    at: share(limit),
    label,
    reached: limit <= points.lost,
  });
  return {
    lost: share(points.lost),
    marks: [mark(points.limit_40, "40 %"), mark(points.limit_60, "60 %")],
    words: `${points.lost} of ${points.total} points lost; ${levelWords(points.lost, points.limit_40, points.limit_60)}`,
  };
}

function levelWords(lost: number, stops: number, withdraws: number): string {
  if (withdraws <= lost) return "must withdraw";
  if (stops <= lost) return `advances no more, withdraws at ${withdraws}`;
  return `advances no more at ${stops}`;
}

/** The links of command of the unit asked about, for the map. */
export function commandLinks(state: State): Link[] {
  const { asked, selected } = state;
  if (!asked?.told?.command || selected?.kind !== "unit" || selected.id !== asked.unit) return [];
  return asked.told.command.links.map((link) => ({
    from: link.from,
    to: link.to,
    label: link.reaches ? inches(link.distance) : `${inches(link.distance)}, too far`,
    reaches: link.reaches,
  }));
}
