// What is drawn over and under the troops for a state: orders, ghosts, radii, ranges, handles. Numbers are the server's.

import type {
  LeaderView,
  MoveOrder,
  Order,
  PicketView,
  Point,
  Side,
  Stance,
  UnitView,
  View,
} from "../protocol/types";
import { along, lengthOf } from "../map/geometry";
import {
  inches,
  type Bands,
  type Effect,
  type Handle,
  type OrderMark,
  type Overlay,
  type Ring,
} from "../map/overlay";
import type { PastWay } from "../map/pickets";
import { commandLinks } from "./asked";
import { followsInColumn } from "./column";
import { isAtDoor, orderFor, standing, turnPoints } from "./orders";
import { enteringMarks, enteringOf, enteringPath, refusalsOfEntering } from "./entering";
import { indexOf, toldPicket } from "./pickets";
import { recordOf } from "./record";
import type { State } from "./state";

type Shift = (unit: UnitView, point: Point) => Point;

function markOf(
  order: Order,
  unit: UnitView,
  view: View,
  shift: Shift,
  draft: boolean,
  refused: boolean,
): OrderMark | undefined {
  const stance = standing(unit);
  if (!stance) return undefined;
  const { anchor, facing } = stance;
  const mark = (kind: OrderMark["kind"], path: Point[]): OrderMark => ({
    side: unit.side,
    kind,
    path,
    facing,
    draft,
    refused,
  });
  switch (order.type) {
    case "move":
      return mark("move", [anchor, ...order.path.map((point) => shift(unit, point))]);
    case "charge": {
      const target = view.units.find((other) => other.id === order.target)?.stance?.anchor;
      const end = target ?? (order.bearing !== null ? along(anchor, order.bearing, 4000) : undefined);
      return mark("charge", end ? [anchor, end] : [anchor, along(anchor, facing, 2500)]);
    }
    case "disengage":
      return mark("disengage", [anchor]);
    default:
      return mark(order.type, [anchor]);
  }
}

/** The order that the reveal has shown. */
function shownMark(unit: UnitView, view: View): OrderMark | undefined {
  const shown = unit.shown;
  if (!shown || !unit.stance) return undefined;
  const { anchor, facing } = unit.stance;
  const mark = (kind: OrderMark["kind"], path: Point[]): OrderMark => ({
    side: unit.side,
    kind,
    path,
    facing,
    draft: false,
    refused: false,
  });
  switch (shown.type) {
    case "move":
      return mark("move", [anchor, along(anchor, shown.bearing, 2200)]);
    case "charge": {
      const target = view.units.find((other) => other.id === shown.target)?.stance?.anchor;
      return mark("charge", [anchor, target ?? along(anchor, facing, 2500)]);
    }
    default:
      return mark(shown.type, [anchor]);
  }
}

/** Of a charge the reveal says at whom; and a Conditional Hold has taken the place of an order. */
const isShownOtherwise = (unit: UnitView): boolean =>
  unit.shown?.type === "charge" || unit.shown?.type === "conditional_hold";

/** How a brigade's path applies to a member: the same displacement. */
function shiftOf(state: State, unit: UnitView): Shift {
  const group = unit.brigade ? state.draft.brigades[unit.brigade] : undefined;
  const from = group?.from;
  if (!from || state.draft.units[unit.id]?.order) return (_, point) => point;
  return (member, point) => {
    const anchor = member.stance?.anchor ?? from;
    return { x: anchor.x + point.x - from.x, y: anchor.y + point.y - from.y };
  };
}

/** Handles of the path being drawn: each waypoint, or the anchor while there is none. */
export function handlesOf(move: MoveOrder | undefined, anchor: Point | undefined): Handle[] {
  if (!move || !anchor) return [];
  if (move.path.length === 0) return [{ at: anchor, kind: "end", active: false }];
  return move.path.map((at, i) => ({
    at,
    kind: i === move.path.length - 1 ? "end" : "waypoint",
    active: false,
  }));
}

function ringsOf(leader: LeaderView): Ring[] {
  if (!leader.at) return [];
  const rings: Ring[] = [
    {
      at: leader.at,
      radius: leader.command_radius,
      label: `command ${inches(leader.command_radius)}`,
      kind: "command",
    },
  ];
  if (leader.benefit_radius > 0) {
    rings.push({
      at: leader.at,
      radius: leader.benefit_radius,
      label: `benefit ${inches(leader.benefit_radius)}`,
      kind: "benefit",
    });
  }
  return rings;
}

