import { expect, test } from "vitest";
import { blankGroup, blankLeader, blankMove, blankUnit } from "../src/state/orders";
import { pathEdit } from "../src/state/paths";
import { emptyDraft, start, type Selection, type State } from "../src/state/state";

const points = [{ x: 1, y: 2 }];
const move = { type: "move" as const, ...blankMove };
const waypoints = { type: "waypoints" as const, points: [], no_push: true };
const draft = {
  ...emptyDraft,
  units: {
    marches: { ...blankUnit, order: move },
    bends: { ...blankUnit, order: move, instructions: { ...blankUnit.instructions, path: waypoints } },
    holds: { ...blankUnit, order: { type: "hold" as const, task: null } },
  },
  brigades: { brigade: { ...blankGroup, order: move } },
  leaders: { rides: { ...blankLeader, ride: { type: "path" as const, points: [], before_charges: true } } },
};
const edit = (selected: Selection | null) => pathEdit({ ...start, draft, selected } as State, points);

test("a path goes to the march, to the answer that bends it, to the brigade, to the leader's ride", () => {
  expect(edit({ kind: "unit", id: "marches" })).toMatchObject({ draft: { order: { path: points } } });
  const bent = edit({ kind: "unit", id: "bends" });
  expect(bent).toMatchObject({
    draft: { order: { path: [] }, instructions: { path: { points, no_push: true } } },
  });
  expect(edit({ kind: "brigade", id: "brigade" })).toMatchObject({ draft: { order: { path: points } } });
  expect(edit({ kind: "leader", id: "rides" })).toMatchObject({
    draft: { ride: { points, before_charges: true } },
  });
});

test("what has no path to draw is left alone", () => {
  for (const selected of [
    null,
    { kind: "unit" as const, id: "holds" },
    { kind: "unit" as const, id: "nobody" },
    { kind: "picket" as const, number: 1 },
  ])
    expect(edit(selected)).toBeUndefined();
});
