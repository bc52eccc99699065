import { describe, expect, it } from "vitest";
import { beside, type Box } from "./beside";

const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, right: left + width, bottom: top + height });
const room = box(0, 0, 800, 600);
const size = { width: 200, height: 100 };

describe("a note about a place", () => {
  it("stands under it, and above it where there is no room below", () => {
    expect(beside(box(300, 200, 50, 50), size, room, [])).toEqual({ left: 225, top: 262 });
    expect(beside(box(300, 540, 50, 50), size, room, [])).toEqual({ left: 225, top: 428 });
  });

  it("does not leave the board", () => {
    expect(beside(box(0, 200, 50, 50), size, room, [])).toEqual({ left: 4, top: 262 });
    expect(beside(box(0, 0, 50, 50), { width: 790, height: 590 }, room, [])).toBeNull();
  });

  it("covers as little as can be of what can be pressed", () => {
    const legal = [box(280, 290, 40, 40), box(330, 290, 40, 40), box(300, 100, 40, 40)];
    expect(beside(box(300, 200, 50, 50), size, room, legal)).toEqual({ left: 362, top: 175 });
  });
});
