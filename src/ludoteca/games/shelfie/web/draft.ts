/** A turn composed before it is sent: which tiles, in which order, into which column. It only counts and groups. */
import { COLUMNS, ROOM, type Action, type Grid, type TakeTiles } from "./types";

const indexes = (option: TakeTiles): number[] => option.cells.map(([row, column]) => row * ROOM + column);

/** The legal sets of tiles, as sets of spaces. */
export function takes(options: Action[]): ReadonlySet<number>[] {
  return options.flatMap((option) => (option.type === "TakeTiles" ? [new Set(indexes(option))] : []));
}

/** The spaces that can join what is picked so far. */
export function joinable(sets: ReadonlySet<number>[], picked: number[]): Set<number> {
  const found = new Set<number>();
  for (const set of sets) {
    if (picked.every((index) => set.has(index))) for (const index of set) if (!picked.includes(index)) found.add(index);
  }
  return found;
}

/** The option that takes exactly these tiles, if there is one. */
export function takeOf(options: Action[], picked: number[]): TakeTiles | null {
  const matches = (option: Action): option is TakeTiles =>
    option.type === "TakeTiles" && option.cells.length === picked.length && indexes(option).every((index) => picked.includes(index));
  return options.find(matches) ?? null;
}

/** Free places of each column of a shelf. */
export function room(shelf: Grid): number[] {
  return Array.from({ length: COLUMNS }, (_, column) => shelf.filter((row) => row[column] === null).length);
}

/** Sides of a tile with nothing beside them: top, right, bottom, left. */
export function freeSides(board: Grid, row: number, column: number): ("top" | "right" | "bottom" | "left")[] {
  const empty = (i: number, j: number) => !board[i]?.[j];
  const sides = [
    ["top", empty(row - 1, column)],
    ["right", empty(row, column + 1)],
    ["bottom", empty(row + 1, column)],
    ["left", empty(row, column - 1)],
  ] as const;
  return sides.filter(([, free]) => free).map(([side]) => side);
}
