// The reveal as a list: what each unit was told, by side and brigade, as far as this seat may know it. The server's events
// say all of it; nothing is inferred from where units went later.

import type { OrderShown, Side, StageAt } from "../protocol/types";
import { shownWords } from "./orders";
import { stagesOfTurn } from "./reel";
import type { State } from "./state";

export interface OpenedUnit {
  id: string;
  name: string;
  kind: OrderShown["type"];
  words: string;
}
export interface OpenedBrigade {
  id: string;
  name: string;
  units: OpenedUnit[];
}
export interface Opened {
  /** Whose list stands first. */
  side: Side;
  own: OpenedBrigade[];
  enemy: OpenedBrigade[];
}

export function openedOrders(state: State, at: StageAt, nameOf: (id: string) => string): Opened {
  const side: Side = state.view && "side" in state.view.viewer ? state.view.viewer.side : "union";
  const shown = new Map<string, OrderShown>();
  const record = stagesOfTurn(state.stages, at).find((other) => other.at.stage === "orders");
  for (const { fact } of record?.events ?? []) {
    if (fact.type === "order_revealed") shown.set(fact.unit, fact.shown);
    // A unit that must hold from the reveal on.
    if (fact.type === "conditional_hold") shown.set(fact.unit, { type: "conditional_hold" });
  }
  const sides: Record<Side, OpenedBrigade[]> = { union: [], confederate: [] };
  for (const unit of record?.before?.units ?? state.view?.units ?? []) {
    const order = shown.get(unit.id);
    if (!order) continue;
    const brigades = sides[unit.side];
    const id = unit.brigade ?? "";
    let brigade = brigades.find((other) => other.id === id);
    if (!brigade) {
      const name = state.welcome?.card.brigades.find((other) => other.id === id)?.name ?? "Without a brigade";
      brigade = { id, name, units: [] };
      brigades.push(brigade);
    }
    brigade.units.push({ id: unit.id, name: unit.name, kind: order.type, words: shownWords(order, nameOf) });
  }
  // Guns and detachments of no brigade come after the brigades.
  for (const list of Object.values(sides)) list.sort((a, b) => Number(a.id === "") - Number(b.id === ""));
  return {
    side,
    own: sides[side],
    enemy: sides[side === "union" ? "confederate" : "union"],
  };
}
