import { describe, expect, test } from "vitest";
import { sampleEvents, standing, welcome } from "../src/fixtures/play";
import { indexOfValue, keyForms } from "../src/panels/keys";
import type { Event, Instructions, OrderShown, UnitView } from "../src/protocol/types";
import { plain, readingWords, sumWords } from "../src/state/facts";
import {
  blankMove,
  blankOrder,
  blankUnit,
  foreseeable,
  instructions,
  inTheSaddle,
  isAtDoor,
  orderFor,
  orderWords,
  standing as stanceOf,
} from "../src/state/orders";
import { touchedBy } from "../src/state/reel";
import { openedOrders } from "../src/state/reveal";
import { apply, emptyDraft, start, type Message, type State } from "../src/state/state";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
const nameOf = (id: string) => id;
const at = { line: 1, turn: 3, stage: "orders" as const };

function revealed(unit: string, shown: OrderShown): Event {
  return {
    n: 1,
    stage: "orders",
    phase: 3,
    segment: null,
    rule: "REV-02",
    fact: { type: "order_revealed", unit, shown },
    explanation: { sentence: "", sums: [], dice: [], tables: [], notes: [] },
  };
}

describe("the reveal", () => {
  const events = [
    revealed("me20", { type: "hold" }),
    revealed("al04", { type: "charge", target: "me20", support_of: null }),
    revealed("al15", { type: "move", bearing: 4500, formation: null }),
    { ...revealed("al15", { type: "hold" }), fact: { type: "conditional_hold", unit: "al15", forced: true } },
  ] as Event[];
  const opened = openedOrders(
    play([{ type: "events", at, events, before: sampleEvents().before, request: null }], seated),
    at,
    nameOf,
  );

  test("lists what was opened, own and enemy apart, by brigade", () => {
    expect(opened.side).toBe("union");
    expect(opened.own.flatMap((brigade) => brigade.units.map((unit) => unit.id))).toEqual(["me20"]);
    expect(opened.enemy.flatMap((brigade) => brigade.units.map((unit) => unit.id)).sort()).toEqual([
      "al04",
      "al15",
    ]);
    expect(opened.enemy.flatMap((brigade) => brigade.units).find((unit) => unit.id === "al04")?.words).toBe(
      "Charge at me20",
    );
  });

  test("a unit that had to hold from the reveal on is shown as holding", () => {
    const unit = opened.enemy.flatMap((brigade) => brigade.units).find((other) => other.id === "al15");
    expect(unit?.kind).toBe("conditional_hold");
  });

  test("a turn of which nothing was opened lists nobody", () => {
    const nothing = openedOrders(seated, { ...at, turn: 2 }, nameOf);
    expect([nothing.own, nothing.enemy]).toEqual([[], []]);
  });
});

describe("what is foreseen", () => {
  const unit = seated.view?.units.find((other) => other.id === "me20") as UnitView;
  const march = { type: "move" as const, ...blankMove, push: true, path: [{ x: 1, y: 1 }] };
  const bent = [{ x: 5, y: 5 }];
  const marching: UnitView = { ...unit, own: unit.own && { ...unit.own, order: march } };
  const answer = (no_push: boolean) => ({
    ...emptyDraft,
    units: {
      me20: {
        ...blankUnit,
        instructions: instructions({ path: { type: "waypoints", points: bent, no_push } }),
      },
    },
  });
  const reactions = { at: { stage: "reactions" as const } };

  test("is the drafted order while orders are given, and nothing for a unit that stays", () => {
    const draft = { ...emptyDraft, units: { me20: { ...blankUnit, order: march } } };
    expect(foreseeable({ draft, status: { at: { stage: "orders" } } }, unit)).toEqual(march);
    const hold = {
      ...emptyDraft,
      units: { me20: { ...blankUnit, order: { type: "hold" as const, task: null } } },
    };
    expect(foreseeable({ draft: hold, status: { at: { stage: "orders" } } }, unit)).toBeUndefined();
  });

  test("is the revealed march on its new path once it is bent", () => {
    expect(foreseeable({ draft: answer(false), status: reactions }, marching)).toEqual({
      ...march,
      path: bent,
    });
    expect(foreseeable({ draft: answer(true), status: reactions }, marching)).toMatchObject({ push: false });
    expect(foreseeable({ draft: emptyDraft, status: reactions }, marching)).toBeUndefined();
  });
});

