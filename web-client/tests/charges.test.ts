import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import type { Event, Fact, StageAt, Stance } from "../src/protocol/types";
import { arrowOf, chargeAt, chargesOf, concerned, stepName } from "../src/state/charges";
import { beatsOf } from "../src/state/playback";
import { reelOf, touchedBy, trailsOf } from "../src/state/reel";

const before = view();
const stanceOf = (id: string): Stance => {
  const stance = before.units.find((unit) => unit.id === id)?.stance;
  if (!stance) throw new Error(`${id} stands on the fixture's table`);
  return stance;
};
const moved = (stance: Stance, x: number): Stance => ({ ...stance, anchor: { ...stance.anchor, x } });
let n = 0;
const event = (fact: Fact): Event => ({
  n: ++n,
  stage: "charges",
  phase: 6,
  segment: null,
  rule: "CHG-01",
  fact,
  explanation: { sentence: "", sums: [], dice: [], tables: [], notes: [] },
});
const run = (unit: string, from: Stance, to: Stance): Event =>
  event({
    type: "moved",
    unit,
    track: [
      { segment: 0, stance: from },
      { segment: 120, stance: to },
    ],
    halted: null,
  });
const [point, support, target] = ["al15", "al47", "me20"] as const;
const start = stanceOf(point);
const half = moved(start, start.anchor.x + 1000);
const end = moved(start, start.anchor.x + 3000);
const events: Event[] = [
  event({ type: "phase_began" }),
  event({
    type: "charge_began",
    unit: point,
    supports: [support],
    target,
    bearing: 0,
    total: 9000,
    disorder_at: null,
  }),
  event({ type: "charged", unit: target, by: point }),
  run(point, start, half),
  run(support, stanceOf(support), stanceOf(support)),
  event({
    type: "volley",
    firers: [target],
    target: point,
    from: start.anchor,
    to: start.anchor,
    range: 2000,
    band: "close",
    flank: "front",
    figures: 1,
    result: "1",
    canister: 0,
  }),
  run(point, half, end),
  event({ type: "contact", unit: point, target, flank: "front" }),
  event({
    type: "impact",
    attacker: point,
    attacker_supports: [support],
    defender: target,
    defender_supports: ["pa83"],
    aspect: "front",
    attacker_total: 7,
    defender_total: 9,
    result: "defender_thrown_back",
  }),
  run(point, end, moved(end, end.anchor.x + 500)),
  event({ type: "charge_ended", unit: point, how: "ran out its distance" }),
];
const at: StageAt = { line: 1, turn: 3, stage: "charges" };
const { frames } = reelOf([{ at, events, before }], at);

describe("a charge is played step by step", () => {
  test("each leg, volley, contact and throw is a step of its own, the supports running with their point", () => {
    expect(
      beatsOf(events).map((beat) => (beat.kind === "march" ? "run" : beat.events[0]?.fact.type)),
    ).toEqual([
      "phase_began",
      "charge_began",
      "charged",
      "run",
      "volley",
      "run",
      "contact",
      "impact",
      "run",
      "charge_ended",
    ]);
    const legs = beatsOf(events).filter((beat) => beat.kind === "march");
    expect(legs.map((leg) => leg.moves.length)).toEqual([2, 1, 1]);
  });

  test("steps have names", () => {
    expect(frames.map((_, i) => stepName(frames, i))).toEqual([
      undefined,
      "Charge",
      "Charged",
      "Run",
      "Defensive volley",
      "Run",
      "Contact",
      "Dice down",
      "Breakthrough",
      "Charge over",
    ]);
  });

  test("a run to meet a countercharge is no breakthrough", () => {
    const meets = event({ type: "countercharges", unit: "pa83", charger: point, total: 6000 });
    const rest = [meets, run(point, end, moved(end, end.anchor.x + 500))];
    const longer = reelOf([{ at, events: [...events.slice(0, -2), ...rest], before }], at).frames;
    expect(longer.map((_, i) => stepName(longer, i)).slice(-3)).toEqual([
      "Dice down",
      "Countercharge",
      "Run",
    ]);
  });

  test("a leg begins where the one before it ended", () => {
    const places = frames.map(
      (frame) => frame.after.units.find((unit) => unit.id === point)?.stance?.anchor.x,
    );
    const x = start.anchor.x;
    expect(places).toEqual([x, x, x, x + 1000, x + 1000, x + 3000, x + 3000, x + 3000, x + 3500, x + 3500]);
    const second = trailsOf(frames, 5).find((trail) => trail.kind === "trail");
    expect(second?.kind === "trail" ? second.path[0] : undefined).toEqual(half.anchor);
  });

  test("a charge that finds nobody left is no step of the one before it", () => {
    const givenUp: Event = {
      ...event({ type: "conditional_hold", unit: support, forced: true }),
      rule: "CHG-13",
    };
    const longer = reelOf([{ at, events: [...events, givenUp], before }], at).frames;
    expect(longer).toHaveLength(frames.length + 1);
    expect(chargesOf(longer)).toEqual(chargesOf(frames));
    expect(chargeAt(longer, longer.length)).toBeUndefined();
  });

  test("the charge knows its steps, and whom it concerns by then", () => {
    expect(chargesOf(frames)).toEqual([{ point, supports: [support], target, first: 2, last: 10 }]);
    expect(chargeAt(frames, 1)).toBeUndefined();
    const charge = chargeAt(frames, 5);
    if (!charge) throw new Error("the fifth beat is of the charge");
    expect([...concerned(frames, charge, 5)]).toEqual([point, support, target]);
    expect(concerned(frames, charge, 8).has("pa83")).toBe(true);
    expect([...touchedBy(frames[7]?.beat)]).toEqual([point, support, target, "pa83"]);
  });

  test("its arrow points at its target until they meet", () => {
    const charge = chargesOf(frames)[0];
    if (!charge) throw new Error("there is a charge");
    const view = frames[1]?.after;
    if (!view) throw new Error("there is a view");
    expect(arrowOf(frames, charge, 2, view)).toMatchObject([{ kind: "charge", side: "confederate" }]);
    expect(arrowOf(frames, charge, 8, view)).toEqual([]);
  });
});
