// What needs the player after the reveal: the server's list, read against the draft. Whom it lists, what may be answered and
// what would come of it is the server's; here an answer becomes keys of the draft.

import type { ChargeOdds, Instructions, Need, NeedAnswer } from "../protocol/types";
import { blankUnit, instructions } from "./orders";
import type { LocalMessage, State } from "./state";
import { percentWords } from "./volley";

type Keys = [string, unknown][];

/** The keys that an answer says, without those on which it is silent. */
function keysOf(said: Instructions): Keys {
  return Object.entries(said).filter(([, value]) => value !== null && value !== undefined);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What the draft says of a unit. */
const draftOf = (state: State, unit: string): Instructions =>
  state.draft.units[unit]?.instructions ?? instructions({});

/** The keys that any answer of a need uses. */
function keysOfAll(need: Need): Set<string> {
  return new Set(need.answers.flatMap((answer) => keysOf(answer.instructions).map(([key]) => key)));
}

/** The answer that the draft gives; none: nothing was said in this window. */
export function given(state: State, need: Need): NeedAnswer | undefined {
  const said = draftOf(state, need.unit) as unknown as Record<string, unknown>;
  return need.answers.find((answer) => {
    const keys = keysOf(answer.instructions);
    return keys.length > 0 && keys.every(([key, value]) => same(said[key] ?? null, value));
  });
}

/** The answer that holds: that of the draft, else the one in force. */
export const holding = (state: State, need: Need): NeedAnswer | undefined =>
  given(state, need) ?? need.answers.find((answer) => answer.in_force);

/** Whether something may be told at all. */
export const mayAnswer = (need: Need): boolean => keysOfAll(need).size > 0;

/** Whether it was answered: in this window, or in an earlier one of the turn. */
export const isAnswered = (state: State, need: Need): boolean =>
  given(state, need) !== undefined ||
  need.answers.some((answer) => answer.in_force && answer.source === "answer");

/** Those that may still be answered and are not. */
export const unanswered = (state: State): Need[] =>
  (state.needs?.needs ?? []).filter((need) => mayAnswer(need) && !isAnswered(state, need));

/** What an answer is for now: the player's, or what holds if he says nothing. */
export function stateWords(state: State, need: Need, answer: NeedAnswer): string {
  const said = given(state, need);
  if (said) return answer === said ? "your answer" : "";
  if (!answer.in_force) return "";
  if (answer.source === "answer") return "your answer of before";
  return answer.source === "standing" ? "as told with the orders" : "if you say nothing";
}

/** The change of the draft by which an answer is given; the one that is given already is taken back. */
export function answerWith(state: State, need: Need, answer: NeedAnswer): LocalMessage {
  const draft = state.draft.units[need.unit] ?? blankUnit;
  const taken = given(state, need) === answer;
  const mine = keysOfAll(need);
  const rest = keysOf(draft.instructions).filter(([key]) => !mine.has(key));
  const said = taken ? rest : [...rest, ...keysOf(answer.instructions)];
  const next = { ...draft, instructions: instructions(Object.fromEntries(said)) };
  const says = next.order !== null || next.posture !== null || said.length > 0;
  return { type: "edit_unit", unit: need.unit, draft: says ? next : null };
}

/** Whom a need is about, to be lit up: the unit first. */
export function unitsOf(need: Need): string[] {
  const { what } = need;
  switch (what.type) {
    case "charged":
      return [need.unit, what.by, ...what.supports];
    case "may_countercharge":
      return [need.unit, what.charger, what.target];
    case "flank_exposed":
      return [need.unit, what.to];
    case "shot_missed":
      return [need.unit, what.target];
  }
}

/** A word for the kind of a need. */
export const kindWords: Record<Need["what"]["type"], string> = {
  charged: "Charged",
  may_countercharge: "May countercharge",
  flank_exposed: "Flank open",
  shot_missed: "Will not fire",
};

/** One share of the bar of an answer. */
export interface Share {
  key: "falls_short" | "halted" | "beaten_off" | "melee" | "thrown_back";
  label: string;
  millionths: number;
  percent: string;
}

/** What may come of a charge, good ends first, impossible ones left out. */
export function shares(odds: ChargeOdds): Share[] {
  const all: [Share["key"], string][] = [
    ["falls_short", "does not come so far"],
    ["halted", "halted by its fire"],
    ["beaten_off", "beaten off"],
    ["melee", "melee"],
    ["thrown_back", "thrown back"],
  ];
  return all
    .map(([key, label]) => {
      const { millionths } = odds[key];
      return { key, label, millionths, percent: percentWords(millionths) };
    })
    .filter((share) => share.millionths > 0);
}

/** How likely the unit keeps its place. */
export function keepsItsPlace(odds: ChargeOdds): string {
  return percentWords(odds.falls_short.millionths + odds.halted.millionths + odds.beaten_off.millionths);
}

/** How the unit would stand if it is thrown back, in one line. */
export function fatesWords(odds: ChargeOdds): string {
  const names = { good: "good", shaken: "shaken", routed: "routed", picked_up: "lost", destroyed: "lost" };
  return odds.fates.map((fate) => `${names[fate.fate]} ${percentWords(fate.chance.millionths)}`).join(", ");
}
