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

  it("says for whom a tower is a step, as the house does", () => {
    const built = (level: number, theirs: number, column: number) => {
      const rows = ["00000", "00000", `00${level}${column === 3 ? theirs : 0}0`, "00000", "00000"];
      const table = island(rows, [[0, 1, 2], [0, 4, 0], [1, 2, column], [1, 4, 4]]);
      return reasonFor(table, { type: "Build", source: at(1, 2), target: at(2, 2), dome: false }, null).en;
    };
    expect(built(0, 0, 4)).toBe("Makes C3 a step for you (level 1).");
    expect(built(0, 0, 3)).toBe("Makes C3 a step for you and for your rival (level 1).");
    expect(built(1, 1, 3)).toBe("Gives your rival a step on C3 (level 2).");
    expect(built(1, 0, 3)).toBe("Keeps C3 out of your rival's reach.");
    expect(built(1, 0, 4)).toBe("Builds C3 up for later (level 2).");
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
