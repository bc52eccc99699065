/** Eriantys in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";
import type { Options, Preferences } from "./records";

export default {
  Cover,
  title: "Eriantys",
  order: 3,
  minutes: 45,
  simple: { options: { mode: "Basic" }, text: { en: "Without coins and characters.", it: "Senza monete e personaggi." } },
  text: {
    en: {
      blurb: "Move students and Mother Nature, win the islands.",
      options: { mode: { label: "Rules", values: { Basic: "basic", Expert: "expert" } } },
      preferences: { tower: { label: "Your towers", values: { black: "black", gray: "grey", white: "white" } } },
    },
    it: {
      blurb: "Sposta studenti e Madre Natura, conquista le isole.",
      options: { mode: { label: "Regole", values: { Basic: "base", Expert: "esperte" } } },
      preferences: { tower: { label: "Le tue torri", values: { black: "nere", gray: "grigie", white: "bianche" } } },
    },
  },
} satisfies GameCard<Options, Preferences>;
