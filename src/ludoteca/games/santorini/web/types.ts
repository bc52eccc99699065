/** The records of this game as they come over the line; see view.py, actions.py and events.py. */
import type { GameRecord } from "$lib/protocol";

export interface Cell { i: number; j: number }
export type Colour = "MAGENTA" | "LIGHT_BLUE" | "WHITE";

export interface View {
  phase: "gods" | "god" | "start" | "colour" | "place" | "play" | "over";
  seat: number;
  order: number[];
  start: number;
  offered: string[];
  gods: string[];
  colours: (Colour | null)[];
  levels: number[][];
  domes: boolean[][];
  workers: { seat: number; number: number; i: number; j: number }[];
  out: boolean[];
  tokens: number[];
  winner: number | null;
}

export interface Action extends GameRecord {
  type: "OfferGod" | "TakeGod" | "ChooseStart" | "ChooseColour" | "Place" | "Move" | "Build" | "Finish";
  god?: string;
  seat?: number;
  colour?: Colour;
  cell?: Cell;
  source?: Cell;
  target?: Cell;
  dome?: boolean;
}

export const SIDE = 5;
export const indexOf = (cell: Cell): number => cell.i * SIDE + cell.j;
/** A space as people say it: column A to E, row 1 to 5 from the top. */
export const nameOf = (cell: Cell): string => `${"ABCDE"[cell.j]}${cell.i + 1}`;
