/** Multisweeper in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";
import type { Options, Preferences } from "./records";

export default {
  Cover,
  title: "Multisweeper",
  order: 5,
  minutes: 10,
  // Only programs that speak the line protocol notice these.
  hidden: ["pause_s", "final_loser"],
  text: {
    en: {
      blurb: "Everyone shares one mine field. Last one in wins.",
      options: {
        width: { label: "Columns", hint: "0: as many as suit the number of players" },
        height: { label: "Rows", hint: "0: as many as suit the number of players" },
        mines: { label: "Mines", hint: "0: as many as suit the board" },
        spread: { label: "A zero opens", values: { eight: "all eight around", four: "four around" } },
        safe_first_click: { label: "First click is safe" },
        lost_player: { label: "Who leaves", values: { abort: "ends it for all", forfeit: "loses the round" } },
        rotate_start: { label: "Starters rotate" },
      },
    },
    it: {
      blurb: "Un solo campo minato per tutti. Vince l'ultimo rimasto.",
      options: {
        width: { label: "Colonne", hint: "0: quante si addicono al numero di giocatori" },
        height: { label: "Righe", hint: "0: quante si addicono al numero di giocatori" },
        mines: { label: "Mine", hint: "0: quante si addicono al campo" },
        spread: { label: "Uno zero apre", values: { eight: "le otto vicine", four: "le quattro vicine" } },
        safe_first_click: { label: "Primo clic sicuro" },
        lost_player: { label: "Chi esce", values: { abort: "chiude per tutti", forfeit: "perde la manche" } },
        rotate_start: { label: "Inizia a rotazione" },
      },
    },
  },
} satisfies GameCard<Options, Preferences>;
