// Measures canvas against SVG and prints a table. `npm run bench`.
import { cpus } from "node:os";
import { createServer } from "vite";
import { launch } from "./browser.mjs";

const frames = Number(process.env.FRAMES ?? 150);
const screens = [
  { name: "desktop 1440x900 @1", viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { name: "phone 390x844 @3", viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 },
];

const server = await createServer({ server: { port: 0, host: "127.0.0.1", hmr: false }, logLevel: "error" });
await server.listen();
const address = `http://127.0.0.1:${server.httpServer.address().port}/bench/index.html`;
const browser = await launch();
console.log(
  `${cpus().length} x ${cpus()[0].model}, Chromium ${browser.version()}, software drawing, ${frames} frames`,
);
console.log(
  "| screen | drawn as | gesture | script ms mean | script ms p95 | main thread ms | style+layout ms | frame ms mean | frame ms p95 |",
);
console.log("|---|---|---|---:|---:|---:|---:|---:|---:|");
for (const { name, ...options } of screens) {
  for (const way of ["svg", "canvas", "canvas, ground kept", "canvas, moved as a picture"]) {
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(address);
    await page.waitForFunction("globalThis.prepare !== undefined");
    const counters = await page.context().newCDPSession(page);
    await counters.send("Performance.enable");
    const read = async () =>
      Object.fromEntries(
        (await counters.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]),
      );
    await page.evaluate((way) => globalThis.prepare(way), way);
    for (const gesture of ["pan", "zoom"]) {
      const before = await read();
      const figures = await page.evaluate(([g, n]) => globalThis.measure(g, n), [gesture, frames]);
      const after = await read();
      const perFrame = (key) => ((after[key] - before[key]) * 1000) / frames;
      const cells = [
        figures.scriptMean,
        figures.script95,
        perFrame("TaskDuration"),
        perFrame("LayoutDuration") + perFrame("RecalcStyleDuration"),
        figures.intervalMean,
        figures.interval95,
      ];
      console.log(`| ${name} | ${way} | ${gesture} | ${cells.map((c) => c.toFixed(2)).join(" | ")} |`);
    }
    await page.context().close();
  }
}
await browser.close();
await server.close();
