// Builds and reads orders for the panels: blank values, words, arrows. What is legal, and what it costs, the server says.

import type {
  FormTask,
  Draft,
  GroupDraft,
  Instructions,
  LeaderDraft,
  MoveOrder,
  Order,
  OrderShown,
  Stage,
  Stance,
  UnitDraft,
  UnitView,
} from "../protocol/types";

import { followsInColumn } from "./column";

type Kind = Order["type"];

export const orderKinds: { kind: Kind; name: string; short: string; sentence: string }[] = [
  {
    kind: "hold",
    name: "Hold",
    short: "H",
    sentence: "Stay and react. What a unit does that is told nothing.",
  },
  { kind: "first_fire", name: "First fire", short: "FF", sentence: "Shoot before anything moves." },
  { kind: "move", name: "Move", short: "M", sentence: "March along a path." },
  {
    kind: "form",
    name: "Form",
    short: "F",
    sentence: "Change formation, limber, mount or dismount, or work.",
  },
  { kind: "charge", name: "Charge", short: "C", sentence: "Attack an enemy." },
  { kind: "disengage", name: "Disengage", short: "D", sentence: "Break away from the enemy." },
];

/** Of a unit that stands at the door. SCN-11 */
export const doorKinds: typeof orderKinds = [
  { kind: "hold", name: "Wait", short: "H", sentence: "Wait off the table until next turn." },
  { kind: "move", name: "Move", short: "M", sentence: "Come in and march along a path." },
];

/** Whether a unit is off the table and may come in this turn. SCN-11 */
export const isAtDoor = (unit: UnitView): boolean =>
  unit.presence === "to_come" && (unit.own?.at_door ?? null) !== null;

/** How a unit stands, or will come in this turn. */
export const standing = (unit: UnitView | undefined): Stance | null =>
  unit?.stance ?? unit?.own?.at_door ?? null;

/** Whether horse is in the saddle; nobody else is. CAV-13 */
export const inTheSaddle = (unit: UnitView): boolean => unit.arm === "cavalry" && unit.mounted !== false;

export const blankMove: MoveOrder = {
  path: [],
  form_first: null,
  form_last: null,
  wheel: null,
  about_face: false,
  backing: false,
  push: false,
  prone: null,
  prolonge: false,
};

/** What a unit most likely forms: guns go into or out of action, everybody else into line, or out of it. */
function likelyTask(unit: UnitView | undefined): FormTask {
  const formation = standing(unit)?.formation;
  if (unit?.arm === "artillery")
    return formation === "limbered" ? { type: "unlimber", facing: null } : { type: "limber", facing: null };
  if (unit?.arm === "cavalry" && !inTheSaddle(unit))
    return formation === "dismounted_line" && !unit.stance?.disorder
      ? { type: "mount", formation: "single_line" }
      : { type: "formation", formation: "dismounted_line", facing: null, pivot: null, gap: null };
  const inLine = formation === "single_line" && !unit?.stance?.disorder;
  return {
    type: "formation",
    formation: inLine ? "double_line" : "single_line",
    facing: null,
    pivot: null,
    gap: null,
  };
}

/** An order of a kind with nothing filled in yet, for a unit, or for the units of a brigade. */
export function blankOrder(kind: Kind, unit?: UnitView): Order {
  switch (kind) {
    case "first_fire":
      return { type: "first_fire" };
    case "hold":
      return { type: "hold", task: null };
    case "disengage":
      return { type: "disengage", abandon_guns: false };
    case "charge":
      return { type: "charge", target: null, bearing: null, objective: null, support_of: null };
    case "move":
      return { type: "move", ...blankMove };
    case "form":
      return { type: "form", task: likelyTask(unit) };
    case "special":
      return { type: "special", text: "" };
  }
}

/** Instructions with these keys; the wire takes absent keys for silence. */
export function instructions(keys: Partial<Instructions>): Instructions {
  return keys as Instructions;
}

