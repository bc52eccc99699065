/** The records of this game as they come over the line; see view.py, actions.py and events.py. */
import type { GameRecord } from "$lib/protocol";

export type Colour = "green" | "red" | "yellow" | "pink" | "blue";
export type Tower = "white" | "black" | "gray";
/** Students are counted in the order of COLOURS. */
export type Students = [number, number, number, number, number];

export interface Player {
  tower: Tower;
  towers: number;
  coins: number;
  hand: number[];
  assistant: number | null;
  entrance: Students;
  dining: Students;
}

export interface Island { tiles: number[]; students: Students; tower: Tower | null; no_entry: number }

export interface CharacterCard { character: number; price: number; coin: boolean; students: Students | null; no_entry: number | null }

export interface View {
  mode: "Basic" | "Expert";
  round: number;
  phase: "planning" | "action" | "ended";
  first: number;
  current: number;
  order: number[];
  moved: number;
  walked: boolean;
  last_round: boolean;
  clouds_short: boolean;
  mother_nature: number;
  islands: Island[];
  clouds: Students[];
  professors: (number | null)[];
  players: Player[];
  bag: Students;
  supply: number;
  characters: CharacterCard[];
  active: { character: number; seat: number; swaps: number; colour: Colour | null; choosing: boolean } | null;
}

export interface Action extends GameRecord {
  value?: number;
  colour?: Colour;
  island?: number;
  steps?: number;
  cloud?: number;
  character?: number;
  taken?: Colour;
  given?: Colour;
  seated?: Colour;
}

export const COLOURS: Colour[] = ["green", "red", "yellow", "pink", "blue"];
export const STEPS = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
export const TABLE = 10;
export const COIN_SEATS = [3, 6, 9];
/** How many students a turn moves. */
export const movesOf = (players: number): number => (players === 3 ? 4 : 3);
