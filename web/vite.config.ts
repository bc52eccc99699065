// The page is built from two places: this folder (the house) and every game's own web/ folder (its board).
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What is sent packed: everything that is not packed already, and long enough to gain by it. */
const PACKED = /\.(html|js|css|svg|json|webmanifest|wasm)$/;
const PACKED_BYTES_MIN = 400;

/** All files below a folder, as a browser asks for them. */
function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")).sort();
}

/**
 * Finishes a build: the service worker learns what the shell is made of, everything is packed once and for all, and
 * the build says how much a browser has to load before it shows the lobby, and with all boards.
 */
function finish(): Plugin {
  let folder = "";
  return {
    name: "finish",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    writeBundle(_options, bundle) {
      const read = (file: string) => readFileSync(join(folder, file));
      const index = read("index.html").toString();
      const first = [...index.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((match) => match[1]!);
      const shell = ["", ...first, ...readdirSync(here("./public")).filter((name) => name !== "preview.png")];
      // What is compiled in, for the bill of materials (requirements/bom.py).
      const modules = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
      const parts = new Set(modules.flatMap((id) => id.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []));
      writeFileSync(join(folder, "parts.json"), JSON.stringify([...parts].sort()));
      const version = createHash("sha256").update(index);
      for (const file of filesIn(folder)) version.update(file).update(read(file));
      const worker = readFileSync(here("./sw.js"), "utf8");
      const filled = worker.replace("__VERSION__", version.digest("hex").slice(0, 16)).replace("[/* __SHELL__ */]", JSON.stringify(shell));
      writeFileSync(join(folder, "sw.js"), filled);

      const size = { first: 0, whole: 0, brotli: 0 };
      for (const file of filesIn(folder).filter((name) => PACKED.test(name))) {
        const content = read(file);
        if (content.length < PACKED_BYTES_MIN) continue;
        const gzip = gzipSync(content, { level: 9 });
        const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
        if (file !== "index.html") {
          // The page itself is packed when it is served: it says under which name it was asked for.
          writeFileSync(join(folder, `${file}.gz`), gzip);
          writeFileSync(join(folder, `${file}.br`), brotli);
        }
        size.whole += gzip.length;
        if (first.includes(file) || file === "index.html") {
          size.first += gzip.length;
          size.brotli += brotli.length;
        }
      }
      const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
      // A board with its words in one language, and everything that comes with them.
      const boards = Object.values(bundle).flatMap((one) => {
        const game = one.type === "chunk" && one.facadeModuleId?.match(/games\/(\w+)\/web\/board\.ts$/)?.[1];
        if (!game) return [];
        const words = Object.values(bundle).filter((other) => other.type === "chunk" && other.facadeModuleId?.endsWith(`games/${game}/web/en.ts`));
        const files = new Set<string>();
        const add = (file: string) => {
          const chunk = bundle[file];
          if (files.has(file) || first.includes(file) || chunk?.type !== "chunk") return;
          files.add(file);
          for (const style of chunk.viteMetadata?.importedCss ?? []) if (!first.includes(style)) files.add(style);
          chunk.imports.forEach(add);
        };
        [one, ...words].forEach((chunk) => add(chunk.fileName));
        return [`${game} ${kB([...files].reduce((sum, file) => sum + brotliCompressSync(read(file)).length, 0))}`];
      });
      console.log(`first load: ${kB(size.first)} gzip, ${kB(size.brotli)} brotli; the whole page: ${kB(size.whole)} gzip`);
      console.log(`boards, brotli: ${boards.join(", ")}`);
    },
  };
}

export default defineConfig(({ mode }) => ({
  // The parts of the page find each other wherever the house is; in the page itself the house writes where that is.
  base: "./",
  plugins: [svelte(), finish()],
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
  // A thread that thinks is a module like all others.
  worker: { format: "es" },
  server: {
    fs: { allow: [here("..")] },
    proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } },
  },
  test: {
    // Colours are read as they are written (src/style/tokens.test.ts).
    css: true,
    environment: "happy-dom",
    isolate: false,
    dir: here(".."),
    include: ["web/src/**/*.test.ts", "src/ludoteca/games/*/web/**/*.test.ts"],
  },
}));
