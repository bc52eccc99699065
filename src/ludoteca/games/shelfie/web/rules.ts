/** My Shelfie's rules. The common goals are rows of the page's own table, the personal ones their six places. */
import en from "../../../../../docs/rules/shelfie.md?raw";
import { tables } from "$lib/markdown";
import { sentence, type Card, type GameRules } from "$lib/rules";
import type { Language } from "$lib/settings.svelte";
import facts from "./facts.json";
import Figure from "./Figure.svelte";
import Picture from "./Picture.svelte";
import it from "./rules.it.md?raw";
import type { Tile } from "./types";
import { phrases } from "./words";

const text = { en, it };
const TABLE = 0;

const common = (language: Language): Card[] =>
  tables(text[language])[TABLE]!.map(([id, shows]) => ({ id: id!, name: phrases[language].goals[Number(id)] ?? "", text: sentence(shows!) }));

const personal = (language: Language): Card[] =>
  Object.entries(facts.personal_goals).map(([id, wishes]) => ({
    id,
    name: language === "it" ? `Obiettivo ${id}` : `Goal ${id}`,
    text: sentence(wishes.map((wish) => phrases[language].wish(phrases[language].tiles[wish.tile as Tile], wish.row + 1, wish.column + 1, false)).join(", ")),
  }));

export default {
  text,
  short: {
    en: [
      ["Take", "Take **one to three tiles** that lie side by side in a straight line. Each must have a **free side** when your turn begins."],
      ["Fill", "Drop them into **one column** of your bookshelf, in the order you like; the first lands lowest."],
      ["Goals", "The **two common goals** are for all, and the first to show one gets more. Your **personal goal** is secret: these tiles in exactly these places."],
      ["Groups and end", "Tiles of one kind that touch count **from three up**. Who first fills the shelf gets a point, and the round is finished."],
    ],
    it: [
      ["Prendere", "Prendi **da una a tre tessere** vicine, in linea retta. Ognuna deve avere un **lato libero** quando il tuo turno comincia."],
      ["Riempire", "Falle cadere in **una colonna** della libreria, nell'ordine che vuoi; la prima va più in basso."],
      ["Obiettivi", "I **due obiettivi comuni** sono per tutti, e chi li mostra per primo prende di più. Il tuo **obiettivo personale** è segreto: queste tessere esattamente in questi posti."],
      ["Gruppi e fine", "Le tessere uguali che si toccano contano **da tre in su**. Chi riempie per primo la libreria prende un punto, e si finisce il giro."],
    ],
  },
  Figure,
  table: TABLE,
  cards: (language) => [
    { id: "common", title: language === "it" ? "Gli obiettivi comuni, uno per uno" : "The common goals, one by one", cards: common(language) },
    { id: "personal", title: language === "it" ? "Gli obiettivi personali" : "The personal goals", cards: personal(language) },
  ],
  Picture,
  parts: { take: 2, fill: 2 },
  tips: [
    { kinds: ["take"], text: { en: "Take one to three tiles in a line; each needs a free side.", it: "Prendi da una a tre tessere in linea; ognuna con un lato libero." } },
    { kinds: ["fill"], text: { en: "They fall into one column, the first one lowest.", it: "Cadono in una colonna, la prima più in basso." } },
    { kinds: ["take"], text: { en: "Groups of one kind that touch count from three up.", it: "I gruppi uguali che si toccano contano da tre in su." } },
    { kinds: ["take"], text: { en: "These two goals are for all; the first gets more.", it: "Questi due obiettivi sono di tutti; chi arriva prima prende di più." } },
    { kinds: ["take"], text: { en: "The goal at the right is yours alone: exact places.", it: "L'obiettivo a destra è solo tuo: posti esatti." } },
    { kinds: ["take"], text: { en: "The first full shelf ends the game; all have equal turns.", it: "La prima libreria piena chiude la partita; i turni sono uguali per tutti." } },
  ],
} satisfies GameRules;
