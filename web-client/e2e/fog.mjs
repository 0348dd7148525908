// Two players in the fog `line_of_sight`, in two real browsers against the real server: `node e2e/fog.mjs PATH/TO/picket`.
//
// A game of the Wilderness is made at the door in this fog. Each page has only the enemies that its socket was sent: the others are
// names, which say so when they are pressed. Turns go by until somebody is lost from sight; what is remembered of him is told
// with its turn. SHOTS=DIR keeps pictures at 1440 and 390 px.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/browser.mjs";

const [picket] = process.argv.slice(2);
if (!picket) {
  console.error("usage: node e2e/fog.mjs PATH/TO/picket");
  process.exit(2);
}
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const data = mkdtempSync(join(tmpdir(), "picket-e2e-"));
const patience = 120_000;
/** By this turn somebody in the woods has been lost from sight: each turn throws its dice anew. */
const mostTurns = 4;

const port = await new Promise((resolve) => {
  const free = createServer().listen(0, "127.0.0.1", () => {
    const { port } = free.address();
    free.close(() => resolve(port));
  });
});
const origin = `http://127.0.0.1:${port}`;
const server = spawn(picket, ["serve", "--data", data, "--listen", `127.0.0.1:${port}`], {
  stdio: ["ignore", "ignore", "pipe"],
});
let said = "";
await new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error(`the server did not start: ${said}`)), 60_000);
  server.once("exit", (code) => reject(new Error(`picket serve ended with ${code}: ${said}`)));
  server.stderr.on("data", (chunk) => {
    said += chunk;
    if (said.includes("picket listens")) {
      clearTimeout(late);
      resolve();
    }
  });
});
server.removeAllListeners("exit");

const browser = await launch();
let passed = 0;
const faults = [];

function ok(what) {
  passed += 1;
  console.log(`ok ${passed} - ${what}`);
}

async function open(width, height, phone) {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => faults.push(error.message));
  /** What the socket has said: the card, and the last state. */
  const wire = { card: undefined, state: undefined };
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(String(payload));
      if (message.type === "welcome") wire.card = message.card;
      if (message.type === "state") wire.state = message;
    });
  });
  return { page, wire };
}

async function takeSeat({ page }, link, name) {
  await page.goto(origin + link);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Take the seat" }).click();
  await page.locator("canvas").first().waitFor();
}

const tab = (page, label) => page.getByRole("tab", { name: label }).click();
async function shoot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

async function seal(page) {
  await page.getByRole("button", { name: /^Seal/ }).first().click();
  const anyway = page.getByRole("button", { name: /Seal all the same|Seal without/ });
  await Promise.race([anyway.waitFor(), page.getByText("Sealed.").first().waitFor()]);
  if (await anyway.isVisible()) await anyway.click();
}

async function atTurn({ page, wire }, turn) {
  const until = Date.now() + patience;
  while (wire.state?.status.at.turn !== turn || wire.state.status.phase !== "window") {
    assert.ok(Date.now() < until, `turn ${turn} has not come`);
    await page.waitForTimeout(200);
  }
}

/** Names of a list of forces: all of them, and those out of sight. */
async function listed(page) {
  await tab(page, "Forces");
  const names = await page.locator("button.unit .name").allInnerTexts();
  const unseen = page.locator("button.unit", { hasText: "not in sight" }).locator(".name");
  return { names, unseen: await unseen.allInnerTexts() };
}

try {
  const host = await open(1440, 900, false);
  await host.page.goto(origin);
  await host.page.getByLabel("A bot plays").selectOption({ label: "nobody" });
  const scenario = host.page.getByRole("article").filter({ hasText: "The Wilderness" }).first();
  await scenario.getByRole("radio", { name: /Only what one’s own troops see/ }).check();
  await shoot(host.page, "fog-door");
  await scenario.getByRole("button", { name: "Begin" }).click();
  const link = (side) => host.page.getByRole("link", { name: new RegExp(side) }).getAttribute("href");
  const links = [await link("Union"), await link("Confederate")];
  const ann = await open(1440, 900, false);
  const bob = await open(390, 844, true);
  await takeSeat(ann, links[0], "Ann");
  await takeSeat(bob, links[1], "Bob");
  const players = [
    [ann, "union"],
    [bob, "confederate"],
  ];
  for (const [player] of players) await atTurn(player, 1);
  ok("a game in the fog is made at the door, and begins without pickets");

  for (const [{ page, wire }, side] of players) {
    const shown = new Set(wire.state.view.units.map((unit) => unit.id));
    const out = wire.card.roster.filter((unit) => !shown.has(unit.unit));
    assert.ok(out.length > 3 && out.every((unit) => unit.side !== side), "enemies alone are out of sight");
    assert.ok(
      wire.state.view.units.some((unit) => unit.side !== side),
      "some enemy is in sight",
    );
    const { names, unseen } = await listed(page);
    assert.deepEqual([...unseen].sort(), out.map((unit) => unit.name).sort());
    assert.equal(names.length, wire.card.roster.length, "everybody of the order of battle is listed once");
    await page.locator("button.unit", { hasText: "not in sight" }).first().click();
    await page.getByText("your side does not know").waitFor();
    await tab(page, "Battle");
    await page.getByText("You have before you only the enemies whom your own troops see").waitFor();
  }
  ok("who is out of sight is a name, and says so");

  let remembering;
  for (let turn = 1; turn < mostTurns && !remembering; turn += 1) {
    await seal(ann.page);
    await seal(bob.page);
    for (const [player] of players) await atTurn(player, turn + 1);
    remembering = players.find(([{ wire }]) => (wire.state.view.ghosts ?? []).length > 0)?.[0];
  }
  assert.ok(remembering, "nobody was lost from sight");
  const { page, wire } = remembering;
  const [ghost] = wire.state.view.ghosts;
  assert.ok(
    wire.state.view.units.every((unit) => unit.id !== ghost.unit),
    "a memory is no unit",
  );
  await tab(page, "Forces");
  const words = `seen in turn ${ghost.turn}, ${ghost.confidence}`;
  const row = page.locator("button.unit", { hasText: ghost.name }).filter({ hasText: words });
  await row.first().click();
  await page.getByText("None of your troops sees it now").waitFor();
  await page.getByText(new RegExp(words, "i")).first().waitFor();
  await shoot(ann.page, "fog-desktop");
  await shoot(bob.page, "fog-phone");
  ok("who is lost from sight is remembered, with his turn and how good the memory is");

  await tab(page, "Log");
  await page
    .getByText(/comes in sight|lost from sight/)
    .first()
    .waitFor();
  ok("the log tells who came in sight and who was lost");
  assert.deepEqual(faults, []);
  console.log(`# ${passed} passed`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  server.kill("SIGTERM");
  await new Promise((resolve) => server.once("exit", resolve));
  rmSync(data, { recursive: true, force: true });
}
