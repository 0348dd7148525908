// Takes pictures of the fixture battle at desktop and phone width. `npm run shots`; needs a build.
import { mkdirSync } from "node:fs";
import { preview } from "vite";
import { launch } from "./browser.mjs";

const folder = new URL("./shots/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const server = await preview({
  preview: {
    port: 0,
    host: "127.0.0.1",
    // What the server sends too: files of its own only.
    headers: {
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    },
  },
});
const address = `http://127.0.0.1:${server.httpServer.address().port}/?fixture`;
const browser = await launch();
const faults = [];
for (const [name, width, height, deviceScaleFactor] of [
  ["desktop", 1440, 900, 1],
  ["phone", 390, 844, 2],
]) {
  const phone = name === "phone";
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor,
    hasTouch: phone,
    isMobile: phone,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`${name}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`${name}: ${message.text()}`));
  await page.goto(address);
  await page.waitForSelector("canvas");
  await page.waitForTimeout(900);
  const shoot = async (what) => {
    await page.waitForTimeout(350);
    await page.screenshot({ path: `${folder}${name}-${what}.png` });
  };
  await shoot("1-start");

  const tab = (label) => page.getByRole("tab", { name: label }).click();
  await tab("Forces");
  await shoot("2-forces");
  await page.getByRole("button", { name: /^44th New York 11/ }).click();
  await shoot("3-unit");
  await page.getByRole("group", { name: "Order" }).getByRole("button", { name: "Move" }).click();
  const map = page.getByRole("application");
  const box = await map.boundingBox();
  for (const [x, y] of [
    [0.42, 0.3],
    [0.3, 0.35],
  ]) {
    if (phone) await page.touchscreen.tap(box.x + box.width * x, box.y + box.height * y);
    else await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    await page.waitForTimeout(250);
  }
  await shoot("4-path");
  await page.getByRole("button", { name: "Path done" }).click();
  await tab("Log");
  await page.locator("details summary").first().click();
  await shoot("5-log");
  await page.getByRole("button", { name: "Watch it" }).click();
  await page.waitForTimeout(300);
  await page.getByRole("button", { name: "Pause" }).click();
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "On one step" }).click();
  await shoot("6-playback");
  await page.getByRole("button", { name: "Done", exact: true }).click();
  await tab("Battle");
  await shoot("7-battle");
  await page.getByRole("button", { name: "Seal orders" }).click();
  await shoot("8-seal");
  await page.getByRole("button", { name: "Seal all the same" }).click();
  await shoot("9-sealed");
  await tab("Turns");
  await shoot("10-turns");

  const wider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  if (wider) faults.push(`${name}: the page is wider than the screen`);
  await context.close();
}
await browser.close();
await server.close();
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
