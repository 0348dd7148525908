// Brigade columns in a draft and on the map: who is told to form one, and who stands in one. Whether they may, the server
// says. All regiments of a list must have the same order, so an edit of one of them is an edit of all.

import type { Draft, Order, UnitView } from "../protocol/types";

/** The regiments of an order to form a brigade column, from the head. */
export function columnListOf(order: Order | null | undefined): string[] | undefined {
  return order?.type === "form" && order.task.type === "brigade_column" ? order.task.regiments : undefined;
}

function columnOrder(regiments: string[]): Order {
  return { type: "form", task: { type: "brigade_column", regiments } };
}

const sameList = (a: string[] | undefined, b: string[]): boolean =>
  a !== undefined && a.length === b.length && a.every((id, i) => id === b[i]);

/**
 * What giving a unit this order changes: for each unit its new order, null for none. All on a list of a column get that order,
 * who is taken off it loses it, and when one of them is given another order the rest form without it.
 */
export function columnEdits(draft: Draft, unit: string, next: Order | null): Record<string, Order | null> {
  const before = columnListOf(draft.units[unit]?.order) ?? [];
  const after = columnListOf(next);
  // Of those told so before, the ones who were told nothing else since.
  const still = before.filter((id) => id !== unit && sameList(columnListOf(draft.units[id]?.order), before));
  const tookItselfOff = after !== undefined && !after.includes(unit);
  const left = after ?? before.filter((id) => still.includes(id));
  const order = left.length > 1 ? columnOrder(left) : null;
  const edits: Record<string, Order | null> = { [unit]: tookItselfOff ? null : next };
  for (const id of new Set([...still, ...left])) {
    if (id !== unit) edits[id] = left.includes(id) ? order : null;
  }
  return edits;
}

/** Whether a unit marches in a brigade column behind its lead. */
export const followsInColumn = (unit: UnitView): boolean =>
  unit.column !== undefined && unit.column[0] !== undefined && unit.column[0] !== unit.id;

/** The units that stand in a brigade column, each column from its head. */
export function columnsOf(units: readonly UnitView[]): UnitView[][] {
  const stands = (unit: UnitView | undefined): unit is UnitView =>
    unit?.presence === "table" && unit.stance?.formation === "brigade_column";
  return units
    .filter((unit) => unit.column?.[0] === unit.id)
    .map((lead) => (lead.column ?? []).map((id) => units.find((unit) => unit.id === id)).filter(stands))
    .filter((column) => column.length > 1);
}

/** The regiments that a unit may be named with in a column. */
export function comrades(units: readonly UnitView[], unit: UnitView): UnitView[] {
  return units.filter(
    (other) =>
      other.own !== null &&
      other.presence === "table" &&
      other.arm === "infantry" &&
      other.own.seat === unit.own?.seat &&
      other.brigade !== null &&
      other.brigade === unit.brigade,
  );
}
