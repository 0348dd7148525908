// Before turn 1, in a game that lets its players place their units: what is drawn, dragged and said. Where a unit may stand
// is the server's answer; here a unit is only moved and turned as a whole.

import { along, bearingTo, inside, toGrid } from "../map/geometry";
import type { Hit } from "../map/hit";
import { nothing, type Overlay } from "../map/overlay";
import type { Draft, Formation, Placement, Point, Refusal, Stance, View } from "../protocol/types";
import { blankLeader } from "./orders";
import {
  beginsHidden,
  dropHiding,
  editHiding,
  hidingOf,
  indexOf,
  indexOfHidden,
  indexOfUnit,
  provisional,
  provisionalView,
} from "./pickets";
import type { LocalMessage, Selection, State } from "./state";

/** What can be placed. */
export type Piece =
  | { kind: "unit" | "leader"; id: string }
  /** A picket that is being set up, by its place in the list. HID-05 */
  | { kind: "marker"; id: string };

/** Whether the game stands before turn 1. */
export function isDeploying(state: State): boolean {
  return state.status?.at.turn === 0 && state.view?.deployment !== undefined;
}

/** Whether pieces can be moved now. */
export function mayPlace(state: State): boolean {
  return isDeploying(state) && state.status?.phase === "window" && state.sealed === null && !state.sealing;
}

const placeable = (view: View | null, id: string) =>
  view?.deployment?.units.find((other) => other.unit === id);

/** How a unit stands as printed. */
export function printedStance(view: View | null, id: string): Stance | undefined {
  return placeable(view, id)?.stances[0];
}

/** The formations in which a unit may begin, its printed one first. */
export function formationsOf(view: View | null, id: string): Formation[] {
  return placeable(view, id)?.stances.map((stance) => stance.formation) ?? [];
}

/** Where a unit stands: as placed, else as printed. */
export function placementOf(view: View | null, draft: Draft, id: string): Placement | undefined {
  const hidden = hidingOf(draft)[indexOfUnit(draft, id)];
  if (hidden?.hides.type === "unit")
    return {
      anchor: hidden.at,
      facing: hidden.facing,
      formation: hidden.hides.formation,
      gap: hidden.hides.gap,
    };
  const placed = draft.deployment[id];
  if (placed) return placed;
  const printed = printedStance(view, id);
  return (
    printed && { anchor: printed.anchor, facing: printed.facing, formation: printed.formation, gap: null }
  );
}

/** A stance moved and turned as a whole, so that its anchor and facing are these. */
export function shifted(stance: Stance, anchor: Point, facing: number): Stance {
  const angle = ((facing - stance.facing) / 100) * (Math.PI / 180);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turn = (point: Point): Point => {
    const [x, y] = [point.x - stance.anchor.x, point.y - stance.anchor.y];
    return { x: anchor.x + x * cos + y * sin, y: anchor.y - x * sin + y * cos };
  };
  const stands = stance.stands.map((stand) => stand.map(turn) as Stance["stands"][number]);
  return { ...stance, anchor, facing, stands };
}

/** How a unit would stand so; nothing for a formation that it may not choose. */
export function stanceAt(view: View | null, id: string, place: Placement): Stance | undefined {
  const stance = placeable(view, id)?.stances.find((other) => other.formation === place.formation);
  return stance && shifted(stance, place.anchor, place.facing);
}

/** The view with the own units and leaders where the draft has them. */
export function deployedView(view: View, draft: Draft): View {
  const units = view.units.map((unit) => {
    const hidden = beginsHidden(draft, unit.id, unit.brigade);
    const place = hidden ? placementOf(view, draft, unit.id) : draft.deployment[unit.id];
    const stance = place && stanceAt(view, unit.id, place);
    // Of a brigade on one picket the marker alone is drawn.
    if (hidden) {
      const alone = indexOfUnit(draft, unit.id) >= 0;
      return { ...unit, presence: "hidden" as const, stance: alone ? (stance ?? unit.stance) : null };
    }
    return stance ? { ...unit, stance } : unit;
  });
  const riding = new Set(hidingOf(draft).flatMap((one) => one.leaders ?? []));
  const leaders = view.leaders.map((leader) => {
    // He is where his marker is, and secret with it.
    if (riding.has(leader.id)) return { ...leader, presence: "hidden" as const };
    const at = draft.leaders[leader.id]?.place;
    if (!at || !leader.at || !leader.corners) return leader;
    const [dx, dy] = [at.x - leader.at.x, at.y - leader.at.y];
    const corners = leader.corners.map(({ x, y }) => ({ x: x + dx, y: y + dy })) as typeof leader.corners;
    return { ...leader, at, corners };
  });
  const pickets = hidingOf(draft).map((one, index) => provisionalView(view, one, index));
  return { ...view, units, leaders, pickets };
}

