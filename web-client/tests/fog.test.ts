import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { hitAt } from "../src/map/hit";
import type { Event, GhostView, RosterUnit, StageAt, View } from "../src/protocol/types";
import { asUnit, fogChoices, fogWords, ghostWords, unseenOf } from "../src/state/fog";
import { sentenceOf } from "../src/state/facts";
import { reelOf } from "../src/state/reel";
import { chosenOf, namesOf } from "../src/state/selected";
import { start, type State } from "../src/state/state";

const battle = view();
const alabama = battle.units.find((unit) => unit.id === "al15");
if (!alabama?.stance) throw new Error("the fixture has the 15th Alabama on the table");
const named: RosterUnit = {
  unit: "al15",
  name: alabama.name,
  side: alabama.side,
  brigade: alabama.brigade,
  arm: alabama.arm,
  quality: alabama.quality,
  weapon: alabama.weapon,
  figures: alabama.figures_at_start,
  stands: alabama.stands_at_start,
};
const ghost: GhostView = {
  unit: "al15",
  name: alabama.name,
  side: alabama.side,
  arm: alabama.arm,
  stance: alabama.stance,
  left: alabama.stands.map((stand) => stand.figures),
  morale: "good",
  turn: 2,
  stage: "movement",
  confidence: "doubtful",
};
/** The battle without the 15th Alabama. */
const without: View = { ...battle, units: battle.units.filter((unit) => unit.id !== "al15") };
const welcome = { card: { roster: [named], brigades: [] } } as unknown as NonNullable<State["welcome"]>;
const stateWith = (shown: View): State => ({ ...start, welcome, view: shown });

describe("LOS-06 who is out of sight", () => {
  test("is a name of the order of battle, with what is remembered of it", () => {
    expect(unseenOf(stateWith(without))).toEqual([{ unit: named, ghost: undefined }]);
    expect(unseenOf(stateWith({ ...without, ghosts: [ghost] }))).toEqual([{ unit: named, ghost }]);
    expect(unseenOf(stateWith(battle))).toEqual([]);
    expect(namesOf(stateWith(without))("al15")).toBe(alabama.name);
  });

  test("can be selected: the name, not a unit", () => {
    const selected = { kind: "unit" as const, id: "al15" };
    const chosen = chosenOf({ ...stateWith(without), selected }, without);
    expect(chosen).toEqual({ unseen: { unit: named, ghost: undefined } });
    expect(chosenOf({ ...stateWith(battle), selected }, battle).unit?.id).toBe("al15");
  });

  test("is in no list in the other fog", () => {
    expect(unseenOf({ ...start, view: without })).toEqual([]);
  });
});

describe("LOS-07 a memory", () => {
  test("says its turn and how good it is", () => {
    expect(ghostWords(ghost)).toBe("seen in turn 2, doubtful");
  });

  test("lies under a finger where nothing stands", () => {
    const at = ghost.stance.stands[0]?.[0] ?? { x: 0, y: 0 };
    expect(hitAt({ ...without, ghosts: [ghost] }, at, 100)).toEqual({ kind: "unit", id: "al15" });
    const standing = without.units.find((unit) => unit.stance)?.stance;
    if (!standing) throw new Error("somebody stands on the table");
    const there = { ...ghost, stance: standing };
    const corner = standing.stands[0]?.[0] ?? { x: 0, y: 0 };
    const hit = hitAt({ ...without, ghosts: [there] }, corner, 100);
    expect(hit).not.toEqual({ kind: "unit", id: "al15" });
  });
});

describe("LOS-05 who comes in sight and is lost from it", () => {
  const at: StageAt = { line: 1, turn: 3, stage: "movement" };
  const sighted = (came: boolean, segment: number): Event =>
    ({
      n: segment,
      stage: "movement",
      phase: 7,
      segment: null,
      rule: "LOS-05",
      fact: {
        type: "sighted",
        came: came
          ? [{ unit: "al15", after: ghost.stance, left: ghost.left, morale: "good", shown: null }]
          : [],
        lost: came ? [] : ["al15"],
        leaders: [],
        leaders_lost: [],
      },
      explanation: { sentence: "" },
    }) as unknown as Event;

  test("is played though no view of the turn has him", () => {
    const { frames } = reelOf(
      [{ at, events: [sighted(true, 1), sighted(false, 2)], before: without }],
      at,
      null,
      [named],
    );
    const shown = (index: number) => frames[index]?.after.units.find((unit) => unit.id === "al15");
    expect([shown(0)?.presence, shown(0)?.stance?.anchor]).toEqual(["table", ghost.stance.anchor]);
    expect(shown(0)?.stands.map((stand) => stand.figures)).toEqual(ghost.left);
    expect([shown(1)?.presence, shown(1)?.stance]).toEqual(["to_come", null]);
    expect(frames[1]?.after.ghosts?.map((one) => [one.unit, one.confidence])).toEqual([["al15", "fresh"]]);
  });

  test("LOS-12 a reason out of sight leaves the fact to be told", () => {
    const fact = { type: "morale_changed", unit: "al15", to: "shaken" };
    const event = { ...sighted(true, 1), fact, explanation: { sentence: "The reason is out of sight." } };
    const words = sentenceOf(event as unknown as Event, namesOf(stateWith(without)));
    expect(words).toMatch(/15th Alabama.* The reason is out of sight\.$/);
  });

  test("is told by name", () => {
    const nameOf = namesOf(stateWith(without));
    expect(sentenceOf(sighted(true, 1), nameOf)).toBe(`${alabama.name} comes in sight.`);
    expect(sentenceOf(sighted(false, 1), nameOf)).toBe(`${alabama.name} is lost from sight.`);
  });
});

describe("LOS-01 the fog of a new game", () => {
  test("is one of two, each with a sentence", () => {
    expect(fogChoices(false).map((choice) => choice.fog)).toEqual(["tabletop", "line_of_sight"]);
    expect(fogChoices(true)[1]?.sentence).toContain("There are no pickets.");
  });

  test("is told to who plays and who watches", () => {
    expect(fogWords("tabletop", { type: "public" })).toBe("");
    expect(fogWords("line_of_sight", { type: "public" })).toContain("shown nobody");
    expect(fogWords("line_of_sight", { type: "umpire" })).toContain("You see all");
  });

  test("has names that say nothing of what has become of them", () => {
    expect(asUnit(named)).toMatchObject({ stance: null, stands: [], presence: "to_come", own: null });
  });
});
