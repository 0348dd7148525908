import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Browsers that can run the server's page at all know these.
    target: "es2022",
    // Nothing inline: the server's content security policy allows files of its own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    // `npm run dev` beside a running server: its API and socket, our pages.
    proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
