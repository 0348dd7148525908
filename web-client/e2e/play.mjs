// A player in a real browser against the real server: `node e2e/play.mjs PATH/TO/picket`.
//
// Opens the page that `picket run` prints, drafts an order, loses the server to kill -9 in the middle, sees the page come
// back by itself, finds the draft again, has an order refused, seals, reads the orders side by side, plays the turn back,
// adds up a result, goes through the tabs by keyboard, and goes on for as many turns as TURNS says (1 unless told otherwise;
// `TURNS=all` plays to the end). Then the same game on a phone, by touch. SHOTS=DIR keeps pictures at 1440 and 390 px.
// CLIENT=DIR serves that built client instead of the one inside the binary.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/browser.mjs";

const [picket] = process.argv.slice(2);
if (!picket) {
  console.error("usage: node e2e/play.mjs PATH/TO/picket");
  process.exit(2);
}
const turns = process.env.TURNS === "all" ? Infinity : Number(process.env.TURNS ?? 1);
const client = process.env.CLIENT;
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const data = mkdtempSync(join(tmpdir(), "picket-e2e-"));
const patience = Number(process.env.PATIENCE ?? 60_000);

/** Starts `picket run` and waits for the address it prints. */
async function start(port) {
  const server = spawn(picket, ["run", "--data", data, "--listen", `127.0.0.1:${port}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let address;
  server.stderr.on("data", (chunk) => (said += chunk));
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address within a minute: ${said}`)), 60_000);
    server.once("exit", (code) => reject(new Error(`picket run ended with ${code}: ${said}`)));
    server.stdout.on("data", (chunk) => {
      said += chunk;
      address = /https?:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said)?.[0];
      if (address && said.indexOf("\n", said.indexOf(address)) >= 0) {
        clearTimeout(late);
        resolve();
      }
    });
  });
  server.removeAllListeners("exit");
  return { server, address };
}

async function kill(server) {
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGKILL");
  await gone;
}

let { server, address } = await start(0);
const port = new URL(address).port;
const browser = await launch();
let passed = 0;
const faults = [];

async function open(width, height, phone, at) {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: "reduce",
  });
  if (client) {
    await context.route(
      (url) => !url.pathname.startsWith("/api/"),
      (route) => {
        const file = join(client, new URL(route.request().url()).pathname);
        return route.fulfill({
          path: existsSync(file) && statSync(file).isFile() ? file : join(client, "index.html"),
        });
      },
    );
  }
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => {
    faults.push(error.message);
    console.error(`page: ${error.message}`);
  });
  await enter(page, at);
  return page;
}

/** Opens the address and takes the seat, if the page asks for a name. */
async function enter(page, at = address) {
  await page.goto(at);
  const name = page.getByLabel("Your name");
  const map = page.locator("canvas").first();
  await Promise.race([name.waitFor(), map.waitFor()]);
  if (await name.isVisible()) {
    await name.fill("Vincent");
    await page.getByRole("button", { name: "Take the seat" }).click();
  }
  await map.waitFor();
}

async function shoot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

function ok(what) {
  passed += 1;
  console.log(`ok ${passed} - ${what}`);
}

const tab = (page, label) => page.getByRole("tab", { name: label }).click();

/** The button of a unit in the list of forces. */
const unitButton = (page, name) => page.getByRole("button", { name: new RegExp(`^${name}`) }).first();

/** Gives the first regiment an order by the panel. */
async function orderFirstUnit(page, order) {
  await tab(page, "Forces");
  await unitButton(page, "20th Maine").click();
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: order }).click();
}

/** An order that a rule forbids is refused at its unit, with the rule; the remedy clears it. */
async function refusedAtItsUnit(page) {
  await orderFirstUnit(page, "Move");
  await page.getByText("Formation, wheel and manner").click();
  await page.getByLabel("Wheel on the").selectOption("left");
  const facing = page.getByLabel(/^To face, degrees/);
  const now = Number(await facing.inputValue());
  await facing.fill(String((now + 170) % 360));
  await facing.blur();
  const refusal = page.getByRole("alert").filter({ hasText: "MV-18" });
  await refusal.first().waitFor();
  await shoot(page, "desktop-2-refused");
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "First fire" }).click();
  await refusal.first().waitFor({ state: "detached" });
  ok("a wheel beyond a right angle is refused at its unit, and the remedy clears it");
}