/** What may be placed of what is selected or pointed at. */
export function pieceOf(view: View | null, what: Selection | Hit | null): Piece | undefined {
  const deployment = view?.deployment;
  if (what?.kind === "unit" && deployment?.units.some((other) => other.unit === what.id)) return what;
  if (what?.kind === "leader" && deployment?.leaders.includes(what.id)) return what;
  const index = what?.kind === "picket" && deployment?.hiding ? indexOf(what.number) : undefined;
  return index === undefined ? undefined : { kind: "marker", id: `${index}` };
}

/** A piece as it is selected. */
export function selectionOf(piece: Piece): Selection {
  return piece.kind === "marker" ? { kind: "picket", number: provisional(Number(piece.id)) } : piece;
}

export function isPlaced(draft: Draft, piece: Piece): boolean {
  if (piece.kind === "marker") return true;
  return piece.kind === "unit"
    ? draft.deployment[piece.id] !== undefined || indexOfHidden(draft, piece.id) >= 0
    : draft.leaders[piece.id]?.place !== undefined;
}

export function anchorOf(view: View | null, draft: Draft, piece: Piece): Point | undefined {
  if (piece.kind === "marker") return hidingOf(draft)[Number(piece.id)]?.at;
  if (piece.kind === "unit") return placementOf(view, draft, piece.id)?.anchor;
  const place = draft.leaders[piece.id]?.place;
  return place ?? view?.leaders.find((leader) => leader.id === piece.id)?.at ?? undefined;
}

/** Says that a piece stands there. */
export function place(state: State, piece: Piece, anchor: Point): LocalMessage | undefined {
  if (piece.kind === "marker") return editHiding(state.draft, Number(piece.id), { at: toGrid(anchor) });
  if (piece.kind === "leader")
    return {
      type: "edit_leader",
      leader: piece.id,
      draft: { ...(state.draft.leaders[piece.id] ?? blankLeader), place: toGrid(anchor) },
    };
  return change(state, piece.id, { anchor: toGrid(anchor) });
}

/** Says how a unit stands where it stands. */
export function change(state: State, unit: string, how: Partial<Placement>): LocalMessage | undefined {
  const before = placementOf(state.view, state.draft, unit);
  if (!before) return undefined;
  const facing = Math.round((((how.facing ?? before.facing) % 36000) + 36000) % 36000) % 36000;
  const hidden = indexOfUnit(state.draft, unit);
  if (hidden >= 0) {
    const { anchor, formation, gap } = { ...before, ...how };
    const hides = { type: "unit" as const, unit, formation, gap };
    return editHiding(state.draft, hidden, { at: anchor, facing, hides });
  }
  return { type: "edit_placement", unit, place: { ...before, ...how, facing } };
}

/** Says that a piece stands as printed, and in the open; a picket goes. */
export function asPrinted(draft: Draft, piece: Piece): LocalMessage {
  if (piece.kind === "marker") return dropHiding(draft, Number(piece.id));
  const hidden = piece.kind === "unit" ? indexOfHidden(draft, piece.id) : -1;
  if (hidden >= 0) return dropHiding(draft, hidden);
  return piece.kind === "unit"
    ? { type: "edit_placement", unit: piece.id, place: null }
    : { type: "edit_leader", leader: piece.id, draft: null };
}

/** A piece in the hand: where it was taken hold of, and what undoes the move. */
export interface Carried {
  piece: Piece;
  /** From the grip to the anchor. */
  offset: Point;
  back: LocalMessage;
}

