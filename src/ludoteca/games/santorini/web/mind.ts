/** Hints and analysis in the page: the house's own searcher in a thread of its own, loaded when somebody asks. */
import type { Mind, Thought } from "$lib/board";
import engine from "../engine/engine.wasm?url";
import { WON, type Found } from "./engine";
import { actionOf, positionOf, type Position } from "./position";
import { reasonFor } from "./reasons";
import type { Action, Event, View } from "./types";
import type { Wanted } from "./mind.worker";

/** What the engine calls 243 is a chance of e to 1: so ended its own matches (`training.santorini chances`). */
const SCALE = 243;

let worker: Worker | null = null;

function asked(position: Position, ms: number): Promise<Found> {
  worker ??= new Worker(new URL("./mind.worker.ts", import.meta.url), { type: "module" });
  const thinker = worker;
  return new Promise((found, failed) => {
    const lost = (reason: string) => {
      // The next one to ask begins with a new thread.
      thinker.terminate();
      worker = null;
      failed(new Error(reason));
    };
    thinker.onerror = (event) => lost(event.message);
    thinker.onmessage = ({ data }: MessageEvent<Found | { error: string }>) => ("error" in data ? lost(data.error) : found(data));
    thinker.postMessage({ engine, position, ms } satisfies Wanted);
  });
}

function thought({ value, depth, line }: Found, view: View): Thought<Action> {
  const ends = Math.abs(value) > WON / 2 ? WON - Math.abs(value) : null;
  const steps = line.map(({ seat, choice }) => ({ seat, action: actionOf(choice) }));
  const words = reasonFor(view, steps[0]!.action, value > 0 ? ends : null);
  return { seat: view.seat, chance: 1 / (1 + Math.exp(-value / SCALE)), ends, depth, line: steps, words };
}

/** One thought after another; who has waited when somebody else comes is not answered any more. */
let busy: Promise<unknown> = Promise.resolve();
let newest = 0;

export default {
  async think(steps, ms) {
    const position = positionOf(steps);
    if (!position) return null;
    const number = (newest += 1);
    await busy;
    if (number !== newest) return null;
    const found = asked(position, ms);
    busy = found.catch(() => undefined);
    return thought(await found, steps.at(-1)!.view);
  },
} satisfies Mind<View, Event>;