/** The orders of both sides stand side by side, and a press shows the unit. */
async function sideBySide(page) {
  const panel = page.getByRole("tabpanel");
  await panel.getByRole("heading", { name: "Yours" }).waitFor();
  const columns = panel.locator(".column");
  assert.ok((await columns.nth(0).getByRole("button").count()) > 3, "own orders are listed");
  const enemies = columns.nth(1).getByRole("button");
  assert.ok((await enemies.count()) > 3, "enemy orders are listed");
  await shoot(page, "desktop-3-reveal");
  const name = await enemies.first().locator(".name").innerText();
  await enemies.first().click();
  await page.locator("#unit-name").getByText(name, { exact: true }).waitFor();
  ok("own and enemy orders stand side by side, and a press shows the unit");
}

/** The turn is played; the log goes along. */
async function playBack(page, turn) {
  await page.getByRole("button", { name: `Play turn ${turn}` }).click();
  const bar = page.getByRole("group", { name: "Playback" });
  await bar.getByRole("button", { name: "Pause" }).click();
  await tab(page, "Log");
  const next = bar.getByRole("button", { name: "On to the next phase" });
  while (await next.isEnabled()) {
    await next.click();
    const caption = await bar.locator(".caption b").innerText();
    if (caption.includes("First fire") || caption.includes("Movement")) {
      for (let i = 0; i < 3; i += 1) await bar.getByRole("button", { name: "On one step" }).click();
      await page.locator(".entry.now").first().waitFor();
      await shoot(page, `desktop-4-playback-${caption.includes("Movement") ? "march" : "fire"}`);
    }
  }
  await bar.getByRole("button", { name: "Back one step" }).click();
  await bar.getByRole("button", { name: "Done" }).click();
  await bar.waitFor({ state: "detached" });
  ok("the turn is played back phase by phase, and the log goes along");
}

/** A result is explained by sums that can be added up, and by rules that open. */
async function explained(page) {
  await tab(page, "Log");
  const fires = page.locator("details", { has: page.locator(".line") }).first();
  await fires.locator("summary").click();
  const lines = await fires.locator(".line").allInnerTexts();
  for (const line of lines) {
    const [terms, total] = line.replaceAll("−", "-").split("=");
    if (total === undefined || total.includes("limited")) continue;
    const sum = terms
      .replaceAll(" ", "")
      .match(/[+-]?\d+/g)
      .reduce((so, term) => so + Number(term), 0);
    assert.equal(sum, Number(total), line);
  }
  await shoot(page, "desktop-5-why");
  await fires.getByRole("button", { name: /^Rule/ }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/./).first().waitFor();
  await page.waitForFunction(() => document.querySelector("dialog p")?.textContent.length > 30);
  await shoot(page, "desktop-5-rule");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  ok("a result opens its sums, which add up, and a rule opens its text");
}

/** Tabs by arrows, the map by letters: no mouse. */
async function byKeyboard(page) {
  await page.getByRole("tab", { selected: true }).focus();
  const before = await page.getByRole("tab", { selected: true }).innerText();
  await page.keyboard.press("ArrowRight");
  const after = await page.getByRole("tab", { selected: true }).innerText();
  assert.notEqual(after, before);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-selected")), "true");
  await page.getByRole("application").focus();
  await page.keyboard.press("n");
  await page.locator("#unit-name").waitFor();
  const first = await page.locator("#unit-name").innerText();
  await page.keyboard.press("n");
  await page.waitForFunction((name) => document.querySelector("#unit-name")?.textContent !== name, first);
  await page.keyboard.press("Escape");
  await page.locator("#unit-name").waitFor({ state: "detached" });
  ok("tabs and units are reached by keyboard");
}