function bandsOf(unit: UnitView): Bands | undefined {
  if (!unit.own || !unit.stance) return undefined;
  const { anchor, facing, stands } = unit.stance;
  const angle = (facing / 100) * (Math.PI / 180);
  const across = stands
    .flatMap((stand) => [stand[0], stand[1]])
    .map((p) => (p.x - anchor.x) * Math.cos(angle) - (p.y - anchor.y) * Math.sin(angle));
  const [close, normal, long] = unit.own.ranges;
  return {
    left: along(anchor, facing + 9000, Math.min(0, ...across)),
    right: along(anchor, facing + 9000, Math.max(0, ...across)),
    facing,
    distances: [
      { length: close, label: `close ${inches(close)}` },
      { length: normal, label: `normal ${inches(normal)}` },
      { length: long, label: `long ${inches(long)}` },
    ].filter((band) => band.length > 0),
  };
}

/** The order of a picket: as drafted or sealed for its owner, as shown for others. HID-20 */
function picketMark(state: State, picket: PicketView, drafting: boolean): OrderMark | undefined {
  const { at, facing, side, own, shown } = picket;
  const mark = (kind: OrderMark["kind"], path: Point[], draft = false, refused = false): OrderMark => ({
    side,
    kind,
    path,
    facing,
    draft,
    refused,
    marker: picket.number,
  });
  const order = own ? (drafting ? state.draft.pickets?.[picket.number]?.order : own.order) : null;
  if (order && order.type !== "charge") {
    const refused = state.refusals.some(
      ({ subject, key }) => subject === `${picket.number}` && key === "order",
    );
    const draft = drafting && state.sealed === null;
    return mark(order.type, order.type === "move" ? [at, ...order.path] : [at], draft, refused);
  }
  if (!shown || (own && drafting)) return undefined;
  return shown.type === "move" ? mark("move", [at, along(at, shown.bearing, 2200)]) : mark(shown.type, [at]);
}

/** Own units that may come in this turn, where they will. SCN-11 */
function atTheDoor(view: View): { side: Side; stance: Stance }[] {
  return view.units.flatMap((unit) =>
    isAtDoor(unit) && unit.own?.at_door ? [{ side: unit.side, stance: unit.own.at_door }] : [],
  );
}

/** The place at which a unit is told to fire unseen, measured from it. VIS-12 */
export function unseenFire(state: State, unit: UnitView): Overlay["ruler"] {
  const fire = state.draft.units[unit.id]?.instructions.unseen_fire;
  const start = unit.stance?.anchor;
  const marker =
    fire?.type === "picket"
      ? state.view?.pickets.find((picket) => picket.number === fire.number)?.at
      : undefined;
  const aim = fire?.type === "point" ? fire.at : marker;
  if (!aim || !start) return undefined;
  return { points: [start, aim], label: `fire unseen · ${inches(lengthOf([start, aim]))}` };
}

/** By these a path of a picket is refused for its length. */
const tooLong = ["HID-22", "HID-23"];

