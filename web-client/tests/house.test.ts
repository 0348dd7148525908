import { describe, expect, it } from "vitest";

import type { HouseRuleCard } from "../src/protocol/types";
import { asked, cells, chapters, differing, meaning } from "../src/state/house";

function line(id: string, kind: string, chosen = "first"): HouseRuleCard {
  const choices = ["first", "second"].map((word) => ({ word, meaning: `The ${word}.` }));
  return { id, kind, title: `About ${id}.`, rules: ["MOR-03"], choices, default: "first", chosen };
}

const sheet = [line("a", "ruling"), line("b", "optional", "second"), line("c", "number"), line("d", "new")];

describe("the house-rules sheet", () => {
  it("is read by chapters, the book's own options first, and loses no line", () => {
    const read = chapters(sheet).map((chapter) => [chapter.title, chapter.lines.map((l) => l.id)]);
    expect(read).toEqual([
      ["Optional rules of the book", ["b"]],
      ["Two numbers in the book", ["c"]],
      ["Two readings of the book", ["a"]],
      ["Others", ["d"]],
    ]);
  });

  it("tells what is played otherwise than ruled, in plain words", () => {
    expect(differing(sheet).map((l) => meaning(l, l.chosen))).toEqual(["The second."]);
  });

  it("sends what differs from the scenario and nothing else", () => {
    expect(asked(sheet, {})).toEqual({});
    expect(asked(sheet, { a: "second", b: "first", c: "first", unknown: "x" })).toEqual({
      a: "second",
      b: "first",
    });
  });

  it("counts the cells of a chart", () => {
    expect([cells(1), cells(7)]).toEqual(["1 cell differs", "7 cells differ"]);
  });
});
