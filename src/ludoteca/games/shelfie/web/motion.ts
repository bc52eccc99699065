/** How tiles get from the room to the shelves, and new ones into the room. */
import type { Move } from "$lib/board";
import { COLUMNS, ROOM, type Cell, type Event, type View } from "./types";

/** New tiles come from the middle of the room outwards, all within this time. */
const REFILL_MS_MAX = 240;
const cellOf = ([row, column]: Cell) => `r${row * ROOM + column}`;
const fromMiddle = ([row, column]: Cell) => Math.hypot(row - 4, column - 4);

export function motion(event: Event, before: View): Move[] {
  switch (event.type) {
    case "TilesTaken":
      return event.cells.map((cell, at): Move => ({ piece: cellOf(cell), to: `s${event.seat}`, sound: "tap", ...(at ? { with: 40 * at } : {}) }));
    case "ColumnFilled": {
      const lowest = (before.shelves[event.seat] ?? []).filter((row) => !row[event.column]).length - 1;
      return event.tiles.map((_, at): Move => ({
        piece: `s${event.seat}-${(lowest - at) * COLUMNS + event.column}`, from: `s${event.seat}top${event.column}`, how: "slide", ms: 160, sound: "knock",
        ...(at ? { with: 60 * at } : {}),
      }));
    }
    case "RoomRefilled": {
      const cells = [...event.cells].sort((one, other) => fromMiddle(one) - fromMiddle(other));
      const apart = Math.min(8, REFILL_MS_MAX / cells.length);
      return cells.map((cell, at): Move => ({ piece: cellOf(cell), how: "grow", ...(at ? { with: apart * at } : {}) }));
    }
    case "TokenTaken":
      return [{ piece: `goal${event.goal}`, to: `s${event.seat}`, ms: 250, sound: "coin" }];
    default:
      return [];
  }
}
