import { describe, expect, it } from "vitest";
import { dining, entrance, left, stop } from "./draft";
import { middle, TALL, WIDE } from "./ring";
import type { Action, Students } from "./types";

const player = { entrance: [1, 2, 0, 0, 0] as Students, dining: [10, 0, 0, 0, 0] as Students };
const toIsland: Action = { type: "MoveToIsland", colour: "green", island: 3 };
const redTo: Action = { type: "MoveToIsland", colour: "red", island: 3 };
const redSits: Action = { type: "MoveToDining", colour: "red" };

describe("drafting student moves", () => {
  it("counts what is left in the entrance and at the tables", () => {
    expect(entrance(player.entrance, [redTo, redSits])).toEqual([1, 0, 0, 0, 0]);
    expect(dining(player.dining, [redTo, redSits])).toEqual([10, 1, 0, 0, 0]);
  });

  it("drops options for students that have gone", () => {
    expect(left([toIsland, redTo, redSits], player, [])).toEqual([toIsland, redTo, redSits]);
    expect(left([toIsland, redTo, redSits], player, [toIsland])).toEqual([redTo, redSits]);
    expect(left([toIsland, redTo], player, [redTo, redSits])).toEqual([toIsland]);
  });

  it("walks around the ring", () => {
    expect(stop(10, 3, 12)).toBe(1);
  });
});

describe("the ring", () => {
  it("has twelve places apart from each other", () => {
    for (const layout of [WIDE, TALL]) {
      expect(layout.points).toHaveLength(12);
      layout.points.forEach((one, index) => {
        const next = layout.points[(index + 1) % 12]!;
        expect(Math.hypot(one.x - next.x, one.y - next.y)).toBeGreaterThan(layout.radius * 1.8);
      });
    }
  });

  it("puts a group's content on its middle tile", () => {
    expect(middle([0, 1, 2], WIDE.points)).toEqual(WIDE.points[1]);
  });
});
