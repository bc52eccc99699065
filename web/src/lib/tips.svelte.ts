/** Hints of a first game: each shows once, when its question comes up, until one match of that game has been finished. */

import type { Language } from "./settings.svelte";

export interface Tip {
  /** The kinds of question it belongs to. */
  kinds: string[];
  text: Record<Language, string>;
}

interface Kept {
  seen: number[];
  over: boolean;
}

const KEY = "ludoteca.tips";
/** With less time than this for a move nobody reads. */
export const MOVE_S_MIN = 120;

function read(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
}

class Tips {
  #kept = $state.raw(read());

  #of(game: string): Kept {
    return this.#kept[game] ?? { seen: [], over: false };
  }

  #save(kept: Record<string, Kept>): void {
    this.#kept = kept;
    localStorage.setItem(KEY, JSON.stringify(kept));
  }

  /** The first that belongs to this question and was not seen: its number, or null. */
  next(game: string, kind: string, tips: Tip[]): number | null {
    const { seen, over } = this.#of(game);
    const found = over ? -1 : tips.findIndex((tip, index) => tip.kinds.includes(kind) && !seen.includes(index));
    return found < 0 ? null : found;
  }

  /** Whether there can be any more of them. */
  wanted(game: string): boolean {
    return !this.#of(game).over;
  }

  saw(game: string, tip: number): void {
    const { seen, over } = this.#of(game);
    if (!seen.includes(tip)) this.#save({ ...this.#kept, [game]: { seen: [...seen, tip], over } });
  }

  /** No more of them: a match was finished, or they are not wanted. */
  end(game: string): void {
    if (this.wanted(game)) this.#save({ ...this.#kept, [game]: { ...this.#of(game), over: true } });
  }

  /** All of them from the start, in every game. */
  again(): void {
    this.#save({});
  }
}

export const tips = new Tips();
