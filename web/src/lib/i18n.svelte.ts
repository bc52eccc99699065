/** The words of the chosen language. */

import { en, list as listEn, type Messages } from "./en";
import { it, list as listIt } from "./it";
import { settings } from "./settings.svelte";

/** The house's messages; read inside markup or an effect, it follows the language. */
export function t(): Messages {
  return settings.language === "it" ? it : en;
}

export function list(names: string[]): string {
  return settings.language === "it" ? listIt(names) : listEn(names);
}

/** Why something was not done. The house explains itself in English; the usual reasons are known in all languages. */
export function reasonOf(refusal: { code: string; reason: string }): string {
  return t().declined[refusal.code] ?? refusal.reason;
}

/** Minutes and seconds left, "1:05". */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
