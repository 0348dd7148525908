// Pickets as a player handles them: what begins under them, what they are told, and what they are in words. What is legal the
// server says, and what an enemy's picket hides nobody says.

import type {
  Bearing,
  BrigadeCard,
  Draft,
  Hiding,
  Hides,
  Instructions,
  LeaderView,
  Order,
  PicketOrder,
  PicketView,
  Placement,
  PlanShape,
  Point,
  Stage,
  UnitDraft,
  UnitView,
  View,
} from "../protocol/types";
import { middle, toGrid } from "../map/geometry";
import { blankMove, blankUnit, orderWords, wind, words } from "./orders";
import type { LocalMessage, State } from "./state";

type Kind = Order["type"];

/** The orders that a picket may carry, dummy or not. HID-17, HID-19 */
export const picketKinds: { kind: Kind; name: string; sentence: string }[] = [
  { kind: "hold", name: "Hold", sentence: "Stay. What a picket does that is told nothing." },
  {
    kind: "first_fire",
    name: "First fire",
    sentence: "What it hides opens fire at any target, and is revealed by it.",
  },
  { kind: "move", name: "Move", sentence: "Go along a path, at one pace for the whole turn." },
  {
    kind: "form",
    name: "Form",
    sentence: "Turn, change formation or work; the enemy is shown Form and no more.",
  },
  {
    kind: "disengage",
    name: "Disengage",
    sentence: "Go directly away from the nearest enemy, as far as you say.",
  },
];

export const hidingOf = (draft: Draft): Hiding[] => draft.hiding ?? [];

/** The draft with these pickets: who is under one has no place of his own beside it. HID-01 */
export function withHiding(draft: Draft, hiding: Hiding[]): Draft {
  const units = new Set(hiding.flatMap(unitsOf));
  const riders = new Set(hiding.flatMap((one) => one.leaders ?? []));
  const deployment = Object.entries(draft.deployment).filter(([unit]) => !units.has(unit));
  const leaders = Object.entries(draft.leaders).filter(
    ([leader, { place }]) => !place || !riders.has(leader),
  );
  return {
    ...draft,
    hiding,
    deployment: Object.fromEntries(deployment),
    leaders: Object.fromEntries(leaders),
  };
}

/** What begins under pickets, said anew. */
const saidHiding = (hiding: Hiding[]): LocalMessage => ({ type: "edit_hiding", hiding });

/** The place in the list of what hides a unit by itself; -1: nothing. */
export function indexOfUnit(draft: Draft, unit: string): number {
  return hidingOf(draft).findIndex((one) => one.hides.type === "unit" && one.hides.unit === unit);
}

/** Puts a unit under a picket of its own where it stands now. HID-01 */
export function hideUnit(draft: Draft, unit: string, place: Placement): LocalMessage {
  const hides: Hides = { type: "unit", unit, formation: place.formation, gap: place.gap };
  return saidHiding([...hidingOf(draft), { at: place.anchor, facing: place.facing, hides }]);
}

/** So many regiments and more begin in two lines: abreast they would hardly find room. */
const inTwoLines = 4;

/** Puts a whole brigade under one picket, in the middle of where its units stand, as their first one faces. HID-07, HID-10 */
export function hideBrigade(
  draft: Draft,
  brigade: BrigadeCard,
  places: readonly Placement[],
  units: string[],
): LocalMessage | undefined {
  const [first] = places;
  if (!first) return undefined;
  const rest = hidingOf(draft).filter((one) => !unitsOf(one).some((unit) => units.includes(unit)));
  const shape: PlanShape =
    units.length < inTwoLines
      ? { type: "abreast" }
      : { type: "two_lines", first: Math.ceil(units.length / 2) };
  const plan = { order: units, shape, gap: 0 };
  const hides: Hides = { type: "brigade", brigade: brigade.id, formation: first.formation, plan };
  const at = toGrid(middle(places.map((place) => place.anchor)));
  return saidHiding([...rest, { at, facing: first.facing, hides }]);
}

/** Adds a picket that hides nothing. HID-06 */
export function addDummy(draft: Draft, at: Point, facing: Bearing): LocalMessage {
  return saidHiding([...hidingOf(draft), { at, facing, hides: { type: "dummy" } }]);
}

