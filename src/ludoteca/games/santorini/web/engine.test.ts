/** Positions that Python played (tests/games/santorini/test_page_engine.py), as the page reads them from its steps. */
import { describe, expect, it } from "vitest";
import type { Seen } from "$lib/board";
import { Engine, WON } from "./engine";
import { actionOf, positionOf } from "./position";
import type { Action, Event, View } from "./types";

interface Case { steps: Seen<View, Event>[]; written: number[]; choices: Action[] }

const env: Record<string, string | undefined> = import.meta.env;
const given = env.VITE_SANTORINI ?? "";
// The types of Node are not the page's.
const files = "node:fs";
const { readFileSync } = (await import(/* @vite-ignore */ files)) as { readFileSync(path: string): Uint8Array<ArrayBuffer> };

describe.skipIf(!given)("the searcher in the page", () => {
  // What is skipped is looked through all the same.
  if (!given) return void it("is compared with Python by a test in Python");
  const cases = JSON.parse(new TextDecoder().decode(readFileSync(`${given}/positions.json`))) as Case[];
  const engine = new Engine(new WebAssembly.Module(readFileSync(`${given}/engine.wasm`)));
  const spelled = (actions: Action[]) => actions.map((action) => JSON.stringify(action, ["type", "source", "target", "dome", "i", "j"])).sort();

  it("has the same positions and choices as the house", () => {
    expect(cases.length).toBeGreaterThan(100);
    for (const { steps, written, choices } of cases) {
      const position = positionOf(steps)!;
      expect([...engine.saved(position)]).toEqual(written);
      expect(spelled(engine.choices(position).map(actionOf))).toEqual(spelled(choices));
    }
  });

  it("finds a legal line from each, and says how it stands", () => {
    for (const { steps, choices } of cases.slice(0, 20)) {
      const { line, value, depth } = engine.think(positionOf(steps)!, 5);
      expect(spelled(choices)).toContain(spelled([actionOf(line[0]!.choice)])[0]);
      expect(line[0]!.seat).toBe(steps.at(-1)!.view.seat);
      expect(Math.abs(value)).toBeLessThanOrEqual(WON);
      expect(depth).toBeGreaterThan(0);
    }
  });

  it("has nothing to say about what it has not seen begin", () => {
    const { steps } = cases[0]!;
    expect(positionOf([])).toBeNull();
    expect(positionOf([{ view: steps.at(-1)!.view, events: [] }])).toBeNull();
  });
});
