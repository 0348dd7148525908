import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { sampleEvents } from "../src/fixtures/play";
import { afterBeat, afterFact, beatsOf, stanceAt } from "../src/state/playback";
import { firstBeatOf, reelOf, trailsOf, turnsOf } from "../src/state/reel";
import type { StageAt, Stance } from "../src/protocol/types";

const sample = sampleEvents();
const beats = beatsOf(sample.events);
const at = (stage: StageAt["stage"]): StageAt => ({ line: 1, turn: 3, stage });
const movement = { at: at("movement"), events: sample.events, before: sample.before };
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
    const reel = reelOf([movement], movement.at);
    const views = [reel.start, ...reel.frames.map((frame) => frame.after)];
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

  test("a turn's stages are played one after the other, each from the view sent for it", () => {
    const orders = { at: at("orders"), events: sample.events.slice(0, 1), before: view() };
    const reel = reelOf([movement, orders], at("movement"));
    expect(reel.frames.map((frame) => frame.at.stage)).toEqual(["orders", ...beats.map(() => "movement")]);
    expect(firstBeatOf([movement, orders], at("movement"))).toBe(1);
    // Not what the stage before ended with: the server's own view of the second stage.
    expect(reel.frames[1]?.before).toBe(sample.before);
  });

  test("a turn of which a stage has no view yet is not played, and says what it lacks", () => {
    const orders = { at: at("orders"), events: sample.events.slice(0, 1), before: null };
    const reel = reelOf([orders, movement], at("movement"));
    expect(reel.frames).toEqual([]);
    expect(reel.missing).toEqual([at("orders")]);
  });

  test("turns are listed newest first, each by its first stage", () => {
    const stages = [at("movement"), at("orders"), { ...at("orders"), turn: 4 }].map((stage) => ({
      at: stage,
    }));
    expect(turnsOf(stages).map((turn) => `${turn.turn} ${turn.stage}`)).toEqual(["4 orders", "3 orders"]);
  });

  test("a trail leads from where the march began to where the marcher is", () => {
    const { frames } = reelOf([movement], movement.at);
    const volley = frames.findIndex(
      ({ beat }) => beat.kind === "events" && beat.events[0]?.fact.type === "volley",
    );
    const trail = trailsOf(frames, volley).find((effect) => effect.kind === "trail");
    const start = sample.before.units.find((unit) => unit.id === "al04")?.stance?.anchor;
    const now = frames[volley]?.after.units.find((unit) => unit.id === "al04")?.stance?.anchor;
    expect(trail?.path[0]).toEqual(start);
    expect(trail?.path.at(-1)).toEqual(now);
    expect(trailsOf(frames, 0)).toEqual([]);
  });
});
