// A turn as it is played: the beats of all its resolved stages, one after the other, each with the battle before and after.
// Every stage begins with the view that the server sent for it, so that nothing drifts from one stage into the next.

import type { PicketLine, Point, RosterUnit, StageAt, Stance, View } from "../protocol/types";
import { partOf } from "../map/geometry";
import type { Effect } from "../map/overlay";
import { asUnit } from "./fog";
import { afterBeat, beatsOf, stanceAt, type Beat } from "./playback";
import { picketsIn } from "./reveals";
import { compareStages, sameTurn } from "./stages";

/** A resolved stage, as it is kept. */
interface Recorded {
  at: StageAt;
  events: Parameters<typeof beatsOf>[0];
  before: View | null;
}

export interface Frame {
  at: StageAt;
  beat: Beat;
  before: View;
  after: View;
  /** The battle when the beat's phase began, from which its marches are measured. */
  phaseStart: View;
}

export interface Reel {
  /** The battle before the first beat. */
  start: View | null;
  frames: Frame[];
  /** Stages of the turn whose first view is still at the server; while there are any, nothing is played. */
  missing: StageAt[];
}

/** The stages of a turn, in order. */
export function stagesOfTurn<T extends { at: StageAt }>(stages: readonly T[], at: StageAt): T[] {
  return stages.filter((record) => sameTurn(record.at, at)).sort((a, b) => compareStages(a.at, b.at));
}

/** The turns that have been resolved, wholly or in part, newest first; each by its first stage known. */
export function turnsOf(stages: readonly { at: StageAt }[]): StageAt[] {
  const turns: StageAt[] = [];
  for (const { at } of [...stages].sort((a, b) => compareStages(a.at, b.at)))
    if (!turns.some((other) => sameTurn(other, at))) turns.unshift(at);
  return turns;
}

/** Where in its turn's reel a stage begins: the number of beats before it. */
export function firstBeatOf(stages: readonly Recorded[], at: StageAt): number {
  return stagesOfTurn(stages, at)
    .filter((record) => compareStages(record.at, at) < 0)
    .reduce((sum, record) => sum + beatsOf(record.events).length, 0);
}

/** `now`: the battle as it stands, which knows those who have come into sight since; `roster`: those who may be seen in between. */
export function reelOf(
  stages: readonly Recorded[],
  at: StageAt,
  now: View | null = null,
  roster: readonly RosterUnit[] = [],
): Reel {
  const records = stagesOfTurn(stages, at);
  const later = [...records.flatMap((record) => record.before ?? []), ...(now ? [now] : [])];
  const missing = records.filter((record) => !record.before).map((record) => record.at);
  const frames: Frame[] = [];
  if (missing.length > 0) return { start: null, frames, missing };
  for (const record of records) {
    if (!record.before) continue;
    let now = withNewcomers(record.before, later, roster);
    let phaseStart = now;
    let phase = -1;
    for (const beat of beatsOf(record.events)) {
      if (beat.phase !== phase) {
        phase = beat.phase;
        phaseStart = now;
      }
      const after: View = afterBeat(now, beat, 1, phaseStart);
      frames.push({ at: record.at, beat, before: now, after, phaseStart });
      now = after;
    }
  }
  return { start: records[0]?.before ?? null, frames, missing };
}

/** Room for units of which nothing was known when the stage began: they came in, or from under a picket, and are told of later. */
function withNewcomers(view: View, later: readonly View[], roster: readonly RosterUnit[]): View {
  const known = new Set(view.units.map((unit) => unit.id));
  const newcomers = [...later.flatMap((other) => other.units), ...roster.map(asUnit)].filter(
    (unit) => !known.has(unit.id) && known.add(unit.id),
  );
  if (newcomers.length === 0) return view;
  const unseen = newcomers.map((unit) => ({ ...unit, stance: null, presence: "to_come" as const }));
  const leaders = new Set(view.leaders.map((leader) => leader.id));
  const riders = later
    .flatMap((other) => other.leaders)
    .filter((leader) => !leaders.has(leader.id) && leaders.add(leader.id))
    .map((leader) => ({ ...leader, presence: "to_come" as const }));
  return { ...view, units: [...view.units, ...unseen], leaders: [...view.leaders, ...riders] };
}

