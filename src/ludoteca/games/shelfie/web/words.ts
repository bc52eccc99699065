/** The game in words. */
import type { Words } from "$lib/board";
import { en, type Phrases } from "./en";
import { it } from "./it";
import type { Grid, Tile, View } from "./types";

function words(p: Phrases): Words<View> {
  return {
    turn: (view) => (view.turn === null ? [] : [view.turn]),
    ask: (question, view) => (question.kind === "take" ? { ask: p.take, detail: p.takeDetail } : { ask: p.column(view.hand.length), detail: p.order }),
    waiting(view, names) {
      if (view.turn === null) return { ask: p.over };
      const after = [...names.slice(view.turn + 1), ...names.slice(0, view.turn)];
      return { ask: p.waiting(names[view.turn] ?? ""), detail: p.then(after.join(", ")) };
    },
    tell(event, names) {
      const seat = event.seat as number;
      const name = names[seat] ?? "";
      switch (event.type) {
        case "Started":
          return { seat: event.first as number, text: p.started(names[event.first as number] ?? "") };
        case "TilesTaken":
          return { seat, text: p.took(name, (event.tiles as Tile[]).map((tile) => p.tiles[tile]).join(", ")) };
        case "ColumnFilled":
          return { seat, text: p.filled(name, (event.column as number) + 1) };
        case "TokenTaken":
          return { seat, text: p.token(name, p.goals[event.goal as number] ?? "", event.value as number) };
        case "ShelfFilled":
          return { seat, text: p.full(name) };
        case "RoomRefilled":
          return { text: p.refilled };
        case "Finished":
          return { text: p.finished };
        case "BrokenOff":
          return { seat, text: p.broken(name) };
        default:
          return null;
      }
    },
    facts(view, seat) {
      const points = view.points[seat] ?? 0;
      return [{ value: points, label: p.points(points), score: true }];
    },
    ended: (outcome) => (outcome.reason.includes("tied") ? p.tied : ""),
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

export const phrases = { en, it };
export default { en: words(en), it: words(it) };
