import { describe, expect, it } from "vitest";
import { isMixed, sources, targets } from "./steps";
import type { Action } from "./types";

const at = (i: number, j: number) => ({ i, j });
const move = (source: number[], target: number[]): Action => ({ type: "Move", source: at(source[0]!, source[1]!), target: at(target[0]!, target[1]!) });

describe("choosing in steps", () => {
  const options: Action[] = [move([0, 0], [0, 1]), move([0, 0], [1, 1]), move([4, 4], [4, 3])];

  it("asks for the worker first, then for its spaces", () => {
    expect(sources(options)).toEqual([0, 24]);
    expect([...targets(options, 0).keys()]).toEqual([1, 6]);
    expect([...targets(options, 24).keys()]).toEqual([23]);
  });

  it("asks what to do where a space allows two things", () => {
    const both: Action[] = [...options, { type: "Build", source: at(0, 0), target: at(0, 1), dome: false }];
    expect(isMixed(options)).toBe(false);
    expect(isMixed(both)).toBe(true);
    expect(targets(both, 0).get(1)).toHaveLength(2);
  });

  it("needs no worker to place one", () => {
    expect([...targets([{ type: "Place", cell: at(2, 2) }], null).keys()]).toEqual([12]);
  });
});
