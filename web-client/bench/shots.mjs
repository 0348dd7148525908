// Takes pictures of the fixture battle at desktop and phone width. `npm run shots`; needs a build.
import { mkdirSync } from "node:fs";
import { preview } from "vite";
import { launch } from "./browser.mjs";

const folder = new URL("./shots/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const server = await preview({ preview: { port: 0, host: "127.0.0.1" } });
const address = `http://127.0.0.1:${server.httpServer.address().port}/?fixture`;
const browser = await launch();
const faults = [];
for (const [name, width, height, deviceScaleFactor] of [
  ["desktop", 1440, 900, 1],
  ["phone", 390, 844, 2],
]) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor,
    hasTouch: name === "phone",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`${name}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`${name}: ${message.text()}`));
  await page.goto(address);
  await page.waitForTimeout(800);
  const shoot = (what) => page.screenshot({ path: `${folder}${name}-${what}.png` });
  await shoot("start");
  await context.close();
}
await browser.close();
await server.close();
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