/** Takes hold of what lies under the finger, if it may be placed. */
export function lift(state: State, hit: Hit, at: Point): Carried | undefined {
  const piece = mayPlace(state) ? pieceOf(state.view, hit ?? null) : undefined;
  const anchor = piece && anchorOf(state.view, state.draft, piece);
  if (!piece || !anchor) return undefined;
  const printed = asPrinted(state.draft, piece);
  const back = isPlaced(state.draft, piece) ? place(state, piece, anchor) : printed;
  return { piece, offset: { x: anchor.x - at.x, y: anchor.y - at.y }, back: back ?? printed };
}

/** What is said when the piece in the hand comes to a point. */
export function carry(state: State, carried: Carried, at: Point): LocalMessage | undefined {
  return place(state, carried.piece, { x: at.x + carried.offset.x, y: at.y + carried.offset.y });
}

/** Whether a tap there is meant as a place for the piece: one of its zones lies there. */
export function isAPlaceFor(view: View | null, piece: Piece, at: Point): boolean {
  return zonesFor(view, piece).some((zone) => inside(at, zone.outline));
}

function zonesFor(view: View | null, piece: Piece) {
  const zones = view?.deployment?.zones ?? [];
  if (piece.kind === "marker") return zones;
  return zones.filter((zone) => (piece.kind === "unit" ? zone.units : zone.leaders).includes(piece.id));
}

/** What the server refuses of a piece. */
export function refusalsOf(state: State, id: string): Refusal[] {
  const all = state.sealRefusals.length > 0 ? state.sealRefusals : state.refusals;
  return all.filter((refusal) => refusal.subject === id);
}

/** How far before a front the handle lies by which the unit is turned. */
const turnHandle = 2200;

/** Zones, the handle of the selected unit, and the rule at each refused piece. `view` is the deployed one. */
export function deploymentOverlay(state: State, view: View): Overlay {
  const piece = pieceOf(state.view, state.selected);
  const own = "side" in view.viewer ? view.viewer.side : undefined;
  if (!own) return nothing;
  const for_piece = piece && zonesFor(state.view, piece);
  const zones = (state.view?.deployment?.zones ?? []).map((zone) => ({
    outline: zone.outline,
    side: own,
    dim: for_piece !== undefined && !for_piece.includes(zone),
  }));
  const stance = piece?.kind === "unit" ? view.units.find((unit) => unit.id === piece.id)?.stance : undefined;
  const marker = piece?.kind === "marker" ? hidingOf(state.draft)[Number(piece.id)] : undefined;
  const turned = stance ?? (marker && { anchor: marker.at, facing: marker.facing });
  const handles =
    turned && mayPlace(state)
      ? [{ at: along(turned.anchor, turned.facing, turnHandle), kind: "turn" as const, active: false }]
      : [];
  const standing = [
    ...view.units.map((unit) => ({ id: unit.id, at: unit.stance?.anchor })),
    ...view.leaders.map((leader) => ({ id: leader.id, at: leader.at })),
    ...hidingOf(state.draft).map(({ at }, index) => ({ id: `hiding ${index + 1}`, at })),
  ];
  const effects = standing.flatMap(({ id, at }) => {
    const refusal = refusalsOf(state, id)[0];
    return at && refusal
      ? [
          {
            kind: "note" as const,
            from: at,
            to: at,
            text: `refused: ${refusal.rule}`,
            good: false,
            side: own,
          },
        ]
      : [];
  });
  return { ...nothing, zones, handles, effects };
}

/** The facing of a unit or marker whose handle was moved to a point. */
export function facingTo(state: State, piece: Piece, at: Point): LocalMessage | undefined {
  // To five degrees, which a hand can hit again; the panel has the single ones.
  const facing = (from: Point) => (Math.round(bearingTo(from, at) / 500) * 500) % 36000;
  const before = anchorOf(state.view, state.draft, piece);
  if (!before || piece.kind === "leader") return undefined;
  if (piece.kind === "marker") return editHiding(state.draft, Number(piece.id), { facing: facing(before) });
  return change(state, piece.id, { facing: facing(before) });
}

/** How many units have a place of their own, and how many there are. */
export function counted(state: State): { placed: number; all: number; refused: number } {
  const units = state.view?.deployment?.units ?? [];
  return {
    placed: units.filter(({ unit }) => isPlaced(state.draft, { kind: "unit", id: unit })).length,
    all: units.length,
    refused: new Set(
      (state.sealRefusals.length > 0 ? state.sealRefusals : state.refusals).map((r) => r.subject),
    ).size,
  };
}
