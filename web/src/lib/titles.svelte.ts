/** The games the house has, asked once. */

import type { GameInfo } from "./protocol";
import { get } from "./story";

class Games {
  list = $state.raw<GameInfo[]>([]);
  #loading = false;

  async load(): Promise<void> {
    if (this.#loading || this.list.length) return;
    this.#loading = true;
    this.list = await get<GameInfo[]>("/api/games").catch(() => []);
    this.#loading = false;
  }
}

export const games = new Games();

/** A game's title; until we know it, its name. */
export function titleOf(name: string): string {
  void games.load();
  return games.list.find((game) => game.name === name)?.title ?? name;
}
