/** The games' own parts of the page, found by themselves: a new game adds its folder and nothing here. */

import type { GameBoard, GameCard } from "./board";

const GAMES = "../../../src/ludoteca/games";

const cards = import.meta.glob<GameCard>("../../../src/ludoteca/games/*/web/card.ts", { eager: true, import: "default" });
const boards = import.meta.glob<GameBoard>("../../../src/ludoteca/games/*/web/board.ts", { import: "default" });

/** All drawings that games use by name. */
export const allDefs = Object.values(cards).flatMap((one) => (one.Defs ? [one.Defs] : []));

/** The games that this page has a card for, in their order: the house may have more, or fewer. */
export const known: readonly string[] = Object.entries(cards)
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([path]) => path.split("/").at(-3)!);

/** A game's place in the lobby; null for one that has drawn none. */
export function card(game: string): GameCard | null {
  return cards[`${GAMES}/${game}/web/card.ts`] ?? null;
}

/** A game's board, loaded on demand; a game without one is played on a plain list of its options. */
export async function board(game: string): Promise<GameBoard> {
  const load = boards[`${GAMES}/${game}/web/board.ts`];
  return load ? load() : (await import("./plain")).default;
}
