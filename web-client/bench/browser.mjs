// Starts Debian's Chromium without a window, for measurements and pictures.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(
      `no browser at ${executablePath}: install Chromium, or name one in the variable CHROMIUM`,
    );
  }
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A page whose files a test serves itself may still open a socket to the server on this machine.
      "--disable-features=LocalNetworkAccessChecks",
    ],
  });
}
