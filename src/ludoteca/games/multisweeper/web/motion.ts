/** How cells open: in waves around the click. */
import type { Move } from "$lib/board";
import { MINE, type Event, type View } from "./types";

const WAVE_MS = 12;
const WAVES_MS_MAX = 240;
/** A flood of more cells than these opens at once where it is farthest from the click. */
const CELLS_MAX = 60;

export function motion(event: Event, before: View, after: View): Move[] {
  if (event.type === "Exploded") {
    // The mine grows, whoever hit it drops on the ladder, then the other mines are seen.
    const hit = event.row * before.width + event.column;
    const others = (after.lost?.cells ?? []).flatMap((cell, index) => (cell === MINE && index !== hit ? [index] : []));
    return [
      { piece: `c${hit}`, how: "grow", ms: 200, sound: "knock" }, { piece: `ladder${event.seat}`, how: "drop", ms: 200, with: 0 },
      ...others.slice(0, CELLS_MAX).map((index, at): Move => ({ piece: `c${index}`, how: "fade", ...(at ? { with: 0 } : {}) })),
    ];
  }
  if (event.type !== "Opened") return [];
  const far = (index: number) => Math.max(Math.abs((index % before.width) - event.column), Math.abs(Math.floor(index / before.width) - event.row));
  const cells = event.cells.map(([index]) => index).sort((one, other) => far(one) - far(other)).slice(0, CELLS_MAX);
  return cells.map((index, at): Move => ({ piece: `c${index}`, how: "open", ...(at ? { with: Math.min(WAVES_MS_MAX, WAVE_MS * far(index)) } : { sound: "tap" }) }));
}