/** Changes one of them. */
export function editHiding(draft: Draft, index: number, change: Partial<Hiding>): LocalMessage {
  return saidHiding(hidingOf(draft).map((one, n) => (n === index ? { ...one, ...change } : one)));
}

/** Takes one of them away: what it hid begins in the open, as placed or as printed. */
export function dropHiding(draft: Draft, index: number): LocalMessage {
  return saidHiding(hidingOf(draft).filter((_, n) => n !== index));
}

export const dummiesOf = (draft: Draft): number =>
  hidingOf(draft).filter(({ hides }) => hides.type === "dummy").length;

/** The number by which a picket that is being set up goes here; the server draws the true ones. HID-02 */
export const provisional = (index: number): number => -(index + 1);
export const indexOf = (number: number): number | undefined => (number < 0 ? -number - 1 : undefined);

/** A picket that is being set up, as it is drawn. */
export function provisionalView(view: View, one: Hiding, index: number): PicketView {
  const side = view.viewer.type === "seat" || view.viewer.type === "side" ? view.viewer.side : "union";
  const { at, facing, hides } = one;
  return {
    number: provisional(index),
    side,
    at,
    facing,
    confirmed: null,
    shown: null,
    travelled: [],
    commitment: "",
    own: {
      seat: "",
      hides,
      units: hides.type === "unit" ? [hides.unit] : hides.type === "brigade" ? hides.plan.order : [],
      leaders: one.leaders ?? [],
      order: null,
      instructions: blankUnit.instructions,
      limits: [],
      open_rate: 0,
    },
  };
}

/** What an own picket hides, in words. */
export function truth(picket: PicketView, nameOf: (id: string) => string): string {
  const hides = picket.own?.hides;
  switch (hides?.type) {
    case "dummy":
      return "nothing: a dummy";
    case "unit":
      return nameOf(hides.unit);
    case "brigade":
      return `${nameOf(`brigade ${hides.brigade}`)}, ${picket.own?.units.length ?? 0} units`;
    case undefined:
      return "";
  }
}

/** The same in a list. */
export const briefly = (picket: PicketView, nameOf: (id: string) => string): string =>
  picket.own?.hides.type === "dummy" ? "dummy" : truth(picket, nameOf);

/** The order that was shown of a picket. */
export function shownPicketWords(shown: PicketOrder): string {
  return shown.type === "move" ? `moves, first to the ${wind(shown.bearing)}` : words(shown.type);
}

/** What a picket is told in the draft. */
export const toldPicket = (draft: Draft, number: number): UnitDraft => draft.pickets?.[number] ?? blankUnit;

/** The message that tells it something else; nothing said takes it out of the draft. */
export function tellPicket(number: number, next: UnitDraft): LocalMessage {
  const says = next.order || next.posture || Object.keys(next.instructions).length > 0;
  return { type: "edit_picket", picket: number, draft: says ? next : null };
}

/** A first order of a kind. */
export function blankPicketOrder(kind: Kind, picket: PicketView): Order | null {
  switch (kind) {
    case "hold":
      return { type: "hold", task: null };
    case "first_fire":
      return { type: "first_fire" };
    case "move":
      return { type: "move", ...blankMove };
    case "form":
      return { type: "form", task: { type: "face", facing: picket.facing } };
    case "disengage":
      return { type: "disengage", abandon_guns: false };
    default:
      return null;
  }
}

/** An order and the distance of a disengagement, in words. */
export function picketOrderWords(order: Order, instructions: Instructions): string {
  if (order.type === "disengage" && instructions.disengage_travel)
    return `disengage, ${(instructions.disengage_travel / 1000).toFixed(1)}″`;
  return orderWords(order);
}

/** Own pickets that are told nothing in the orders window. */
export function silentPickets(state: State): PicketView[] {
  return (
    state.view?.pickets.filter((picket) => picket.own && !state.draft.pickets?.[picket.number]?.order) ?? []
  );
}

/** The enemy's pickets, by number: what a unit may be told to fire at unseen. HID-56 */
export function enemyMarkers(state: State): number[] {
  const viewer = state.view?.viewer;
  const side = viewer && "side" in viewer ? viewer.side : undefined;
  return state.view?.pickets.filter((picket) => picket.side !== side).map((picket) => picket.number) ?? [];
}

