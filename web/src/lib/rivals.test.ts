import { beforeEach, describe, expect, it } from "vitest";
import type { GameInfo } from "./protocol";
import { remember, remembered } from "./rivals";

const game = (bots: string[], min = 2, max = 4) => ({ name: "x", bots, seats: { min, max } }) as unknown as GameInfo;

describe("playing bots", () => {
  beforeEach(() => localStorage.clear());

  it("begins with one easy bot and the simplest game", () => {
    expect(remembered(game(["random", "search", "easy", "strong"]))).toEqual({ level: "easy", count: 1, simple: true });
    expect(remembered(game(["random"]))).toEqual({ level: "random", count: 1, simple: true });
  });

  it("remembers what was chosen", () => {
    remember("x", { level: "strong", count: 3, simple: false });
    expect(remembered(game(["random", "easy", "strong"]))).toEqual({ level: "strong", count: 3, simple: false });
  });

  it("knows a level by the name it had once", () => {
    remember("x", { level: "safe", count: 1, simple: true });
    expect(remembered(game(["random", "playful", "easy", "medium"])).level).toBe("medium");
    expect(remembered(game(["random", "easy", "safe"])).level).toBe("safe");
  });

  it("begins with the easy one though there is one for children", () => {
    expect(remembered(game(["random", "playful", "easy"])).level).toBe("easy");
  });

  it("forgets what the house has no more, and what makes no sense", () => {
    remember("x", { level: "gone", count: 99, simple: true });
    expect(remembered(game(["random", "easy"]))).toEqual({ level: "easy", count: 3, simple: true });
    localStorage.setItem("ludoteca.rivals.x", "{broken");
    expect(remembered(game(["random", "easy"])).level).toBe("easy");
  });
});
