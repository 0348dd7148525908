// What is selected, and what of the table is marked: derived from the state and the view that is shown, for map and panels alike.

import type { Emphasis } from "../map/units";
import type { BrigadeCard, LeaderView, Need, PicketView, UnitView, View } from "../protocol/types";
import { isDeploying } from "./deployment";
import { enteringOf } from "./entering";
import { unseenOf, type Unseen } from "./fog";
import { unitsOf } from "./needs";
import type { State } from "./state";

/** The one thing that is selected; all absent if it is nothing, or not to be seen. */
export interface Chosen {
  unit?: UnitView | undefined;
  leader?: LeaderView | undefined;
  brigade?: BrigadeCard | undefined;
  picket?: PicketView | undefined;
  /** An enemy out of sight. */
  unseen?: Unseen | undefined;
}

export function chosenOf(state: State, view: View | null): Chosen {
  const what = state.selected;
  switch (what?.kind) {
    case "unit": {
      const unit = view?.units.find((other) => other.id === what.id);
      if (unit) return { unit };
      return { unseen: unseenOf({ ...state, view }).find((other) => other.unit.unit === what.id) };
    }
    case "leader":
      return { leader: view?.leaders.find((other) => other.id === what.id) };
    case "brigade":
      return { brigade: state.welcome?.card.brigades.find((other) => other.id === what.id) };
    case "picket":
      return {
        picket: [...(view?.pickets ?? []), ...entering(state, view)].find(
          (other) => other.number === what.number,
        ),
      };
    case undefined:
      return {};
  }
}

/** While the draft is looked at, what comes in may be selected like what stands there. */
const entering = (state: State, view: View | null): PicketView[] =>
  view && !state.playback ? enteringOf(state, view) : [];

/** Units still without an order, once the server has told while orders are given. */
export function lackingOf(state: State): Set<string> {
  const told =
    !isDeploying(state) &&
    !state.playback &&
    !state.sealed &&
    state.status?.at.stage === "orders" &&
    state.checked;
  return new Set(told ? state.withoutOrder : []);
}

/** Whom the map lights up: whom the playback is about, else a need that was shown, else what is selected. */
export function emphasisOf(
  state: State,
  view: View | null,
  touched: Set<string>,
  lit: Need | undefined,
): Emphasis {
  return {
    units:
      touched.size > 0 ? touched : new Set(lit && !state.selected ? unitsOf(lit) : selectedIn(state, view)),
    leaders: new Set(state.selected?.kind === "leader" ? [state.selected.id] : []),
    pickets: new Set([
      ...(state.selected?.kind === "picket" ? [state.selected.number] : []),
      ...(view?.pickets.map((picket) => picket.number).filter((number) => touched.has(`picket ${number}`)) ??
        []),
    ]),
    without: lackingOf(state),
    refused: new Set(state.playback ? [] : state.refusals.map((refusal) => refusal.subject)),
  };
}

function selectedIn(state: State, view: View | null): string[] {
  const what = state.selected;
  if (what?.kind === "unit") return [what.id];
  if (what?.kind !== "brigade") return [];
  return view?.units.filter((unit) => unit.brigade === what.id).map((unit) => unit.id) ?? [];
}

/** Names by identifier. A brigade is often called by its commander's word, so it has a key of its own. */
export function namesOf(state: State): (id: string) => string {
  const names = new Map([
    ...(state.welcome?.card.roster?.map((named) => [named.unit, named.name] as const) ?? []),
    ...(state.welcome?.card.officers?.map((named) => [named.leader, named.name] as const) ?? []),
    ...(state.view?.units.map((unit) => [unit.id, unit.name] as const) ?? []),
    ...(state.view?.leaders.map((leader) => [leader.id, leader.name] as const) ?? []),
    ...(state.welcome?.card.brigades.map((brigade) => [`brigade ${brigade.id}`, brigade.name] as const) ??
      []),
  ]);
  return (id) => names.get(id) ?? id;
}

/** After the reveal the list of needs has the place of the orders. */
export const isReacting = (state: State): boolean =>
  state.status?.phase === "window" && state.status.at.turn > 0 && state.status.at.stage !== "orders";
