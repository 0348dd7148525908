import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { standing, welcome } from "../src/fixtures/play";
import { partOf } from "../src/map/geometry";
import { layTags } from "../src/map/tags";
import type { OrderMark } from "../src/map/overlay";
import type { Pen } from "../src/map/pen";
import type { Event, Explanation, Fact, PicketView, StageAt } from "../src/protocol/types";
import { sentenceOf } from "../src/state/facts";
import { blankMove } from "../src/state/orders";
import { pathInHand, overlayOf } from "../src/state/overlay";
import { blankPicketOrder, foreseeablePicket, tellPicket, toldPicket } from "../src/state/pickets";
import { afterBeat, beatsOf, effectsOf } from "../src/state/playback";
import { recordOf } from "../src/state/record";
import { openedOrders } from "../src/state/reveal";
import { picketsIn } from "../src/state/reveals";
import { apply, start, type Message, type State } from "../src/state/state";

const battle = view();
const some = battle.pickets[0];
const unit = battle.units.find((other) => other.id === "al04");
if (!some || !unit?.stance) throw new Error("the fixture has both");
const stance = unit.stance;
const enemy: PicketView = {
  ...some,
  number: 417,
  side: "confederate",
  at: { x: 4_000, y: 6_000 },
  own: null,
};
const mine: PicketView = {
  ...enemy,
  number: 630,
  side: "union",
  at: { x: 20_000, y: 6_000 },
  own: {
    seat: "union",
    hides: { type: "dummy" },
    units: [],
    leaders: [],
    order: null,
    instructions: {} as never,
    limits: [],
    open_rate: 10_000,
  },
};
const before = { ...battle, pickets: [enemy, mine] };
const at = (stage: StageAt["stage"], turn = 1): StageAt => ({ line: 1, turn, stage });
const said = (faces: number[] = []): Explanation =>
  ({
    sentence: "",
    sums: [],
    dice: faces.length > 0 ? [{ purpose: "visibility.pair", faces, needed: null }] : [],
    tables: [],
    notes: [],
  }) as never;
let n = 0;
const event = (
  rule: string,
  phase: number,
  fact: Fact,
  segment: number | null = null,
  faces: number[] = [],
): Event => ({
  n: ++n,
  stage: "movement",
  phase,
  segment,
  rule,
  fact,
  explanation: said(faces),
});
const name = (id: string) => (id === "al04" ? "4th Alabama" : id);
const ordered = event("HID-20", 3, {
  type: "picket_ordered",
  picket: 417,
  shown: { type: "move", bearing: 9_000 },
});
const held = event("HID-20", 3, { type: "picket_ordered", picket: 630, shown: { type: "hold" } });
const moved = event("HID-77", 7, {
  type: "pickets_moved",
  lines: [{ picket: 417, line: [enemy.at, { x: 8_000, y: 6_000 }, { x: 8_000, y: 10_000 }], facing: 0 }],
});
const die = event("HID-37", 7, { type: "sighting_rolled", picket: 417, other: "20th Maine" }, 60, [3]);
const shot = event("HID-58", 8, {
  type: "fired_at_picket",
  unit: "me20",
  from: { x: 9_000, y: 14_000 },
  to: { x: 8_000, y: 10_000 },
  range: 4_123,
});
const found = event(
  "HID-31",
  7,
  {
    type: "pickets_changed",
    placed: [{ picket: 417, unit: "al04", after: stance, left: [3, 3], shown: null }],
    gone: [],
    confirmed: [],
  },
  60,
);

