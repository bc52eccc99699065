/** One match as the page shows it: the table, the steps so far, the pending question. Fed by a line or a story. */

import type { Language } from "./settings.svelte";
import type { Told, Words } from "./board";
import type { GameRecord, Hinted, Outcome, Reason, Question, Sitter, Step, Story, TableInfo } from "./protocol";

export interface ChatLine {
  number: number;
  name: string;
  text: string;
  to: string | null;
}

export type NoteKind = "sat" | "stood" | "lost" | "gone" | "standIn" | "returned";

/** Something about the people, between two steps. */
export interface Note {
  after: number;
  kind: NoteKind;
  seat: number;
  name: string;
}

export interface LogLine extends Told {
  number: number;
  step: number;
}

export class Match {
  info = $state.raw<TableInfo | null>(null);
  seat = $state<number | null>(null);
  /** In order; the first holds the earliest view we have. */
  steps = $state.raw<Step[]>([]);
  /** The step looked at; null follows the match. */
  at = $state<number | null>(null);
  /** How fast a replay plays. */
  speed = $state(1);
  question = $state.raw<Question | null>(null);
  /** An answer is on its way. */
  answering = $state(false);
  /** Why the last answer was not taken. */
  declined = $state.raw<{ code: string; reason: string } | null>(null);
  /** Why what we tried is not legal; null while we tried nothing of the kind. */
  reason = $state.raw<Reason | null>(null);
  /** What a bot would do here, of those we asked; null while nobody asked, or when it has been put away. */
  hint = $state.raw<Hinted | null>(null);
  /** How many hints we had in this match. */
  hints = $state(0);
  /** A bot is thinking for us. */
  thinking = $state(false);
  outcome = $state.raw<Outcome | null>(null);
  wanted = $state.raw<number[]>([]);
  /** The table where they play again, for those who look on. */
  rematch = $state("");
  chat = $state.raw<ChatLine[]>([]);
  /** What the house answered to something that was said, or reported. */
  answer = $state("");
  notes = $state.raw<Note[]>([]);
  /** When each seat's time for its decision is up, in the page's own milliseconds. */
  deadlines = $state.raw<Record<number, number>>({});
  /** Until when an absent player's seat is kept. */
  keptUntil = $state.raw<Record<number, number>>({});

  get last(): number {
    return this.steps.length - 1;
  }

  get shown(): number {
    return this.at === null ? this.last : Math.min(this.at, this.last);
  }

  get looking(): boolean {
    return this.at !== null && this.at < this.last;
  }

  get step(): Step | null {
    return this.steps[this.shown] ?? null;
  }

  get names(): string[] {
    return (this.info?.chairs ?? []).map((chair) => chair?.name ?? "");
  }

  reset(info: TableInfo, seat: number | null): void {
    if (this.info?.id !== info.id) {
      this.steps = [];
      this.chat = [];
      this.answer = "";
      this.notes = [];
      this.at = null;
      this.outcome = null;
      this.hints = 0;
    }
    this.info = info;
    this.seat = seat;
    this.question = null;
    this.answering = false;
    this.declined = null;
    this.unhint();
    this.wanted = [];
    this.rematch = "";
    this.deadlines = {};
    this.keptUntil = {};
  }

  unhint(): void {
    this.hint = null;
    this.thinking = false;
  }

  /** Whether this is a seat whose rivals are all bots: nobody else is wronged by a hint. */
  get amongBots(): boolean {
    const others = (this.info?.chairs ?? []).filter((_, seat) => seat !== this.seat);
    return this.seat !== null && others.every((chair) => Boolean(chair?.bot));
  }

  setChair(seat: number, sitter: Sitter | null): void {
    if (this.info === null) return;
    const chairs = this.info.chairs.map((chair, index) => (index === seat ? sitter : chair));
    this.info = { ...this.info, chairs };
  }

  setHere(seat: number, here: boolean): void {
    const chair = this.info?.chairs[seat];
    if (chair) this.setChair(seat, { ...chair, here });
  }

  note(kind: NoteKind, seat: number, name: string): void {
    this.notes = [...this.notes, { after: this.steps[this.last]?.number ?? 0, kind, seat, name }];
  }

  /** A whole picture: at the start, and after a return. */
  show(number: number, view: unknown): void {
    const latest = this.steps[this.last];
    if (latest?.number === number) return;
    this.steps = [...this.steps, { number, at_ms: Date.now(), seat: null, events: [], view }];
  }

  happened(number: number, events: GameRecord[], view: unknown): void {
    const latest = this.steps[this.last];
    if (latest && number <= latest.number) return;
    const step: Step = { number, at_ms: Date.now(), seat: null, events, view };
    this.steps = [...this.steps, step];
    // Our answer has been taken: what it answered is no longer asked.
    const mover = doer(step);
    if (this.answering && (mover === null || mover === this.seat)) this.question = null;
  }

