/** The records of this game as they come over the line; see view.py, actions.py and events.py. */
import type { GameRecord } from "$lib/protocol";

export type Tile = "cat" | "book" | "game" | "frame" | "trophy" | "plant";
/** Row and column from the top left. */
export type Cell = [number, number];
export type Grid = (Tile | null)[][];

export interface View {
  seat: number | null;
  first: number;
  turn: number | null;
  room: Grid;
  mask: number[][];
  shelves: Grid[];
  hand: Tile[];
  commons: { id: number; name: string; tokens: number[]; taken: number[] }[];
  cards: (number | null)[];
  wishes: { cell: Cell; tile: Tile; met: boolean }[];
  groups: number[];
  points: number[];
  filled: number | null;
  outcome: unknown;
  /** Every seat's wishes once they are face up, otherwise empty. */
  goals: View["wishes"][];
}

export interface TakeTiles extends GameRecord { type: "TakeTiles"; cells: Cell[] }
export interface FillColumn extends GameRecord { type: "FillColumn"; column: number; tiles: Tile[] }
export type Action = TakeTiles | FillColumn;

/** The column of this player's shelf that was filled last, as far as it is news. */
export function lastOf(news: GameRecord[], seat: number): { column: number; count: number } | null {
  const fill = news.findLast((event) => event.type === "ColumnFilled" && event.seat === seat);
  return fill ? { column: fill.column as number, count: (fill.tiles as Tile[]).length } : null;
}

export const ROOM = 9;
export const COLUMNS = 5;
export const ROWS = 6;
export const SYMBOL: Record<Tile, string> = { cat: "t-G", book: "t-W", game: "t-Y", frame: "t-B", trophy: "t-L", plant: "t-P" };
