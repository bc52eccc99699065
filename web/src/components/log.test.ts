import { flushSync, mount, unmount } from "svelte";
import { describe, expect, it } from "vitest";
import Log from "./Log.svelte";

const line = (step: number, text: string, heading = false) => ({ number: step, step, seat: 0, text, heading });
const LINES = [line(1, "Turn 1", true), line(1, "one"), line(3, "three"), line(3, "three too"), line(4, "Turn 2", true), line(5, "five")];

/** What is marked when this move is looked at. */
function marked(shown: number): string[] {
  const log = mount(Log, { target: document.body, props: { lines: LINES, names: [], shown, looking: true, onpick: () => {} } });
  flushSync();
  const found = [...document.querySelectorAll(".log li.now > span:last-child")].map((one) => one.textContent ?? "");
  void unmount(log);
  return found;
}

describe("the log", () => {
  it("marks the last that is told up to the move one looks at, of which nothing may be told", () => {
    expect([0, 1, 2, 3, 4, 5].map(marked)).toEqual([[], ["one"], ["one"], ["three", "three too"], ["three", "three too"], ["five"]]);
  });
});
