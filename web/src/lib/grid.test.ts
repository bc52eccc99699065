import { describe, expect, it } from "vitest";
import { next, walk, type Grid } from "./grid";

const grid = (legal: number[] = []): Grid => ({ columns: 5, count: 25, legal: (index) => legal.includes(index) });

describe("walking a board", () => {
  it("moves within the edges", () => {
    expect(walk("ArrowRight", 0, grid())).toBe(1);
    expect(walk("ArrowLeft", 0, grid())).toBe(0);
    expect(walk("ArrowUp", 3, grid())).toBe(3);
    expect(walk("ArrowDown", 20, grid())).toBe(20);
    expect(walk("ArrowRight", 4, grid())).toBe(4);
  });

  it("jumps to the ends of a row", () => {
    expect(walk("Home", 8, grid())).toBe(5);
    expect(walk("End", 8, grid())).toBe(9);
  });

  it("goes from option to option, around the board", () => {
    expect(next(3, 1, grid([3, 10, 20]))).toBe(10);
    expect(next(20, 1, grid([3, 10, 20]))).toBe(3);
    expect(next(3, -1, grid([3, 10, 20]))).toBe(20);
    expect(next(7, 1, grid())).toBe(7);
  });

  it("leaves other keys alone", () => {
    expect(walk("x", 3, grid())).toBeNull();
    expect(walk("Enter", 3, grid())).toBe("choose");
  });
});
