// A charge as it is played back: which beats belong to it, what each step is called, and the arrow on the map. It repeats what
// the server told, in its order.

import type { Event, Fact, Point, Sum, View } from "../protocol/types";
import { inches, type Effect } from "../map/overlay";
import type { Frame } from "./reel";

/** The phase in which charges are played. */
export const chargePhase = 6;

/** The charge to which a beat belongs. */
export interface Charge {
  point: string;
  supports: string[];
  target: string | null;
  /** The first and the last of its beats, counted from 1 as the playback does. */
  first: number;
  last: number;
}

const names: Partial<Record<Fact["type"], string>> = {
  charge_began: "Charge",
  charged: "Charged",
  volley_distance: "When it fires",
  volley: "Volley",
  losses: "Losses",
  morale_check: "Check",
  competence: "Competence",
  conditional_hold: "Gives up its order",
  formed: "Forms",
  countercharges: "Countercharge",
  moved: "Run",
  disorder: "Disorder",
  contact: "Contact",
  impact: "Dice down",
  melee_round: "Melee",
  melee_ended: "Melee over",
  fell_back: "Falls back",
  ran: "Routs",
  removed: "Gone",
  order_void: "Order lapses",
  morale_changed: "Morale",
  charge_ended: "Charge over",
  choice: "What was told",
  special: "Special rule",
  leader_hit: "Leader",
};

/** What a step of a charge is called. After it has won, the point runs on. */
export function stepName(frames: readonly Frame[], index: number): string | undefined {
  const frame = frames[index];
  if (frame?.beat.phase !== chargePhase) return undefined;
  if (frame.beat.kind === "march") return brokeThrough(frames, index) ? "Breakthrough" : "Run";
  const fact = frame.beat.events[0]?.fact;
  if (!fact) return undefined;
  if (fact.type === "melee_round") return `Melee, round ${fact.round}`;
  if (fact.type === "volley") {
    const charge = chargeAt(frames, index + 1);
    let recoiled = false;
    for (let at = charge?.first ?? index + 1; at <= index; at++) {
      const before = factOf(frames[at - 1]);
      if (before?.type === "impact") recoiled = before.result === "attacker_recoils";
    }
    if (recoiled) return "Volley after the recoil";
    const defends = charge && fact.target && [charge.point, ...charge.supports].includes(fact.target);
    return defends
      ? fact.firers.includes(charge.target ?? "")
        ? "Defensive volley"
        : "Fire at the charge"
      : "Volley";
  }
  return names[fact.type];
}

function factOf(frame: Frame | undefined): Fact | undefined {
  return frame?.beat.kind === "events" ? frame.beat.events[0]?.fact : undefined;
}

function brokeThrough(frames: readonly Frame[], index: number): boolean {
  for (let at = index - 1; at >= 0 && frames[at]?.beat.phase === chargePhase; at--) {
    const fact = factOf(frames[at]);
    if (fact?.type === "impact")
      return fact.result === "defender_thrown_back" || fact.result === "attacker_thrown_back";
    // A leg that meets somebody is the way to him, however far it came before.
    if (fact?.type === "charge_began" || fact?.type === "countercharges") return false;
  }
  return false;
}

/** The charges of a turn, in the order in which they are played. */
export function chargesOf(frames: readonly Frame[]): Charge[] {
  const charges: Charge[] = [];
  let running: Charge | undefined;
  frames.forEach((frame, i) => {
    if (frame.beat.phase !== chargePhase) return;
    const fact = factOf(frame);
    if (fact?.type === "charge_began") {
      const { unit, supports, target } = fact;
      running = { point: unit, supports, target, first: i + 1, last: i + 1 };
      charges.push(running);
    } else if (isGivenUp(frame)) running = undefined;
    else if (running) running.last = i + 1;
  });
  return charges;
}

/** A charge that finds nobody left when its turn has come: it is no step of the one before. CHG-13 */
function isGivenUp(frame: Frame): boolean {
  const event = frame.beat.kind === "events" ? frame.beat.events[0] : undefined;
  return event?.fact.type === "conditional_hold" && event.rule === "CHG-13";
}

/** The charge that is under way at a beat, counted from 1. */
export function chargeAt(frames: readonly Frame[], beat: number): Charge | undefined {
  return chargesOf(frames).find((charge) => charge.first <= beat && beat <= charge.last);
}

/** All whom the charge concerns up to a beat: its members, its target, whoever was charged, fired, came or was struck. */
export function concerned(frames: readonly Frame[], charge: Charge, beat: number): Set<string> {
  const units = new Set([charge.point, ...charge.supports, ...(charge.target ? [charge.target] : [])]);
  for (let at = charge.first; at <= beat; at++) {
    const fact = factOf(frames[at - 1]);
    if (fact?.type === "charged" || fact?.type === "countercharges") units.add(fact.unit);
    else if (fact?.type === "contact") units.add(fact.target);
    else if (fact?.type === "impact")
      for (const unit of [...fact.attacker_supports, fact.defender, ...fact.defender_supports])
        units.add(unit);
  }
  return units;
}

/** Whom the charge runs at, as far as it has been told by a beat. */
function opponent(frames: readonly Frame[], charge: Charge, beat: number): string | null {
  let found = charge.target;
  for (let at = charge.first; at <= beat; at++) {
    const fact = factOf(frames[at - 1]);
    if (fact?.type === "charged" || fact?.type === "countercharges") found = fact.unit;
    if (fact?.type === "contact") found = fact.target;
  }
  return found;
}

const middle = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, p) => sum + p.x, 0) / points.length,
  y: points.reduce((sum, p) => sum + p.y, 0) / points.length,
});

function placeOf(view: View, id: string | null): Point | undefined {
  const stance = view.units.find((unit) => unit.id === id)?.stance;
  return stance && stance.stands.length > 0 ? middle(stance.stands.flat()) : stance?.anchor;
}

/** The arrow from the point of the charge to whom it runs at, while they are apart and it is not over. */
export function arrowOf(frames: readonly Frame[], charge: Charge, beat: number, view: View): Effect[] {
  for (let at = charge.first; at <= beat; at++) {
    const type = factOf(frames[at - 1])?.type;
    if (type === "impact" || type === "melee_round" || type === "charge_ended") return [];
  }
  const point = view.units.find((unit) => unit.id === charge.point);
  const from = placeOf(view, charge.point);
  const to = placeOf(view, opponent(frames, charge, beat));
  return point && from && to ? [{ kind: "charge", path: [from, to], side: point.side }] : [];
}

/** A term of a sum in words: lengths in inches. */
export const termWords = (sum: Sum, index: number): string => {
  const term = sum.terms[index];
  if (!term) return "";
  const length = isLength(sum);
  const value = length ? inches(Math.abs(term.value)) : `${Math.abs(term.value)}`;
  const sign = term.value < 0 ? "−" : index > 0 ? "+" : "";
  return `${sign}${value} ${term.label.replace(/, thousandths of an inch$/, "")}`;
};

export const totalWords = (sum: Sum): string =>
  isLength(sum) ? inches(sum.total) : sum.total < 0 ? `−${-sum.total}` : `${sum.total}`;

const isLength = (sum: Sum) => sum.terms.some((term) => term.label.endsWith("thousandths of an inch"));

/** The sums behind a step, for its caption. */
export const sumsOf = (event: Event | undefined): Sum[] => event?.explanation.sums ?? [];
