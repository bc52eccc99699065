/** Santorini in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";

export default {
  Cover,
  order: 1,
  minutes: 15,
  text: {
    en: {
      blurb: "Climb, build, and be first on the third floor.",
      options: { gods: { label: "Gods", values: { core: "the usual", none: "none", original: "simple", all: "all" } } },
      preferences: { birth_date: { label: "Date of birth", hint: "yyyy.mm.dd; the youngest player chooses the gods" } },
    },
    it: {
      blurb: "Sali, costruisci e arriva per primo al terzo piano.",
      options: { gods: { label: "Divinità", values: { core: "le solite", none: "nessuna", original: "semplici", all: "tutte" } } },
      preferences: { birth_date: { label: "Data di nascita", hint: "aaaa.mm.gg; il più giovane sceglie le divinità" } },
    },
  },
} satisfies GameCard;
