// Plays a resolved stage: cuts its events into beats and folds them into the view before, one beat at a time.
// It repeats what the server reported and computes nothing of its own; between two reported places it draws a straight way.

import type {
  Event,
  Fact,
  GhostView,
  Stance,
  StandView,
  TrackPoint,
  UnitView,
  View,
} from "../protocol/types";
import { blendBearings } from "../map/geometry";
import { inches, type Effect } from "../map/overlay";
import {
  changedPickets,
  endingsOf,
  finds,
  marchedPickets,
  movedPicket,
  revealEffects,
  travels,
  type Ending,
} from "./reveals";

export type Beat =
  /** One or more events shown together. */
  | { kind: "events"; phase: number; events: Event[] }
  /** Marching from one segment to another; `leg`: of charges, each from where it stands now. */
  | {
      kind: "march";
      phase: number;
      from: number;
      to: number;
      moves: Event[];
      leg?: boolean;
      /** Markers that come to their end on the way. */
      ends?: Ending[];
    };

export const phaseNames = [
  "The window closes",
  "Orders",
  "Routs and rallies",
  "Orders revealed",
  "First fire",
  "Disengaging",
  "Charges",
  "Movement",
  "Moving fire",
  "Officers",
];

/** A phase with its number; what the closing of a window opens has none. */
export const phaseWords = (phase: number): string =>
  phase === 0 ? (phaseNames[0] as string) : `${phase} ${phaseNames[phase] ?? ""}`;

/** Facts that are shown many at a time. */
const together = new Set<Fact["type"]>([
  "order_revealed",
  "command",
  "conditional_hold",
  "choice",
  "points",
  "leader_moved",
  "phase_began",
  "picket_ordered",
  "sighting_rolled",
]);

const lastSegment = 121;

/** Whether an event is a march, of a unit or of pickets. */
const marches = (event: Event): boolean => event.fact.type === "moved" || travels(event);

export function beatsOf(events: readonly Event[]): Beat[] {
  const beats: Beat[] = [];
  for (let start = 0; start < events.length;) {
    const phase = (events[start] as Event).phase;
    let end = start;
    while (end < events.length && (events[end] as Event).phase === phase) end++;
    const group = events.slice(start, end);
    const moves = group.filter(marches);
    if (moves.length === 0) addAll(beats, group);
    else if (phase === 6) addCharges(beats, group);
    else addMarch(beats, group, moves);
    start = end;
  }
  return beats;
}

function addAll(beats: Beat[], events: readonly Event[]): void {
  for (const event of events) {
    const last = beats[beats.length - 1];
    const joins =
      last?.kind === "events" &&
      last.phase === event.phase &&
      together.has(event.fact.type) &&
      last.events.every((other) => other.fact.type === event.fact.type);
    if (joins) last.events.push(event);
    else beats.push({ kind: "events", phase: event.phase, events: [event] });
  }
}

/** Charges are played one after the other: each leg where it was told, the supports together with their point. */
function addCharges(beats: Beat[], group: readonly Event[]): void {
  for (const event of group) {
    const last = beats[beats.length - 1];
    if (event.fact.type !== "moved") addAll(beats, [event]);
    else if (last?.kind === "march" && last.phase === event.phase) last.moves.push(event);
    else
      beats.push({ kind: "march", phase: event.phase, from: 0, to: lastSegment, moves: [event], leg: true });
  }
}

/** A phase with marches: what has a segment is shown when the marchers have come to it. */
function addMarch(beats: Beat[], group: readonly Event[], moves: Event[]): void {
  const firstMove = group.findIndex(marches);
  const timed = group.filter((event) => event.fact.type !== "moved" && event.segment !== null);
  addAll(
    beats,
    group.filter((event, i) => event.segment === null && event.fact.type !== "moved" && i < firstMove),
  );
  const phase = (moves[0] as Event).phase;
  const ends = endingsOf(timed);
  const march = (from: number, to: number): Beat => ({ kind: "march", phase, from, to, moves, ends });
  let at = 0;
  for (const segment of [...new Set(timed.map((event) => event.segment ?? 0))].sort((a, b) => a - b)) {
    if (segment > at) beats.push(march(at, segment));
    at = Math.max(at, segment);
    addAll(
      beats,
      timed.filter((event) => event.segment === segment),
    );
  }
  if (at < lastSegment) beats.push(march(at, lastSegment));
  addAll(
    beats,
    group.filter((event, i) => event.segment === null && event.fact.type !== "moved" && i >= firstMove),
  );
}

