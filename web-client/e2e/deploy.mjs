// Two players who place their units, in two real browsers against the real server: `node e2e/deploy.mjs PATH/TO/picket`.
//
// A game is made at the door in which the players place their units; one drags a regiment with the mouse, the other selects
// one and taps its place on a phone; one place is refused with its rule; both seal, and turn 1 shows both where they were put.
// SHOTS=DIR keeps pictures at 1440 and 390 px.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/browser.mjs";

const [picket] = process.argv.slice(2);
if (!picket) {
  console.error("usage: node e2e/deploy.mjs PATH/TO/picket");
  process.exit(2);
}
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const data = mkdtempSync(join(tmpdir(), "picket-e2e-"));
const patience = 120_000;
/** The table of Little Round Top, inches. */
const table = { width: 54, height: 40 };

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
  /** What the socket has said: the last state, and the last draft sent. */
  const wire = { state: undefined, draft: undefined };
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(String(payload));
      if (message.type === "state") wire.state = message;
    });
    socket.on("framesent", ({ payload }) => {
      const message = JSON.parse(String(payload));
      if (message.type === "save_draft" || message.type === "seal") wire.draft = message.draft;
    });
  });
  return { page, wire };
}

async function shoot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

async function takeSeat(page, link, name) {
  await page.goto(origin + link);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Take the seat" }).click();
  await page.locator("canvas").first().waitFor();
}

/** Where a point of the table, in inches, lies on a page that shows the whole table. */
async function onScreen(page, x, y) {
  const map = page.getByRole("application");
  await map.press("0");
  await page.waitForTimeout(400);
  const box = await map.boundingBox();
  const pad = box.width < 600 ? 2 : 24;
  const scale = Math.min((box.width - 2 * pad) / table.width, (box.height - 2 * pad) / table.height);
  return {
    x: box.x + box.width / 2 + (x - table.width / 2) * scale,
    y: box.y + box.height / 2 - (y - table.height / 2) * scale,
  };
}

const stanceOf = (wire, id) => wire.state?.view.units.find((unit) => unit.id === id)?.stance;
const inches = (point) => [point.x / 1000, point.y / 1000];
const near = (point, x, y) => Math.hypot(point.x / 1000 - x, point.y / 1000 - y) < 0.6;
const saved = (page) => page.getByText("Draft saved").waitFor();

