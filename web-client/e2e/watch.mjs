// The umpire and a spectator of a hidden game, in real browsers against the real server: `node e2e/watch.mjs PATH/TO/picket`.
//
// Two players begin a game with pickets. The umpire sees what both sides hide; through a seat's eyes his page has the very bytes of that
// seat's, nothing of the other side's secrets stands on it, and he may ask how a unit stands. A spectator a turn behind sees the turn
// before and no other. SHOTS=DIR keeps pictures at 1440 and 390 px.
import assert from "node:assert/strict";
import { serve } from "./serve.mjs";

const [picket] = process.argv.slice(2);
if (!picket) {
  console.error("usage: node e2e/watch.mjs PATH/TO/picket");
  process.exit(2);
}
const table = await serve(picket, process.env.SHOTS);
let passed = 0;
function ok(what) {
  passed += 1;
  console.log(`ok ${passed} - ${what}`);
}

/** The last state of a page, and the bytes of its view. */
function standing(wire) {
  const text = wire.findLast((heard) => heard.startsWith('{"type":"state"'));
  if (!text) return undefined;
  const from = text.indexOf(',"view":');
  return { ...JSON.parse(text), bytes: text.slice(from, text.lastIndexOf(',"draft":')) };
}
/** The last state once it is as it is wanted. */
async function until(seen, wanted) {
  for (let i = 0; i < 1200; i += 1) {
    const state = standing(seen.wire);
    if (state && (await wanted(state))) return state;
    await seen.page.waitForTimeout(50);
  }
  throw new Error(`it did not come: ${JSON.stringify(standing(seen.wire)?.status)}`);
}
const inTurn = (turn) => (state) => state.status.at.turn === turn && state.status.phase === "window";

async function takeSeat(seen, link, name) {
  await seen.page.goto(table.origin + link);
  await seen.page.getByLabel("Your name").fill(name);
  await seen.page.getByRole("button", { name: "Take the seat" }).click();
  await seen.page.locator("canvas").first().waitFor();
}
async function watch(seen, link, name) {
  await seen.page.goto(table.origin + link);
  await seen.page.getByLabel("Your name").fill(name);
  await seen.page.getByRole("button", { name: "Watch" }).click();
  await seen.page.locator("canvas").first().waitFor();
}
/** Seals what there is, though units have no order. The last seal may open the next turn at once. */
async function seal({ page, wire }) {
  const before = standing(wire).status.at.turn;
  const bar = page.locator(".seal");
  await bar.getByRole("button", { name: /^Seal/ }).first().click();
  const anyway = bar.getByRole("button", { name: "Seal all the same" });
  await until({ page, wire }, async (state) => {
    if (await anyway.isVisible()) await anyway.click();
    return state.sealed !== null || state.status.at.turn !== before || state.status.phase !== "window";
  });
}
/** Names of units, as the umpire knows them. */
let names = new Map();
const openTab = (page, name) => page.getByRole("tab", { name }).click();
/** What a page tells of a picket and of what it hides in one place, tab by tab: on the page, to a pointer, to who reads by ear. */
async function told(page, markers) {
  const claims = [];
  for (const tab of ["Forces", "Turns", "Log", "Battle"]) {
    await openTab(page, tab);
    const places = await page
      .locator("button, li, section, p, dd, [aria-label], [title]")
      .evaluateAll((all) =>
        all
          .map((one) => `${one.innerText ?? ""} ${one.ariaLabel ?? ""} ${one.title}`.replace(/\s+/g, " "))
          .filter((text) => text.length < 300),
      );
    for (const { number, own } of markers)
      for (const name of own.units.map((id) => names.get(id)))
        claims.push(
          ...places.filter((text) => new RegExp(`\\b${number}\\b`).test(text) && text.includes(name)),
        );
  }
  return claims;
}
/** The rows of the pickets of a side in the list of forces. */
const rows = (page, numbers) =>
  page
    .getByRole("tabpanel")
    .getByRole("button")
    .filter({ hasText: new RegExp(`\\b(${numbers.join("|")})\\b`) })
    .allInnerTexts();

