// The page is built from two places: this folder (the house) and every game's own web/ folder (its board).
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Says at the end of a build how much a browser has to load, all boards included. */
function sizes(): Plugin {
  return {
    name: "sizes",
    apply: "build",
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).map((file) => (file.type === "chunk" ? file.code : file.source));
      const bytes = files.reduce((sum, content) => sum + gzipSync(content).length, 0);
      this.info(`the whole page: ${(bytes / 1000).toFixed(1)} kB gzip in ${files.length} files`);
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), sizes()],
  resolve: {
    alias: { $lib: here("./src/lib"), $components: here("./src/components") },
    dedupe: ["svelte"],
    // Unit tests mount components, which needs Svelte's browser build.
    conditions: mode === "test" ? ["browser"] : undefined,
  },
  build: {
    outDir: process.env.LUDOTECA_PAGE ?? here("../src/ludoteca/server/page"),
    emptyOutDir: true,
    // A picture inside a style sheet would need a looser security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  server: {
    fs: { allow: [here("..")] },
    proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
  test: {
    environment: "happy-dom",
    isolate: false,
    dir: here(".."),
    include: ["web/src/**/*.test.ts", "src/ludoteca/games/*/web/**/*.test.ts"],
  },
}));
