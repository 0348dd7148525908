import { expect, test } from "vitest";
import type { GameCard } from "../src/net/rest";
import { dayWords, gameWords } from "../src/state/door";

test("a battle's day is told as people write it", () => {
  expect(dayWords("1863-07-02")).toBe("2 July 1863");
  expect(dayWords("1864-11-30")).toBe("30 November 1864");
  expect(dayWords("the summer of 1863")).toBe("the summer of 1863");
  expect(dayWords("1863-13-02")).toBe("1863-13-02");
});

test("a game at the door says how it stands", () => {
  const game: GameCard = {
    game: "g",
    name: "Little Round Top",
    scenario: "little_round_top",
    seat: "union",
    side: "union",
    at: { line: 1, turn: 3, stage: "orders" },
    phase: "window",
  };
  expect(gameWords(game)).toBe("Union · turn 3");
  expect(gameWords({ ...game, side: "confederate", at: { ...game.at, turn: 0 } })).toBe(
    "Confederate · deployment",
  );
  expect(gameWords({ ...game, phase: "gathering" })).toBe("Union · waiting for players");
  expect(gameWords({ ...game, phase: "ended" })).toBe("Union · over");
});
