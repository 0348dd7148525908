// The reveal as a list: what each unit was told, by side and brigade, as far as this seat may know it. The server's events
// say all of it; nothing is inferred from where units went later.

import type { OrderShown, Side, StageAt } from "../protocol/types";
import { capital, shownWords } from "./orders";
import { briefly, shownPicketWords } from "./pickets";
import { recordOf } from "./record";
import { stagesOfTurn } from "./reel";
import { picketsIn } from "./reveals";
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
/** A picket that showed more than that it holds. */
export interface OpenedPicket {
  number: number;
  /** What it hides, for its owner; empty for others. */
  truth: string;
  words: string;
  /** What it did since, in the same turn. */
  after: { words: string; strong: boolean }[];
}
export interface OpenedPickets {
  told: OpenedPicket[];
  /** Those that hold, and of which nothing else is to be told. */
  quiet: number[];
}
export interface Opened {
  /** Whose list stands first. */
  side: Side;
  own: OpenedBrigade[];
  enemy: OpenedBrigade[];
  pickets: { own: OpenedPickets; enemy: OpenedPickets };
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
    pickets: {
      own: openedPickets(state, at, side, nameOf),
      enemy: openedPickets(state, at, side === "union" ? "confederate" : "union", nameOf),
    },
  };
}

/** What the pickets of a side showed in a turn. HID-20, HID-77 */
function openedPickets(state: State, at: StageAt, side: Side, nameOf: (id: string) => string): OpenedPickets {
  const records = stagesOfTurn(state.stages, at);
  const seen = [...records.flatMap((record) => record.before?.pickets ?? []), ...(state.view?.pickets ?? [])];
  const facts = records.flatMap((record) => record.events.map((event) => event.fact));
  const about = new Set(facts.flatMap(picketsIn));
  const orders = new Map(
    facts.flatMap((fact) => (fact.type === "picket_ordered" ? [[fact.picket, fact.shown] as const] : [])),
  );
  const opened: OpenedPickets = { told: [], quiet: [] };
  for (const number of [...about].sort((a, b) => a - b)) {
    const picket = seen.find((other) => other.number === number);
    if (picket?.side !== side) continue;
    const shown = orders.get(number);
    const { lines } = recordOf(records, null, number, nameOf);
    const after = lines
      .filter((line) => !line.isOrder)
      .map(({ dice, words, strong }) => ({
        strong,
        // One by one they stand in the log, and with the marker.
        words: dice === undefined ? words : `${dice} ${dice === 1 ? "die" : "dice"} of sight.`,
      }));
    if (shown?.type === "hold" && after.length === 0) opened.quiet.push(number);
    else
      opened.told.push({
        number,
        truth: briefly(picket, nameOf),
        words: shown ? capital(shownPicketWords(shown)) : "",
        after,
      });
  }
  return opened;
}
