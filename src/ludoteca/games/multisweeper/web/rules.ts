/** Multisweeper's rules. There are no cards. */
import en from "../../../../../docs/rules/multisweeper.md?raw";
import type { GameRules } from "$lib/rules";
import Figure from "./Figure.svelte";
import it from "./rules.it.md?raw";

export default {
  text: { en, it },
  short: {
    en: [
      ["Goal", "Everybody plays on **one field**. Who opens a mine is out; the **last one left wins**."],
      ["A turn", "Open **one closed cell**. There is no passing, and what you open everybody sees."],
      ["Numbers", "A number counts the **mines in the eight cells around it**. Around an empty cell there are none, so its neighbours open by themselves."],
      ["A mine", "It ends the round: the loser looks on, and the others go on with a **new field**. When only mines are closed, whoever is on turn has to take one."],
    ],
    it: [
      ["Scopo", "Tutti giocano su **un solo campo**. Chi apre una mina è fuori; **vince l'ultimo rimasto**."],
      ["Un turno", "Apri **una casella chiusa**. Non si passa, e ciò che apri lo vedono tutti."],
      ["I numeri", "Un numero conta le **mine nelle otto caselle intorno**. Intorno a una casella vuota non ce ne sono, perciò le vicine si aprono da sole."],
      ["Una mina", "Chiude la manche: chi perde guarda, e gli altri continuano su un **campo nuovo**. Quando sono chiuse solo mine, chi è di turno deve aprirne una."],
    ],
  },
  Figure,
  parts: { click: 1 },
  tips: [
    { kinds: ["click"], text: { en: "Open one cell. Its number counts the mines around it.", it: "Apri una casella. Il numero conta le mine intorno." } },
    { kinds: ["click"], text: { en: "Everybody uses the same field: what you open helps the next.", it: "Il campo è di tutti: ciò che apri aiuta chi viene dopo." } },
    { kinds: ["click"], text: { en: "Flags are yours alone; others do not see them.", it: "Le bandiere sono solo tue; gli altri non le vedono." } },
    { kinds: ["click"], text: { en: "A mine ends the tournament for you: open only what the numbers prove.", it: "Una mina per te è la fine: apri solo ciò che i numeri provano." } },
  ],
} satisfies GameRules;
