/** The records of this game, and what is printed on its board. */
export type * from "./records";

export const CLOSED = 9;
export const MINE = 10;
