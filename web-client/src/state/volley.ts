// A volley that is asked about: which one, and its odds in words and bars. The chances are the server's; here they are only
// put together for the eye.

import type { Fate, Odds, OddsLoss, UnitView } from "../protocol/types";
import { words } from "./orders";
import type { State } from "./state";

/** A volley of an own unit at an enemy, and what it would do, once the server has told. */
export interface Volley {
  firer: string;
  target: string;
  odds: Odds | null;
}

/** The volley that a selection asks about: of the own unit selected before, at the enemy selected now. */
export function volleyOf(state: State, selected: State["selected"]): Volley | null {
  const unit = (id: string | undefined): UnitView | undefined =>
    state.view?.units.find((other) => other.id === id && other.presence === "table");
  const before = state.selected?.kind === "unit" ? unit(state.selected.id) : undefined;
  const firer = isOwn(state, before) ? before : unit(state.volley?.firer);
  const target = selected?.kind === "unit" ? unit(selected.id) : undefined;
  if (!firer || !target || !isOwn(state, firer) || firer.side === target.side) return null;
  return { firer: firer.id, target: target.id, odds: null };
}

function isOwn(state: State, unit: UnitView | undefined): boolean {
  const viewer = state.view?.viewer;
  return viewer?.type === "seat" && unit?.own?.seat === viewer.seat;
}

/** A bar of the chart. */
export interface Bar {
  label: string;
  /** Of the highest bar, 0 to 1. */
  height: number;
  percent: string;
}

/** So many bars at most: heavier losses share the last. */
const mostBars = 8;

/** How likely each number of figures lost is; of guns each number of hits, whether on sections or on horses. */
export function bars(losses: OddsLoss[], most = mostBars): Bar[] {
  const chances = new Map<number, number>();
  const counted = (loss: OddsLoss) => loss.figures + loss.horses;
  const last = Math.max(0, ...losses.map(counted));
  const top = Math.min(last, most - 1);
  for (let lost = 0; lost <= top; lost += 1) chances.set(lost, 0);
  for (const loss of losses) {
    const lost = Math.min(counted(loss), top);
    chances.set(lost, (chances.get(lost) ?? 0) + loss.chance.millionths);
  }
  const highest = Math.max(1, ...chances.values());
  return [...chances].map(([lost, chance]) => ({
    label: lost === top && top < last ? `${lost}+` : `${lost}`,
    height: chance / highest,
    percent: percentWords(chance),
  }));
}

/** A chance in millionths as whole percent; 0 and 100 only where nothing else can be. */
export function percentWords(millionths: number): string {
  const percent = Math.round(millionths / 10_000);
  if (percent === 0 && 0 < millionths) return "<1 %";
  if (percent === 100 && millionths < 1_000_000) return ">99 %";
  return `${percent} %`;
}

const fates: Record<Fate, string> = {
  good: "good",
  shaken: "shaken",
  routed: "routed",
  picked_up: "picked up",
  destroyed: "nobody left",
};

/** What may become of the target, in one line: `good 96 % · shaken 2 % · routed 1 %`. */
export function fatesLine(odds: Odds): string {
  return odds.fates
    .map(({ fate, chance }) => `${fates[fate]} ${percentWords(chance.millionths)}`)
    .join(" · ");
}

/** How it would fire, in words. */
export function fireWords(odds: Odds): string {
  return odds.fire === "moving" ? "after moving" : `on ${words(odds.fire).toUpperCase()}`;
}
