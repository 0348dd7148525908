import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import type { Draft, Instructions } from "../src/protocol/types";
import { emptyDraft } from "../src/state/state";
import { carriedOver, keepPostures, lastingOf, readPostures, withPosture } from "../src/state/postures";

const said = (keys: object) => keys as Instructions;
const battle = view();
const own = battle.units.find((unit) => unit.own && unit.presence === "table");
if (!own) throw new Error("the fixture has an own unit");

describe("postures of the player's own", () => {
  test("are kept by name, without what is for one turn alone", () => {
    const kept = withPosture([], " Wall ", said({ refuse: "never", halt_at: "wall", fire: null }));
    expect(kept).toEqual([{ name: "Wall", instructions: { refuse: "never" } }]);
    expect(withPosture(kept, "Wall", said({ fire: false }))).toEqual([
      { name: "Wall", instructions: { fire: false } },
    ]);
    expect(withPosture([], "nothing", said({ halt_at: "wall" }))).toEqual([]);
  });

  test("are read again, and rubbish in the store is none", () => {
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    };
    expect(readPostures(storage)).toEqual([]);
    keepPostures(storage, withPosture([], "Wall", said({ fire: false })));
    expect(readPostures(storage)).toEqual([{ name: "Wall", instructions: { fire: false } }]);
    for (const rubbish of ["{", "3", '[1, {"name": 4}, null]']) {
      expect(readPostures({ getItem: () => rubbish })).toEqual([]);
    }
  });
});

describe("from turn to turn", () => {
  const sealed: Draft = {
    ...emptyDraft,
    units: {
      [own.id]: {
        order: { type: "hold", task: null },
        posture: "stubborn",
        instructions: said({ refuse: "never", conditional_hold: true }),
      },
      gone: { order: null, posture: "delay", instructions: said({}) },
      silent: { order: { type: "first_fire" }, posture: null, instructions: said({}) },
    },
    brigades: {
      [own.brigade ?? ""]: {
        order: { type: "hold", task: null },
        from: null,
        posture: "delay",
        instructions: said({}),
      },
    },
  };

  test("postures and their exceptions stay, orders and what is for one turn do not", () => {
    const lasting = lastingOf(sealed);
    expect(Object.keys(lasting.units)).toEqual([own.id, "gone"]);
    expect(lasting.units[own.id]).toEqual({
      order: null,
      posture: "stubborn",
      instructions: { refuse: "never" },
    });
    expect(lasting.brigades[own.brigade ?? ""]).toMatchObject({ order: null, posture: "delay" });
  });

  test("who is no longer there is left out, and of nothing nothing is carried over", () => {
    expect(Object.keys(carriedOver(lastingOf(sealed), battle)?.units ?? {})).toEqual([own.id]);
    expect(carriedOver(lastingOf(emptyDraft), battle)).toBeUndefined();
  });
});
