/** The gods' cards: one line drawing (46 by 46) and one sentence in each language. */
import type { Language } from "$lib/settings.svelte";

export interface God {
  /** The name in Italian; in English it is the one the rules know. */
  it: string;
  text: Record<Language, string>;
  /** Strokes as [path, width]. */
  lines: [string, number][];
}

export const GODS: Record<string, God> = {
  Apollo: {
    it: "Apollo",
    text: { en: "May swap places with a neighbouring rival.", it: "Può scambiarsi di posto con un rivale vicino." },
    lines: [["M29.5 23a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0", 2.4], ["M23 9v4M23 33v4M9 23h4M33 23h4M13 13l3 3M30 30l3 3M33 13l-3 3M16 30l-3 3", 2.4]],
  },
  Artemis: {
    it: "Artemide",
    text: { en: "May move twice, but not back to where the turn began.", it: "Può muovere due volte, ma non tornare al punto di partenza." },
    lines: [["M15 33C26 30 31 22 31 12", 2.6], ["M15 33 31 12", 1.4], ["M12 14 32 32M32 32v-5.5M32 32h-5.5", 2.2]],
  },
  Athena: {
    it: "Atena",
    text: { en: "When she climbs, rivals cannot climb until her next turn.", it: "Se sale, i rivali non possono salire fino al suo prossimo turno." },
    lines: [["M23 9c5 3 9 3 12 3 0 13-4 20-12 25-8-5-12-12-12-25 3 0 7 0 12-3z", 2.4], ["M21.7 20a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0M30.7 20a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0", 2], ["m23 23-2 4h4z", 1.8]],
  },
  Atlas: {
    it: "Atlante",
    text: { en: "May build a dome on any level.", it: "Può costruire una cupola a qualsiasi livello." },
    lines: [["M31 16.5a8 8 0 1 1-16 0 8 8 0 0 1 16 0", 2.2], ["M15 16.5h16M23 8.5c-4 5-4 11 0 16M23 8.5c4 5 4 11 0 16", 1.5], ["M11 25c2 6 6 6 12 6s10 0 12-6M23 31v7", 2.6]],
  },
  Demeter: {
    it: "Demetra",
    text: { en: "May build twice, on different spaces.", it: "Può costruire due volte, su spazi diversi." },
    lines: [["M23 38V14", 2.2], ["M23 15c-3-2-3-5 0-7 3 2 3 5 0 7zM23 22c-5 0-7-2-7-6 4 0 7 2 7 6zM23 22c5 0 7-2 7-6-4 0-7 2-7 6zM23 30c-5 0-7-2-7-6 4 0 7 2 7 6zM23 30c5 0 7-2 7-6-4 0-7 2-7 6z", 1.9]],
  },
  Hephaestus: {
    it: "Efesto",
    text: { en: "May add a second block on the one just built.", it: "Può aggiungere un secondo blocco su quello appena costruito." },
    lines: [["M12 13h16l5 4-5 4H12z", 2.4], ["M21 21v16", 3.6]],
  },
  Hermes: {
    it: "Ermes",
    text: { en: "May walk any distance on one level with both workers.", it: "Può camminare quanto vuole sullo stesso livello con entrambi." },
    lines: [["M11 33c12 2 20-4 24-20M11 33c2-5 5-7 10-8M11 33c-1-7 3-13 12-14M17 24c0-6 6-10 18-11", 2.3]],
  },
  Minotaur: {
    it: "Minotauro",
    text: { en: "May push a rival straight back and take its space.", it: "Può spingere indietro un rivale e prenderne il posto." },
    lines: [["M9 12c0 8 4 11 8 11M37 12c0 8-4 11-8 11", 3], ["M16 20h14l-2 12-5 5-5-5z", 2.4], ["M20 26v.1M26 26v.1M20.5 32.5h5", 2.6]],
  },
  Pan: {
    it: "Pan",
    text: { en: "Also wins by stepping down two levels or more.", it: "Vince anche scendendo di due livelli o più." },
    lines: [["M13 12v22M19.5 12v18M26 12v14M32.5 12v10", 4], ["M9.5 18h27", 2]],
  },
  Prometheus: {
    it: "Prometeo",
    text: { en: "May build before moving, if he then does not climb.", it: "Può costruire prima di muovere, se poi non sale." },
    lines: [["M23 8c2 7 9 9 9 18a9 9 0 0 1-18 0c0-4 2-6 4-8 0 3 1 4 2 5 3-4 4-9 3-15z", 2.4], ["M23 35c-3 0-4-2-4-4s2-3 4-6c2 3 4 4 4 6s-1 4-4 4z", 1.8]],
  },
  Aphrodite: {
    it: "Afrodite",
    text: { en: "A rival who starts next to her workers must stay next to one.", it: "Un rivale che comincia accanto ai suoi deve restare accanto a uno." },
    lines: [["M23 35C10 26 11 14 17 13c4-.5 6 3 6 5 0-2 2-5.5 6-5 6 1 7 13-6 22z", 2.4]],
  },
  Chronus: {
    it: "Crono",
    text: { en: "Also wins when five complete towers stand.", it: "Vince anche quando ci sono cinque torri complete." },
    lines: [["M14 10h18M14 36h18M16 10c0 8 7 9 7 13s-7 5-7 13M30 10c0 8-7 9-7 13s7 5 7 13", 2.3]],
  },
  Eros: {
    it: "Eros",
    text: { en: "Also wins by bringing his two workers together on level 1.", it: "Vince anche riunendo i suoi due al livello 1." },
    lines: [["M18 12c8 4 10 14 4 22M18 12v22M10 23h24M30 19l4 4-4 4", 2.2]],
  },
  Hera: {
    it: "Era",
    text: { en: "A rival cannot win by moving onto an edge space.", it: "Un rivale non può vincere muovendo sul bordo." },
    lines: [["M12 30V18l5 5 6-10 6 10 5-5v12z", 2.3], ["M12 34h22", 2.3]],
  },
  Hestia: {
    it: "Estia",
    text: { en: "May build a second time, not on an edge space.", it: "Può costruire una seconda volta, non sul bordo." },
    lines: [["M11 22 23 11l12 11M14 21v14h18V21", 2.3], ["M23 33c-4-2-4-5 0-10 4 5 4 8 0 10z", 1.9]],
  },
  Hypnus: {
    it: "Ipno",
    text: { en: "A rival's worker that stands higher than the other cannot move.", it: "Il più alto dei due di un rivale non può muovere." },
    lines: [["M14 14h10L14 26h10M26 24h7l-7 9h7", 2.5]],
  },
  Limus: {
    it: "Limo",
    text: { en: "Rivals cannot build next to his workers, except a completing dome.", it: "I rivali non costruiscono accanto ai suoi, tranne la cupola finale." },
    lines: [["M10 31h26M13 31V20h8v11M25 31V14h8v17", 2.2], ["m11 35 24-24", 2.6]],
  },
  Morpheus: {
    it: "Morfeo",
    text: { en: "Saves a token each turn and spends them to build as often.", it: "Conserva un gettone a turno e li spende per costruire altrettanto." },
    lines: [["M31 28a10 10 0 1 1-9-15 8 8 0 0 0 9 15z", 2.3], ["M31 12v6M28 15h6", 2]],
  },
  Persephone: {
    it: "Persefone",
    text: { en: "Rivals must climb whenever they can.", it: "I rivali devono salire ogni volta che possono." },
    lines: [["M23 36V22M23 22c-6-2-7-8-4-12 5 2 6 8 4 12zM23 22c6-2 7-8 4-12", 2.1], ["M17 30c2-3 4-3 6 0 2-3 4-3 6 0", 2]],
  },
  Poseidon: {
    it: "Poseidone",
    text: { en: "The worker that stayed, if on the ground, may build up to three times.", it: "Chi è rimasto fermo, se a terra, può costruire fino a tre volte." },
    lines: [["M23 36V10M14 12v6c0 5 4 7 9 7s9-2 9-7v-6M20 13l3-4 3 4", 2.4]],
  },
  Selene: {
    it: "Selene",
    text: { en: "Her first worker may place a dome on any level.", it: "La sua prima pedina può mettere una cupola a qualsiasi livello." },
    lines: [["M29 34a13 13 0 1 1 0-22 11 11 0 0 0 0 22z", 2.4]],
  },
  Triton: {
    it: "Tritone",
    text: { en: "May move again whenever a move ends on an edge.", it: "Può muovere di nuovo quando arriva sul bordo." },
    lines: [["M11 30c4-4 8-4 12 0s8 4 12 0M11 24c4-4 8-4 12 0s8 4 12 0M23 19V9M18 13l5-4 5 4", 2.2]],
  },
  Zeus: {
    it: "Zeus",
    text: { en: "May build under his own worker, up to level 3.", it: "Può costruire sotto la propria pedina, fino al livello 3." },
    lines: [["M27 8 14 25h8l-3 13 14-18h-8z", 2.4]],
  },
  Hades: {
    it: "Ade",
    text: { en: "Rivals cannot go down.", it: "I rivali non possono scendere." },
    lines: [["M13 35V21a10 10 0 0 1 20 0v14M13 35h20", 2.3], ["M23 22v9M19 27l4 4 4-4", 2.1]],
  },
  Terpsichore: {
    it: "Tersicore",
    text: { en: "Both workers must move, then both must build.", it: "Entrambe le pedine muovono, poi entrambe costruiscono." },
    lines: [["M18 33V13l14-3v19M18 33a4 3 0 1 1-8 0 4 3 0 0 1 8 0M32 29a4 3 0 1 1-8 0 4 3 0 0 1 8 0", 2.2]],
  },
  Urania: {
    it: "Urania",
    text: { en: "Opposite edges of the island touch for her.", it: "Per lei i bordi opposti dell'isola si toccano." },
    lines: [["m23 9 3.5 8.5L36 18l-7 6 2 9.5-8-5-8 5L17 24l-7-6 9.5-.5z", 2.2]],
  },
};

/** What people call a god. */
export const godName = (god: string, language: Language): string => (language === "it" ? (GODS[god]?.it ?? god) : god);
