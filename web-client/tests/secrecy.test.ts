import { describe, expect, test } from "vitest";
import { view } from "../src/fixtures/little-round-top";
import { paintTroops } from "../src/map/units";
import type { PicketView, View } from "../src/protocol/types";

/** A canvas that draws nothing, and notes what it is told to draw. */
function recorder(): { to: CanvasRenderingContext2D; told: string[] } {
  const told: string[] = [];
  const to = new Proxy({} as CanvasRenderingContext2D, {
    get: (_, name) => {
      if (name === "measureText") return () => ({ width: 20 });
      return (...words: unknown[]) => {
        told.push(`${String(name)}(${JSON.stringify(words)})`);
      };
    },
    set: (_, name, value) => {
      told.push(`${String(name)} = ${JSON.stringify(value)}`);
      return true;
    },
  });
  return { to, told };
}

const nobody = {
  units: new Set<string>(),
  leaders: new Set<string>(),
  without: new Set<string>(),
  refused: new Set<string>(),
};
const eye = { centre: { x: 20_000, y: 20_000 }, scale: 20, width: 800, height: 800 };

/** What is drawn of a table on which nothing stands but these markers. */
function drawn(pickets: PicketView[]): string[] {
  const empty: View = { ...view(), units: [], leaders: [], abandoned: [], wagons: [], pickets };
  const { to, told } = recorder();
  paintTroops({ to, view: eye }, empty, nobody, { taken: [], ground: [] });
  return told;
}

const marker: PicketView = {
  number: 417,
  side: "confederate",
  at: { x: 20_000, y: 21_000 },
  facing: 9_000,
  confirmed: null,
  shown: null,
  travelled: [
    { x: 20_000, y: 20_000 },
    { x: 20_000, y: 21_000 },
  ],
  commitment: "aa",
  own: null,
};

/** A marker that notes which of its words were read. */
function watched(of: PicketView): { picket: PicketView; read: Set<string> } {
  const read = new Set<string>();
  const picket = new Proxy(of, {
    get: (target, name) => {
      if (typeof name === "string") read.add(name);
      return target[name as keyof PicketView];
    },
  });
  return { picket, read };
}

const files = import.meta.glob<string>("../src/**/*.{ts,svelte,css}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The sources of the client as it is shipped, by name. */
const sources = (): Map<string, string> =>
  new Map(
    Object.entries(files)
      .map(([path, text]): [string, string] => [path.replace("../src/", ""), text])
      .filter(([name]) => !name.startsWith("fixtures/")),
  );

/** Where a word stands in the sources: the names of the files, as often as it stands there. */
const places = (word: RegExp): string[] =>
  [...sources()].flatMap(([name, text]) => [...text.matchAll(word)].map(() => name)).sort();

describe("secrecy", () => {
  test("LEAK-32 every enemy picket is one picture with its number", () => {
    const other = drawn([{ ...marker, number: 802, commitment: "bb" }]);
    expect(drawn([marker]).map((line) => line.replace("417", "802"))).toEqual(other);
    expect(other.filter((line) => line.includes("802")).length).toBe(1);
    // It is drawn from what all may see: a dummy and a regiment are the same there.
    const { picket, read } = watched(marker);
    drawn([picket]);
    expect(
      [...read].filter(
        (name) => !["number", "side", "at", "facing", "confirmed", "travelled", "own"].includes(name),
      ),
    ).toEqual([]);
  });

  test("LEAK-32 a dummy has a picture of its own in the eyes of its owner alone", () => {
    const own: NonNullable<PicketView["own"]> = {
      seat: "confederate",
      hides: { type: "dummy" },
      units: [],
      leaders: [],
      order: null,
      instructions: {} as NonNullable<PicketView["own"]>["instructions"],
      limits: [],
      open_rate: 12_000,
    };
    const real = {
      ...own,
      hides: { type: "unit" as const, unit: "al04", formation: "single_line" as const, gap: null },
      units: ["al04"],
    };
    const dashed = (picket: PicketView) =>
      drawn([picket]).some((line) => line.includes("setLineDash([[3,2.5]])"));
    expect([{ ...marker, own }, { ...marker, own: real }, marker].map(dashed)).toEqual([true, false, false]);
  });

  test("LEAK-33 nothing is fetched when a unit is revealed", () => {
    // What the client asks of the server: by one function, for scenarios, games, seats, tickets, rules,
    // for the umpire what others are sent, and when a game is over its record; and one socket.
    expect(places(/\bfetch\(/g)).toEqual(["net/rest.ts"]);
    expect(places(/new WebSocket\(/g)).toEqual(["net/socket.ts"]);
    const asked = [...(sources().get("net/rest.ts") ?? "").matchAll(/["`](\/api\/[^"`]*)["`]/g)].map(
      (found) => found[1],
    );
    expect(asked).toEqual([
      "/api/scenarios",
      "/api/games",
      "/api/join",
      "/api/watch",
      "/api/games",
      "/api/games/${encodeURIComponent(game)}/ticket",
      "/api/games/${encodeURIComponent(game)}/eyes",
      "/api/games/${encodeURIComponent(game)}/record",
      "/api/rules/${encodeURIComponent(id)}",
    ]);
    // No picture, sound, letter or part of the client comes in later, but the fixture of the developer's page.
    for (const later of [
      /new Image\(/g,
      /new Audio\(/g,
      /\.src\s*=/g,
      /\bsrc=/g,
      /url\(/g,
      /XMLHttpRequest/g,
      /sendBeacon/g,
      /EventSource/g,
      /new Worker\(/g,
      /import\.meta\.glob/g,
      /FontFace\(/g,
    ]) {
      expect(places(later), String(later)).toEqual([]);
    }
    expect(places(/\bimport\(/g)).toEqual(["App.svelte"]);
  });

  test("LEAK-63 a browser keeps tokens, a name, and what its own player has said", () => {
    expect(places(/\.setItem\(/g)).toEqual([
      "layout/NameForm.svelte",
      "net/seats.ts",
      "net/seats.ts",
      "net/seats.ts",
      "net/session.ts",
      "state/postures.ts",
    ]);
    expect(places(/indexedDB|sessionStorage|document\.cookie|caches\./g)).toEqual([]);
    // What is kept of a game is the player's own sealed draft.
    expect(sources().get("net/session.ts")).toContain("draft: lastingOf(state.sealed.content)");
  });
});