try {
  const host = await open(1440, 900, false);
  await host.page.goto(origin);
  await host.page.getByLabel("A bot plays").selectOption({ label: "nobody" });
  const scenario = host.page.getByRole("article").filter({ hasText: "Little Round Top" }).first();
  await scenario.getByLabel(/players place their units/).check();
  await shoot(host.page, "deploy-door");
  await scenario.getByRole("button", { name: "Begin" }).click();
  const link = (side) => host.page.getByRole("link", { name: new RegExp(side) }).getAttribute("href");
  const links = [await link("Union"), await link("Confederate")];
  ok("a game is made whose players place their units");

  const ann = await open(1440, 900, false);
  const bob = await open(390, 844, true);
  await takeSeat(ann.page, links[0], "Ann");
  await takeSeat(bob.page, links[1], "Bob");
  await ann.page.getByText("Waiting for you: place your units").waitFor();
  await bob.page.getByText("Waiting for you: place your units").waitFor();
  for (const [{ wire }, side] of [
    [ann, "union"],
    [bob, "confederate"],
  ]) {
    assert.equal(wire.state.view.turn, 0);
    assert.ok(wire.state.view.units.every((unit) => unit.side === side));
  }
  ok("each sees the own side alone");
  await shoot(ann.page, "deploy-desktop-1-start");
  await shoot(bob.page, "deploy-phone-1-start");

  // With the mouse: from the printed place to another.
  const from = await onScreen(ann.page, ...inches(stanceOf(ann.wire, "me20").anchor));
  const to = await onScreen(ann.page, 40.6, 23.6);
  await ann.page.mouse.move(from.x, from.y);
  await ann.page.mouse.down();
  await ann.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await ann.page.mouse.move(to.x, to.y, { steps: 5 });
  await ann.page.mouse.up();
  await saved(ann.page);
  assert.ok(near(ann.wire.draft.deployment.me20.anchor, 40.6, 23.6), JSON.stringify(ann.wire.draft));
  await ann.page.getByText("placed by you").first().waitFor();
  await ann.page.getByLabel("Formation").selectOption("double_line");
  await ann.page.getByRole("button", { name: "Turn right by 15 degrees" }).click();
  await saved(ann.page);
  await shoot(ann.page, "deploy-desktop-2-placed");
  ok("a regiment is dragged, formed and turned");

  // Far out of the zone: refused at the unit, with the rule.
  const out = await onScreen(ann.page, 12, 8);
  const there = await onScreen(ann.page, 40.6, 23.6);
  await ann.page.mouse.move(there.x, there.y);
  await ann.page.mouse.down();
  await ann.page.mouse.move(out.x, out.y, { steps: 8 });
  await ann.page.mouse.up();
  await ann.page.getByText(/refused \(SCN-06\): `20th Maine`/).waitFor();
  await shoot(ann.page, "deploy-desktop-3-refused");
  ok("a place that is refused says which rule and what would do");
  await ann.page.mouse.move(out.x, out.y);
  await ann.page.mouse.down();
  await ann.page.mouse.move(there.x, there.y, { steps: 8 });
  await ann.page.mouse.up();
  await saved(ann.page);
  await ann.page
    .getByText(/refused \(SCN-06\)/)
    .first()
    .waitFor({ state: "hidden" });

  // On a phone: select, then tap the place.
  await bob.page.getByRole("tab", { name: "Place" }).tap();
  await bob.page.getByRole("button", { name: /^5th Texas/ }).tap();
  const spot = await onScreen(bob.page, 26, 24.4);
  await shoot(bob.page, "deploy-phone-2-selected");
  await bob.page.touchscreen.tap(spot.x, spot.y);
  await saved(bob.page);
  await bob.page.getByText("placed by you").first().waitFor();
  assert.ok(near(bob.wire.draft.deployment.tx05.anchor, 26, 24.4), JSON.stringify(bob.wire.draft));
  await shoot(bob.page, "deploy-phone-3-placed");
  const wider = await bob.page.evaluate("document.documentElement.scrollWidth > innerWidth");
  assert.equal(wider, false, "the page is wider than a phone");
  ok("on a phone a regiment is selected and its place tapped");

  await ann.page.getByRole("button", { name: "Seal the deployment" }).click();
  await ann.page.getByText("Sealed. Waiting for the enemy to seal.").waitFor();
  assert.ok(ann.wire.state.view.units.every((unit) => unit.side === "union"));
  await shoot(ann.page, "deploy-desktop-4-sealed");
  await bob.page.getByRole("button", { name: "Seal the deployment" }).tap();
  for (const { page, wire } of [ann, bob]) {
    await page.getByRole("button", { name: "Seal orders" }).waitFor();
    assert.equal(wire.state.view.turn, 1);
    assert.deepEqual(stanceOf(wire, "me20").anchor, ann.wire.draft.deployment.me20.anchor);
    assert.equal(stanceOf(wire, "me20").formation, "double_line");
    assert.deepEqual(stanceOf(wire, "tx05").anchor, bob.wire.draft.deployment.tx05.anchor);
  }
  await shoot(ann.page, "deploy-desktop-5-turn-1");
  await shoot(bob.page, "deploy-phone-4-turn-1");
  ok("turn 1 shows both where they were put");
  assert.deepEqual(faults, []);
  ok("no script failed");
} catch (fault) {
  console.error(fault, said.slice(-2000));
  process.exitCode = 1;
} finally {
  await browser.close();
  server.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
  console.log(`${passed} passed, ${process.exitCode ? 1 : 0} failed`);
}