/** The end: who won, by what, and each turn to be watched. */
async function atTheEnd(page) {
  await page.getByRole("heading", { name: /Victory for|draw/ }).waitFor();
  await page.getByRole("heading", { name: "The terms of victory" }).waitFor();
  await shoot(page, "desktop-6-end");
  await page.getByRole("button", { name: "Watch turn 1", exact: true }).click();
  const bar = page.getByRole("group", { name: "Playback" });
  await bar.getByRole("button", { name: "On one step", disabled: false }).waitFor();
  await bar.getByRole("button", { name: "Done" }).click();
  ok("the end shows the result, its terms, and each turn to be watched again");
}

/** A game with a window for reactions: a march drawn by keyboard, revealed, then bent, with its preview. */
async function bentAfterTheReveal() {
  const { origin } = new URL(address);
  const made = await fetch(`${origin}/api/games`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      scenario: "little_round_top",
      bot: "confederate",
      windows: ["orders", "reactions"],
    }),
  });
  const { invitations } = await made.json();
  const page = await open(1440, 900, false, new URL(invitations[0].link, origin).href);
  await orderFirstUnit(page, "Move");
  const map = page.getByRole("application");
  await map.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const foreseen = page.getByLabel("What the order would do");
  await foreseen.waitFor();
  await page.keyboard.press("Escape");
  ok("a path is drawn by keyboard, and its cost is told");
  await page.getByRole("button", { name: "Seal orders" }).click();
  await page.getByRole("button", { name: "Seal all the same" }).click();
  await page.getByRole("button", { name: "Seal answers" }).waitFor();
  // The list stands under the regiment that is still selected, unless something needs an answer.
  await page.getByText("What needs you").first().waitFor();
  const back = page.getByRole("button", { name: /What needs you/ });
  if (await back.isVisible()) await back.click();
  await page.locator("section[aria-label='What needs you'] .end").waitFor();
  await shoot(page, "desktop-7-needs");
  ok("after the reveal the page lists what needs an answer");
  await tab(page, "Forces");
  await unitButton(page, "20th Maine").click();
  await page.getByRole("button", { name: "Bend the march" }).click();
  const field = await map.boundingBox();
  await page.mouse.click(field.x + field.width * 0.45, field.y + field.height * 0.55);
  await foreseen.waitFor();
  await shoot(page, "desktop-7-bent");
  await page.context().close();
  ok("a march bent after the reveal is previewed");
}

/** The same game by touch, at 390 px. */
async function onThePhone(page) {
  const fits = async (where) => {
    const { wider, longer, low } = await page.evaluate(() => {
      const seal = document.querySelector(".seal")?.getBoundingClientRect();
      return {
        wider: document.documentElement.scrollWidth > innerWidth,
        // Nobody can scroll it, but a field that takes the focus would.
        longer: document.documentElement.scrollHeight > innerHeight,
        low: seal ? seal.bottom > innerHeight + 1 || seal.top < 0 : false,
      };
    });
    assert.equal(wider, false, `${where}: the page is wider than the phone`);
    assert.equal(longer, false, `${where}: the page is longer than the phone`);
    assert.equal(low, false, `${where}: the seal bar is not in sight`);
  };
  const over = await page.getByText("The battle is over").first().isVisible();
  await shoot(page, "phone-1-start");
  await fits("start");
  const map = await page.getByRole("application").boundingBox();
  assert.ok(map.height > 844 / 2, "the map has more than half of the phone");
  // What is pressed by a thumb is at least 44 px high; rule links in running text are links.
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button:not(.plain, .grip), select")]
      .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 43.5)
      .map((one) => one.textContent?.trim()),
  );
  assert.deepEqual(small, [], "buttons too small for a thumb");
  ok("the phone shows the map first, with nothing too small and nothing too wide");

  const zoom = () => page.locator(".bar .over").first().innerText();
  const before = await zoom();
  const touch = await page.context().newCDPSession(page);
  const finger = (type, ...touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  const [x, y] = [map.x + map.width / 2, map.y + map.height / 2];
  await finger("touchStart", { x: x - 30, y, id: 1 }, { x: x + 30, y, id: 2 });
  for (let apart = 30; apart <= 150; apart += 20)
    await finger("touchMove", { x: x - apart, y, id: 1 }, { x: x + apart, y, id: 2 });
  await finger("touchEnd");
  await page.waitForFunction((old) => document.querySelector(".bar .over")?.textContent !== old, before);
  ok("two fingers zoom the map");
  await page.getByRole("button", { name: "Show the whole table" }).tap();
  await page.waitForTimeout(300);
  await shoot(page, "phone-2-table");

  for (const label of ["Forces", "Turns", "Log", "Battle", "Orders"]) {
    await page.getByRole("tab", { name: label }).tap();
    await fits(label);
    await page.waitForTimeout(shots ? 300 : 0);
    await shoot(page, `phone-3-${label.toLowerCase()}`);
  }
  if (over) return;
  await page.getByRole("tab", { name: "Forces" }).tap();
  await unitButton(page, "83rd Pennsylvania").tap();
  await page.locator("#unit-name").waitFor();
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "Move" }).tap();
  await page.getByRole("button", { name: "Path done" }).waitFor();
  const field = await page.getByRole("application").boundingBox();
  await page.touchscreen.tap(field.x + field.width * 0.5, field.y + field.height * 0.4);
  await page.getByText("Draft saved").waitFor();
  await page.waitForTimeout(shots ? 500 : 0);
  await shoot(page, "phone-4-path");
  await page.getByRole("button", { name: "Path done" }).tap();
  await page.getByLabel("What the order would do").waitFor();
  await page.waitForTimeout(shots ? 300 : 0);
  await shoot(page, "phone-5-order");
  await fits("order");
  await page.getByRole("tab", { name: "Turns" }).tap();
  await page.getByRole("button", { name: /^Play turn/ }).tap();
  await page.getByRole("group", { name: "Playback" }).getByRole("button", { name: "Pause" }).tap();
  await page.waitForTimeout(shots ? 300 : 0);
  await shoot(page, "phone-6-playback");
  await fits("playback");
  await page.getByRole("button", { name: "Done", exact: true }).tap();
  ok("a march is ordered and a turn played by touch");
}

