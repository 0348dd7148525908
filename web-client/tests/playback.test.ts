import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { sampleEvents } from "../src/fixtures/play";
import { afterBeat, afterFact, beatsOf, stanceAt, viewsOf } from "../src/state/playback";
import type { Stance } from "../src/protocol/types";

const sample = sampleEvents();
const beats = beatsOf(sample.events);
const stance = (x: number): Stance => ({
  anchor: { x, y: 0 },
  facing: 0,
  formation: "single_line",
  disorder: false,
  prone: false,
  stands: [
    [
      { x, y: 0 },
      { x: x + 10, y: 0 },
      { x: x + 10, y: -10 },
      { x, y: -10 },
    ],
  ],
});

describe("playback", () => {
  test("a volley of a segment is shown when the marchers have come to it", () => {
    const kinds = beats.map((beat) =>
      beat.kind === "march" ? `march ${beat.from}-${beat.to}` : beat.events[0]?.fact.type,
    );
    expect(kinds.slice(0, 6)).toEqual([
      "phase_began",
      "march 0-80",
      "volley",
      "morale_check",
      "disorder",
      "march 80-121",
    ]);
  });

  test("a march stands where the server reported, and straight between", () => {
    const track = [
      { segment: 60, stance: stance(600) },
      { segment: 120, stance: stance(1000) },
    ];
    expect(stanceAt(stance(0), track, 30)?.anchor.x).toBe(300);
    expect(stanceAt(stance(0), track, 60)?.anchor.x).toBe(600);
    expect(stanceAt(stance(0), track, 90)?.stands[0]?.[1].x).toBe(810);
    expect(stanceAt(stance(0), track, 121)?.anchor.x).toBe(1000);
  });

  test("there is a view before the first beat and one after each", () => {
    const views = viewsOf(
      { at: { line: 1, turn: 3, stage: "movement" }, events: sample.events, before: sample.before },
      beats,
    );
    expect(views).toHaveLength(beats.length + 1);
    const places = (id: string, index: number) =>
      views[index]?.units.find((unit) => unit.id === id)?.stance?.anchor;
    const end = view().units.find((unit) => unit.id === "al04")?.stance?.anchor;
    expect(places("al04", 0)).not.toEqual(end);
    expect(places("al04", views.length - 1)).toEqual(end);
    expect(views.at(-1)?.units.find((unit) => unit.id === "mi16")?.morale).toBe("shaken");
  });

  test("a half of a march is half way", () => {
    const march = beats.find((beat) => beat.kind === "march");
    if (!march) throw new Error("the sample marches");
    const half = afterBeat(sample.before, march, 0.5);
    const whole = afterBeat(sample.before, march, 1);
    const x = (battle: typeof half) => battle.units.find((unit) => unit.id === "tx05")?.stance?.anchor.x ?? 0;
    expect((x(half) - x(sample.before)) * 2).toBeCloseTo(x(whole) - x(sample.before));
  });

  test("losses take figures from stands and keep the strength each had", () => {
    const battle = view();
    const before = battle.units.find((unit) => unit.id === "me20");
    const after = afterFact(battle, {
      type: "losses",
      unit: "me20",
      figures: 3,
      stands: 1,
      horses: 0,
      after: before?.stance as Stance,
      left: [4, 2],
    }).units.find((unit) => unit.id === "me20");
    expect(before?.stands.map((stand) => stand.figures)).toEqual([3, 4, 2]);
    expect(after?.stands.map((stand) => stand.figures)).toEqual([4, 2]);
    expect(after?.stands.map((stand) => stand.full)).toEqual(
      before?.stands.slice(1).map((stand) => stand.full),
    );
  });

  test("a stage without the view before it has nothing to show", () => {
    expect(
      viewsOf({ at: { line: 1, turn: 3, stage: "movement" }, events: sample.events, before: null }, beats),
    ).toEqual([]);
  });
});