/** How a marcher stands at a segment, whole or between two. */
export function stanceAt(start: Stance | null, track: readonly TrackPoint[], segment: number): Stance | null {
  let before: TrackPoint | undefined = start ? { segment: 0, stance: start } : undefined;
  for (const point of track) {
    if (point.segment >= segment) {
      if (!before || point.segment === before.segment) return point.stance;
      return between(
        before.stance,
        point.stance,
        (segment - before.segment) / (point.segment - before.segment),
      );
    }
    before = point;
  }
  return before?.stance ?? start;
}

function between(a: Stance, b: Stance, t: number): Stance {
  if (t <= 0) return a;
  // A change of formation is seen when it is done: rectangles of different layouts do not blend.
  if (t >= 1 || a.stands.length !== b.stands.length || a.formation !== b.formation) return t >= 1 ? b : a;
  const mix = (p: { x: number; y: number }, q: { x: number; y: number }) => ({
    x: p.x + (q.x - p.x) * t,
    y: p.y + (q.y - p.y) * t,
  });
  return {
    ...a,
    anchor: mix(a.anchor, b.anchor),
    facing: blendBearings(a.facing, b.facing, t),
    stands: a.stands.map((stand, i) => {
      const other = b.stands[i] ?? stand;
      return [
        mix(stand[0], other[0]),
        mix(stand[1], other[1]),
        mix(stand[2], other[2]),
        mix(stand[3], other[3]),
      ];
    }),
  };
}

function withUnit(view: View, id: string, change: (unit: UnitView) => UnitView): View {
  return { ...view, units: view.units.map((unit) => (unit.id === id ? change(unit) : unit)) };
}

/** Figures left, stand by stand, with the strength each had. */
function standsLeft(unit: UnitView, left: readonly number[]): StandView[] {
  const gone = Math.max(0, unit.stands.length - left.length);
  return left.map((figures, i) => ({ figures, full: unit.stands[i + gone]?.full ?? figures }));
}

/** The view after one fact. */
export function afterFact(view: View, fact: Fact): View {
  switch (fact.type) {
    case "order_revealed":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, shown: fact.shown }));
    case "command":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, in_command: fact.in_command }));
    case "conditional_hold":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, shown: { type: "conditional_hold" } }));
    case "ammunition":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, ammunition_out: fact.out }));
    case "losses":
      return withUnit(view, fact.unit, (unit) => ({
        ...unit,
        stance: fact.after,
        stands: unit.sections === null ? standsLeft(unit, fact.left) : unit.stands,
        sections: unit.sections === null ? null : Math.max(0, unit.sections - fact.figures),
        horses: unit.horses === null ? null : Math.max(0, unit.horses - fact.horses),
      }));
    case "morale_check":
    case "morale_changed":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, morale: fact.after }));
    case "disorder":
      return withUnit(view, fact.unit, (unit) => ({
        ...unit,
        stance: unit.stance ? { ...unit.stance, disorder: fact.disorder } : null,
      }));
    case "fell_back":
    case "ran":
    case "formed":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, stance: fact.after }));
    case "arrived":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, stance: fact.after, presence: "table" }));
    case "rally":
      return withUnit(view, fact.unit, (unit) => ({
        ...unit,
        morale: fact.after,
        stance: fact.after_stance,
      }));
    case "removed":
      return withUnit(view, fact.unit, (unit) => ({ ...unit, presence: "removed" }));
    case "moved": {
      const last = fact.track[fact.track.length - 1];
      return last ? withUnit(view, fact.unit, (unit) => ({ ...unit, stance: last.stance })) : view;
    }
    case "leader_moved": {
      const at = fact.path[fact.path.length - 1];
      return at ? withLeader(view, fact.leader, at) : view;
    }
    case "leader_arrived":
      return withLeader(view, fact.leader, fact.at);
    case "replaced":
      return {
        ...view,
        leaders: view.leaders.map((leader) =>
          leader.id === fact.leader ? { ...leader, name: fact.name, level: fact.level } : leader,
        ),
      };
    case "phase_began":
    case "disengages":
    case "charge_began":
    case "charged":
    case "volley_distance":
    case "countercharges":
    case "square_approached":
    case "contact":
    case "charge_ended":
    case "order_void":
    case "volley":
    case "impact":
    case "melee_round":
    case "melee_ended":
    case "fire_withheld":
    case "competence":
    case "leader_hit":
    case "command_level":
    case "points":
    case "worked":
    case "obstacle_changed":
    case "obstacle_met":
    case "special":
    case "choice":
    case "picket_ordered":
    case "sighting_rolled":
    case "fired_at_picket":
    case "ended":
      return view;
    case "pickets_moved":
      return { ...view, pickets: view.pickets.map((picket) => movedPicket(picket, fact.lines)) };
    case "pickets_changed":
      return changedPickets(view, fact);
    case "sighted":
      return sighted(view, fact);
  }
}

