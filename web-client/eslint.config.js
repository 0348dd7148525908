import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "src/protocol/", "bench/shots/"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  { files: ["bench/*.mjs", "e2e/*.mjs", "*.js", "*.ts"], languageOptions: { globals: { ...globals.node } } },
  {
    rules: {
      "no-eval": "error",
      "no-console": "error",
      "svelte/no-at-html-tags": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  { files: ["bench/*.mjs", "e2e/*.mjs"], rules: { "no-console": "off" } },
);
