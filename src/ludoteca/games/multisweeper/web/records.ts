/** The records of Multisweeper as they come over the line. Generated: `make types` writes it anew. */

/** Open one closed cell; columns and rows count from 0 at the top left. */
export interface Click {
  type: "Click";
  column: number;
  row: number;
}

export type Action = Click;

export type Event = RoundBegun | Opened | Exploded | Forfeited | Eliminated | Won | BrokenOff;

/** A new board, all closed; `order` are the players still in, the first one to click first. */
export interface RoundBegun {
  type: "RoundBegun";
  round: number;
  order: number[];
}

/** A click found no mine. `cells` are all cells that opened, each with its number; the next player is on
 *  turn. */
export interface Opened {
  type: "Opened";
  seat: number;
  column: number;
  row: number;
  cells: [number, number][];
}

/** A click found a mine, which ends the round; `mines` are the cells of all mines. */
export interface Exploded {
  type: "Exploded";
  seat: number;
  column: number;
  row: number;
  mines: number[];
}

/** A player left, which ends the round as a mine does, where the table agreed on that. */
export interface Forfeited {
  type: "Forfeited";
  seat: number;
  mines: number[];
}

/** The loser of a round is out, and looks on from now. */
export interface Eliminated {
  type: "Eliminated";
  seat: number;
  round: number;
}

/** The last player left has won the tournament. */
export interface Won {
  type: "Won";
  seat: number;
}

/** A player left, and the tournament is over for everybody. */
export interface BrokenOff {
  type: "BrokenOff";
  seat: number;
}

/** What everybody may know. `cells` row by row: 0 to 8 open with that many mines around, 9 closed, 10 a
 *  mine (on the last board only, and when looking back with all mines shown). `order` are the players
 *  still in, as they take turns; `turn` counts from 1 in each round; `mover` is on turn, null when the
 *  tournament is over; `last` is the latest click of this round, `lost` the last board of the round
 *  before; `mines` is their number. */
export interface View {
  width: number;
  height: number;
  mines: number;
  cells: number[];
  order: number[];
  turn: number;
  mover: number | null;
  round: number;
  out: Out[];
  last: Last | null;
  lost: Lost | null;
}

/** Who lost which round. */
export interface Out {
  seat: number;
  round: number;
}

/** The latest click of a round. */
export interface Last {
  seat: number;
  column: number;
  row: number;
}

/** The board on which a round was lost, with its mines, and the fatal click (null: the loser left). */
export interface Lost {
  cells: number[];
  last: Last | null;
}

/** What the players of a table agree on. */
export interface Options {
  width: number;
  height: number;
  mines: number;
  spread: "eight" | "four";
  safe_first_click: boolean;
  lost_player: "abort" | "forfeit";
  rotate_start: boolean;
  pause_s: number;
  final_loser: 0 | 1;
}

/** The options or preferences of a game that has none. */
export interface Nothing {}

export type Preferences = Nothing;
