/** The records of Santorini as they come over the line. Generated: `make types` writes it anew. */

export type Action = OfferGod | TakeGod | ChooseStart | ChooseColour | Place | Move | Build | Finish;

/** The Challenger puts a god on the table; as many as there are players, one after the other. */
export interface OfferGod {
  type: "OfferGod";
  god: string;
}

/** Play under this god, one of those on the table. */
export interface TakeGod {
  type: "TakeGod";
  god: string;
}

/** The Challenger names the seat that begins. */
export interface ChooseStart {
  type: "ChooseStart";
  seat: number;
}

/** Take the workers of this colour. */
export interface ChooseColour {
  type: "ChooseColour";
  colour: Colour;
}

export type Colour = "LIGHT_BLUE" | "MAGENTA" | "WHITE";

/** Put the next of the two workers on a free space. */
export interface Place {
  type: "Place";
  cell: Cell;
}

/** A space: row i from the top, column j from the left, both from 0. */
export interface Cell {
  i: number;
  j: number;
}

/** Walk with the worker that stands on `source`. */
export interface Move {
  type: "Move";
  source: Cell;
  target: Cell;
}

/** Build with the worker that stands on `source`: a block, or a dome. */
export interface Build {
  type: "Build";
  source: Cell;
  target: Cell;
  dome: boolean;
}

/** End the turn without what could still be built. */
export interface Finish {
  type: "Finish";
}

export type Event =
  | TurnBegan
  | GodOffered
  | GodTaken
  | StartChosen
  | ColourChosen
  | Placed
  | TokensCounted
  | Pushed
  | Moved
  | Built
  | Lost
  | Won
  | BrokenOff;

/** This seat is to decide now, in the setup as well as in play. */
export interface TurnBegan {
  type: "TurnBegan";
  seat: number;
  phase: Phase;
}

export type Phase = "colour" | "god" | "gods" | "over" | "place" | "play" | "start";

/** The Challenger put a god on the table. */
export interface GodOffered {
  type: "GodOffered";
  seat: number;
  god: string;
}

/** A seat plays under this god. */
export interface GodTaken {
  type: "GodTaken";
  seat: number;
  god: string;
}

/** This seat takes the first turn. */
export interface StartChosen {
  type: "StartChosen";
  seat: number;
}

/** A seat took the workers of this colour. */
export interface ColourChosen {
  type: "ColourChosen";
  seat: number;
  colour: Colour;
}

/** A worker was put on the island. */
export interface Placed {
  type: "Placed";
  seat: number;
  number: number;
  cell: Cell;
}

/** A seat has this many tokens now (Morpheus). */
export interface TokensCounted {
  type: "TokensCounted";
  seat: number;
  tokens: number;
}

/** A worker was forced to another space, by the `Moved` that follows. It has not moved by itself. */
export interface Pushed {
  type: "Pushed";
  seat: number;
  number: number;
  source: Cell;
  target: Cell;
}

/** A worker walked. */
export interface Moved {
  type: "Moved";
  seat: number;
  number: number;
  source: Cell;
  target: Cell;
}

/** The worker on `source` put a block or a dome on `target`. */
export interface Built {
  type: "Built";
  seat: number;
  number: number;
  source: Cell;
  target: Cell;
  dome: boolean;
}

/** A seat is out, and its workers have left the island. */
export interface Lost {
  type: "Lost";
  seat: number;
  reason: string;
}

/** A seat has won the match. */
export interface Won {
  type: "Won";
  seat: number;
  reason: string;
}

/** A player left for good: nobody wins. */
export interface BrokenOff {
  type: "BrokenOff";
  seat: number;
}

/** The table as a client draws it. `seat` decides now. */
export interface View {
  phase: Phase;
  seat: number;
  order: number[];
  start: number;
  offered: string[];
  gods: string[];
  colours: (Colour | null)[];
  out: boolean[];
  tokens: number[];
  winner: number | null;
  levels: number[][];
  domes: boolean[][];
  workers: Worker[];
}

/** A worker on the island, number 1 or 2 of its seat. */
export interface Worker {
  seat: number;
  number: number;
  i: number;
  j: number;
}

/** What a table of Santorini can be opened with. */
export interface Options {
  gods: Catalogue;
}

export type Catalogue = "all" | "core" | "none" | "original";

/** What a seat brings along: the youngest player is the Challenger. */
export interface Preferences {
  birth_date: string;
}
