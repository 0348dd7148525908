import { describe, expect, test } from "vitest";
import { oddsOf, standing, welcome } from "../src/fixtures/play";
import type { OddsLoss } from "../src/protocol/types";
import { apply, start, type Message, type State } from "../src/state/state";
import { bars, fatesLine, fireWords, percentWords } from "../src/state/volley";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
const select = (id: string): Message => ({ type: "select", what: { kind: "unit", id } });
const units = seated.view?.units.filter((unit) => unit.presence === "table") ?? [];
const own = units.find((unit) => unit.own)?.id ?? "";
const [enemy, other] = units.filter((unit) => unit.side === "confederate").map((unit) => unit.id) as [
  string,
  string,
];

function loss(figures: number, millionths: number, horses = 0): OddsLoss {
  return { figures, stands: 0, horses, chance: { millionths, exact: "" } };
}

describe("what a volley would do, in words", () => {
  test("a chance is whole percent, and never quite none or certain unless it is", () => {
    expect(percentWords(0)).toBe("0 %");
    expect(percentWords(4_999)).toBe("<1 %");
    expect(percentWords(5_000)).toBe("1 %");
    expect(percentWords(430_556)).toBe("43 %");
    expect(percentWords(996_000)).toBe(">99 %");
    expect(percentWords(1_000_000)).toBe("100 %");
  });

  test("there is a bar for each number of figures, also for one that cannot be", () => {
    expect(bars([loss(0, 500_000), loss(2, 250_000), loss(3, 250_000)])).toEqual([
      { label: "0", height: 1, percent: "50 %" },
      { label: "1", height: 0, percent: "0 %" },
      { label: "2", height: 0.5, percent: "25 %" },
      { label: "3", height: 0.5, percent: "25 %" },
    ]);
  });

  test("hits on horses and on sections share a bar", () => {
    const found = bars([loss(0, 100_000), loss(0, 400_000, 1), loss(1, 200_000), loss(1, 300_000, 1)]);
    expect(found.map((bar) => bar.percent)).toEqual(["10 %", "60 %", "30 %"]);
  });

  test("heavy losses share the last bar", () => {
    const found = bars(
      Array.from({ length: 10 }, (_, figures) => loss(figures, 100_000)),
      4,
    );
    expect(found.map((bar) => [bar.label, bar.percent])).toEqual([
      ["0", "10 %"],
      ["1", "10 %"],
      ["2", "10 %"],
      ["3+", "70 %"],
    ]);
  });

  test("no losses, no fall", () => {
    expect(bars([])).toEqual([{ label: "0", height: 0, percent: "0 %" }]);
  });

  test("fates and the order in a line", () => {
    const odds = oddsOf(own, enemy);
    expect(fatesLine(odds)).toBe("good 96 % · shaken 2 % · routed 1 %");
    expect(fireWords(odds)).toBe("on HOLD");
    expect(fireWords({ ...odds, fire: "first_fire" })).toBe("on FIRST FIRE");
    expect(fireWords({ ...odds, fire: "moving" })).toBe("after moving");
  });
});

describe("which volley is asked about", () => {
  const asked = play([select(own), select(enemy)], seated);

  test("that of the own unit selected before, at the enemy selected now", () => {
    expect(asked.volley).toEqual({ firer: own, target: enemy, odds: null });
    expect(apply(seated, select(enemy)).volley).toBeNull();
    expect(apply(asked, select(other)).volley).toEqual({ firer: own, target: other, odds: null });
    expect(apply(asked, select(own)).volley).toBeNull();
    expect(apply(asked, { type: "select", what: null }).volley).toBeNull();
  });

  test("an answer is kept for it, and for no other", () => {
    const odds = oddsOf(own, enemy);
    const answer = (target: string): Message => ({
      type: "odds",
      request: "1",
      odds: { ...odds, target },
    });
    expect(apply(asked, answer(enemy)).volley?.odds).toEqual(odds);
    expect(apply(asked, answer(other)).volley?.odds).toBeNull();
    expect(apply(seated, answer(enemy)).volley).toBeNull();
  });

  test("a new window forgets it", () => {
    const state = standing();
    const at = { line: 1, turn: 4, stage: "reactions" as const };
    expect(apply(asked, { ...state, status: { ...state.status, at } }).volley).toBeNull();
  });
});
