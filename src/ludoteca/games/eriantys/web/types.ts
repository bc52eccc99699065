/** The records of this game, and what is printed on its boards. */
import type { Colour } from "./records";

export type * from "./records";

/** Students are counted in this order. */
export const COLOURS: Colour[] = ["green", "red", "yellow", "pink", "blue"];
export const STEPS = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
export const TABLE = 10;
export const COIN_SEATS = [3, 6, 9];
/** How many students a turn moves. */
export const movesOf = (players: number): number => (players === 3 ? 4 : 3);
