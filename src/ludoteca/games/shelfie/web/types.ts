/** The records of this game, and what is printed on its boards. */
import { ofType } from "$lib/board";
import type { Event, Tile } from "./records";

export type * from "./records";

/** The column of this player's shelf that was filled last, as far as it is news. */
export function lastOf(news: Event[], seat: number): { column: number; count: number } | null {
  const fill = ofType(news, "ColumnFilled").findLast((event) => event.seat === seat);
  return fill ? { column: fill.column, count: fill.tiles.length } : null;
}

export const ROOM = 9;
export const COLUMNS = 5;
export const ROWS = 6;
export const SYMBOL: Record<Tile, string> =
  { cat: "t-G", book: "t-W", game: "t-Y", frame: "t-B", trophy: "t-L", plant: "t-P" };
