/** Lessons: little positions in which the rules have judged every answer beforehand (`make types` writes them). */

import type { GameRecord } from "./protocol";
import type { Language } from "./settings.svelte";

type Words = Record<Language, string>;

export interface Lesson {
  id: string;
  title: Words;
  ask: Words;
  hint: Words;
  seat: number;
  kind: string;
  view: unknown;
  /** `view` is what a good answer leads to, `why` what bots say for it, `reply` the turn of the rival after any. */
  options: { action: GameRecord; verdict: string; view?: unknown; why?: Words; reply?: { events: GameRecord[]; view: unknown } }[];
  verdicts: Record<string, { words: Words; good: boolean }>;
}

const KEY = "ludoteca.lessons";
const files = import.meta.glob<Lesson[]>("../../../src/ludoteca/games/*/web/lessons.json", { import: "default" });
const path = (game: string) => `../../../src/ludoteca/games/${game}/web/lessons.json`;

export const hasLessons = (game: string): boolean => path(game) in files;

export async function lessonsOf(game: string): Promise<Lesson[]> {
  return (await files[path(game)]?.()) ?? [];
}

/** The option that an answer begins with; the rest of a decision of several steps is the player's own. */
export function optionOf(lesson: Lesson, actions: GameRecord[]): Lesson["options"][number] | null {
  const wanted = sorted(actions[0]);
  return lesson.options.find((option) => sorted(option.action) === wanted) ?? null;
}

/** A record as text that does not depend on the order of its fields. */
function sorted(record: unknown): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
}

/** The lessons done in this browser, by game. */
export function done(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string[]>;
  } catch {
    return {};
  }
}

export function markDone(game: string, lesson: string): void {
  const all = done();
  localStorage.setItem(KEY, JSON.stringify({ ...all, [game]: [...new Set([...(all[game] ?? []), lesson])] }));
}
