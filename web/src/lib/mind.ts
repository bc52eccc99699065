/** Thinking in the page, at no cost to the house: where a game brings a thinker, and this browser can run it. */

import type { GameBoard, Seen, Thought, Words } from "./board";
import { t } from "./i18n.svelte";
import { settings } from "./settings.svelte";
import type { GameRecord, Hinted } from "./protocol";

/** How long is thought for a hint, and about a move that is looked at again. */
const THINK_MS = 400;

/** What the game's own thinker says about the last of these steps; null where there is none, or nothing to say. */
export async function thoughtAbout(board: GameBoard | null, steps: Seen[]): Promise<Thought | null> {
  if (!board?.mind || typeof WebAssembly === "undefined" || typeof Worker === "undefined") return null;
  try {
    return await (await board.mind()).think(steps, THINK_MS);
  } catch (error) {
    // Whoever wants a hint is still given one, by the house.
    console.warn("no thinking in this page:", error);
    return null;
  }
}

/** A thought as the house would have sent it. */
export function asHint({ chance, line, words }: Thought, number: number, level: string): Hinted {
  const action = line[0]!.action;
  return { type: "hint", number, level, hints: 0, actions: [action], advice: [{ action, chance, line: line.map((step) => ({ ...step, text: "" })), words }] };
}

/** What would follow, turn by turn. */
export function lineTold(line: { seat: number; action: GameRecord }[], words: Words, view: unknown, names: string[]): string {
  const turns: { seat: number; steps: string[] }[] = [];
  for (const step of line) {
    const text = words.advise?.(step.action, view, names).text ?? step.action.type;
    if (turns.at(-1)?.seat === step.seat) turns.at(-1)!.steps.push(text);
    else turns.push({ seat: step.seat, steps: [text] });
  }
  return turns.map((turn) => `${names[turn.seat]}: ${turn.steps.join(", ")}`).join("; ");
}

/** How a position stands, and how it would go on, in words. */
export function told({ seat, chance, ends, line, words: why }: Thought, words: Words, view: unknown, names: string[]): string {
  const p = t().analysis;
  const name = names[seat] ?? "";
  const stands = ends === null ? p.chance(name, Math.round(100 * chance)) : chance > 0.5 ? p.wins(name, Math.ceil(ends / 2)) : p.loses(name, Math.ceil(ends / 2));
  return `${stands} ${p.best(lineTold(line, words, view, names))} ${why[settings.language]}`;
}
