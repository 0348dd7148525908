// Postures in the client: a player's own, kept in this browser with his seats, and what of a turn's words is carried over to the
// next. TURN-08: a posture stays until it is changed or taken off; the keys beside it are its exceptions.

import type { Draft, Instructions, View } from "../protocol/types";
import { blankGroup, blankUnit, instructions } from "./orders";

/** A bundle of the player's own. */
export interface OwnPosture {
  name: string;
  instructions: Instructions;
}

const kept = "picket.postures";

/** Keys that speak of one turn alone, of one place or one enemy: they belong to no posture and are not carried over. */
const ofOneTurn = new Set<keyof Instructions>([
  "path",
  "conditional_hold",
  "ch_form",
  "role",
  "charge_bearing",
  "halt_at",
  "unseen_fire",
  "disengage_toward",
  "reform_facing",
]);

/** What of these keys stands beyond the turn. */
export function standingKeys(said: Instructions): Instructions {
  const lasting = Object.entries(said).filter(
    ([key, value]) => value !== null && value !== undefined && !ofOneTurn.has(key as keyof Instructions),
  );
  return instructions(Object.fromEntries(lasting));
}

const count = (said: Instructions) => Object.keys(said).length;

/** The player's own postures, by name. What is not one is passed over: the store is the browser's. */
export function readPostures(storage: Pick<Storage, "getItem">): OwnPosture[] {
  try {
    const read: unknown = JSON.parse(storage.getItem(kept) ?? "[]");
    if (!Array.isArray(read)) return [];
    return (read as Partial<OwnPosture>[])
      .filter(
        (one): one is OwnPosture => typeof one?.name === "string" && typeof one.instructions === "object",
      )
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch {
    return [];
  }
}

/** Keeps a bundle under a name; one of that name is replaced. */
export function withPosture(own: readonly OwnPosture[], name: string, said: Instructions): OwnPosture[] {
  const next = { name: name.trim().slice(0, 40), instructions: standingKeys(said) };
  const others = own.filter((other) => other.name !== next.name);
  return next.name && count(next.instructions) > 0 ? [...others, next] : [...others];
}

export function keepPostures(storage: Pick<Storage, "setItem">, own: readonly OwnPosture[]): void {
  storage.setItem(kept, JSON.stringify(own));
}

/** What a sealed draft leaves for the next turn: postures and lasting keys of units and brigades, no orders. */
export function lastingOf(draft: Draft): Draft {
  const lasting: Draft = { units: {}, brigades: {}, leaders: {}, deployment: {} };
  for (const [id, said] of Object.entries(draft.units)) {
    const keys = standingKeys(said.instructions);
    if (said.posture || count(keys) > 0)
      lasting.units[id] = { ...blankUnit, posture: said.posture, instructions: keys };
  }
  for (const [id, said] of Object.entries(draft.brigades)) {
    const keys = standingKeys(said.instructions);
    if (said.posture || count(keys) > 0)
      lasting.brigades[id] = { ...blankGroup, posture: said.posture, instructions: keys };
  }
  return lasting;
}

/** What is carried over into a new turn: of those that are still on the table or come to it. None: nothing is. */
export function carriedOver(lasting: Draft, view: View): Draft | undefined {
  const here = new Set(
    view.units
      .filter((unit) => unit.own && (unit.presence === "table" || unit.presence === "to_come"))
      .map((unit) => unit.id),
  );
  const units = Object.fromEntries(Object.entries(lasting.units).filter(([id]) => here.has(id)));
  const brigades = Object.fromEntries(
    Object.entries(lasting.brigades).filter(([id]) =>
      view.units.some((unit) => unit.brigade === id && here.has(unit.id)),
    ),
  );
  const any = Object.keys(units).length + Object.keys(brigades).length > 0;
  return any ? { units, brigades, leaders: {}, deployment: {} } : undefined;
}

/** Where a game's words are kept until its next turn. */
export const lastingKey = (game: string, seat: string) => `picket.standing.${game}.${seat}`;