try {
  const game = await table.post("/api/games", {
    scenario: "east_cavalry_field",
    hidden_movement: true,
    windows: ["orders"],
    umpire: true,
    spectators: "open",
    spectator_delay_turns: 1,
  });
  const link = (side) => game.invitations.find((other) => other.side === side).link;
  const [union, confederate] = [await table.open(1440, 900, false), await table.open(1440, 900, false)];
  await takeSeat(union, link("union"), "Ann");
  await takeSeat(confederate, link("confederate"), "Bob");
  for (const player of [union, confederate]) await seal(player);
  for (const player of [union, confederate]) await until(player, inTurn(1));
  ok("two players begin a game with pickets");

  const umpire = await table.open(1440, 900, false);
  await watch(umpire, game.umpire, "Cy");
  const all = await until(umpire, inTurn(1));
  const hers = standing(union.wire);
  const under = all.view.pickets.filter(({ side }) => side === "confederate");
  assert.ok(
    under.length > 0 && all.view.pickets.every((marker) => marker.own),
    "the umpire sees what is hidden",
  );
  names = new Map(all.view.units.map(({ id, name }) => [id, name]));
  /** The names of what a picket hides. */
  const hides = ({ own }) => own.units.map((id) => names.get(id));
  await openTab(umpire.page, "Forces");
  const his = await rows(
    umpire.page,
    under.map(({ number }) => number),
  );
  const real = under.filter(({ own }) => own.units.length > 0);
  for (const marker of real) {
    const row = his.find((text) => text.includes(String(marker.number)));
    assert.ok(row, `picket ${marker.number} is in the list`);
  }
  await table.shoot(umpire.page, "watch-umpire");
  // The truth of a marker, when it is pressed.
  const [marker] = real;
  const press = async (page) => {
    await openTab(page, "Forces");
    const row = page
      .getByRole("tabpanel")
      .getByRole("button", { name: new RegExp(`\\b${marker.number}\\b`) });
    await row.first().click();
  };
  await press(umpire.page);
  const panel = umpire.page.getByRole("complementary").first();
  await panel.getByText(/^Hides /).waitFor();
  const truth = await panel.innerText();
  assert.ok(
    hides(marker).length > 1 || truth.includes(hides(marker)[0]),
    `the umpire reads what picket ${marker.number} hides: ${truth}`,
  );
  assert.ok((await told(umpire.page, real)).length > 0, "the lists of the umpire tell what pickets hide");
  ok("the umpire sees what both sides hide");

  const heard = umpire.wire.length;
  await umpire.page.getByLabel("Through the eyes of").selectOption({ label: "Union (Ann)" });
  await umpire.page.getByText(/You see what Union \(Ann\) is shown/).waitFor();
  const through = { page: umpire.page, wire: [] };
  await umpire.page.waitForFunction(() => document.querySelector("canvas"));
  for (let i = 0; i < 600 && !standing(through.wire); i += 1) {
    through.wire = umpire.wire.slice(heard);
    await umpire.page.waitForTimeout(50);
  }
  const seen = standing(through.wire);
  assert.equal(seen.bytes, hers.bytes, "the page of the seat has other bytes");
  assert.deepEqual([seen.draft, seen.sealed], [null, null]);
  assert.deepEqual(
    await told(umpire.page, real),
    [],
    "a place of the page tells what an enemy's picket hides",
  );
  await press(umpire.page);
  await panel.getByRole("heading", { name: `Picket ${marker.number}` }).waitFor();
  const silent = await panel.innerText();
  assert.ok(!/Hides|Ordered/.test(silent), silent);
  for (const name of hides(marker)) assert.ok(!silent.includes(name), silent);
  await table.shoot(umpire.page, "watch-eyes");
  ok("through a seat's eyes the page has the seat's bytes, and no secret of the other side");

  const own = seen.view.units.find((unit) => unit.own && unit.presence === "table");
  await openTab(umpire.page, "Forces");
  await umpire.page
    .getByRole("tabpanel")
    .getByRole("button", { name: new RegExp(own.name) })
    .first()
    .click();
  await umpire.page
    .getByText(/must beat \d+/)
    .first()
    .waitFor();
  await table.shoot(umpire.page, "watch-standing");
  ok("as that seat the umpire asks how a unit stands");

  const spectator = await table.open(390, 844, true);
  await watch(spectator, game.spectators, "Di");
  await until(spectator, (state) => state.status.at.turn < 1 || state.view.turn === 0);
  for (const turn of [1, 2]) {
    for (const player of [union, confederate]) await seal(player);
    for (const player of [union, confederate]) await until(player, inTurn(turn + 1));
  }
  // Two turns were played: he has the first, and is told of the window after it.
  const late = await until(spectator, inTurn(2));
  assert.equal(late.view.viewer.type, "public");
  const events = spectator.wire
    .filter((text) => text.startsWith('{"type":"events"'))
    .map((text) => JSON.parse(text));
  assert.deepEqual([...new Set(events.map(({ at }) => at.turn))].filter(Boolean), [1]);
  assert.ok(
    late.view.pickets.every((other) => other.own === null) && late.view.units.every((unit) => !unit.own),
  );
  await spectator.page.getByRole("tab", { name: "Turns" }).tap();
  await spectator.page.getByRole("button", { name: "Play turn 1", exact: true }).waitFor();
  assert.equal(await spectator.page.getByRole("button", { name: "The turn after" }).isEnabled(), false);
  const behind = (await spectator.page.locator("body").innerText()).match(/1 turn behind/g) ?? [];
  assert.equal(behind.length, 1, "how late it is, is said once");
  await table.shoot(spectator.page, "watch-spectator-390");
  ok("a spectator a turn behind sees the turn before, and no other");
  assert.deepEqual(table.faults, []);
  ok("no script failed");
} catch (fault) {
  console.error(fault, table.said());
  process.exitCode = 1;
} finally {
  await table.stop();
  console.log(`${passed} passed, ${process.exitCode ? 1 : 0} failed`);
}
