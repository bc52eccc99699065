/** The records of My Shelfie as they come over the line. Generated: `make types` writes it anew. */

export type Action = TakeTiles | FillColumn;

/** Take these tiles, a straight line of one to three, from the living room. */
export interface TakeTiles {
  type: "TakeTiles";
  cells: Cell[];
}

/** A space of the living room or of a bookshelf, counted from the top left. */
export type Cell = [row: number, column: number];

/** Drop the taken tiles into a column of the own bookshelf, the first of them lowest. */
export interface FillColumn {
  type: "FillColumn";
  column: number;
  tiles: Tile[];
}

export type Tile = "book" | "cat" | "frame" | "game" | "plant" | "trophy";

export type Event =
  | Started
  | TilesTaken
  | ColumnFilled
  | TokenTaken
  | ShelfFilled
  | RoomRefilled
  | TurnEnded
  | Finished
  | BrokenOff;

/** The living room is full and the goals are dealt; `first` begins. */
export interface Started {
  type: "Started";
  first: number;
  commons: number[];
}

/** Tiles left the living room for a player's hand. */
export interface TilesTaken {
  type: "TilesTaken";
  seat: number;
  cells: Cell[];
  tiles: Tile[];
}

/** The tiles in hand dropped into a column, the first of them lowest. */
export interface ColumnFilled {
  type: "ColumnFilled";
  seat: number;
  column: number;
  tiles: Tile[];
}

/** A bookshelf shows a common goal: its owner takes the top token. */
export interface TokenTaken {
  type: "TokenTaken";
  seat: number;
  goal: number;
  value: number;
}

/** The first full bookshelf: its owner takes the end-game token, and the last round begins. */
export interface ShelfFilled {
  type: "ShelfFilled";
  seat: number;
}

/** Tiles from the bag came into the empty spaces of the living room. */
export interface RoomRefilled {
  type: "RoomRefilled";
  cells: Cell[];
  tiles: Tile[];
}

/** A turn is over. `points` is what the table may know of the mover's total; nobody is next after the
 *  last. */
export interface TurnEnded {
  type: "TurnEnded";
  seat: number;
  points: number;
  next: number | null;
}

/** The match is over: the personal goals, by seat, are turned up and counted. */
export interface Finished {
  type: "Finished";
  cards: number[];
  outcome: Outcome;
}

/** How a match ended. `ranks` has one number for each seat, 1 for the winners (several when they share the
 *  victory); it is empty when the match was broken off. `scores` breaks the points down, a row of one
 *  number for each seat under each name, the last row being the total; it is empty in games without
 *  points. */
export interface Outcome {
  ranks: number[];
  reason: string;
  scores: Record<string, number[]>;
}

/** A player has left for good, which ends the match for all, without a result. */
export interface BrokenOff {
  type: "BrokenOff";
  seat: number;
  outcome: Outcome;
}

/** The table as one seat sees it; `seat` is null for a spectator, and for the whole truth. `hand` are the
 *  tiles that `turn` has taken and not yet put away. `cards` are the personal goals by seat, null where
 *  unknown; `wishes` is the own one spelled out, `goals` are those of all seats once they are face up.
 *  `groups` are the points for groups by seat, `points` the totals as last announced. `filled` is the seat
 *  with the end-game token, which starts the last round. */
export interface Tabletop {
  seat: number | null;
  first: number;
  turn: number | null;
  room: Grid;
  mask: number[][];
  shelves: Grid[];
  hand: Tile[];
  commons: Common[];
  cards: (number | null)[];
  wishes: Wish[];
  groups: number[];
  points: number[];
  filled: number | null;
  outcome: Outcome | null;
  goals: Wish[][];
}

export type Grid = (Tile | null)[][];

/** A common goal: the tokens still on it, top first, and what each seat took from it (0: nothing). */
export interface Common {
  id: number;
  name: string;
  tokens: number[];
  taken: number[];
}

/** A cell of a personal goal, and whether it holds the tile it wants. */
export interface Wish {
  cell: Cell;
  tile: Tile;
  met: boolean;
}

export type View = Tabletop;

/** What can be agreed on before a match. */
export interface Options {
  open_points: boolean;
}

/** The options or preferences of a game that has none. */
export interface Nothing {}

export type Preferences = Nothing;
