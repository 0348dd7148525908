import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { along } from "../src/map/geometry";
import { hitAt } from "../src/map/hit";
import { heightField, litGround } from "../src/map/relief";
import { keyForms, indexOfValue } from "../src/panels/keys";
import { splitRules } from "../src/rules/texts";

const square = (from: number, to: number) => [
  { x: from, y: from },
  { x: to, y: from },
  { x: to, y: to },
  { x: from, y: to },
];

describe("relief", () => {
  const field = heightField({
    width: 10000,
    height: 10000,
    contours: [
      { feet: 100, outline: square(3000, 7000) },
      { feet: 50, outline: square(2000, 8000) },
    ],
  });
  const at = (x: number, y: number) =>
    field.feet[Math.floor((10000 - y) / field.cell) * field.columns + Math.floor(x / field.cell)] as number;

  test("is level at the foot and as high as the contours say on top", () => {
    expect(at(200, 200)).toBe(0);
    expect(at(5000, 5000)).toBeCloseTo(100, 3);
  });

  test("has no steps: half way up is between the contours", () => {
    expect(at(2000, 5000)).toBeGreaterThan(5);
    expect(at(2000, 5000)).toBeLessThan(50);
  });

  test("is lighter to the north-west than to the south-east", () => {
    const pixels = litGround(field);
    const light = (x: number, y: number) =>
      pixels[
        (Math.floor((10000 - y) / field.cell) * field.columns + Math.floor(x / field.cell)) * 4
      ] as number;
    expect(light(2600, 7400)).toBeGreaterThan(light(7400, 2600) + 20);
  });
});

describe("what lies under a finger", () => {
  const battle = view();
  const maine = battle.units.find((unit) => unit.id === "me20");

  test("is the unit whose stand is there", () => {
    const stance = maine?.stance;
    if (!stance) throw new Error("the fixture has the 20th Maine on the table");
    expect(hitAt(battle, along(stance.anchor, stance.facing + 18000, 300), 200)).toEqual({
      kind: "unit",
      id: "me20",
    });
  });

  test("is a picket by its number", () => {
    const picket = battle.pickets[1];
    if (!picket) throw new Error("the fixture has pickets");
    expect(hitAt(battle, picket.at, 200)).toEqual({ kind: "picket", number: picket.number });
  });

  test("is nothing on empty ground", () => {
    expect(hitAt(battle, { x: 15000, y: 20000 }, 500)).toBeUndefined();
  });
});

describe("words", () => {
  test("rule numbers are found in a text", () => {
    expect(splitRules("See FIRE-07 and ALG-MTE, not U-2.")).toEqual([
      { text: "See ", rule: false },
      { text: "FIRE-07", rule: true },
      { text: " and ALG-MTE, not U-2.", rule: false },
    ]);
  });

  test("each choice of an instruction is recognised again from its value", () => {
    for (const form of keyForms) {
      form.choices.forEach((choice, i) =>
        expect(indexOfValue(form, structuredClone(choice.value)), form.key).toBe(i),
      );
    }
  });
});
