import { describe, expect, test } from "vitest";
import { standing, welcome } from "../src/fixtures/play";
import type { ServerMessage, StageAt } from "../src/protocol/types";
import { blankOrder, blankUnit } from "../src/state/orders";
import { apply, emptyDraft, start, type Message, type State } from "../src/state/state";
import { compareStages } from "../src/state/stages";
import { waitingFor } from "../src/state/waiting";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
const hold = { ...blankUnit, order: blankOrder("hold") };
const edit: Message = { type: "edit_unit", unit: "me20", draft: hold };

function inWindow(change: Partial<ReturnType<typeof standing>["status"]>): ServerMessage {
  const state = standing();
  return { ...state, status: { ...state.status, ...change } };
}

describe("apply", () => {
  test("never changes the state it is given", () => {
    const frozen = structuredClone(seated);
    play(
      [
        edit,
        { type: "select", what: { kind: "unit", id: "me20" } },
        { type: "notice", text: "x", bad: true },
      ],
      seated,
    );
    expect(seated).toEqual(frozen);
  });

  test("what was said in passing goes with its window, what went wrong stays", () => {
    const said = play(
      [
        { type: "notice", text: "kept from last turn", bad: false },
        { type: "notice", text: "no such unit", bad: true },
      ],
      seated,
    );
    const at = seated.status?.at;
    if (!at) throw new Error("a window is open");
    expect(apply(said, inWindow({})).notices).toHaveLength(2);
    const next = apply(said, inWindow({ at: { ...at, turn: at.turn + 1 } }));
    expect(next.notices.map((notice) => notice.text)).toEqual(["no such unit"]);
  });

  test("what stood in clear sight when the setup opened is said with it", () => {
    const at: StageAt = { line: 1, turn: 0, stage: "orders" };
    const placing = apply(seated, inWindow({ at }));
    const fact = { type: "pickets_changed" as const, placed: [], gone: [], confirmed: [417] };
    const sentence = "Picket 417 is declared real.";
    const explanation = { sentence, sums: [], dice: [], tables: [], notes: [] };
    const event = {
      n: 1,
      stage: "orders" as const,
      phase: 0,
      segment: null,
      rule: "HID-41",
      fact,
      explanation,
    };
    const opened = apply(placing, { type: "events", at, events: [event], before: null, request: null });
    expect(opened.notices.at(-1)?.text).toBe(
      "Both sides have placed their units. Turn 1 begins. In clear sight of the enemy: Picket 417 is declared real.",
    );
  });

  test("an edit marks the draft as changed, a save that answers it as saved", () => {
    const edited = apply(seated, edit);
    expect(edited.saving).toBe("changed");
    const saved = play(
      [{ type: "draft_sent" }, { type: "saved", command: "1", refusals: [], without_order: ["pa83"] }],
      edited,
    );
    expect(saved.saving).toBe("saved");
    expect(saved.withoutOrder).toEqual(["pa83"]);
  });

  test("an edit made while a save is on its way stays unsaved", () => {
    const state = play(
      [edit, { type: "draft_sent" }, edit, { type: "saved", command: "1", refusals: [], without_order: [] }],
      seated,
    );
    expect(state.saving).toBe("changed");
  });

  test("a state of the same window keeps a draft that the server has not got", () => {
    const state = play([edit, standing()], seated);
    expect(state.draft.units).toHaveProperty("me20");
  });

  test("a state of the same window replaces a draft that is saved: another device may have changed it", () => {
    const state = play(
      [
        edit,
        { type: "draft_sent" },
        { type: "saved", command: "1", refusals: [], without_order: [] },
        standing(),
      ],
      seated,
    );
    expect(state.draft).toEqual(emptyDraft);
  });

  test("a new window begins with the server's draft, and forgets refusals and previews", () => {
    const refused = apply(apply(seated, edit), {
      type: "checked",
      request: "1",
      refusals: [{ subject: "me20", key: "order", rule: "ORD-08", message: "no" }],
      without_order: [],
    });
    const next = apply(refused, inWindow({ at: { line: 1, turn: 4, stage: "reactions" } }));
    expect(next.draft).toEqual(emptyDraft);
    expect(next.refusals).toEqual([]);
    expect(next.saving).toBe("saved");
  });

  test("an illegal seal keeps the draft and shows what was refused", () => {
    const refusals = [
      { subject: "me20", key: "order", rule: "SHK-07", message: "refused (SHK-07): it is shaken" },
    ];
    const state = play(
      [
        edit,
        { type: "seal_sent" },
        { type: "error", code: "illegal_orders", message: "one order is illegal", about: "1", refusals },
      ],
      seated,
    );
    expect(state.sealing).toBe(false);
    expect(state.sealRefusals).toEqual(refusals);
    expect(state.draft.units).toHaveProperty("me20");
    expect(state.notices.at(-1)?.text).toBe("one order is illegal");
  });

  test("a stage's events are kept once and in order, and offered to be watched", () => {
    const events = (turn: number, stage: StageAt["stage"]): ServerMessage => ({
      type: "events",
      at: { line: 1, turn, stage },
      events: [],
      before: null,
      request: null,
    });
    const state = play([events(3, "movement"), events(2, "orders"), events(3, "movement")], seated);
    expect(state.stages.map((record) => record.at.turn)).toEqual([2, 3]);
    expect(state.unwatched).toEqual({ line: 1, turn: 3, stage: "movement" });
    expect(play([events(4, "movement"), events(4, "orders")], state).unwatched).toEqual({
      line: 1,
      turn: 4,
      stage: "orders",
    });
    expect(play([{ type: "seen" }], state).unwatched).toBeNull();
  });

  test("orders opened while the player looks on are shown side by side; at a page just loaded they are not", () => {
    const opened: ServerMessage = {
      type: "events",
      at: { line: 1, turn: 3, stage: "orders" },
      events: [],
      before: null,
      request: null,
    };
    expect(apply(seated, opened).tab).toBe("turns");
    expect(apply(start, opened).tab).toBe("orders");
  });

  test("a replay that was asked for is not offered as news", () => {
    const state = apply(seated, {
      type: "events",
      at: { line: 1, turn: 1, stage: "orders" },
      events: [],
      before: null,
      request: "9",
    });
    expect(state.unwatched).toBeNull();
  });

  test("stages follow each other by line, turn and stage", () => {
    const stages: StageAt[] = [
      { line: 2, turn: 1, stage: "orders" },
      { line: 1, turn: 2, stage: "orders" },
      { line: 1, turn: 1, stage: "movement" },
      { line: 1, turn: 1, stage: "reactions" },
    ];
    expect([...stages].sort(compareStages).map((at) => `${at.line}${at.turn}${at.stage}`)).toEqual([
      "11reactions",
      "11movement",
      "12orders",
      "21orders",
    ]);
  });

  test("a sealed envelope is what is shown, on whatever device it was sealed", () => {
    const content = { ...emptyDraft, units: { pa83: hold } };
    const receipt = {
      at: { line: 1, turn: 4, stage: "orders" as const },
      seat: "union",
      hash: "h",
      salt: "s",
      nonce: "n",
      content,
    };
    const state = play([edit, { ...standing(), sealed: receipt }], seated);
    expect(state.draft).toEqual(content);
    expect(state.saving).toBe("saved");
  });

  test("selecting another thing ends the drawing of a path", () => {
    const state = play(
      [
        { type: "draw", drawing: true },
        { type: "select", what: { kind: "unit", id: "pa83" } },
      ],
      seated,
    );
    expect(state.drawing).toBe(false);
  });
});

