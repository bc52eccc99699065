/** The records of this game as they come over the line; see view.py, actions.py and events.py. */
import type { GameRecord } from "$lib/protocol";

export interface Click extends GameRecord {
  type: "Click";
  column: number;
  row: number;
}

export interface Last { seat: number; column: number; row: number }

export interface View {
  width: number;
  height: number;
  mines: number;
  /** 0 to 8 open, 9 closed, 10 a mine. */
  cells: number[];
  order: number[];
  turn: number;
  mover: number | null;
  round: number;
  out: { seat: number; round: number }[];
  last: Last | null;
  lost: { cells: number[]; last: Last | null } | null;
}

export const CLOSED = 9;
export const MINE = 10;
