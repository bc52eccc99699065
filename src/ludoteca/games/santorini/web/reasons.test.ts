import { describe, expect, it } from "vitest";
import { reasonFor } from "./reasons";
import type { View } from "./types";

const at = (i: number, j: number) => ({ i, j });

/** An island with these heights, two workers of A and of B. */
function island(heights: string[], workers: [seat: number, i: number, j: number][]): View {
  const levels = heights.map((row) => [...row].map(Number));
  const placed = workers.map(([seat, i, j], index) => ({ seat, number: 1 + (index % 2), i, j }));
  return { phase: "play", seat: 0, order: [0, 1], start: 0, offered: [], gods: ["", ""], colours: [null, null], out: [false, false], tokens: [0, 0], winner: null,
    levels, domes: levels.map((row) => row.map(() => false)), workers: placed };
}

describe("why a step", () => {
  const view = island(["12300", "00000", "00030", "00002", "00000"], [[0, 0, 0], [0, 4, 0], [1, 3, 4], [1, 4, 4]]);

  it("climbs, and threatens", () => {
    expect(reasonFor(view, { type: "Move", source: at(0, 0), target: at(0, 1) }, null).en).toBe("Climbs to 2 and threatens to win.");
  });

  it("keeps a rival from winning, in both languages", () => {
    const guarded = island(["12300", "00000", "00030", "00002", "00000"], [[0, 2, 2], [0, 4, 0], [1, 3, 4], [1, 4, 4]]);
    const told = reasonFor(guarded, { type: "Build", source: at(2, 2), target: at(2, 3), dome: true }, null);
    expect(told).toEqual({ en: "Keeps your rival from winning on D3 and closes D3.", it: "Impedisce al rivale di vincere in D3 e chiude D3." });
  });

  it("names a god's own way to win", () => {
    const fallen = { ...island(["20000", "00000", "00000", "00000", "00000"], [[0, 0, 0], [0, 4, 0], [1, 3, 4], [1, 4, 4]]), gods: ["Pan", ""] };
    expect(reasonFor(fallen, { type: "Move", source: at(0, 0), target: at(0, 1) }, 1).en).toBe("Wins at once: Pan comes down two levels.");
  });

  it("says what is certain first", () => {
    expect(reasonFor(view, { type: "Move", source: at(0, 0), target: at(0, 1) }, 1).en).toBe("Wins at once.");
    expect(reasonFor(view, { type: "Move", source: at(0, 0), target: at(0, 1) }, 3).en).toBe("Cannot be stopped any more and climbs to 2.");
  });
});
