/** What a game gives to the page, and what its board is given. See web/README.md. */

import type { Component } from "svelte";
import type { GameRecord, Outcome } from "./protocol";
import type { Language } from "./settings.svelte";
import type { Cue } from "./sound";

/** What is asked of me now. `options` is empty when there were too many to send (`count` says how many). */
export interface Pending<A = GameRecord> {
  kind: string;
  count: number;
  options: A[];
  /** A whole decision that most would take, where the game has one. */
  proposal?: A[] | undefined;
}

/** A board draws one view. It knows no rules: what can be clicked is in `question.options`. */
export interface BoardProps<V = unknown, A = GameRecord, E = GameRecord> {
  view: V;
  /** Whose eyes: a seat, or null for a spectator. */
  seat: number | null;
  names: string[];
  /** Null when nothing is asked of me, and when looking back; while an answer is on its way it stays as it was. */
  question: Pending<A> | null;
  /** The events of the step that led to this view. */
  last: E[];
  /** Those since one's own last turn, to mark what is new on the board, and the views before and after them. */
  news: E[];
  since?: V | null;
  until?: V;
  /** Those of the last turn among them; what is older is marked at half strength. */
  fresh?: E[];
  /** Send one decision: one option, or several that are taken whole or not at all. */
  act(actions: A[]): void;
  language: Language;
}

/** A condensed picture of one player, inside the seat panel. */
export interface SeatProps<V = unknown, E = GameRecord> {
  view: V;
  /** The seat that is drawn. */
  of: number;
  /** Whose eyes. */
  seat: number | null;
  names: string[];
  /** As for a board. */
  news: E[];
  since?: V | null;
  until?: V;
  fresh?: E[];
  language: Language;
}

/** A choice that has no place on the board: a button beside the sentence above it. */
export interface Choice {
  label: string;
  act(): void;
  /** The one that most people press next. */
  primary?: boolean;
  disabled?: boolean;
  /** Takes a step back instead of deciding anything. */
  undo?: boolean;
  key?: string;
}

/** What stands above the board: one sentence, at most one more fact, and choices. */
export interface Sentence {
  ask: string;
  detail?: string;
  choices?: Choice[];
}

/** What a board may export: the sentence above it, where it knows better than its words' `ask`; null where it does not. It is
 *  asked for only while there is a question. */
export interface BoardExports {
  sentence?(): Sentence | null;
  /** What pressing there would be, where it is not legal; null where it would be nothing. The house says why not. */
  attempt?(pressed: Element): { type: string }[] | null;
}

/** A line of the log. Without a seat it is nobody's doing; `heading` starts a new round. With `turn` a turn of that seat begins, which
 *  the page counts and puts into words. */
export interface Told {
  seat?: number | null;
  text: string;
  heading?: boolean;
  turn?: boolean;
}

/** A figure of one player: "20 points". */
export interface Fact {
  value?: string | number;
  label: string;
  /** Shown large. */
  score?: boolean;
  /** Only in a strip of seats, where there is no room for the game's own picture of a seat. */
  phone?: boolean;
  /** Only where there is room. */
  wide?: boolean;
}

/** A game in words, in one language. */
export interface Words<V = unknown, E = GameRecord, A = any> {
  /** The seats that are to decide now. */
  turn(view: V): number[];
  /** An imperative for the one who is asked. */
  ask(question: Pending, view: V, seat: number, names: string[]): Sentence;
  /** A statement for the others. */
  waiting(view: V, names: string[]): Sentence;
  /** What an action would be, as one would advise it: "move worker 1 to C3". Not `whole` where more decisions belong to it, which
   *  are then the player's own. */
  advise?(action: A, view: V, names: string[]): { text: string; whole: boolean };
  /** One event as one line of the log, null when there is nothing to say. */
  tell(event: E, names: string[], view: V): Told | null;
  facts?(view: V, seat: number): Fact[];
  /** Whether this player is out and only looks on. */
  out?(view: V, seat: number): boolean;
  /** How the match ended, one sentence. */
  ended?(outcome: Outcome, names: string[], view: V): string;
  /** The names of the rows of `outcome.scores`. */
  scores?: Record<string, string>;
  /** How everybody stood over the match, for the chart at its end: for each step a number for each seat. `stepped` where they are few
   *  and whole. */
  measure?: { label: string; stepped?: boolean; of(steps: Seen<V, E>[], seats: number): number[][] };
  /** What can be counted where there are no points, and while there are none: rows of one number for each seat. */
  tally?(steps: Seen<V, E>[], seats: number): [label: string, values: number[]][];
}

/** A step as far as words need it. */
export interface Seen<V = unknown, E = GameRecord> { view: V; events: E[] }

/** A number for each seat after each step, read from the views. */
export function measured<V, E>(of: (view: V, seat: number) => number): (steps: Seen<V, E>[], seats: number) => number[][] {
  return (steps, seats) => steps.map(({ view }) => Array.from({ length: seats }, (_, seat) => of(view, seat)));
}