/** The order of which the server is asked what it would do for a picket: as drafted, or as revealed and bent since. HID-83 */
export function foreseeablePicket(
  state: { draft: Draft; status: { at: { stage: Stage } } | null },
  picket: PicketView,
): Order | undefined {
  const told = toldPicket(state.draft, picket.number);
  if (state.status?.at.stage === "orders")
    return told.order && ["move", "form", "disengage"].includes(told.order.type) ? told.order : undefined;
  const order = picket.own?.order;
  const answer = told.instructions.path;
  if (order?.type !== "move" || answer?.type !== "waypoints") return undefined;
  return { ...order, path: answer.points, push: order.push && !answer.no_push };
}

/** What a picket that is being set up hides, as a list has it. */
export function hidingName({ hides }: Hiding, nameOf: (id: string) => string): string {
  if (hides.type === "dummy") return "Dummy";
  return nameOf(hides.type === "unit" ? hides.unit : `brigade ${hides.brigade}`);
}

const unitsOf = ({ hides }: Hiding): string[] =>
  hides.type === "unit" ? [hides.unit] : hides.type === "brigade" ? hides.plan.order : [];

/** The place in the list of what hides a unit, by itself or with its brigade; -1: nothing. */
export const indexOfHidden = (draft: Draft, unit: string): number =>
  hidingOf(draft).findIndex((one) => unitsOf(one).includes(unit));

/** The units that are under pickets. */
export const hiddenUnits = (draft: Draft): string[] => hidingOf(draft).flatMap(unitsOf);

/** How many they are. */
export const unitsHidden = (draft: Draft): number => hiddenUnits(draft).length;

/** One's own leaders who may be of the command of what a picket hides; which of them may ride there the server says. HID-11 */
export function ridersFor(state: State, one: Hiding): LeaderView[] {
  const unit = state.view?.units.find((other) => unitsOf(one).includes(other.id));
  const viewer = state.view?.viewer;
  if (!unit || viewer?.type !== "seat") return [];
  const placing = state.view?.deployment !== undefined;
  const leaders = state.view?.leaders ?? [];
  // From its commander up.
  const chain: LeaderView[] = [];
  let next = leaders.find((leader) => leader.brigade === unit.brigade && leader.brigade !== null);
  while (next && !chain.includes(next)) {
    chain.push(next);
    const above = next.superior;
    next = leaders.find((leader) => leader.id === above);
  }
  return chain.filter((leader) => leader.seat === viewer.seat && (leader.presence === "to_come") !== placing);
}

/** Puts a leader under a picket, and from under any other, or lets him out. HID-11 */
export function rideUnder(draft: Draft, index: number, leader: string, rides: boolean): LocalMessage {
  return saidHiding(
    hidingOf(draft).map((one, n) => {
      const others = (one.leaders ?? []).filter((other) => other !== leader);
      return { ...one, leaders: n === index && rides ? [...others, leader] : others };
    }),
  );
}

/** Has a unit that stands at the door come in under a picket of its own. HID-67 */
export function enterHidden(draft: Draft, unit: UnitView): LocalMessage | undefined {
  const door = unit.own?.at_door;
  if (!door) return undefined;
  const hides: Hides = { type: "unit", unit: unit.id, formation: door.formation, gap: null };
  return saidHiding([...hidingOf(draft), { at: door.anchor, facing: door.facing, hides }]);
}

/** Has all of a brigade that stand at the door come in under one picket, in depth, the first of them at its point. HID-07, HID-10 */
export function enterAsBrigade(draft: Draft, units: readonly UnitView[]): LocalMessage | undefined {
  const [first] = units;
  const door = first?.own?.at_door;
  if (!first?.brigade || !door) return undefined;
  const order = units.map((unit) => unit.id);
  const plan = { order, shape: { type: "in_depth" as const }, gap: 0 };
  const hides: Hides = { type: "brigade", brigade: first.brigade, formation: door.formation, plan };
  const rest = hidingOf(draft).filter((one) => !unitsOf(one).some((unit) => order.includes(unit)));
  return saidHiding([...rest, { at: door.anchor, facing: door.facing, hides }]);
}
