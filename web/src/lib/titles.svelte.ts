/** The games the house has, asked once. */

import { card } from "./games";
import type { GameInfo } from "./protocol";
import { get } from "./story";

class Games {
  list = $state.raw<GameInfo[]>([]);
  #loading = false;

  async load(): Promise<void> {
    if (this.#loading || this.list.length) return;
    this.#loading = true;
    this.list = await get<GameInfo[]>("/api/v1/games").catch(() => []);
    this.#loading = false;
  }
}

export const games = new Games();

/** A game as the house describes it; null until we know it. */
export function gameOf(name: string): GameInfo | null {
  void games.load();
  return games.list.find((game) => game.name === name) ?? null;
}

/** A game's title; until the house has said it, as its card has it. */
export function titleOf(name: string): string {
  return gameOf(name)?.title ?? card(name)?.title ?? name;
}