  /** Put what the server remembers in place of what we saw, keeping what came after it was asked. */
  fill(story: Story): void {
    const end = story.steps.at(-1)?.number ?? 0;
    const looked = this.at === null ? null : this.steps[this.at]?.number;
    const later = this.steps.filter((step) => step.number > end);
    this.steps = [...story.steps, ...later];
    if (looked !== null) {
      const index = this.steps.findIndex((step) => step.number === looked);
      this.at = index < 0 ? null : index;
    }
  }

  said(line: ChatLine): void {
    if (!this.chat.some((other) => other.number === line.number)) this.chat = [...this.chat, line];
  }

  setDeadline(seat: number, left_s: number): void {
    this.deadlines = { ...this.deadlines, [seat]: Date.now() + left_s * 1000 };
  }
}

/** What says who is next, and is not that player's doing. */
const ANNOUNCES = "TurnBegan";

/** Whose doing a step was, as far as it can be told. */
export function doer(step: Pick<Step, "seat" | "events">): number | null {
  return step.seat ?? step.events.filter((event) => event.type !== ANNOUNCES).map((event) => event.seat).find((seat) => typeof seat === "number") ?? null;
}

/** What is new on the table: all of it, the part of whoever moved last, and the views before and after it. */
export interface News { events: GameRecord[]; fresh: GameRecord[]; since: unknown; until: unknown }

/** What is news: everything since one's own last decision; for a spectator, and after it, the turn of whoever moved last. */
export function news(steps: Step[], shown: number, seat: number | null): News {
  const latest = steps[shown];
  if (!latest) return { events: [], fresh: [], since: null, until: undefined };
  const mover = steps.slice(0, shown + 1).map(doer).findLast((seat) => seat !== null) ?? null;
  const back = (ends: (before: number | null) => boolean): number => {
    let first = shown;
    while (first > 0 && !ends(doer(steps[first - 1]!))) first -= 1;
    return first;
  };
  const turn = back((before) => before !== null && before !== mover);
  const first = seat !== null && mover !== seat ? back((before) => before === seat) : turn;
  const from = (at: number) => steps.slice(at, shown + 1).flatMap((step) => step.events);
  return { events: from(first), fresh: from(turn), since: steps[first - 1]?.view ?? null, until: latest.view };
}

/** The log: every step's events in words, each turn under its heading, with the notes about people in their places. */
export function logLines(
  match: Pick<Match, "steps" | "notes" | "names">,
  words: Words,
  noteText: (note: Note) => string,
  turnText: (turn: number, name: string) => string,
): LogLine[] {
  const lines: LogLine[] = [];
  let next = 0;
  let turn = 0;
  const { steps, notes, names } = match;
  const noted = (until: number, step: number) => {
    for (; next < notes.length && notes[next]!.after <= until; next += 1) {
      const note = notes[next]!;
      lines.push({ number: note.after, step, seat: note.seat, text: noteText(note) });
    }
  };
  steps.forEach((step, index) => {
    noted(step.number - 1, Math.max(0, index - 1));
    for (const event of step.events) {
      const told = words.tell(event, names, step.view);
      if (!told) continue;
      if (told.turn) turn += 1;
      const text = told.turn ? turnText(turn, names[told.seat ?? -1] ?? "") : told.text;
      lines.push({ ...told, text, heading: told.heading || told.turn, number: step.number, step: index });
    }
  });
  noted(Infinity, Math.max(0, steps.length - 1));
  return lines;
}

/** The new lines, each of them the old one where nothing has changed: that is not drawn again. */
export function unchanged(old: LogLine[], lines: LogLine[]): LogLine[] {
  return lines.map((line, at) => {
    const before = old[at];
    return before && before.text === line.text && before.step === line.step && before.seat === line.seat && before.heading === line.heading && before.turn === line.turn ? before : line;
  });
}

/** The turn that each step belongs to, from 1; 0 is before the first. Where a game announces no turns, every decision is one. */
export function turnsOf(steps: Step[], words: Words, names: string[]): number[] {
  const announced = steps.map((step) => step.events.filter((event) => words.tell(event, names, step.view)?.turn).length);
  const counted = announced.some((count) => count > 0);
  let turn = 0;
  return steps.map((step, index) => {
    if (!counted) return doer(step) === null ? turn : (turn += 1);
    const now = turn;
    turn += announced[index]!;
    return now;
  });
}

/** A text with the names of players apart from the rest, in order. */
export function named(text: string, names: string[]): { text: string; name: boolean }[] {
  const known = names.filter((name) => name).sort((one, other) => other.length - one.length);
  if (!known.length) return [{ text, name: false }];
  const escaped = known.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "u"));
  return parts.map((part, at) => ({ text: part, name: at % 2 === 1 })).filter((part) => part.text);
}

export type { Language };
