import { expect, test } from "vitest";
import { card, view } from "../src/fixtures/little-round-top";
import { featuresFrom, nearestOn, swungFrom } from "../src/state/features";

test("the nearest point of a line may lie between its corners", () => {
  const line = [
    { x: 0, y: 0 },
    { x: 1000, y: 0 },
  ];
  expect(nearestOn(line, { x: 400, y: 300 })).toEqual({ x: 400, y: 0 });
  expect(nearestOn(line, { x: 1400, y: 300 })).toEqual({ x: 1000, y: 0 });
  expect(nearestOn([], { x: 0, y: 0 })).toBeUndefined();
});

test("features go by their names or kinds, with where they lie, the nearest first; what is gone is left out", () => {
  const map = {
    ...card.map,
    ways: [],
    areas: [],
    buildings: [],
    obstacles: [
      { id: "far", name: "Far wall", kind: "stone_wall", line: [{ x: 0, y: 9000 }], width: 0 },
      { id: "near", name: "", kind: "stone_wall", line: [{ x: 3000, y: 0 }], width: 0 },
      { id: "gone", name: "Fence", kind: "fence", line: [{ x: 0, y: 0 }], width: 0 },
      { id: "beyond", name: "Ridge", kind: "fence", line: [{ x: 0, y: 40_000 }], width: 0 },
    ],
  };
  expect(featuresFrom(map, { x: 0, y: 0 }, ["gone"]).map(({ id, name }) => [id, name])).toEqual([
    ["near", "stone wall · 3.0″ east"],
    ["far", "Far wall · 9.0″ north"],
  ]);
});

test("obs_23 chevaux-de-frise are offered with how they stand, the nearest first; nothing else is, nor what is gone", () => {
  const element = (id: string, y: number, kind = "chevaux_de_frise") => ({
    id,
    name: "",
    kind,
    line: [
      { x: -500, y },
      { x: 500, y },
    ],
    width: 0,
  });
  const obstacles = [
    element("aside", 5000),
    element("shut", 2000),
    element("broken", 1000),
    element("burnt", 1500),
    element("wall", 500, "stone_wall"),
    element("far", 21_000),
  ];
  const map = { ...card.map, obstacles };
  const seen = {
    ...view(),
    destroyed: ["burnt", "aside", "broken"],
    obstacles: [
      { id: "aside", kind: "chevaux_de_frise", open: true, lines: [[{ x: 0, y: 5000 }]] },
      { id: "broken", kind: "chevaux_de_frise", open: false, lines: [] },
    ],
  };
  expect(swungFrom(map, seen, { x: 0, y: 0 })).toEqual([
    { id: "shut", name: "chevaux de frise · 2.0″ north, shut" },
    { id: "aside", name: "chevaux de frise · 5.0″ north, swung aside" },
  ]);
  expect(swungFrom(map, seen, undefined)).toEqual([]);
});
