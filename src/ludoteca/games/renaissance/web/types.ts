/** The records of this game as they come over the line; see state.py, actions.py and events.py. */
import type { GameRecord } from "$lib/protocol";
import facts from "./facts.json";

export type Resource = "coins" | "stones" | "servants" | "shields";
export type Marble = "white" | "red" | "blue" | "yellow" | "grey" | "purple";
export type Colour = "purple" | "yellow" | "green" | "blue";
/** Numbers of resources in the order of RESOURCES. */
export type Stock = [number, number, number, number];

export interface Depot { resource: Resource | null; count: number }

export interface PlayerBoard {
  dealt: (string | null)[];
  kept: boolean;
  hand: (string | null)[];
  played: string[];
  discarded: string[];
  due: number;
  faith: number;
  tiles: ("down" | "up" | "lost")[];
  depots: Depot[];
  strongbox: Stock;
  slots: string[][];
  here: boolean;
}

export interface View {
  first: number;
  boards: PlayerBoard[];
  marbles: Marble[];
  slide: Marble;
  grid: { card: string | null; left: number }[];
  phase: "leaders" | "resources" | "turns" | "over";
  current: number;
  acted: boolean;
  line: { line: "row" | "column"; index: number } | null;
  waiting: Resource[];
  draft: Action[];
  reports: number;
  last_round: boolean;
  cross: number | null;
  turned: string[];
  token: string | null;
  removed: string[];
}

export interface Action extends GameRecord {
  first?: string;
  second?: string;
  resource?: Resource | null;
  depot?: number;
  count?: number;
  line?: "row" | "column";
  index?: number;
  exchange?: Resource[];
  card?: string;
  slot?: number;
  spend?: [Resource, Resource];
  gain?: Resource;
  leader?: string;
  warehouse?: Stock;
  leaders?: Stock;
  strongbox?: Stock;
}

export interface Card { colour: Colour; level: number; points: number; cost: Stock; takes: Stock; gives: Stock; faith: number }
export interface Leader {
  kind: "discount" | "depot" | "exchange" | "production";
  resource: Resource;
  points: number;
  cards: { colour: Colour; count: number; level: number }[];
  resources: Stock;
}
export interface Token { colour: Colour | null; cross: number; shuffles: boolean }

export const CARDS = facts.cards as unknown as Record<string, Card>;
export const LEADERS = facts.leaders as unknown as Record<string, Leader>;
export const TOKENS = facts.tokens as unknown as Record<string, Token>;

export const RESOURCES: Resource[] = ["coins", "stones", "servants", "shields"];
export const COLOURS: Colour[] = ["purple", "yellow", "green", "blue"];
export const PLACES = [1, 2, 3];
export const LEADER_PLACES = 2;
export const GIVES: Partial<Record<Marble, Resource>> = { blue: "shields", grey: "stones", yellow: "coins", purple: "servants" };
export const REPORTS = [[5, 8, 2], [12, 16, 3], [19, 24, 4]] as const;
export const CELL_POINTS: Record<number, number> = { 3: 1, 6: 2, 9: 4, 12: 6, 15: 9, 18: 12, 21: 16, 24: 20 };
export const LAST_CELL = 24;
