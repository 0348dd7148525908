import { describe, expect, test } from "vitest";
import { needsOf, standing, welcome } from "../src/fixtures/play";
import type { Need } from "../src/protocol/types";
import {
  answerWith,
  fatesWords,
  given,
  holding,
  keepsItsPlace,
  mayAnswer,
  shares,
  stateWords,
  unanswered,
  unitsOf,
} from "../src/state/needs";
import { apply, start, type Message, type State } from "../src/state/state";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
if (!seated.view) throw new Error("the fixture has a view");
const told = play([{ type: "needs", request: "n", needs: needsOf(seated.view) }], seated);
const [charged, flank, far] = (told.needs?.needs ?? []) as [Need, Need, Need];
const [stand, form] = charged.answers as [Need["answers"][0], Need["answers"][0]];
const press = (state: State, need: Need, index: number): State => {
  const answer = need.answers[index];
  if (!answer) throw new Error("the need has this answer");
  return apply(state, answerWith(state, need, answer));
};

describe("the list of needs", () => {
  test("has the place of what was selected, and is gone with its window", () => {
    const selected = play([{ type: "select", what: { kind: "unit", id: charged.unit } }], seated);
    expect(
      play([{ type: "needs", request: "n", needs: needsOf(selected.view!) }], selected).selected,
    ).toBeNull();
    const next = standing();
    if (next.type !== "state") throw new Error("it is a state");
    const later = {
      ...next,
      status: { ...next.status, at: { ...next.status.at, stage: "movement" as const } },
    };
    expect(play([next], told).needs).not.toBeNull();
    expect(play([later], told).needs).toBeNull();
  });

  test("says whom each is about", () => {
    if (charged.what.type !== "charged") throw new Error("the first is charged");
    expect(unitsOf(charged)).toEqual([charged.unit, charged.what.by]);
  });
});

describe("answers", () => {
  test("one press writes the keys into the draft, and the list shows it", () => {
    expect(given(told, charged)).toBeUndefined();
    expect(holding(told, charged)).toBe(stand);
    expect(unanswered(told)).toEqual([charged, flank]);
    const answered = press(told, charged, 1);
    expect(answered.draft.units[charged.unit]?.instructions).toEqual({ if_charged: "form" });
    expect(answered.saving).toBe("changed");
    expect(given(answered, charged)).toBe(form);
    expect(unanswered(answered)).toEqual([flank]);
  });

  test("another press changes it, the same press takes it back", () => {
    const answered = press(told, charged, 1);
    expect(given(press(answered, charged, 0), charged)).toBe(stand);
    expect(press(answered, charged, 1).draft.units[charged.unit]).toBeUndefined();
  });

  test("an answer of two keys leaves none of them behind, and leaves other keys alone", () => {
    const before = apply(told, {
      type: "edit_unit",
      unit: flank.unit,
      draft: { order: null, posture: null, instructions: { canister: "double" } as never },
    });
    const faces = press(before, flank, 1);
    expect(Object.keys(faces.draft.units[flank.unit]?.instructions ?? {})).toEqual([
      "canister",
      "conditional_hold",
      "ch_form",
    ]);
    const bends = press(faces, flank, 0);
    expect(bends.draft.units[flank.unit]?.instructions).toEqual({ canister: "double", refuse: "threatened" });
  });

  test("what was answered in an earlier window is not open, and says so", () => {
    const earlier: Need = {
      ...charged,
      answers: charged.answers.map((answer) => ({
        ...answer,
        source: answer.in_force ? ("answer" as const) : null,
      })),
    };
    const state = { ...told, needs: { needs: [earlier], rest: 0 } };
    expect(unanswered(state)).toEqual([]);
    const [first, second] = earlier.answers;
    if (!first || !second) throw new Error("it has two answers");
    expect(stateWords(state, earlier, first)).toBe("your answer of before");
    expect(stateWords(told, charged, stand)).toBe("if you say nothing");
    const answered = press(state, earlier, 1);
    expect([first, second].map((answer) => stateWords(answered, earlier, answer))).toEqual([
      "",
      "your answer",
    ]);
  });

  test("what cannot be answered is not counted as open", () => {
    expect(mayAnswer(far)).toBe(false);
    expect(unanswered(told)).not.toContain(far);
  });
});

describe("odds", () => {
  test("the shares are the server's, impossible ones left out", () => {
    if (!stand.odds) throw new Error("it has odds");
    expect(shares(stand.odds).map((share) => `${share.label} ${share.percent}`)).toEqual([
      "does not come so far 26 %",
      "halted by its fire 9 %",
      "beaten off 42 %",
      "melee 9 %",
      "thrown back 14 %",
    ]);
    const never = { millionths: 0, exact: "0" };
    expect(shares({ ...stand.odds, melee: never }).some((share) => share.key === "melee")).toBe(false);
    // 56, 20 and 90 ways of 216.
    expect(keepsItsPlace(stand.odds)).toBe("77 %");
    expect(fatesWords(stand.odds)).toBe("good 17 %, shaken 56 %, routed 28 %");
  });
});