describe("what is waited for", () => {
  test("is said before anything has come", () => {
    expect(waitingFor(start).text).toMatch(/not connected/i);
  });

  test("is the player, with the number of units that lack orders", () => {
    const state = apply(seated, { type: "checked", request: "1", refusals: [], without_order: ["a", "b"] });
    expect(waitingFor(state)).toMatchObject({
      mine: true,
      text: "Waiting for you: 2 units have no order.",
    });
  });

  test("is the enemy when all of one's own side have sealed, and a friend while one has not", () => {
    const receipt = {
      at: { line: 1, turn: 4, stage: "orders" as const },
      seat: "union",
      hash: "h",
      salt: "s",
      nonce: "n",
      content: emptyDraft,
    };
    const sealed = apply(seated, { type: "sealed", command: "1", receipt });
    expect(waitingFor({ ...sealed, status: { ...standing().status, waiting_for: [] } }).text).toMatch(
      /enemy/,
    );
    expect(waitingFor({ ...sealed, status: { ...standing().status, waiting_for: ["sykes"] } }).text).toMatch(
      /sykes/,
    );
  });

  test("is the line, when it is lost", () => {
    const state = apply(seated, { type: "link_changed", link: { kind: "waiting", attempt: 2, seconds: 3 } });
    expect(waitingFor(state)).toMatchObject({ bad: true });
  });

  test("is nothing after the end", () => {
    expect(waitingFor(apply(seated, inWindow({ phase: "ended" }))).text).toMatch(/over/);
  });
});
