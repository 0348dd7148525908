// A server of its own over a new folder for a browser test, and the pages of those who come to it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../bench/browser.mjs";

const patience = 30_000;

/** Starts both; `stop` ends both and takes the folder away. `shots` is a folder for pictures, if any are wanted. */
export async function serve(picket, shots) {
  if (shots) mkdirSync(shots, { recursive: true });
  const data = mkdtempSync(join(tmpdir(), "picket-e2e-"));
  const server = spawn(picket, ["serve", "--data", data, "--listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const origin = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the server did not start: ${said}`)), 60_000);
    server.once("exit", (code) => reject(new Error(`picket serve ended with ${code}: ${said}`)));
    const look = (chunk) => {
      said += chunk;
      const address = /127\.0\.0\.1:[1-9]\d*/.exec(said)?.[0];
      if (!address) return;
      clearTimeout(late);
      resolve(`http://${address}`);
    };
    server.stdout.on("data", look);
    server.stderr.on("data", look);
  });
  server.removeAllListeners("exit");
  const browser = await launch();
  const faults = [];

  /** A browser of its own; `wire` has the text of all that its page's socket has said, the newest last. */
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
    const wire = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => wire.push(String(payload))));
    return { page, wire };
  }

  async function post(path, body) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  }

  return {
    origin,
    faults,
    open,
    post,
    said: () => said.slice(-2000),
    shoot: async (page, name) => {
      if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
    },
    stop: async () => {
      await browser.close();
      server.kill("SIGKILL");
      rmSync(data, { recursive: true, force: true });
    },
  };
}
