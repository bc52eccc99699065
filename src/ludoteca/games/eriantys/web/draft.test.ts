import { describe, expect, it } from "vitest";
import { dining, entrance, left, stop } from "./draft";
import { influence } from "./influence";
import { hubOf, middle, perRow, TALL, wide } from "./ring";
import type { StudentMove } from "./draft";
import type { Player, Students, Tower, View } from "./types";

const WIDE = wide(544, 532);

const player = { entrance: [1, 2, 0, 0, 0] as Students, dining: [10, 0, 0, 0, 0] as Students };
const toIsland: StudentMove = { type: "MoveToIsland", colour: "green", island: 3 };
const redTo: StudentMove = { type: "MoveToIsland", colour: "red", island: 3 };
const redSits: StudentMove = { type: "MoveToDining", colour: "red" };

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
    expect(middle([0, 1, 2], WIDE)).toEqual(WIDE.points[1]);
  });

  it("leaves room in its middle that touches no island, on every screen and however they are joined", () => {
    for (const [width, height] of [[540, 530], [620, 532], [700, 560], [1100, 700]] as const) {
      for (const groups of [[[0]], [[0, 1], [5, 6]], [[11, 0, 1, 2], [3, 4, 5], [7, 8, 9]]]) {
        for (const clouds of [2, 3, 4]) {
          const layout = wide(width, height);
          const hub = hubOf(layout, groups, clouds, 3);
          expect(hub.scale).toBeGreaterThan(0.7);
          for (const { x, y } of layout.points) {
            const [dx, dy] = [Math.max(hub.left - x, 0, x - hub.left - hub.width), Math.max(hub.top - y, 0, y - hub.top - hub.height)];
            expect(Math.hypot(dx, dy)).toBeGreaterThan(layout.radius);
          }
        }
      }
    }
  });

  it("never puts three clouds in a row and one below", () => {
    expect([perRow(480, 4), perRow(400, 4), perRow(240, 4), perRow(400, 3), perRow(250, 3)]).toEqual([4, 2, 2, 3, 2]);
  });
});

describe("influence", () => {
  const players = (...towers: Tower[]) => towers.map((tower) => ({ tower }) as Player);
  const at = (students: Students, tower: Tower | null = null, tiles = [0]) => ({ students, tower, tiles });
  const view = (over: Partial<View>) => ({ players: players("white", "black"), professors: [0, 1, 1, null, null], active: null, ...over }) as View;
  const told = (over: Partial<View>, ...island: Parameters<typeof at>) => influence(view(over), at(...island)).map((claim) => `${claim.tower} ${claim.influence}`);

  it("counts the students of one's professors and one's towers", () => {
    expect(told({}, [2, 1, 0, 5, 0], "white", [3, 4])).toEqual(["white 4", "black 1"]);
    expect(told({}, [0, 0, 0, 3, 3])).toEqual([]);
  });

  it("adds up what a team of two has", () => {
    const four = { players: players("white", "black", "white", "black"), professors: [0, 1, 2, 3, null] };
    expect(told(four, [1, 1, 1, 0, 0])).toEqual(["white 2", "black 1"]);
  });

  it("follows the character in force", () => {
    const active = { seat: 1, swaps: 0, choosing: false };
    expect(told({ active: { ...active, character: 6, colour: null } }, [1, 0, 0, 0, 0], "black", [1, 2])).toEqual(["white 1"]);
    expect(told({ active: { ...active, character: 8, colour: null } }, [1, 0, 0, 0, 0])).toEqual(["black 2", "white 1"]);
    expect(told({ active: { ...active, character: 9, colour: "green" } }, [3, 1, 0, 0, 0])).toEqual(["black 1"]);
  });
});
