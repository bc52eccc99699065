/** The records of this game, and what is printed on its cards and boards. */
import facts from "./facts.json";
import type { Board, Marble, Resource, Stock } from "./records";

export type * from "./records";
export type PlayerBoard = Board;
export type Colour = "purple" | "yellow" | "green" | "blue";

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
