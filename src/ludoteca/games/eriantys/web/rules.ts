/** Eriantys' rules. The characters are rows of the page's own table. */
import en from "../../../../../docs/rules/eriantys.md?raw";
import { tables } from "$lib/markdown";
import { sentence, type Card, type GameRules } from "$lib/rules";
import type { Language } from "$lib/settings.svelte";
import Defs from "./Defs.svelte";
import Figure from "./Figure.svelte";
import Picture from "./Picture.svelte";
import it from "./rules.it.md?raw";
import { STEPS } from "./types";
import { phrases } from "./words";

const text = { en, it };
const TABLE = 1;

const characters = (language: Language): Card[] =>
  tables(text[language])[TABLE]!.map(([id, price, name, effect]) => ({ id: id!, name: name!, tag: phrases[language].price(Number(price)), text: sentence(effect!) }));

const assistants = (language: Language): Card[] =>
  STEPS.slice(1).map((steps, at) => ({
    id: String(at + 1),
    name: language === "it" ? `Assistente ${at + 1}` : `Assistant ${at + 1}`,
    text: language === "it"
      ? `Gioca dopo i valori più bassi e prima di quelli più alti; Madre Natura fa al massimo ${steps} ${steps === 1 ? "passo" : "passi"}. Si gioca una volta sola.`
      : `Acts after lower values and before higher ones; mother nature walks at most ${steps} ${steps === 1 ? "step" : "steps"}. It is played once.`,
  }));

export default {
  text,
  short: {
    en: [
      ["Goal", "Build **all your towers** on the islands first. If time runs out, most towers built win."],
      ["Plan and place", "Everybody plays an **assistant**: low numbers go first, high ones walk further. Then you move three students to **your tables** or to **islands**."],
      ["Professors", "Most students of a colour at your table: the **professor** is yours, and only then that colour's students on islands count for you."],
      ["Mother nature", "Where she stops, **influence** is counted: students of your professors, and your towers. Who has most builds there; neighbouring islands of one colour **join**. Then take a cloud."],
    ],
    it: [
      ["Scopo", "Costruisci per primo **tutte le tue torri** sulle isole. Se il tempo finisce, vince chi ne ha costruite di più."],
      ["Pianificare e piazzare", "Ognuno gioca un **assistente**: i numeri bassi vanno prima, gli alti camminano di più. Poi muovi tre studenti ai **tuoi tavoli** o sulle **isole**."],
      ["I professori", "Più studenti di un colore al tuo tavolo: il **professore** è tuo, e solo allora gli studenti di quel colore sulle isole contano per te."],
      ["Madre Natura", "Dove si ferma si conta l'**influenza**: studenti dei tuoi professori e tue torri. Chi ne ha di più costruisce lì; isole vicine dello stesso colore si **uniscono**. Poi prendi una nuvola."],
    ],
  },
  Defs,
  Figure,
  table: TABLE,
  cards: (language) => [
    { id: "characters", title: language === "it" ? "I personaggi" : "The characters", cards: characters(language) },
    { id: "assistants", title: language === "it" ? "Gli assistenti" : "The assistants", cards: assistants(language) },
  ],
  Picture,
  parts: {
    assistant: 2, student: 2, "mother nature": 4, cloud: 2, end: 2,
    monk: 6, herald: 6, herbalist: 6, jester: 6, "mushroom seller": 6, minstrel: 6, princess: 6, thief: 6,
  },
  tips: [
    { kinds: ["assistant"], text: { en: "Low numbers go first, high ones let mother nature walk further.", it: "I numeri bassi vanno prima, gli alti fanno camminare di più Madre Natura." } },
    { kinds: ["student"], text: { en: "Students in your dining room win professors; on islands they win influence.", it: "Gli studenti in sala conquistano professori; sulle isole danno influenza." } },
    { kinds: ["mother nature"], text: { en: "Mother nature decides only the island where she stops.", it: "Madre Natura decide solo l'isola dove si ferma." } },
    { kinds: ["cloud"], text: { en: "Choose the cloud by what your entrance lacks.", it: "Scegli la nuvola per ciò che manca al tuo ingresso." } },
    { kinds: ["student"], text: { en: "The pill on an island counts influence: students of your professors, and towers.", it: "L'etichetta su un'isola conta l'influenza: studenti dei tuoi professori e torri." } },
  ],
} satisfies GameRules;
