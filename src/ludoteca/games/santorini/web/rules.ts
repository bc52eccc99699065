/** Santorini's rules. The full texts of the gods are rows of the page's own table. */
import en from "../../../../../docs/rules/santorini.md?raw";
import { tables } from "$lib/markdown";
import { sentence, type Card, type GameRules } from "$lib/rules";
import type { Language } from "$lib/settings.svelte";
import Figure from "./Figure.svelte";
import { godName, GODS } from "./gods";
import it from "./rules.it.md?raw";
import Picture from "./Picture.svelte";

const text = { en, it };
const TABLE = 0;

function gods(language: Language): Card[] {
  const rows = new Map(tables(text[language])[TABLE]!.map(([name, power, note]) => [name!.split(" (")[0], { name, power, note }]));
  return Object.keys(GODS).flatMap((id): Card[] => {
    const row = rows.get(godName(id, language));
    if (!row) return [];
    return [{ id, name: godName(id, language), tag: /\((.+)\)/.exec(row.name!)?.[1], text: sentence(row.power!), note: sentence(row.note!) }];
  });
}

export default {
  text,
  short: {
    en: [
      ["Goal", "Be the first to **step up onto level 3**. Everybody climbs the same towers, so each floor you build helps the rival too."],
      ["Move", "Choose one of your two workers and step to a space next to it: **one level up at most**, down as far as you like. Not onto a worker, not onto a dome."],
      ["Build", "The **same worker** then adds one piece next to it: level 1, 2, 3, and last a **dome**, which closes the tower for good."],
      ["Win or lose", "From 2 up to 3: **you win at once**. If no worker of yours can move, or the one that moved cannot build, **you lose**."],
    ],
    it: [
      ["Scopo", "**Sali per primo sul livello 3**. Tutti salgono sulle stesse torri: ogni piano che costruisci serve anche al rivale."],
      ["Muovere", "Scegli una delle tue due pedine e falla andare in uno spazio vicino: **al massimo un livello più su**, giù quanto vuoi. Non su una pedina, non su una cupola."],
      ["Costruire", "La **stessa pedina** aggiunge poi un pezzo accanto a sé: livello 1, 2, 3 e infine una **cupola**, che chiude la torre per sempre."],
      ["Vincere o perdere", "Dal 2 al 3: **vinci subito**. Se nessuna tua pedina può muovere, o quella che ha mosso non può costruire, **perdi**."],
    ],
  },
  Figure,
  table: TABLE,
  cards: (language) => [{ id: "gods", title: language === "it" ? "Le divinità, una per una" : "The gods, one by one", cards: gods(language) }],
  Picture,
  parts: { gods: 3, god: 3, start: 2, colour: 2, place: 2, move: 1, build: 1, step: 1 },
  tips: [
    { kinds: ["gods", "god"], text: { en: "Read a god with the small sign in its corner; the power is yours for the whole match.", it: "Leggi una divinità con il segno nell'angolo; il suo potere è tuo per tutta la partita." } },
    { kinds: ["place"], text: { en: "Place workers near the middle: from there they reach more spaces.", it: "Metti le pedine verso il centro: da lì raggiungono più spazi." } },
    { kinds: ["move", "step"], text: { en: "A turn is: move one worker, then build beside it.", it: "Un turno è: muovi una pedina, poi costruisci accanto." } },
    { kinds: ["build"], text: { en: "Build where your rival cannot use it: a dome closes a tower.", it: "Costruisci dove al rivale non serve: una cupola chiude una torre." } },
    { kinds: ["move", "step"], text: { en: "You climb one level at a time; stepping onto level 3 wins.", it: "Si sale un livello alla volta; salire sul livello 3 fa vincere." } },
    { kinds: ["move", "step"], text: { en: "No move left means you lose; keep a way out.", it: "Senza mosse si perde; tieni una via d'uscita." } },
  ],
} satisfies GameRules;
