/** The rules of a game as its folder tells them: pages of text, four pictures, every card. Loaded when somebody asks. */

import type { Component } from "svelte";
import { parse, type Block } from "./markdown";
import type { Language } from "./settings.svelte";
import type { Tip } from "./tips.svelte";

/** One card in full: a god, a character, a goal, a leader. */
export interface Card {
  id: string;
  name: string;
  text: string;
  /** The small print. */
  note?: string;
  /** In a word or two: what it costs, when it may be used. */
  tag?: string;
}

export interface CardGroup {
  id: string;
  title: string;
  cards: Card[];
}

/** What a game's `web/rules.ts` exports by default. */
export interface GameRules {
  /** The page of the rules, Markdown. Both languages have the same parts in the same order. */
  text: Record<Language, string>;
  /** Enough to begin: a title and two sentences for each of `Figure`'s pictures. */
  short: Record<Language, [title: string, text: string][]>;
  /** Drawings that pictures use by name, where the board would bring them and there is none. */
  Defs?: Component;
  Figure?: Component<{ step: number }>;
  cards?: (language: Language) => CardGroup[];
  Picture?: Component<{ group: string; id: string; language: Language }>;
  /** The table of the page (counted from 0) in whose place the first group of cards stands. */
  table?: number;
  /** Which part of the page (counted from 1) a question is about; 0 is the short one. */
  parts?: Record<string, number>;
  /** Hints of a first game, in their order. */
  tips?: Tip[];
}

export interface Part {
  title: string;
  blocks: Block[];
}

const pages = import.meta.glob<GameRules>("../../../src/ludoteca/games/*/web/rules.ts", { import: "default" });

/** A game's rules; null where it has brought none. */
export async function rulesOf(game: string): Promise<GameRules | null> {
  return (await pages[`../../../src/ludoteca/games/${game}/web/rules.ts`]?.()) ?? null;
}

/** A page in its parts; what it says before the first of them is for programmers. Parts are given without the table that cards replace. */
export function partsOf(rules: GameRules, language: Language): Part[] {
  const parts: Part[] = [];
  let table = -1;
  for (const block of parse(rules.text[language])) {
    if (block.kind === "heading" && block.level > 1) parts.push({ title: block.text, blocks: [] });
    else if (block.kind === "table" && ++table === rules.table) continue;
    else parts.at(-1)?.blocks.push(block);
  }
  return parts;
}

export function findCard(groups: CardGroup[], address: string): Card | null {
  const [group, id] = address.split("/");
  return groups.find((one) => one.id === group)?.cards.find((card) => card.id === id) ?? null;
}

/** "May swap" out of "may swap": rows of a table begin small. */
export const sentence = (text: string): string => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");
