/** A game's words by language: the one that is spoken comes with the board, another when it is chosen. */

import { settings, type Language } from "./settings.svelte";

const OTHER: Record<Language, Language> = { en: "it", it: "en" };

/** Phrases by language. Until a language that was chosen just now is here, the one before it goes on speaking. */
export async function spoken<P>(load: { en: () => Promise<{ en: P }>; it: () => Promise<{ it: P }> }): Promise<Record<Language, P>> {
  let heard = $state.raw<Partial<Record<Language, P>>>({});
  const learning = new Set<Language>();
  const learn = async (language: Language) => {
    const phrases = language === "en" ? (await load.en()).en : (await load.it()).it;
    heard = { ...heard, [language]: phrases };
  };
  const say = (language: Language): P => {
    if (!heard[language] && !learning.has(language)) {
      learning.add(language);
      // Where it cannot be fetched now, whoever asks next tries again.
      learn(language).catch(() => learning.delete(language));
    }
    return (heard[language] ?? heard[OTHER[language]])!;
  };
  await learn(settings.language);
  return {
    get en() {
      return say("en");
    },
    get it() {
      return say("it");
    },
  };
}

/** What is made of the phrases, once for each language. */
export function made<P extends object, W>(phrases: Record<Language, P>, make: (p: P, language: Language) => W): Record<Language, W> {
  const known = { en: new WeakMap<P, W>(), it: new WeakMap<P, W>() };
  const of = (language: Language): W => {
    const p = phrases[language];
    if (!known[language].has(p)) known[language].set(p, make(p, language));
    return known[language].get(p)!;
  };
  return {
    get en() {
      return of("en");
    },
    get it() {
      return of("it");
    },
  };
}