type Sighted = Extract<Fact, { type: "sighted" }>;

/** Who is seen stands where it is seen; who is lost from sight is not there. LOS-06 */
function sighted(before: View, fact: Sighted): View {
  const view = fact.came.reduce(
    (now, came) =>
      withUnit(now, came.unit, (unit) => ({
        ...unit,
        stance: came.after,
        stands: standsLeft(unit, came.left),
        morale: came.morale,
        shown: came.shown,
        presence: "table",
      })),
    before,
  );
  const lost = new Set(fact.lost);
  const gone = new Set([...lost, ...fact.came.map((came) => came.unit)]);
  const leadersLost = new Set(fact.leaders_lost);
  const seen = fact.leaders.reduce((now, came) => withLeader(now, came.leader, came.at), view);
  return {
    ...seen,
    units: view.units.map((unit) =>
      lost.has(unit.id) ? { ...unit, stance: null, presence: "to_come" } : unit,
    ),
    leaders: seen.leaders.map((leader) =>
      leadersLost.has(leader.id) ? { ...leader, at: null, corners: null } : leader,
    ),
    ghosts: [
      ...(view.ghosts ?? []).filter((ghost) => !gone.has(ghost.unit)),
      ...view.units.flatMap((unit) => (lost.has(unit.id) ? ghostOf(unit, view) : [])),
    ],
  };
}

/** What is left of a unit that is lost from sight, until the server's own memory of it comes with the next view. LOS-07 */
function ghostOf(unit: UnitView, { turn, stage }: View): GhostView[] {
  const { id, name, side, arm, stance, stands, morale, presence } = unit;
  if (!stance || presence !== "table") return [];
  const left = stands.map((stand) => stand.figures);
  return [{ unit: id, name, side, arm, stance, left, morale, turn, stage, confidence: "fresh" }];
}

function withLeader(view: View, id: string, at: { x: number; y: number }): View {
  return {
    ...view,
    leaders: view.leaders.map((leader) => {
      if (leader.id !== id) return leader;
      const from = leader.at ?? at;
      const shift = (p: { x: number; y: number }) => ({ x: p.x + at.x - from.x, y: p.y + at.y - from.y });
      const corners = leader.corners;
      return {
        ...leader,
        at,
        presence: "table",
        corners: corners
          ? [shift(corners[0]), shift(corners[1]), shift(corners[2]), shift(corners[3])]
          : null,
      };
    }),
  };
}

/** The view after a whole beat, or after a share of a march. */
export function afterBeat(view: View, beat: Beat, share = 1, start: View = view): View {
  if (beat.kind === "events") return beat.events.reduce((now, event) => afterFact(now, event.fact), view);
  const segment = beat.from + (beat.to - beat.from) * share;
  const tracks = new Map(
    beat.moves.flatMap(({ fact }) => (fact.type === "moved" ? [[fact.unit, fact.track] as const] : [])),
  );
  const starts = new Map((beat.leg ? view : start).units.map((unit) => [unit.id, unit.stance]));
  return {
    ...view,
    units: view.units.map((unit) => {
      const track = tracks.get(unit.id);
      if (!track) return unit;
      const stance = stanceAt(starts.get(unit.id) ?? null, track, segment);
      return stance ? { ...unit, stance: fitting(stance, unit) } : unit;
    }),
    pickets: marchedPickets(view, start, beat.moves, beat.ends ?? [], segment),
  };
}

/** A march reported whole may still show stands that fire has taken since. */
function fitting(stance: Stance, unit: UnitView): Stance {
  return stance.stands.length > unit.stands.length && unit.stands.length > 0
    ? { ...stance, stands: stance.stands.slice(0, unit.stands.length) }
    : stance;
}

