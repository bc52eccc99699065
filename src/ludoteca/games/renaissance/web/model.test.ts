import { describe, expect, it } from "vitest";
import { fits, givenUp, harvest, laid, paid, prefill, price, stores, totals } from "./model";
import type { PlayerBoard, View } from "./types";

const EMPTY = { resource: null, count: 0 };
const board = (changes: Partial<PlayerBoard> = {}): PlayerBoard => ({
  dealt: [], kept: true, hand: [], played: [], discarded: [], due: 0, faith: 0, tiles: ["down", "down", "down"],
  depots: [EMPTY, EMPTY, EMPTY], strongbox: [0, 0, 0, 0], slots: [[], [], []], here: true, ...changes,
});

describe("placing", () => {
  it("starts from what the house proposes, and gives up what has no place", () => {
    const mine = board();
    const depots = laid(mine, [{ type: "Store", depot: 2, resource: "coins", count: 2 }, { type: "Store", depot: 1, resource: null, count: 0 }]);
    expect(depots).toEqual([EMPTY, EMPTY, { resource: "coins", count: 2 }]);
    expect(givenUp(mine, ["coins", "coins", "shields"], depots)).toEqual([0, 0, 0, 1]);
  });

  it("sends the depots from the largest to the smallest, and stops when nothing is left", () => {
    const mine = board();
    expect(stores(mine, ["coins"], [EMPTY, EMPTY, { resource: "coins", count: 1 }])).toEqual([{ type: "Store", depot: 2, resource: "coins", count: 1 }]);
    expect(stores(mine, ["coins"], [{ resource: "coins", count: 1 }, EMPTY, EMPTY])).toEqual([
      { type: "Store", depot: 2, resource: null, count: 0 },
      { type: "Store", depot: 1, resource: null, count: 0 },
      { type: "Store", depot: 0, resource: "coins", count: 1 },
    ]);
  });

  it("passes over a leader's depot that nothing could go into", () => {
    const mine = board({ played: ["L005"], depots: [EMPTY, EMPTY, EMPTY, EMPTY] });
    const taken = ["coins", "coins", "coins", "coins"] as const;
    expect(stores(mine, [...taken], [EMPTY, EMPTY, { resource: "coins", count: 3 }, EMPTY])).toEqual([{ type: "Store", depot: 2, resource: "coins", count: 3 }]);
  });

  it("keeps one kind to one depot", () => {
    const depots = [EMPTY, EMPTY, { resource: "coins" as const, count: 2 }];
    expect(fits(board(), depots, 2, "coins")).toBe(true);
    expect(fits(board(), depots, 1, "coins")).toBe(false);
    expect(fits(board(), depots, 2, "stones")).toBe(false);
  });
});

describe("paying", () => {
  const rich = board({ depots: [EMPTY, { resource: "coins", count: 2 }, EMPTY], strongbox: [3, 0, 0, 0] });

  it("takes from the depots first, or from the strongbox", () => {
    expect(prefill(rich, [4, 0, 0, 0])).toEqual({ warehouse: [2, 0, 0, 0], leaders: [0, 0, 0, 0], strongbox: [2, 0, 0, 0] });
    expect(prefill(rich, [2, 0, 0, 0], ["strongbox", "warehouse", "leaders"]).strongbox).toEqual([2, 0, 0, 0]);
    expect(paid(prefill(rich, [4, 0, 0, 0]))).toEqual([4, 0, 0, 0]);
  });

  it("knows what a discount leader takes off", () => {
    expect(price(board(), "D003")).toEqual([2, 0, 0, 0]);
    expect(price(board({ played: ["L004"] }), "D003")).toEqual([1, 0, 0, 0]);
  });

  it("adds powers up", () => {
    const producing = board({ slots: [["D001"], [], []], played: ["L013"] });
    const total = totals(producing, [
      { type: "UseSlot", slot: 0 },
      { type: "UseLeader", leader: "L013", gain: "stones" },
      { type: "UseBasic", spend: ["coins", "coins"], gain: "servants" },
    ]);
    expect(total).toEqual({ takes: [3, 0, 0, 1], gives: [0, 1, 1, 0], faith: 2 });
  });
});

describe("the market", () => {
  it("says what a line gives", () => {
    const view = { marbles: ["white", "red", "blue", "blue", "grey", "grey", "yellow", "white", "purple", "white", "white", "red"] } as unknown as View;
    expect(harvest(view, "row", 0)).toEqual({ resources: [0, 0, 0, 2], faith: 1, whites: 1 });
    expect(harvest(view, "column", 0)).toEqual({ resources: [0, 1, 1, 0], faith: 0, whites: 1 });
  });
});
