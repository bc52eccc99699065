import { describe, expect, it } from "vitest";
import { minutes, PLOT, plot, swing } from "./end";

describe("the end of a match", () => {
  it("finds the step that turned it towards the winner", () => {
    expect(swing([[0, 0], [0, 3], [5, 3], [6, 4]], 0)).toBe(2);
    expect(swing([[0, 0], [0, 3]], 0)).toBeNull();
    expect(swing([], 0)).toBeNull();
  });

  it("counts whole minutes, at least one", () => {
    expect(minutes([{ at_ms: 0 }, { at_ms: 151_000 }])).toBe(3);
    expect(minutes([])).toBe(1);
  });

  it.each([[[9, 9, 9, 9]], [[2040, 0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0, 9]]])("draws everybody inside the chart, with labels that do not touch: %j", (last) => {
    const { ends, lines, ticks, x } = plot([last.map(() => 0), last], false);
    expect(lines).toHaveLength(last.length);
    expect(x(0)).toBe(PLOT.left);
    expect(x(1)).toBe(PLOT.right);
    expect(ticks.map((tick) => tick.value)).toEqual([0, Math.round(Math.max(...last) / 2), Math.max(...last)]);
    for (const [at, end] of ends.entries()) {
      expect(end.y).toBeLessThanOrEqual(PLOT.bottom);
      expect(end.y).toBeGreaterThanOrEqual(PLOT.top);
      if (at) expect(end.y - ends[at - 1]!.y).toBeGreaterThanOrEqual(14);
    }
  });

  it("holds a stepped value until it changes, and is drawn even when nothing ever did", () => {
    expect(plot([[0], [2]], true).lines[0]).toMatch(/^M36.0 132.0H292.0V22.0$/);
    expect(plot([[0], [0]], true).ticks.map((tick) => tick.value)).toEqual([0, 1]);
  });
});