describe("a marker's record", () => {
  const stages = [
    { at: at("orders"), events: [ordered, held], before },
    { at: at("movement"), events: [die, moved, shot], before },
  ];

  test("tells what all have seen of it, each with its turn and rule, and since when", () => {
    const record = recordOf(stages, { ...before, turn: 2 }, 417, name);
    // It showed an order in turn 1, so it came with the setup.
    expect([record.since, record.first]).toEqual([0, enemy.at]);
    expect(record.lines.map((line) => `${line.rule} ${line.words}`)).toEqual([
      "HID-20 Order shown: moves, first to the east.",
      "HID-37 Dice of sight: 3 with 20th Maine.",
      // Four inches east, then four north: eight gone, and its end lies north-east of its beginning.
      "HID-77 It went 8.0″ to the north-east.",
      "HID-58 me20 fired at it at 4.1″: no effect observed.",
    ]);
    expect(record.walks.map((walk) => [walk.turn, walk.length])).toEqual([[1, 8_000]]);
  });

  test("says when it came, of one that came in later too, though older views are not at hand", () => {
    const later = [
      { at: at("orders", 1), events: [held], before: null },
      { at: at("orders", 4), events: [ordered], before },
    ];
    // Its first order is that of turn 4: it came in the turn before. One without any came in the turn just over.
    expect(recordOf(later, { ...before, turn: 5 }, 417, name).since).toBe(3);
    expect(recordOf([], { ...before, turn: 5 }, 417, name).since).toBe(4);
    expect(recordOf(later, { ...before, turn: 5 }, 630, name).since).toBe(0);
  });

  test("has no shot at another place, and no line of another marker", () => {
    expect(recordOf(stages, before, 630, name).lines.map((line) => line.words)).toEqual([
      "Order shown: hold.",
    ]);
  });

  test("stands in the list of turns beside the orders, those that merely hold in one line", () => {
    const opened = [welcome(), { ...standing(), view: before }].reduce<State>(apply, start);
    const lists = openedOrders({ ...opened, stages }, at("orders"), name).pickets;
    const both = [lists.own, lists.enemy];
    expect(
      both.flatMap((list) => list.told.map((picket) => [picket.number, picket.words, picket.after.length])),
    ).toEqual([[417, "Moves, first to the east", 3]]);
    expect(both.flatMap((list) => list.quiet)).toEqual([630]);
  });
});

describe("a reveal that is played", () => {
  test("says why, with its rule, and how a dummy went", () => {
    expect(sentenceOf(found, name)).toBe("Found by sight: picket 417 is 4th Alabama.");
    const of = (rule: string, fact: Partial<Extract<Fact, { type: "pickets_changed" }>>) =>
      sentenceOf(
        event(rule, 7, { type: "pickets_changed", placed: [], gone: [], confirmed: [], ...fact }),
        name,
      );
    expect(of("HID-48", { gone: [{ picket: 630, how: "withdrawn" }] })).toBe(
      "By the will of its side: picket 630 was a dummy and is withdrawn.",
    );
    expect(of("HID-39", { gone: [{ picket: 630, how: "dummy" }] })).toContain("Found by touch");
    expect(of("HID-52", { placed: (found.fact as never as { placed: [] }).placed })).toContain(
      "To open fire",
    );
    expect(of("HID-59", { placed: (found.fact as never as { placed: [] }).placed })).toContain(
      "Losses have told",
    );
    const three = [417, 630, 701].map((picket) => ({ picket, how: "dummy" as const }));
    expect(of("HID-66", { gone: three })).toBe(
      "The battle is over: pickets 417, 630 and 701 were dummies and are taken off.",
    );
    expect(of("HID-41", { confirmed: [417] })).toContain("picket 417 is declared real, and stays");
    expect(of("HID-66", { gone: [{ picket: 630, how: "left_table" }] })).toBe("Picket 630 leaves the table.");
  });

  test("shows the marker where it was and the troops in its place; before that the marker alone", () => {
    const [beat] = beatsOf([{ ...found, phase: 4 }]);
    if (!beat) throw new Error("there is a beat");
    const after = afterBeat(before, beat);
    expect(after.pickets.map((picket) => picket.number)).toEqual([630]);
    expect(effectsOf(beat, after, before)).toMatchObject([
      {
        kind: "revealed",
        number: 417,
        at: stance.anchor,
        gone: true,
        stances: [stance],
        text: "417: 4th Alabama",
      },
    ]);
    expect(effectsOf(beat, before, before, true)).toMatchObject([
      { number: 417, gone: false, stances: [], text: "" },
    ]);
  });

  test("a dummy that is gone has its word where it stood", () => {
    const [beat] = beatsOf([
      event("HID-31", 4, {
        type: "pickets_changed",
        placed: [],
        gone: [{ picket: 630, how: "dummy" }],
        confirmed: [],
      }),
    ]);
    if (!beat) throw new Error("there is a beat");
    expect(effectsOf(beat, afterBeat(before, beat), before)).toMatchObject([
      { at: mine.at, text: "630: a dummy" },
    ]);
  });

  test("is about the pickets that it names", () => {
    expect(picketsIn(found.fact)).toEqual([417]);
    expect(picketsIn({ type: "sighting_rolled", picket: 417, other: "picket 630" })).toEqual([417, 630]);
    expect(picketsIn(shot.fact)).toEqual([]);
  });
});