try {
  const page = await open(1440, 900, false);
  await page
    .getByText(/Little Round Top/)
    .first()
    .waitFor();
  ok("the printed page shows the battle");
  await shoot(page, "desktop-1-start");

  await orderFirstUnit(page, "First fire");
  await page.getByText("Draft saved").waitFor();
  await kill(server);
  const lost = page.getByRole("alert").filter({ hasText: "The line to the server is lost" });
  await lost.waitFor();
  await shoot(page, "desktop-1-lost");
  ({ server, address } = await start(port));
  await lost.waitFor({ state: "detached" });
  ok("a lost line is told, and comes back by itself");
  await enter(page);
  await tab(page, "Forces");
  await unitButton(page, "20th Maine").click();
  const pressed = page
    .getByRole("group", { name: "Order" })
    .getByRole("button", { name: "First fire", pressed: true });
  await pressed.waitFor();
  ok("after kill -9 the draft is there");
  await refusedAtItsUnit(page);

  for (let turn = 1; turn <= turns; turn += 1) {
    await page.getByRole("button", { name: "Seal orders" }).click();
    const anyway = page.getByRole("button", { name: "Seal all the same" });
    const moved = page.waitForFunction(
      (turn) =>
        Number.parseInt(document.querySelector("header dd")?.textContent ?? "0", 10) > turn ||
        document.body.innerText.includes("The battle is over"),
      turn,
      { timeout: patience },
    );
    await Promise.race([anyway.waitFor(), moved]);
    if (await anyway.isVisible()) await anyway.click();
    await moved;
    ok(`turn ${turn} was sealed and resolved`);
    await shoot(page, `desktop-turn-${turn}`);
    if (turn === 1) {
      await sideBySide(page);
      await playBack(page, turn);
      await explained(page);
      await byKeyboard(page);
    }
    if (await page.getByText("The battle is over").first().isVisible()) {
      await atTheEnd(page);
      break;
    }
  }

  await bentAfterTheReveal();
  await onThePhone(await open(390, 844, true));
  assert.deepEqual(faults, []);
  ok("no script failed");
} catch (fault) {
  console.error(fault);
  process.exitCode = 1;
} finally {
  await browser.close();
  await kill(server);
  rmSync(data, { recursive: true, force: true });
  console.log(`${passed} passed, ${process.exitCode ? 1 : 0} failed`);
}