/** The ways walked so far in the phase of a frame, as lines on the map. */
export function trailsOf(frames: readonly Frame[], index: number, share = 1): Effect[] {
  const here = frames[index];
  if (!here) return [];
  let at = index;
  while (at >= 0 && frames[at]?.beat.kind !== "march" && frames[at]?.beat.phase === here.beat.phase) at--;
  const march = frames[at]?.beat;
  if (march?.kind !== "march" || march.phase !== here.beat.phase) return [];
  const segment = at === index ? march.from + (march.to - march.from) * share : march.to;
  const trails: Effect[] = [];
  for (const { fact } of march.moves) {
    if (fact.type === "pickets_moved") trails.push(...trailsOfPickets(fact.lines, here.phaseStart, segment));
    if (fact.type !== "moved") continue;
    const unit = here.phaseStart.units.find((other) => other.id === fact.unit);
    const begun: Stance | null = march.leg ? null : (unit?.stance ?? null);
    const from: Stance | null = begun ?? fact.track[0]?.stance ?? null;
    const now = stanceAt(begun, fact.track, segment);
    if (!unit || !from || !now) continue;
    const between = fact.track.filter((point) => point.segment < segment).map((point) => point.stance.anchor);
    const path: Point[] = [from.anchor, ...between, now.anchor];
    const walked = path.some((point) => point.x !== from.anchor.x || point.y !== from.anchor.y);
    if (walked) trails.push({ kind: "trail", path, side: unit.side });
  }
  return trails;
}

function trailsOfPickets(lines: readonly PicketLine[], start: View, segment: number): Effect[] {
  return lines.flatMap(({ picket, line }) => {
    const side = start.pickets.find((other) => other.number === picket)?.side;
    const path = partOf(line, segment / 120);
    return side && path.length > 1 ? [{ kind: "trail" as const, path, side }] : [];
  });
}

/** Whom a beat is about, units by identifier and pickets as `picket 417`: they are lit up on the map, and the log stands at their entry. */
export function touchedBy(beat: Beat | undefined): Set<string> {
  const units = new Set<string>();
  if (beat?.kind !== "events") return units;
  // What is shown many at a time lights up nobody.
  if (beat.events.length > 3) return units;
  for (const { fact } of beat.events) {
    if (fact.type === "volley") {
      for (const firer of fact.firers) units.add(firer);
      if (fact.target) units.add(fact.target);
    } else if (fact.type === "impact") {
      for (const unit of [fact.attacker, ...fact.attacker_supports, fact.defender, ...fact.defender_supports])
        units.add(unit);
    } else if (fact.type === "melee_round") units.add(fact.attacker.unit).add(fact.defender.unit);
    else if ("unit" in fact && fact.unit) units.add(fact.unit);
    if (fact.type === "sighted") for (const { unit } of fact.came) units.add(unit);
    for (const number of picketsIn(fact)) units.add(`picket ${number}`);
    if (fact.type === "pickets_changed") for (const { unit } of fact.placed) units.add(unit);
  }
  return units;
}

/** Places that a beat should be seen at. */
export function placesOf(frame: Frame | undefined): Point[] {
  if (!frame) return [];
  const places: Point[] = [];
  if (frame.beat.kind === "march") {
    for (const { fact } of frame.beat.moves) {
      const end = fact.type === "moved" ? fact.track[fact.track.length - 1]?.stance.anchor : undefined;
      if (end) places.push(end);
      if (fact.type === "pickets_moved") places.push(...fact.lines.flatMap(({ line }) => line.at(-1) ?? []));
    }
    return places;
  }
  for (const { fact } of frame.beat.events) {
    if (fact.type === "volley" || fact.type === "fired_at_picket") places.push(fact.from, fact.to);
    else if (fact.type === "sighted") places.push(...fact.came.slice(0, 8).map((came) => came.after.anchor));
    else if (picketsIn(fact).length > 0) places.push(...placesOfPickets(frame, picketsIn(fact)));
    else if (fact.type === "impact" || fact.type === "melee_round") {
      for (const id of touchedBy(frame.beat)) {
        const at = frame.after.units.find((unit) => unit.id === id)?.stance?.anchor;
        if (at) places.push(at);
      }
    } else if ("unit" in fact && fact.unit) {
      const at = frame.after.units.find((unit) => unit.id === fact.unit)?.stance?.anchor;
      if (at) places.push(at);
    }
  }
  return frame.beat.events.length > 3 ? [] : places;
}

/** Where markers stand, or those who came from under them. */
function placesOfPickets({ before, after }: Frame, numbers: readonly number[]): Point[] {
  if (numbers.length > 8) return [];
  return numbers.flatMap((number) => {
    const marker = [...after.pickets, ...before.pickets].find((picket) => picket.number === number);
    return marker?.at ?? after.units.find((unit) => unit.picket === number)?.stance?.anchor ?? [];
  });
}
