import { describe, expect, test } from "vitest";
import { formsFor, keyForms } from "../src/panels/keys";
import { instructions } from "../src/state/orders";

const keys = (arm: Parameters<typeof formsFor>[0], given = instructions({})) =>
  formsFor(arm, given).map((form) => form.key);

describe("the standing instructions that an arm is asked for", () => {
  test("are all of them for a brigade of no one arm", () => {
    expect(keys(undefined)).toEqual(keyForms.map((form) => form.key));
  });

  test("leave squares, attack columns and screens to infantry, guns to artillery, horses to cavalry", () => {
    for (const key of ["square", "square_fire", "column_fire", "screen_fire"] as const) {
      expect(keys("infantry")).toContain(key);
      expect(keys("cavalry")).not.toContain(key);
      expect(keys("artillery")).not.toContain(key);
    }
    expect(keys("cavalry")).toContain("cavalry_when_shaken");
    expect(keys("infantry")).not.toContain("cavalry_when_shaken");
    expect(keys("artillery")).toContain("canister");
    expect(keys("cavalry")).not.toContain("canister");
  });

  test("show what is said already, whoever was meant", () => {
    expect(keys("cavalry", instructions({ square: "never" }))).toContain("square");
  });
});