/** How often something happened, for each seat. */
export function counted<V, E>(steps: Seen<V, E>[], seats: number, count: (event: E, view: V, seat: number) => number): number[] {
  return Array.from({ length: seats }, (_, seat) => steps.reduce((sum, { view, events }) => sum + events.reduce((some, event) => some + count(event, view, seat), 0), 0));
}

/** How one piece gets where the new view has it. Pieces and places are elements with that `data-piece`; one that is not drawn, on a
 *  phone or because nobody may see it, does not fly. An element that moves in its own place has no `transform` attribute. */
export interface Move {
  /** The piece as the new view draws it; with `to`, as the old one did. */
  piece: string;
  /** A place in the old view; a flight needs one. */
  from?: string;
  /** A place in the new view that takes the piece in: it is gone after that. */
  to?: string;
  /** Places on the way, for what hops. */
  via?: string[];
  /** Where it flies: in an arc, flat, or by hops. In its own place: it falls, grows, opens, turns over, swells, fades in, or
   *  its line grows from thin to full. */
  how?: "fly" | "slide" | "hop" | "drop" | "grow" | "open" | "flip" | "pulse" | "fade" | "widen";
  /** It joins others that are drawn as one with it, and which stay in sight. */
  joins?: boolean;
  /** Together with the one before, so many milliseconds after its start; else when that has landed. */
  with?: number;
  ms?: number;
  /** Heard when it lands. */
  sound?: Cue;
}

/** Whose doing an event was, where it says so. */
export function seatOf(event: { type: string; seat?: number }): number | null {
  return event.seat ?? null;
}

/** Those of some actions or events that are of these types. */
export function ofType<R extends { type: string }, T extends R["type"]>(records: R[], ...types: T[]): Extract<R, { type: T }>[] {
  return records.filter((record): record is Extract<R, { type: T }> => types.some((type) => type === record.type));
}

/** The end of a `switch` over events or messages: it does not compile when one has been forgotten. A house that is newer than
 *  the page may still tell of others; nothing is said about those. */
export function assertNever(_record: never): null {
  return null;
}

/** What a game's own thinker found in a position. */
export interface Thought<A = GameRecord> {
  /** Who decides there, and how likely that player is to win, 0 to 1. */
  seat: number;
  chance: number;
  /** In how many turns of all the match is decided, where that was seen; the chance says for whom. */
  ends: number | null;
  /** How many turns were looked ahead. */
  depth: number;
  /** The best decision, and what would follow. */
  line: { seat: number; action: A }[];
  /** What speaks for that decision. */
  words: Record<Language, string>;
}

/** A game's thinker in the page, which costs the house nothing. */
export interface Mind<V = unknown, E = GameRecord> {
  /** About the last of these steps; null where there is nothing to think about, or when somebody asked again meanwhile. */
  think(steps: Seen<V, E>[], ms: number): Promise<Thought<any> | null>;
}

/** What a game's `web/board.ts` exports by default; loaded when a table of that game is opened. Each game has its own view,
 *  actions and events, which the page only passes on. */
export interface GameBoard {
  Board: Component<any, BoardExports>;
  Seat?: Component<any>;
  /** A player's whole board, shown by pressing a seat where the seat has no room for it; without one, `Seat`. */
  Player?: Component<any>;
  /** A panel under the seats: ladders, goals. */
  Extras?: Component<any>;
  /** The colour of a seat's marks where the game gives it one, as CSS says it. */
  hue?: (view: any, seat: number) => string | null;
  /** Where a game can think in the page. */
  mind?: () => Promise<Mind<any, any>>;
  /** What an event looks like on the way from one view to the next. */
  motion?: (event: any, before: any, after: any, seat: number | null) => Move[];
  words: Record<Language, Words<any, any>>;
}

/** One option of a new table in words; `values` names what can be chosen. */
export interface OptionWords {
  label: string;
  hint?: string;
  values?: Record<string, string>;
}

/** Some options of a new table in words, by their names. */
type InWords<O> = { [name in keyof O]?: OptionWords };

/** What a game's `web/card.ts` exports by default: its place in the lobby; loaded with the page. */
export interface GameCard<O = Record<string, unknown>, P = Record<string, unknown>> {
  Cover: Component;
  /** As the house calls it, for the moment before the house has answered. */
  title: string;
  /** Drawings that are used by name all over the page, set once. */
  Defs?: Component;
  minutes: number;
  /** Where it stands in the lobby, small numbers first. */
  order: number;
  text: Record<Language, { blurb: string; options?: InWords<O>; preferences?: InWords<P> }>;
  /** Options and preferences nobody at a browser needs to see. */
  hidden?: (keyof O | keyof P)[];
  /** The game as it is best learnt: its options, and what that means. */
  simple?: { options: Partial<O>; text: Record<Language, string> };
}
