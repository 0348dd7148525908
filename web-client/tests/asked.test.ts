import { describe, expect, test } from "vitest";
import { standing, standingOf, welcome } from "../src/fixtures/play";
import type { CommandLink, LevelStanding, Standing } from "../src/protocol/types";
import {
  askedOf,
  commandLinks,
  headline,
  helpWords,
  levelBar,
  linkEnds,
  linkWords,
} from "../src/state/asked";
import { overlayOf } from "../src/state/overlay";
import { apply, start, type Message, type State } from "../src/state/state";

const play = (messages: Message[], from: State = start): State => messages.reduce(apply, from);
const seated = play([{ type: "link_changed", link: { kind: "open" } }, welcome(), standing()]);
const view = seated.view;
if (!view) throw new Error("the fixture has a view");
const select = (id: string): Message => ({ type: "select", what: { kind: "unit", id } });
const units = view.units.filter((unit) => unit.presence === "table");
const own = units.find((unit) => unit.own)?.id ?? "";
const other = units.find((unit) => unit.own && unit.id !== own)?.id ?? "";
const enemy = units.find((unit) => unit.side === "confederate")?.id ?? "";
const answer = (unit: string): Message => ({
  type: "standing",
  request: "s",
  standing: standingOf(view, unit),
});
const told = (unit: string): Standing => standingOf(view, unit);

const link: CommandLink = {
  unit: own,
  friend: null,
  from: { x: 0, y: 0 },
  to: { x: 0, y: 6875 },
  distance: 6875,
  weighed: 8875,
  radius: 12000,
  reaches: true,
};

describe("which unit is asked about", () => {
  test("the one on the table that is selected, own or enemy", () => {
    expect(play([select(own)], seated).asked).toEqual({ unit: own, told: null });
    expect(play([select(enemy)], seated).asked).toEqual({ unit: enemy, told: null });
    expect(play([select(own), { type: "select", what: null }], seated).asked).toBeNull();
    expect(askedOf(view, { kind: "leader", id: "vincent" })).toBeNull();
    expect(askedOf(view, { kind: "unit", id: "nobody" })).toBeNull();
  });

  test("an answer about another unit comes too late", () => {
    expect(play([select(own), answer(own)], seated).asked?.told?.unit).toBe(own);
    expect(play([select(own), select(other), answer(own)], seated).asked).toEqual({
      unit: other,
      told: null,
    });
    expect(play([answer(own)], seated).asked).toBeNull();
  });

  test("a new window asks anew about whom is selected", () => {
    const asked = play([select(own), answer(own)], seated);
    expect(play([standing()], asked).asked?.told?.unit).toBe(own);
    const now = standing();
    if (now.type !== "state") throw new Error("a state");
    const next: Message = {
      ...now,
      status: { ...now.status, at: { ...now.status.at, turn: now.status.at.turn + 1 } },
    };
    expect(play([next], asked).asked).toEqual({ unit: own, told: null });
  });
});

describe("how it stands, in words", () => {
  test("a headline", () => {
    expect(headline(told(own))).toBe("must beat 6 · holds in 58 %");
    expect(headline(told(enemy))).toBe("seen to beat 7");
  });

  test("a link tells its weight only where the ground weighs", () => {
    expect(linkWords(link)).toBe("6.9″, weighs 8.9″ of 12.0″");
    expect(linkWords({ ...link, weighed: 6875 })).toBe("6.9″ of 12.0″");
    expect(linkWords({ ...link, weighed: 13000, reaches: false })).toBe(
      "6.9″, weighs 13.0″: too far for 12.0″",
    );
  });

  test("a link leads to a friend, or to the commander", () => {
    const name = (id: string) => `<${id}>`;
    const standing = told(own);
    expect(linkEnds(standing, { ...link, friend: "me20" }, name)).toBe(`<${own}> → <me20>`);
    expect(linkEnds(standing, link, name)).toBe(`<${own}> → <${standing.command?.leader ?? ""}>`);
  });

  test("a leader with fewer places than units near him", () => {
    const standing = told(own);
    const [help] = standing.leaders;
    if (!help) throw new Error("the fixture has a leader");
    const name = (id: string) => (id === own ? "this" : "that");
    expect(helpWords(standing, help, name)).toBe(
      "level 1, 0.8″ of 1.0″, −1; helps 1 unit in a phase; near him too: that",
    );
    expect(helpWords(standing, { ...help, helps: false, places: 2, order: [own] }, name)).toBe(
      "level 1, 0.8″ of 1.0″, −1; helps 2 units in a phase; this one may have to wait",
    );
  });
});

describe("command points", () => {
  const level = (lost: number): LevelStanding => ({
    leader: "b",
    name: "b",
    level: 0,
    points: { total: 12, lost, limit_40: 5, limit_60: 7 },
  });
  test("a bar with its two marks", () => {
    const bar = levelBar(level(6));
    expect(bar?.lost).toBe(0.5);
    expect(bar?.marks).toEqual([
      { at: 5 / 12, label: "40 %", reached: true },
      { at: 7 / 12, label: "60 %", reached: false },
    ]);
  });

  test("what they come to, in words", () => {
    expect(levelBar(level(4))?.words).toBe("4 of 12 points lost; advances no more at 5");
    expect(levelBar(level(6))?.words).toBe("6 of 12 points lost; advances no more, withdraws at 7");
    expect(levelBar(level(7))?.words).toBe("7 of 12 points lost; must withdraw");
    // A commander and those who replaced him may cost more than the whole was worth.
    expect(levelBar(level(14))?.lost).toBe(1);
  });

  test("nothing to draw of an enemy", () => {
    expect(levelBar({ leader: "b", name: "b", level: 40, points: null })).toBeNull();
  });
});

describe("the chain of command on the map", () => {
  const asked = play([select(own), answer(own)], seated);

  test("is that of the unit selected", () => {
    const links = commandLinks(asked);
    expect(links.length).toBe(2);
    expect(links[0]?.to).toEqual(links[1]?.from);
    const [near, far] = [link, { ...link, reaches: false }];
    const told = asked.asked?.told;
    if (!told?.command) throw new Error("an own unit has a commander");
    const command = { ...told.command, links: [near, far] };
    const state = { ...asked, asked: { unit: own, told: { ...told, command } } };
    expect(commandLinks(state).map(({ label }) => label)).toEqual(["6.9″", "6.9″, too far"]);
    expect(overlayOf(asked, view, []).links).toEqual(links);
    expect(commandLinks(seated)).toEqual([]);
    expect(commandLinks(play([select(enemy), answer(enemy)], seated))).toEqual([]);
  });

  test("gives way to a path that is drawn, and can be switched off", () => {
    expect(overlayOf(play([{ type: "draw", drawing: true }], asked), view, []).links).toEqual([]);
    expect(overlayOf(play([{ type: "show", what: "radii", on: false }], asked), view, []).links).toEqual([]);
  });
});
