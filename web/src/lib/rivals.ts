/** How a person last played against bots, for each game: the first time kindly, then as they chose. Kept in local storage. */

import type { GameInfo } from "./protocol";

export interface Rivals {
  level: string;
  /** How many bots sit down. */
  count: number;
  /** The game as it is best learnt, or with everything in it. */
  simple: boolean;
}

const PREFIX = "ludoteca.rivals.";
/** Bots that know no game in particular: one does anything at all, one counts; neither is somebody to play with. */
const STRANGERS = ["random", "search"];
/** Who begins begins with this one, where there is one; there is a kinder one for children. */
const FIRST = "easy";
/** Names that levels had once. */
const FORMER: Record<string, string> = { safe: "medium" };

/** The bots that were made for this game, the kindest first; where there is none, all. */
export function levelsOf(game: GameInfo): string[] {
  const own = game.bots.filter((level) => !STRANGERS.includes(level));
  return own.length ? own : game.bots;
}

export function first(game: GameInfo): Rivals {
  const levels = levelsOf(game);
  return { level: levels.includes(FIRST) ? FIRST : (levels[0] ?? ""), count: Math.max(2, game.seats.min) - 1, simple: true };
}

/** What was chosen last time, as far as the house still has it. */
export function remembered(game: GameInfo): Rivals {
  let stored: Partial<Rivals> = {};
  try {
    stored = JSON.parse(localStorage.getItem(PREFIX + game.name) ?? "{}") as Partial<Rivals>;
  } catch {
    // What cannot be read was never chosen.
  }
  const start = first(game);
  const level = stored.level ?? "";
  return {
    level: [level, FORMER[level] ?? ""].find((one) => game.bots.includes(one)) ?? start.level,
    count: Math.min(game.seats.max - 1, Math.max(game.seats.min - 1, Number.isInteger(stored.count) ? stored.count! : start.count)),
    simple: stored.simple ?? start.simple,
  };
}

export function remember(game: string, rivals: Rivals): void {
  localStorage.setItem(PREFIX + game, JSON.stringify(rivals));
}