describe("a sum in one line", () => {
  const term = (value: number) => ({ rule: "FIRE-14", label: "x", value });
  test.each([
    [[2, 1, -3], 0, "2 + 1 − 3 = 0"],
    [[-1, -2], -3, "−1 − 2 = −3"],
    [[7], 7, "7"],
    [[], 4, "4"],
    [[5, 4], 6, "5 + 4 = 9, limited to 6"],
  ])("%j in all %i", (values, total, words) => {
    expect(sumWords({ label: "sum", terms: values.map(term), total })).toBe(words);
  });
});

test("a fire is read off in one line: dice, modifiers, row, column, cell", () => {
  const term = (value: number) => ({ rule: "FORM-28", label: "x", value });
  const why = {
    sentence: "",
    sums: [
      { label: "dice", terms: [term(3), term(-1)], total: 2 },
      { label: "modifiers", terms: [term(3), term(-5)], total: -2 },
    ],
    dice: [{ purpose: "fire.volley", key: [], faces: [2, 6], needed: null }],
    tables: [{ table: "crt", row: "7 figures (row 6)", column: "6 (column 6)", value: "1*" }],
    notes: [],
  };
  expect(readingWords(why)).toBe("2 + 6 − 2 = 6: row 7 figures (row 6), column 6 (column 6) gives 1*");
  expect(readingWords({ ...why, tables: [] })).toBeUndefined();
});

test("names stand without their marks", () => {
  expect(plain("refused (SHK-07): `26th North Carolina` is shaken")).toBe(
    "Refused (SHK-07): 26th North Carolina is shaken",
  );
});

describe("the forms of the standing instructions", () => {
  const form = (key: keyof Instructions) => {
    const found = keyForms.find((other) => other.key === key);
    if (!found) throw new Error(`no form for ${key}`);
    return found;
  };

  test("there is one for each key of the wire, and no two for one", () => {
    // A record over all keys does not compile when one is missing or too many. Three keys of a charge stand in the form of
    // the charge itself, three are for pickets.
    type Formless = "halt_at" | "charge_bearing" | "role" | "reveal" | "open_fire" | "disengage_travel";
    const every: Record<Exclude<keyof Instructions, Formless>, true> = {
      conditional_hold_if: true,
      conditional_hold: true,
      ch_form: true,
      refuse: true,
      square: true,
      screen_fire: true,
      square_fire: true,
      fire: true,
      first_fire: true,
      hold_fire: true,
      fire_on_charges: true,
      extra_fire: true,
      moving_fire: true,
      oblique: true,
      stands: true,
      column_fire: true,
      past_skirmishers: true,
      rapid_fire: true,
      unseen_fire: true,
      target: true,
      group: true,
      canister: true,
      pivot: true,
      overhead_risk: true,
      if_halted: true,
      stop: true,
      path: true,
      rally: true,
      reform: true,
      reform_facing: true,
      battery_when_shaken: true,
      cavalry_when_shaken: true,
      if_charged: true,
      countercharge: true,
      form_if_charged: true,
      press_on: true,
      disengage_toward: true,
      fall_back_after_fire: true,
      countercharge_target: true,
      countercharge_if_disordered: true,
      support_countercharge: true,
    };
    expect(keyForms.map((other) => other.key).sort()).toEqual(Object.keys(every).sort());
  });

  test("each choice finds itself again, and a parameter may be anything", () => {
    for (const one of keyForms)
      one.choices.forEach((choice, index) => expect(indexOfValue(one, choice.value)).toBe(index));
    const target = form("target");
    const list = indexOfValue(target, { type: "units", units: ["al04", "al15"] });
    expect(target.choices[list]?.param?.kind).toBe("enemies");
    const stop = form("stop");
    expect(stop.choices[indexOfValue(stop, { type: "before", distance: 7250 })]?.label).toContain(
      "from any enemy",
    );
  });

  test("a moment of fire that no choice has is the player's own", () => {
    const hold = form("hold_fire");
    const own = { any_of: [[{ type: "expected", tenths: 15 }]], only_if_charged: false, wait_for: "al04" };
    expect(indexOfValue(hold, own)).toBe(hold.choices.length - 1);
    expect(indexOfValue(hold, null)).toBe(-1);
  });
});

