/** When something happened, as people say it: a time of today or yesterday, a weekday, else a date. */

import type { Language } from "./settings.svelte";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The reader's own forms (British, Swiss ...) where the page speaks their language. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((one) => one.split("-")[0] === language) ?? language;
}

export function when(at: number, now: number, locale: string): string {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  const time = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" }).format(at);
  if (days <= 0) return time;
  if (days === 1) return `${new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-1, "day")}, ${time}`;
  if (days < 7) return `${new Intl.DateTimeFormat(locale, { weekday: "long" }).format(at)}, ${time}`;
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }).format(at);
}
