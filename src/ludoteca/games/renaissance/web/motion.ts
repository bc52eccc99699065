/** How marbles, resources, cards and markers get to their places. */
import type { Move } from "$lib/board";
import { placeOf } from "./model";
import { RESOURCES, type Event, type LineTaken, type View } from "./types";

const APART_MS = 40;
/** Resources that go together are all on their way after this. */
const APART_MS_MAX = 320;
const CELL_MS = 60;
const CELLS_MS_MAX = 250;
const COLUMNS = 4;
const ROWS = 3;

/** All on their way together, one a little after the other. */
const together = (moves: Move[]): Move[] => moves.map((move, at) => (at ? { ...move, with: Math.min(APART_MS * at, APART_MS_MAX) } : move));

/** The slide marble is pushed in: everything in the line moves on by a place, and the last one comes out onto the slide. */
function pushed({ line, index }: LineTaken): Move[] {
  const places = Array.from({ length: line === "row" ? COLUMNS : ROWS }, (_, at) => (line === "row" ? index * COLUMNS + at : at * COLUMNS + index));
  const names = [...places.map((place) => `marble${place}`), "slide"];
  const moves = places.map((place, at): Move => ({ piece: `marble${place}`, from: names[at + 1], how: "slide", ...(at ? { with: 0 } : {}) }));
  return [...moves, { piece: "slide", from: names[0], with: 0, sound: "tap" }];
}

/** What left the depots and the strongbox goes where it was paid for. */
function paid(before: View, after: View, seat: number, to: string): Move[] {
  const [had, has] = [before.boards[seat]!, after.boards[seat]!];
  const depots = had.depots.flatMap((depot, index) => {
    const now = has.depots[index]!;
    const left = now.resource === depot.resource ? now.count : 0;
    return Array.from({ length: Math.max(0, depot.count - left) }, (_, at): Move => ({ piece: `depot${seat}-${index}-${left + at}`, to, ms: 160 }));
  });
  const box = RESOURCES.flatMap((kind, at): Move[] => (has.strongbox[at]! < had.strongbox[at]! ? [{ piece: `box${seat}-${kind}`, to, ms: 160 }] : []));
  return together([...depots, ...box]);
}

export function motion(event: Event, before: View, after: View): Move[] {
  switch (event.type) {
    case "LineTaken":
      return pushed(event);
    case "ResourceChosen":
    case "WarehouseArranged": {
      const { seat } = event;
      const had = before.boards[seat]!.depots;
      const filled = after.boards[seat]!.depots.flatMap((depot, index) => {
        const kept = had[index]?.resource === depot.resource ? had[index]!.count : 0;
        return Array.from({ length: Math.max(0, depot.count - kept) }, (_, at): Move => ({ piece: `depot${seat}-${index}-${kept + at}`, from: "market", ms: 160, sound: "knock" }));
      });
      return together(filled);
    }
    case "CardBought": {
      const place = placeOf(event.card);
      const card = `card${event.seat}-${event.card}`;
      return [...paid(before, after, event.seat, card), { piece: card, from: `grid${place}`, ms: 200, sound: "knock" }, { piece: `grid${place}`, how: "flip" }];
    }
    case "Produced": {
      const gained = RESOURCES.flatMap((kind, at): Move[] => (event.gained[at] ? [{ piece: `box${event.seat}-${kind}`, from: `slots${event.seat}`, joins: true, sound: "coin" }] : []));
      return [...paid(before, after, event.seat, `slots${event.seat}`), ...together(gained), { piece: `box${event.seat}`, how: "pulse" }];
    }
    case "FaithMoved": {
      const steps = (piece: string, from: number, to: number): Move[] => {
        const via = Array.from({ length: Math.max(0, to - from) }, (_, at) => `cell${from + at + 1}`);
        return via.length ? [{ piece, from: piece, via, how: "hop", ms: Math.min(CELL_MS * via.length, CELLS_MS_MAX), sound: "hop" }] : [];
      };
      const markers = event.cells.flatMap((cell, seat) => steps(`faith${seat}`, before.boards[seat]?.faith ?? cell, cell));
      const cross = event.cross === null ? [] : steps("cross", before.cross ?? event.cross, event.cross);
      return [...markers, ...cross].map((move, at) => (at ? { ...move, with: 0 } : move));
    }
    case "ReportHeld":
      return [{ piece: `report${event.report}`, how: "flip", sound: "coin" }];
    case "TokenTurned":
      return [{ piece: "token", how: "flip", sound: "knock" }, ...event.removed.map((card): Move => ({ piece: `grid${placeOf(card)}`, how: "flip", with: 0 }))];
    default:
      return [];
  }
}