test("a volley lights up who fires and who is fired at; orders opened together light up nobody", () => {
  const volley = sampleEvents().events.find((event) => event.fact.type === "volley") as Event;
  expect([...touchedBy({ kind: "events", phase: 7, events: [volley] })].sort()).toEqual(["mi16", "tx04"]);
  const many = ["a", "b", "c", "d"].map((id) => revealed(id, { type: "hold" }));
  expect(touchedBy({ kind: "events", phase: 3, events: many }).size).toBe(0);
});

describe("a unit at the door", () => {
  const onTable = seated.view?.units.find((unit) => unit.own) as UnitView;
  const stance = onTable.stance;
  const own = onTable.own && { ...onTable.own, arrives: 3, at_door: stance };
  const atDoor: UnitView = { ...onTable, stance: null, presence: "to_come", own };

  test("stands where it will come in, and takes no part in its brigade's order", () => {
    expect(isAtDoor(atDoor)).toBe(true);
    expect(isAtDoor(onTable)).toBe(false);
    expect(stanceOf(atDoor)).toEqual(stance);
    const group = {
      order: blankOrder("first_fire"),
      from: null,
      posture: null,
      instructions: instructions({}),
    };
    const draft = { ...emptyDraft, brigades: { [onTable.brigade ?? ""]: group } };
    expect(orderFor(draft, onTable)?.from).toBe("brigade");
    expect(orderFor(draft, atDoor)).toBeUndefined();
  });
});

describe("an order to form", () => {
  const unit = seated.view?.units.find((other) => other.own) as UnitView;
  const formed = (arm: UnitView["arm"], formation: NonNullable<UnitView["stance"]>["formation"]) => {
    const order = blankOrder("form", { ...unit, arm, stance: unit.stance && { ...unit.stance, formation } });
    return order.type === "form" ? order.task : undefined;
  };

  test("begins with what the unit can do", () => {
    expect(formed("artillery", "limbered")?.type).toBe("unlimber");
    expect(formed("artillery", "unlimbered")?.type).toBe("limber");
    expect(formed("infantry", "march_column")).toMatchObject({ formation: "single_line" });
    expect(formed("infantry", "single_line")).toMatchObject({ formation: "double_line" });
  });
});

describe("horse", () => {
  const rider = { ...standing().view.units[0], arm: "cavalry", mounted: true } as UnitView;

  test("is told to mount and to dismount in so many words", () => {
    const off = { type: "dismount" as const, formation: "skirmish_line" as const };
    const on = { type: "mount" as const, formation: "double_line" as const };
    expect(orderWords({ type: "form", task: off })).toBe("Dismount, in skirmish line");
    const ride = {
      type: "move" as const,
      ...blankMove,
      path: [{ x: 1, y: 1 }],
      form_first: on,
      form_last: off,
    };
    expect(orderWords(ride)).toBe(
      "Move, first mount, in double line, 1 leg, then dismount, in skirmish line",
    );
  });

  test("forms first what it has as it stands", () => {
    expect(inTheSaddle(rider)).toBe(true);
    const foot = { ...rider, mounted: false };
    expect(inTheSaddle(foot)).toBe(false);
    expect(blankOrder("form", foot)).toMatchObject({
      task: { type: "formation", formation: "dismounted_line" },
    });
  });
});

test("obs_23 obs_24 a swing, and a passage in disorder, are told in so many words", () => {
  expect(orderWords({ type: "form", task: { type: "swing", elements: ["a"] } })).toBe(
    "Swing chevaux-de-frise",
  );
  expect(orderWords({ type: "move", ...blankMove, in_disorder: true, path: [{ x: 0, y: 0 }] })).toBe(
    "Move, in disorder, 1 leg",
  );
});
