/** How a match ended, in a headline. */

import type { Messages } from "./en";
import type { Outcome } from "./protocol";

export function headline(
  outcome: Outcome,
  names: string[],
  words: Messages["result"],
  list: (names: string[]) => string,
): string {
  if (outcome.ranks.length === 0) return words.broken;
  const winners = names.filter((_, seat) => outcome.ranks[seat] === 1);
  if (winners.length === 0) return words.nobody;
  return winners.length === 1 ? words.wins(list(winners)) : words.win(list(winners));
}

/** What the house says of a match of two in which a bot had no hope left. */
const GAVE_UP = "the other gave up";

/** How it came to that: as the game tells it, unless somebody gave up, of which no game knows. */
export function course(outcome: Outcome, names: string[], words: Messages["result"], told: string | undefined): string {
  return outcome.reason === GAVE_UP ? words.gaveUp(names[outcome.ranks.indexOf(2)] ?? "") : (told ?? "");
}

/** By how many points the first won; null where there is no such number. */
export function margin(outcome: Outcome): number | null {
  const totals = Object.values(outcome.scores).at(-1);
  if (!totals || totals.length < 2) return null;
  const first = totals.filter((_, seat) => outcome.ranks[seat] === 1);
  const others = totals.filter((_, seat) => outcome.ranks[seat] !== 1);
  return first.length === 1 && others.length ? first[0]! - Math.max(...others) : null;
}

/** A finished match in one line of the lobby: "Alba beat Nina", "Karin 41, Luca 38". */
export function summary(
  outcome: Outcome | null,
  names: string[],
  words: Messages["lobby"],
  list: (names: string[]) => string,
): string {
  if (outcome === null || outcome.ranks.length === 0) return words.brokenOff(list(names));
  const totals = Object.values(outcome.scores).at(-1);
  const order = names.map((_, seat) => seat).sort((a, b) => outcome.ranks[a]! - outcome.ranks[b]!);
  if (totals && names.length > 1) return order.map((seat) => `${names[seat]} ${totals[seat]}`).join(", ");
  const winners = names.filter((_, seat) => outcome.ranks[seat] === 1);
  if (winners.length === 0) return words.lost(list(names));
  const others = names.filter((_, seat) => outcome.ranks[seat] !== 1);
  return words.beat(list(winners), others.length ? list(others) : "");
}
