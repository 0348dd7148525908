import { describe, expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import { blankOrder, blankUnit } from "../src/state/orders";
import { chosenOf, emphasisOf, namesOf } from "../src/state/selected";
import { apply, start, type Message, type State } from "../src/state/state";
import { beginning } from "../src/table/begin";
import { handleMoved, pressOn } from "../src/table/hands";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
const view = seated.view;
if (!view) throw new Error("the fixture has a view");
const own = view.units.find((unit) => unit.own && unit.presence === "table" && unit.arm === "infantry");
const enemy = view.units.find((unit) => !unit.own && unit.stance);
if (!own?.stance || !enemy?.stance) throw new Error("the fixture has both sides on the table");
const selected = play([{ type: "select", what: { kind: "unit", id: own.id } }], seated);
const ordered = (kind: "charge" | "move"): State =>
  play(
    [{ type: "edit_unit", unit: own.id, draft: { ...blankUnit, order: blankOrder(kind, own) } }],
    selected,
  );
const onEnemy = { kind: "unit" as const, id: enemy.id };

describe("a press on the map", () => {
  test("selects when nothing is in hand", () => {
    expect(pressOn(selected, view, onEnemy, enemy.stance!.anchor)).toBe("select");
    expect(pressOn(seated, view, undefined, { x: 0, y: 0 })).toBe("select");
  });

  test("names the target of a charge that has none, once", () => {
    const charge = ordered("charge");
    const said = pressOn(charge, view, onEnemy, enemy.stance!.anchor);
    if (!said || said === "select") throw new Error("it says something");
    const named = apply(charge, said);
    expect(named.draft.units[own.id]?.order).toMatchObject({ type: "charge", target: enemy.id });
    expect(pressOn(named, view, onEnemy, enemy.stance!.anchor)).toBe("select");
    expect(pressOn(charge, view, { kind: "unit", id: own.id }, own.stance!.anchor)).toBe("select");
  });

  test("adds a point to the path that is drawn, and selects nothing", () => {
    const drawing = play([{ type: "draw", drawing: true }], ordered("move"));
    const first = pressOn(drawing, view, onEnemy, { x: 10_004, y: 9_000 });
    if (!first || first === "select") throw new Error("it says something");
    const drawn = apply(drawing, first);
    expect(drawn.draft.units[own.id]?.order).toMatchObject({ type: "move" });
    expect(drawn.saving).toBe("changed");
    const moved = handleMoved(drawn, 0, { x: 11_000, y: 9_000 });
    expect(moved).not.toEqual(first);
    expect(moved?.type).toBe("edit_unit");
  });
});

describe("what is selected", () => {
  test("is found by its kind", () => {
    expect(chosenOf(selected, view).unit?.id).toBe(own.id);
    const brigade = { kind: "brigade" as const, id: own.brigade ?? "" };
    expect(chosenOf({ ...seated, selected: brigade }, view).brigade?.id).toBe(own.brigade);
    expect(chosenOf(seated, view)).toEqual({});
  });

  test("is lit up, a brigade with all its units; what is played goes before", () => {
    expect([...emphasisOf(selected, view, new Set(), undefined).units]).toEqual([own.id]);
    const brigade = { ...seated, selected: { kind: "brigade" as const, id: own.brigade ?? "" } };
    const lit = emphasisOf(brigade, view, new Set(), undefined).units;
    expect([...lit]).toEqual(
      view.units.filter((unit) => unit.brigade === own.brigade).map((unit) => unit.id),
    );
    expect([...emphasisOf(brigade, view, new Set([enemy.id]), undefined).units]).toEqual([enemy.id]);
  });

  test("has a name, and a brigade one of its own", () => {
    const nameOf = namesOf(seated);
    const brigade = seated.welcome?.card.brigades[0];
    expect(nameOf(own.id)).toBe(own.name);
    expect(nameOf(`brigade ${brigade?.id}`)).toBe(brigade?.name);
    expect(nameOf("nobody")).toBe("nobody");
  });
});

test("the eye begins over one's own troops, nearer on a phone", () => {
  const wide = beginning(view, false);
  const phone = beginning(view, true);
  if (!wide || !phone) throw new Error("own troops stand on the table");
  expect(phone.left - wide.left).toBe(3500);
  expect(wide.left).toBeLessThan(own.stance!.anchor.x);
  expect(wide.right).toBeGreaterThan(own.stance!.anchor.x);
  expect(beginning(null, false)).toBeUndefined();
});
