import { describe, expect, it } from "vitest";
import { spokenAt } from "./clock";

describe("a clock that is read out", () => {
  it("speaks at 60, 20 and 10 seconds", () => {
    expect([60_000, 19_900, 10_000].map(spokenAt)).toEqual([60, 20, 10]);
  });

  it("keeps silent in between, at the start and at the end", () => {
    expect([90_000, 60_100, 57_000, 30_000, 12_000, 5_000, 0, -1_000].map(spokenAt)).toEqual(Array(8).fill(null));
  });

  it("says each of them once as time passes", () => {
    const said: (number | null)[] = [];
    for (let left = 90_000; left > -2_000; left -= 250) {
      const now = spokenAt(left);
      if (now !== said.at(-1)) said.push(now);
    }
    expect(said.filter((one) => one !== null)).toEqual([60, 20, 10]);
  });
});
