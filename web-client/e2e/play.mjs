// A player in a real browser against the real server: `node e2e/play.mjs PATH/TO/picket`.
//
// Opens the page that `picket run` prints, drafts an order, loses the server to kill -9 in the middle, finds the draft
// again, seals, watches the turn resolved, opens the explanation of a result, and goes on for as many turns as TURNS says
// (1 unless told otherwise; `TURNS=all` plays to the end). SHOTS=DIR keeps pictures at 1440 and 390 px.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/browser.mjs";

const [picket] = process.argv.slice(2);
if (!picket) {
  console.error("usage: node e2e/play.mjs PATH/TO/picket");
  process.exit(2);
}
const turns = process.env.TURNS === "all" ? Infinity : Number(process.env.TURNS ?? 1);
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const data = mkdtempSync(join(tmpdir(), "picket-e2e-"));
const patience = 120_000;

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
  await enter(page);
  return page;
}

/** Opens the address and takes the seat, if the page asks for a name. */
async function enter(page) {
  await page.goto(address);
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

/** Gives the first regiment an order by the panel. */
async function orderFirstUnit(page, order) {
  await tab(page, "Forces");
  await page
    .getByRole("button", { name: /^20th Maine/ })
    .first()
    .click();
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: order }).click();
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
  await shoot(page, "desktop-2-order");
  await kill(server);
  ({ server, address } = await start(port));
  await enter(page);
  await tab(page, "Forces");
  await page
    .getByRole("button", { name: /^20th Maine/ })
    .first()
    .click();
  const pressed = page
    .getByRole("group", { name: "Order" })
    .getByRole("button", { name: "First fire", pressed: true });
  await pressed.waitFor();
  ok("after kill -9 the draft is there");

  for (let turn = 1; turn <= turns; turn += 1) {
    await tab(page, "Battle");
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
    await tab(page, "Log");
    await page.locator("details summary").first().waitFor();
    if (turn === 1) {
      await page.locator("details summary").first().click();
      await shoot(page, "desktop-3-log");
      ok("a result opens its explanation");
    }
    await tab(page, "Battle");
    await shoot(page, `desktop-turn-${turn}`);
    if (await page.getByText("The battle is over").first().isVisible()) break;
  }

  const phone = await open(390, 844, true);
  await shoot(phone, "phone-1");
  const wider = await phone.evaluate("document.documentElement.scrollWidth > innerWidth");
  assert.equal(wider, false, "the page is wider than a phone");
  ok("the page fits a phone");
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
