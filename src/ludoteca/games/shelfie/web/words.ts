/** The game in words. */
import { assertNever, measured, seatOf, type Words } from "$lib/board";
import { made, spoken } from "$lib/spoken.svelte";
import type { Phrases } from "./en";
import type { Action, Event, Grid, View } from "./types";

function words(p: Phrases): Words<View, Event, Action> {
  return {
    turn: (view) => (view.turn === null ? [] : [view.turn]),
    ask: (question, view) => (question.kind === "take" ? { ask: p.take, detail: p.takeDetail } : { ask: p.column(view.hand.length), detail: p.order }),
    advise(action, view) {
      if (action.type === "FillColumn") return { text: p.advise.fill(action.column + 1, action.tiles.map((tile) => p.tiles[tile]).join(", ")), whole: true };
      const tiles = action.cells.flatMap(([row, column]) => view.room[row]?.[column] ?? []);
      return { text: p.advise.take(tiles.map((tile) => p.tiles[tile]).join(", ")), whole: true };
    },
    waiting(view, names) {
      if (view.turn === null) return { ask: p.over };
      const after = [...names.slice(view.turn + 1), ...names.slice(0, view.turn)];
      return { ask: p.waiting(names[view.turn] ?? ""), detail: p.then(after.join(", ")) };
    },
    tell(event, names) {
      const seat = seatOf(event);
      const name = names[seat ?? -1] ?? "";
      switch (event.type) {
        case "Started":
          return { seat: event.first, text: "", turn: true };
        case "TilesTaken":
          return { seat, text: p.took(name, event.tiles.map((tile) => p.tiles[tile]).join(", ")) };
        case "ColumnFilled":
          return { seat, text: p.filled(name, event.column + 1) };
        case "TokenTaken":
          return { seat, text: p.token(name, p.goals[event.goal] ?? "", event.value) };
        case "ShelfFilled":
          return { seat, text: p.full(name) };
        case "RoomRefilled":
          return { text: p.refilled };
        case "Finished":
          return { text: p.finished };
        case "BrokenOff":
          return { seat, text: p.broken(name) };
        case "TurnEnded":
          return event.next === null ? null : { seat: event.next, text: "", turn: true };
        default:
          return assertNever(event);
      }
    },
    facts(view, seat) {
      const points = view.points[seat] ?? 0;
      return [{ value: points, label: p.points(points), score: true }];
    },
    ended: (outcome) => (outcome.reason.includes("tied") ? p.tied : ""),
    measure: { label: p.chart, of: measured((view, seat) => view.points[seat] ?? 0) },
    tally: (steps) => [[p.points(2), steps.at(-1)!.view.points]],
    scores: p.scores,
  };
}

/** A shelf for those who cannot see it. */
export function shelfInWords(p: Phrases, name: string, shelf: Grid): string {
  const columns = (shelf[0] ?? []).map((_, column) => {
    const tiles = shelf.flatMap((row) => (row[column] ? [p.tiles[row[column]]] : [])).reverse();
    return p.shelfColumn(column + 1, tiles.length ? tiles.join(", ") : p.emptyColumn);
  });
  return p.shelf(name, columns.join("; "));
}

export const phrases = await spoken<Phrases>({ en: () => import("./en"), it: () => import("./it") });
export default made(phrases, words);
