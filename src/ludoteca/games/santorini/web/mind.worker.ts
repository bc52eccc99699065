/** Thinks beside the page: a position in, what was found out of it. */
import { Engine, type Found } from "./engine";
import type { Position } from "./position";

export interface Wanted { engine: string; position: Position; ms: number }

let engine: Promise<Engine> | null = null;

async function load(address: string): Promise<Engine> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`no engine: ${answer.status}`);
  return new Engine(await WebAssembly.compileStreaming(answer));
}

addEventListener("message", ({ data }: MessageEvent<Wanted>) => {
  engine ??= load(data.engine);
  engine.then(
    (found) => postMessage(found.think(data.position, data.ms) satisfies Found),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
