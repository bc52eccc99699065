/** My Shelfie in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";
import Defs from "./Defs.svelte";
import type { Options, Preferences } from "./records";

export default {
  Cover,
  Defs,
  title: "My Shelfie",
  order: 2,
  minutes: 30,
  text: {
    en: {
      blurb: "Take tiles from the living room, fill your shelf.",
      options: { open_points: { label: "Points show all", hint: "The points during the match include the secret goal." } },
    },
    it: {
      blurb: "Prendi le tessere dal soggiorno e riempi la libreria.",
      options: { open_points: { label: "Punti completi", hint: "I punti durante la partita comprendono l'obiettivo segreto." } },
    },
  },
} satisfies GameCard<Options, Preferences>;
