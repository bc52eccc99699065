/** How workers and blocks get to their places. */
import type { Move } from "$lib/board";
import { indexOf, type Event, type View } from "./types";

export function motion(event: Event, before: View, after: View): Move[] {
  const worker = "number" in event ? `w${event.seat}${event.number}` : "";
  switch (event.type) {
    case "Pushed":
      return [{ piece: worker, from: worker, how: "slide" }];
    case "Moved": {
      // Whoever stood there was pushed away just before, and is shown to go at the same time.
      const pushes = before.workers.some((one) => indexOf(one) === indexOf(event.target));
      return [{ piece: worker, from: worker, sound: "tap", ...(pushes ? { with: 0 } : {}) }];
    }
    case "Placed":
      return [{ piece: worker, how: "drop", sound: "knock" }];
    case "Built": {
      const { i, j } = event.target;
      return [{ piece: `b${indexOf(event.target)}${event.dome ? "d" : after.levels[i]![j]}`, how: "drop", sound: "knock" }];
    }
    default:
      return [];
  }
}