/**
 * What flashes on the map during a beat. `before`: the battle before it, which has the markers that are no more; `finding`: the
 * instant before they are gone.
 */
export function effectsOf(beat: Beat, view: View, before: View = view, finding = false): Effect[] {
  if (beat.kind === "march") return [];
  const sideOf = (id: string) => view.units.find((unit) => unit.id === id);
  const effects: Effect[] = [];
  const note = (id: string, text: string, good: boolean) => {
    const unit = sideOf(id);
    const at = unit?.stance?.anchor;
    if (unit && at) effects.push({ kind: "note", from: at, to: at, text, good, side: unit.side });
  };
  for (const { fact, explanation } of beat.events) {
    switch (fact.type) {
      case "volley": {
        const firer = fact.firers[0] ? sideOf(fact.firers[0]) : undefined;
        const text = fact.figures > 0 ? `−${fact.figures}` : "no loss";
        effects.push({
          kind: "volley",
          from: fact.from,
          to: fact.to,
          text,
          good: fact.figures === 0,
          side: firer?.side ?? "union",
        });
        break;
      }
      case "losses":
        note(fact.unit, `−${fact.figures}${fact.stands > 0 ? ", a stand lost" : ""}`, false);
        break;
      case "morale_check":
        note(fact.unit, fact.passed ? "holds" : fact.after, fact.passed);
        break;
      case "competence":
        note(fact.unit, fact.passed ? "passes" : "fails", fact.passed);
        break;
      case "disorder":
        note(fact.unit, fact.disorder ? "disorder" : "in order", !fact.disorder);
        break;
      case "rally":
        note(fact.unit, fact.after === fact.before ? "no rally" : fact.after, fact.after !== fact.before);
        break;
      case "charge_began":
        note(fact.unit, "charges", true);
        break;
      case "charged":
        note(fact.unit, "charged", false);
        break;
      case "volley_distance":
        note(fact.unit, fact.wasted ? "fires too soon" : `fires at ${inches(fact.distance)}`, !fact.wasted);
        break;
      case "contact":
        note(fact.target, fact.flank === "front" ? "struck" : `struck, ${fact.flank}`, false);
        break;
      case "impact": {
        // They stand in each other's way: one word for both.
        note(
          fact.defender,
          `${fact.attacker_total} against ${fact.defender_total}`,
          fact.result !== "defender_thrown_back",
        );
        break;
      }
      case "melee_round":
        note(fact.attacker.unit, `−${fact.defender.kills}`, fact.defender.kills === 0);
        note(fact.defender.unit, `−${fact.attacker.kills}`, fact.attacker.kills === 0);
        break;
      case "charge_ended":
        note(fact.unit, fact.how, true);
        break;
      case "countercharges":
        note(fact.unit, "countercharges", true);
        break;
      case "fell_back":
        note(fact.unit, "falls back", false);
        break;
      case "ran":
        note(fact.unit, "runs", false);
        break;
      case "removed":
        note(fact.unit, fact.how, false);
        break;
      case "ammunition":
        note(fact.unit, fact.out ? "out of ammunition" : "resupplied", !fact.out);
        break;
      case "arrived":
        note(fact.unit, "arrives", true);
        break;
      case "pickets_changed":
        effects.push(...revealEffects(fact, before, view, finding));
        break;
      case "sighting_rolled": {
        const marker = view.pickets.find((picket) => picket.number === fact.picket);
        if (marker && beat.events.length <= 6)
          effects.push({
            kind: "note",
            from: marker.at,
            to: marker.at,
            text: `sight ${explanation.dice[0]?.faces[0] ?? ""}″`,
            good: true,
            side: marker.side,
          });
        break;
      }
      case "fired_at_picket":
        effects.push({
          kind: "volley",
          from: fact.from,
          to: fact.to,
          text: "no effect observed",
          good: true,
          marker: true,
          side: sideOf(fact.unit)?.side ?? "union",
        });
        break;
      default:
    }
  }
  return effects;
}

/** Milliseconds that a beat is worth looking at, at the first speed. */
export function lengthOfBeat(beat: Beat): number {
  return beat.kind === "march"
    ? 500 + (beat.to - beat.from) * 22
    : beat.events[0]?.fact.type === "phase_began"
      ? 700
      : beat.events.some(finds)
        ? 2800
        : 1500;
}
