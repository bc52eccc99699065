/** The rules of Masters of Renaissance. What cards say follows from what is printed on them. */
import en from "../../../../../docs/rules/renaissance.md?raw";
import { tables } from "$lib/markdown";
import { sentence, type Card, type GameRules } from "$lib/rules";
import type { Language } from "$lib/settings.svelte";
import Defs from "./Defs.svelte";
import Figure from "./Figure.svelte";
import Picture from "./Picture.svelte";
import it from "./rules.it.md?raw";
import { CARDS, LEADERS, TOKENS } from "./types";
import { cardInWords, leaderInWords, needsInWords, phrases, tokenInWords } from "./words";

const text = { en, it };
/** The rows of the page's table, as they stand there. */
const KINDS = ["discount", "depot", "exchange", "production"];

function leaders(language: Language): Card[] {
  const p = phrases[language];
  const [rows] = tables(text[language]);
  return Object.entries(LEADERS).map(([id, facts]) => {
    const [kind, effect] = rows![KINDS.indexOf(facts.kind)]!;
    return {
      id,
      name: `${kind!.charAt(0).toUpperCase()}${kind!.slice(1)}: ${p.many[facts.resource]}`,
      tag: `${facts.points} ${p.points(facts.points)}`,
      text: `${sentence(leaderInWords(p, id))} ${sentence(needsInWords(p, id))}`,
      note: facts.kind === "production" ? undefined : sentence(effect!),
    };
  });
}

const developments = (language: Language): Card[] =>
  Object.entries(CARDS).map(([id, facts]) => ({
    id,
    name: `${phrases[language].colours[facts.colour].replace(/^./, (letter) => letter.toUpperCase())} ${facts.level}`,
    text: sentence(cardInWords(phrases[language], id)),
  }));

const tokens = (language: Language): Card[] =>
  Object.keys(TOKENS).map((id) => ({ id, name: phrases[language].lorenzo, text: sentence(tokenInWords(phrases[language], id)) }));

export default {
  text,
  short: {
    en: [
      ["One action a turn", "Take from the **market**, buy a **card**, or **produce**. Leaders may be played or discarded besides."],
      ["The market", "An arrow takes a whole row or column. Your three **depots** hold one kind each; what has no place gives the others **faith**."],
      ["Cards and production", "Cards cost resources and go on your three slots, level upon level. **Producing** turns resources into more, all powers at once, into the strongbox."],
      ["Faith and the end", "Faith opens **pope's reports**: be inside the section in time. The **seventh card** or the **last cell** brings the last round; most points win."],
    ],
    it: [
      ["Un'azione a turno", "Prendi dal **mercato**, compra una **carta** o **produci**. Inoltre puoi giocare o scartare leader."],
      ["Il mercato", "Una freccia prende una riga o una colonna intera. I tre **depositi** tengono un tipo ciascuno; ciò che non ha posto fa avanzare gli altri nella **fede**."],
      ["Carte e produzione", "Le carte costano risorse e vanno nei tuoi tre spazi, livello su livello. **Produrre** trasforma risorse in altre, con tutti i poteri insieme, nel forziere."],
      ["La fede e la fine", "La fede apre i **rapporti del papa**: sii in tempo dentro la sezione. La **settima carta** o l'**ultima casella** porta all'ultimo giro; vince chi ha più punti."],
    ],
  },
  Defs,
  Figure,
  cards: (language) => [
    { id: "leaders", title: language === "it" ? "I leader" : "The leaders", cards: leaders(language) },
    { id: "cards", title: language === "it" ? "Le carte sviluppo" : "The development cards", cards: developments(language) },
    { id: "tokens", title: language === "it" ? "I gettoni di Lorenzo" : "Lorenzo's tokens", cards: tokens(language) },
  ],
  Picture,
  parts: { leaders: 1, resources: 1, action: 2, place: 2, pay: 2, powers: 2, end: 2 },
  tips: [
    { kinds: ["leaders"], text: { en: "Keep leaders that want the same: their needs are met together.", it: "Tieni leader che vogliono le stesse cose: i requisiti si soddisfano insieme." } },
    { kinds: ["action"], text: { en: "One action a turn: market, card, or production.", it: "Un'azione a turno: mercato, carta o produzione." } },
    { kinds: ["place"], text: { en: "A depot holds one kind; what you give up moves the others on.", it: "Un deposito tiene un tipo; ciò a cui rinunci fa avanzare gli altri." } },
    { kinds: ["action"], text: { en: "Cards with a check can be paid now; level 2 goes on level 1.", it: "Le carte con la spunta si pagano subito; il livello 2 va sul livello 1." } },
    { kinds: ["action"], text: { en: "Produce uses as many powers as you like, at once.", it: "La produzione usa quanti poteri vuoi, insieme." } },
    { kinds: ["action", "end"], text: { en: "Faith opens pope tiles: be inside the coloured section in time.", it: "La fede apre le tessere del papa: sii in tempo nella sezione colorata." } },
  ],
} satisfies GameRules;
