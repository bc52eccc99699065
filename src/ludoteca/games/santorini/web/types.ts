/** The records of this game, and how its spaces are counted and called. */
import type { Cell } from "./records";

export type * from "./records";

export const SIDE = 5;
export const indexOf = (cell: Cell): number => cell.i * SIDE + cell.j;
/** A space as people say it: column A to E, row 1 to 5 from the top. */
export const nameOf = (cell: Cell): string => `${"ABCDE"[cell.j]}${cell.i + 1}`;
