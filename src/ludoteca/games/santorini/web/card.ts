/** Santorini in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";
import type { Options, Preferences } from "./records";

export default {
  Cover,
  title: "Santorini",
  order: 1,
  minutes: 15,
  simple: { options: { gods: "none" }, text: { en: "Without gods.", it: "Senza divinità." } },
  // Asked by the protocol of the seed; who chooses the gods is no reason to ask people for it.
  hidden: ["birth_date"],
  text: {
    en: {
      blurb: "Climb, build, and be first on the third floor.",
      options: { gods: { label: "Gods", values: { core: "23 of the core", none: "none", original: "14 to start with", all: "all 26" } } },
    },
    it: {
      blurb: "Sali, costruisci e arriva per primo al terzo piano.",
      options: { gods: { label: "Divinità", values: { core: "le 23 di base", none: "nessuna", original: "14 per cominciare", all: "tutte e 26" } } },
    },
  },
} satisfies GameCard<Options, Preferences>;