export const blankUnit: UnitDraft = { order: null, posture: null, instructions: instructions({}) };
export const blankGroup: GroupDraft = {
  order: null,
  from: null,
  posture: null,
  instructions: instructions({}),
};
export const blankLeader: LeaderDraft = {
  ride: null,
  with_routed: null,
  if_unit_routs: null,
  if_unit_falls_back: null,
  help: null,
  take_over: null,
  lead: null,
  go_in_with: null,
};

/** What a unit is told: its own order, else that of the lead of its column, else its brigade's. */
export function orderFor(
  draft: Draft,
  unit: UnitView,
): { order: Order; from: "unit" | "column" | "brigade" } | undefined {
  const own = draft.units[unit.id]?.order;
  if (own) return { order: own, from: "unit" };
  if (isAtDoor(unit)) return undefined;
  const group = unit.brigade ? draft.brigades[unit.brigade]?.order : null;
  if (followsInColumn(unit)) {
    const lead = draft.units[unit.column?.[0] ?? ""]?.order ?? group;
    return lead ? { order: lead, from: "column" } : undefined;
  }
  return group ? { order: group, from: "brigade" } : undefined;
}

/** The order of which the server is asked what it would do: as drafted, or as revealed and bent since. MV-31 */
export function foreseeable(
  state: { draft: Draft; status: { at: { stage: Stage } } | null },
  unit: UnitView,
): Order | undefined {
  if (state.status?.at.stage === "orders") {
    const told = orderFor(state.draft, unit);
    // What becomes of a column is foreseen for its lead.
    if (!told || told.from === "column") return undefined;
    return ["move", "form", "charge"].includes(told.order.type) ? told.order : undefined;
  }
  const order = unit.own?.order;
  const answer = state.draft.units[unit.id]?.instructions.path;
  if (order?.type !== "move" || answer?.type !== "waypoints" || followsInColumn(unit)) return undefined;
  return { ...order, path: answer.points, push: order.push && !answer.no_push };
}

/** A word of the wire as a player reads it. */
export function words(wire: string): string {
  return wire.replaceAll("_", " ");
}

/** A change of formation, mounting, limbering, or work, as a player reads it. */
function taskWords(task: FormTask): string {
  switch (task.type) {
    case "formation":
      return `form ${words(task.formation)}`;
    case "mount":
    case "dismount":
      return `${task.type}, in ${words(task.formation)}`;
    case "work":
      return `form: ${words(task.work)}`;
    case "swing":
      return "swing chevaux-de-frise";
    default:
      return `form: ${words(task.type)}`;
  }
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function orderWords(order: Order): string {
  switch (order.type) {
    case "move": {
      const legs = order.path.length;
      const walks = legs > 0 ? [`${legs} ${legs === 1 ? "leg" : "legs"}`] : [];
      const first = order.form_first ? [`first ${taskWords(order.form_first)}`] : [];
      const last = order.form_last ? [`then ${taskWords(order.form_last)}`] : [];
      const loose = order.in_disorder ? ["in disorder"] : [];
      return ["Move", ...loose, ...first, ...walks, ...last].join(", ");
    }
    case "form":
      return capital(taskWords(order.task));
    case "special":
      return "Special";
    default:
      return orderKinds.find((entry) => entry.kind === order.type)?.name ?? words(order.type);
  }
}

const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** A bearing as a wind, for reading. */
export function wind(bearing: number): string {
  return winds[Math.round(bearing / 4500) % 8] as string;
}

/** What the reveal shows of an order. */
export function shownWords(shown: OrderShown, nameOf: (id: string) => string): string {
  switch (shown.type) {
    case "move":
      return `Move to the ${wind(shown.bearing)}${shown.formation ? `, ${words(shown.formation)}` : ""}`;
    case "form":
      return shown.work
        ? `Form: ${shown.work}`
        : `Form${shown.formation ? ` ${words(shown.formation)}` : ""}`;
    case "charge":
      return `Charge${shown.target ? ` at ${nameOf(shown.target)}` : ""}${shown.support_of ? ` in support of ${nameOf(shown.support_of)}` : ""}`;
    default:
      return capital(words(shown.type));
  }
}

/** What a turn's movement is worth, in the wire's points (see `Preview`). */
export const turnPoints = 5_040_000;
