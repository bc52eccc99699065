import { describe, expect, it } from "vitest";
import { freeSides, joinable, room, takeOf, takes } from "./draft";
import type { Action, Grid } from "./types";

const options: Action[] = [
  { type: "TakeTiles", cells: [[0, 0]] },
  { type: "TakeTiles", cells: [[0, 1]] },
  { type: "TakeTiles", cells: [[0, 0], [0, 1]] },
  { type: "TakeTiles", cells: [[0, 0], [1, 0], [2, 0]] },
];

describe("composing a turn", () => {
  it("lets only tiles join that some option holds together", () => {
    const sets = takes(options);
    expect([...joinable(sets, [])].sort((a, b) => a - b)).toEqual([0, 1, 9, 18]);
    expect([...joinable(sets, [0])].sort((a, b) => a - b)).toEqual([1, 9, 18]);
    expect([...joinable(sets, [0, 1])]).toEqual([]);
    expect([...joinable(sets, [9])].sort((a, b) => a - b)).toEqual([0, 18]);
  });

  it("finds the option in whatever order the tiles were picked", () => {
    expect(takeOf(options, [1, 0])).toBe(options[2]);
    expect(takeOf(options, [0, 9])).toBeNull();
  });

  it("counts the places left in each column", () => {
    const shelf: Grid = [[null, null], [null, "cat"], ["book", "cat"]].map((row) => [...row, null, null, null]) as Grid;
    expect(room(shelf)).toEqual([2, 1, 3, 3, 3]);
  });

  it("knows the sides with nothing beside them", () => {
    expect(freeSides([["cat", "book"], [null, "game"]], 0, 0)).toEqual(["top", "bottom", "left"]);
  });
});