describe("pickets on the march", () => {
  test("travel their lines at one pace while the troops march", () => {
    const [march] = beatsOf([moved]);
    if (march?.kind !== "march") throw new Error("it is a march");
    // Half of eight inches: at the bend after four.
    const half = afterBeat(before, march, 60 / 121).pickets[0];
    expect(half?.at).toEqual({ x: 8_000, y: 6_000 });
    expect(afterBeat(before, march, 1).pickets[0]).toMatchObject({ at: { x: 8_000, y: 10_000 }, facing: 0 });
  });

  test("one that is found on its way comes to that place in the segment in which it is found", () => {
    const [march] = beatsOf([found, moved]);
    if (march?.kind !== "march") throw new Error("it is a march");
    expect([march.from, march.to]).toEqual([0, 60]);
    const elsewhere = { ...march, moves: [] };
    expect(afterBeat(before, elsewhere, 1).pickets[0]?.at).toEqual(stance.anchor);
  });

  test("a line is cut by its length", () => {
    const line = [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 4 },
    ];
    expect(partOf(line, 0.25)).toEqual([
      { x: 0, y: 0 },
      { x: 2, y: 0 },
    ]);
    expect(partOf(line, 1)).toEqual(line);
    expect(partOf(line, 0)).toEqual([{ x: 0, y: 0 }]);
  });
});

describe("the path of a picket", () => {
  const seated = [welcome(), { ...standing(), view: before }].reduce<State>(apply, start);
  const told = (messages: Message[]) => messages.reduce(apply, seated);
  const order = { type: "move" as const, ...blankMove, path: [{ x: 24_000, y: 6_000 }] };
  const marching = told([
    tellPicket(630, { ...toldPicket(seated.draft, 630), order }),
    { type: "select", what: { kind: "picket", number: 630 } },
    { type: "draw", drawing: true },
  ]);

  test("is foreseen like a unit's, and what it would cost stands at its end", () => {
    expect(foreseeablePicket(marching, mine)).toEqual(order);
    expect(pathInHand(marching, before)?.start).toEqual(mine.at);
    const preview = {
      unit: "630",
      refusals: [],
      pieces: [],
      spent: 2_520_000,
      path: [],
      end: null,
      stops: null,
      notes: [],
    };
    const foreseen = apply(marching, { type: "previewed", request: "r", preview });
    // Four inches, half of a turn's points.
    const overlay = overlayOf(foreseen, before, []);
    expect(overlay.ruler?.label).toBe("4.0″ · 50 % of the turn");
    expect(overlay.rings.map((ring) => ring.radius)).toEqual([10_000]);
    expect(overlay.orders.some((mark) => mark.marker === 630)).toBe(false);
    // Three inches are as far as it comes: one is too much.
    const refusal = { subject: "630", key: "order", rule: "HID-23", message: "" };
    const piece = { label: "woods", length: 3_000, points: 5_040_000, rule: "MOVE-02" };
    const cut = { ...preview, refusals: [refusal], pieces: [piece], spent: 5_040_000 };
    const long = apply(marching, { type: "previewed", request: "r", preview: cut });
    expect(overlayOf(long, before, []).ruler).toMatchObject({
      label: "4.0″ · too long by 1.0″",
      reach: 3_000,
    });
  });

  test("of a picket that holds nothing is foreseen", () => {
    const holding = apply(
      seated,
      tellPicket(630, { ...toldPicket(seated.draft, 630), order: blankPicketOrder("hold", mine) }),
    );
    expect(foreseeablePicket(holding, mine)).toBeUndefined();
  });
});

test("tags of orders lie over no number of a marker, nor over each other", () => {
  const pen = {
    to: { measureText: (text: string) => ({ width: text.length * 8 }), font: "" },
    view: { centre: { x: 0, y: 0 }, scale: 20, width: 800, height: 600 },
  } as never as Pen;
  // Three markers in a row, an inch apart, which is 20 pixels; their circles are 22 wide.
  const markers = [0, 1_000, 2_000].map((x) => ({ x, y: 0 }));
  const marks: OrderMark[] = markers.map((place, i) => ({
    side: "union",
    kind: "hold",
    path: [place],
    facing: 0,
    draft: false,
    refused: false,
    marker: 100 + i,
  }));
  const tags = layTags(pen, marks, markers);
  expect(tags).toHaveLength(3);
  const meets = (a: (typeof tags)[number]["room"], b: typeof a) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  for (const tag of tags) {
    for (const { x } of markers) {
      const centre = 400 + (x / 1000) * 20;
      expect(meets(tag.room, { left: centre - 11, right: centre + 11, top: 289, bottom: 311 })).toBe(false);
    }
    for (const other of tags) if (other !== tag) expect(meets(tag.room, other.room)).toBe(false);
  }
});
