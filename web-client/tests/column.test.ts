import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { beginning, indexOfValue, keyForms } from "../src/panels/keys";
import type { Draft, Order, UnitView, View } from "../src/protocol/types";
import { columnEdits, columnListOf, columnsOf, comrades, followsInColumn } from "../src/state/column";
import { blankUnit, foreseeable, instructions, orderFor } from "../src/state/orders";
import { overlayOf, unseenFire } from "../src/state/overlay";
import { emptyDraft, start, type State } from "../src/state/state";

const column = (...regiments: string[]): Order => ({
  type: "form",
  task: { type: "brigade_column", regiments },
});
const hold: Order = { type: "hold", task: null };
const drafted = (orders: Record<string, Order>): Draft => ({
  ...emptyDraft,
  units: Object.fromEntries(Object.entries(orders).map(([id, order]) => [id, { ...blankUnit, order }])),
});

describe("an order to form a brigade column", () => {
  test("is given to all on its list", () => {
    expect(columnEdits(emptyDraft, "a", column("a", "b", "c"))).toEqual({
      a: column("a", "b", "c"),
      b: column("a", "b", "c"),
      c: column("a", "b", "c"),
    });
    expect(columnEdits(emptyDraft, "a", column("a"))).toEqual({ a: column("a") });
  });

  test("goes to a new head, and from who is taken off", () => {
    const before = column("a", "b", "c");
    const draft = drafted({ a: before, b: before, c: before });
    expect(columnEdits(draft, "a", column("b", "a"))).toEqual({
      a: column("b", "a"),
      b: column("b", "a"),
      c: null,
    });
  });

  test("is without a unit that is given another order, or takes itself off", () => {
    const before = column("a", "b", "c");
    const draft = drafted({ a: before, b: before, c: before });
    expect(columnEdits(draft, "b", hold)).toEqual({ a: column("a", "c"), b: hold, c: column("a", "c") });
    expect(columnEdits(draft, "b", column("a", "c"))).toEqual({
      a: column("a", "c"),
      b: null,
      c: column("a", "c"),
    });
    const two = drafted({ a: column("a", "b"), b: column("a", "b") });
    expect(columnEdits(two, "a", null)).toEqual({ a: null, b: null });
  });

  test("leaves alone who was told something else meanwhile", () => {
    const draft = drafted({ a: column("a", "b"), b: hold });
    expect(columnEdits(draft, "a", null)).toEqual({ a: null });
  });

  test("is no other order", () => {
    expect(columnListOf(column("a", "b"))).toEqual(["a", "b"]);
    expect(columnListOf({ type: "form", task: { type: "square" } })).toBeUndefined();
    expect(columnListOf(null)).toBeUndefined();
  });
});

/** The fixture with two regiments of one brigade in a column. */
function inColumn(): { battle: View; lead: UnitView; behind: UnitView } {
  const battle = view("union");
  const own = battle.units.filter((unit) => unit.own && unit.arm === "infantry" && unit.stance);
  const lead = own[0] as UnitView;
  const behind = own.find((unit) => unit !== lead && unit.brigade === lead.brigade) as UnitView;
  for (const unit of [lead, behind]) {
    unit.column = [lead.id, behind.id];
    if (unit.stance) unit.stance.formation = "brigade_column";
  }
  return { battle, lead, behind };
}

describe("a brigade column on the map", () => {
  test("is one body, from its head, while its regiments stand in it", () => {
    const { battle, lead, behind } = inColumn();
    expect(columnsOf(battle.units).map((one) => one.map((unit) => unit.id))).toEqual([[lead.id, behind.id]]);
    expect([followsInColumn(lead), followsInColumn(behind)]).toEqual([false, true]);
    if (behind.stance) behind.stance.formation = "single_line";
    expect(columnsOf(battle.units)).toEqual([]);
  });

  test("has the order of its lead, with one arrow, and is foreseen with it", () => {
    const { battle, lead, behind } = inColumn();
    const draft = drafted({ [lead.id]: hold });
    expect(orderFor(draft, behind)).toEqual({ order: hold, from: "column" });
    const leaving = drafted({ [lead.id]: hold, [behind.id]: column("x", "y") });
    expect(orderFor(leaving, behind)?.from).toBe("unit");
    const march: Order = {
      ...({ type: "move" } as Extract<Order, { type: "move" }>),
      path: [{ x: 1, y: 1 }],
    };
    const state: State = {
      ...start,
      view: battle,
      draft: drafted({ [lead.id]: march }),
      status: { at: { line: 1, turn: 1, stage: "orders" }, phase: "window" } as State["status"],
      shown: { ...start.shown, orders: true },
    };
    expect(foreseeable(state, behind)).toBeUndefined();
    const arrows = overlayOf(state, battle, []).orders.filter((mark) => mark.kind === "move" && mark.draft);
    expect(arrows).toHaveLength(1);
  });

  test("may be formed with infantry of the brigade alone", () => {
    const { battle, lead, behind } = inColumn();
    const offered = comrades(battle.units, lead);
    expect(offered.map((unit) => unit.id)).toContain(behind.id);
    expect(offered.every((unit) => unit.brigade === lead.brigade && unit.arm === "infantry")).toBe(true);
  });
});

describe("fire at what is not seen", () => {
  const form = keyForms.find((other) => other.key === "unseen_fire");
  const at = { x: 12_000, y: 8_000 };

  test("may be none, where a unit was, or at a place, which begins where the unit stands", () => {
    const plain = form?.choices.filter((choice) => !choice.markers);
    expect(plain?.map((choice) => choice.param?.kind)).toEqual([undefined, "enemy", "point"]);
    const [none, area, point] = form?.choices ?? [];
    if (!form || !none || !area || !point) throw new Error("the form has three choices");
    expect(beginning(none, [], at)).toEqual({ type: "none" });
    expect(beginning(area, [{ id: "al15" }], at)).toEqual({ type: "area", unit: "al15" });
    expect(beginning(point, [], at)).toEqual({ type: "point", at });
    expect(beginning(point, [], undefined)).toEqual({ type: "point", at: { x: 0, y: 0 } });
    expect(indexOfValue(form, { type: "point", at })).toBe(2);
  });

  test("is measured on the map", () => {
    const unit = view("union").units.find((other) => other.own && other.stance) as UnitView;
    const anchor = unit.stance?.anchor ?? at;
    const place = { x: anchor.x, y: anchor.y + 5_000 };
    const told = instructions({ unseen_fire: { type: "point", at: place } });
    const draft = { ...emptyDraft, units: { [unit.id]: { ...blankUnit, instructions: told } } };
    expect(unseenFire({ ...start, draft }, unit)).toEqual({
      points: [anchor, place],
      label: "fire unseen · 5.0″",
    });
    expect(unseenFire(start, unit)).toBeUndefined();
  });
});