export function overlayOf(state: State, view: View, effects: Effect[], phase?: number): Overlay {
  const { draft, selected, shown } = state;
  const playing = state.playback !== null;
  const orders: OrderMark[] = [];
  const drafting = !playing && state.status?.at.stage === "orders" && state.status.phase === "window";
  // While the marches are played, the ways walked stand for the orders.
  if (shown.orders && (phase === undefined || phase < 7)) {
    for (const unit of view.units) {
      if (unit.presence !== "table" && !isAtDoor(unit)) continue;
      // The arrow of a column is that of its lead.
      if (followsInColumn(unit) && !(drafting && draft.units[unit.id]?.order)) continue;
      const told = drafting && unit.own ? orderFor(draft, unit) : undefined;
      const refused = state.refusals.some(
        (refusal) => refusal.subject === unit.id && refusal.key === "order",
      );
      const mark = told
        ? markOf(told.order, unit, view, shiftOf(state, unit), state.sealed === null, refused)
        : unit.own && drafting
          ? undefined
          : unit.own?.order && !isShownOtherwise(unit)
            ? markOf(unit.own.order, unit, view, (_, point) => point, false, refused)
            : shownMark(unit, view);
      // A charge that is played has an arrow of its own; the others wait.
      if (mark && !(phase === 6 && mark.kind === "charge")) orders.push(mark);
    }
  }

  if (shown.orders && (phase === undefined || phase < 7))
    orders.push(...view.pickets.flatMap((picket) => picketMark(state, picket, drafting) ?? []));
  const coming = playing ? [] : enteringOf(state, view);
  if (shown.orders && !playing) orders.push(...enteringMarks(state, view));

  const unit = selected?.kind === "unit" ? view.units.find((other) => other.id === selected.id) : undefined;
  const leader =
    selected?.kind === "leader" ? view.leaders.find((other) => other.id === selected.id) : undefined;
  const marker =
    selected?.kind === "picket"
      ? [...view.pickets, ...coming].find((other) => other.number === selected.number)
      : undefined;
  const subject = unit?.id ?? (marker?.own ? `${marker.number}` : undefined);
  const preview = subject !== undefined && !playing ? state.previews[subject] : undefined;
  const rings = shown.radii && leader && !playing ? ringsOf(leader) : [];
  const bands = shown.ranges && unit && !state.drawing && !playing ? bandsOf(unit) : undefined;

  const path = pathInHand(state, view);
  const handles = state.drawing && path ? handlesOf({ path: path.points } as MoveOrder, path.start) : [];
  const length = path ? lengthOf([path.start, ...path.points]) : 0;
  const share = preview ? Math.round((preview.spent / turnPoints) * 100) : 0;
  // A picket's path is refused when it is too long, and never cut: then it is told by how much. HID-22, HID-23
  const reach = preview?.pieces.reduce((sum, piece) => sum + piece.length, 0) ?? 0;
  const short =
    marker && preview?.refusals.some(({ rule }) => tooLong.includes(rule)) ? length - reach : undefined;
  const entry = marker && indexOf(marker.number);
  const refusal = entry === undefined ? undefined : refusalsOfEntering(state, entry)[0];
  const cost = refusal
    ? ` · refused: ${refusal.rule}`
    : short !== undefined
      ? ` · too long by ${inches(Math.max(0, short))}`
      : preview
        ? ` · ${share} % of the turn`
        : "";
  // What comes in has no rate of its own here: its line is judged by the server.
  if (marker?.own && marker.own.open_rate > 0 && state.drawing && !playing)
    rings.push({
      at: marker.at,
      radius: marker.own.open_rate,
      label: `in open ground ${inches(marker.own.open_rate)}`,
      kind: "benefit",
    });
  const ruler =
    state.drawing && path && path.points.length > 0
      ? {
          points: [path.start, ...path.points],
          label: `${inches(length)}${cost}${haltWords(state, marker)}`,
          ...(short === undefined ? {} : { reach }),
          ...(marker ? { marker: true } : {}),
        }
      : unit && !playing
        ? unseenFire(state, unit)
        : undefined;

  const stances = preview?.end ? [preview.end, ...(preview.column ?? [])] : [];
  const side = unit?.side ?? marker?.side;
  const ends = side ? stances.map((stance) => ({ side, stance })) : [];

  return {
    orders: state.drawing
      ? orders.filter(
          (mark) =>
            !(unit && mark.path[0] === standing(unit)?.anchor) && (!marker || mark.marker !== marker.number),
        )
      : orders,
    ghosts: [...(playing ? [] : atTheDoor(view)), ...ends],
    entering: coming,
    past: marker && !playing ? pastWays(state, marker) : [],
    links: shown.radii && !playing && !state.drawing ? commandLinks(state) : [],
    rings,
    bands: bands ? [bands] : [],
    handles,
    ruler,
    effects,
  };
}

/** Where a picket that marches is told to halt. HID-81 */
function haltWords(state: State, marker: PicketView | undefined): string {
  const stop = marker && toldPicket(state.draft, marker.number).instructions.stop;
  if (stop?.type === "on_sight") return " · halts when seen";
  return stop?.type === "before" ? ` · halts ${inches(stop.distance)} before an enemy` : "";
}

/** The ways of a marker in the turns gone by, as all have seen them. HID-12 */
function pastWays(state: State, marker: PicketView): PastWay[] {
  const { walks } = recordOf(state.stages, state.view, marker.number, (id) => id);
  return walks.map(({ turn, line }) => ({ points: line, label: `turn ${turn}`, side: marker.side }));
}

/** The path that the selected unit, brigade or leader is being given. */
export function pathInHand(state: State, view: View): { start: Point; points: Point[] } | undefined {
  const { selected, draft } = state;
  if (selected?.kind === "unit") {
    const start = standing(view.units.find((unit) => unit.id === selected.id))?.anchor;
    const { order, instructions } = draft.units[selected.id] ?? {};
    // After the reveal a march may be bent: an answer, not an order.
    const answer = instructions?.path;
    if (start && answer?.type === "waypoints") return { start, points: answer.points };
    return start && order?.type === "move" ? { start, points: order.path } : undefined;
  }
  if (selected?.kind === "brigade") {
    const group = draft.brigades[selected.id];
    return group?.from && group.order?.type === "move"
      ? { start: group.from, points: group.order.path }
      : undefined;
  }
  if (selected?.kind === "leader") {
    const start = view.leaders.find((leader) => leader.id === selected.id)?.at;
    const ride = draft.leaders[selected.id]?.ride;
    return start && ride?.type === "path" ? { start, points: ride.points } : undefined;
  }
  if (selected?.kind === "picket") {
    const entering = enteringPath(state, selected.number);
    if (entering) return entering;
    const start = view.pickets.find((picket) => picket.number === selected.number)?.at;
    const told = draft.pickets?.[selected.number];
    const answer = told?.instructions.path;
    if (start && answer?.type === "waypoints") return { start, points: answer.points };
    return start && told?.order?.type === "move" ? { start, points: told.order.path } : undefined;
  }
  return undefined;
}
