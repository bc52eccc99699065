/** A seat or a place beside a running table: speaks the protocol, and feeds a match. */

import { assertNever, type Thought } from "./board";
import { asHint } from "./mind";
import { reasonOf, t } from "./i18n.svelte";
import { house } from "./house.svelte";
import { Line, lineAddress, type LineState } from "./line";
import { Match } from "./match.svelte";
import { settle } from "./press";
import { OPTIONS_MAX, type FromServer, type GameRecord, type Hinted, type Terms } from "./protocol";
import * as seats from "./seats";
import { settings } from "./settings.svelte";
import { tableStory } from "./story";

export interface NewTable {
  game: string;
  seats: number;
  options?: Record<string, unknown>;
  preference?: Record<string, unknown>;
  terms?: Terms;
  label?: string;
  /** Bots that sit down at once, by level ("" is the strongest). */
  bots: string[];
}

/** Why there is nothing to show: no such table, closed, or played in another tab. */
export type Closed = { code: "gone" | "elsewhere" | "closed"; reason: string };

/** A match that was broken off, with the token of our seat in it, to be played on against bots of a level. */
export interface Sequel {
  table: string;
  token: string;
  level: string;
}

const NAME_ATTEMPTS_MAX = 9;

export class Live {
  match = new Match();
  line = $state<LineState>("connecting");
  /** The line broke, or never stood, and has not come back: a first attempt is no loss. */
  lost = $state(false);
  retryAt = $state(0);
  trouble = $state("");
  closed = $state.raw<Closed | null>(null);
  /** The name the house knows us by, "" for a nameless spectator. */
  name = $state("");
  /** What was refused outside a turn (a full table, a taken name). */
  refused = $state.raw<{ code: string; reason: string } | null>(null);

  #line: Line;
  #table: string;
  #opening: NewTable | null;
  #sequel: Sequel | null;
  #sitting = false;
  #nameAttempt = 1;
  #seatedListeners: ((id: string) => void)[] = [];

  /** Nobody looks at the table: what happened before we came is not needed yet. */
  #unseen: boolean;

  /** `unseen` keeps a seat without showing it. */
  constructor(intent: { table: string; sit?: boolean; unseen?: boolean } | { open: NewTable } | { sequel: Sequel }) {
    this.#unseen = "table" in intent && intent.unseen === true;
    this.#table = "table" in intent ? intent.table : "";
    this.#sitting = "table" in intent && intent.sit === true;
    this.#opening = "open" in intent ? intent.open : null;
    this.#sequel = "sequel" in intent ? intent.sequel : null;
    this.#line = new Line(lineAddress(), {
      opened: () => this.#greet(),
      heard: (message) => {
        // What was pressed was meant for the table as it is seen.
        settle();
        this.#take(message);
      },
      changed: (state, pause) => {
        this.line = state;
        if (state !== "connecting") this.lost = state === "down";
        this.retryAt = Date.now() + pause;
      },
    });
    addEventListener("offline", this.#offline);
    addEventListener("online", this.#online);
    this.#line.open();
  }

  #offline = () => this.#line.suspect();
  #online = () => this.retry();

  get table(): string {
    return this.#table;
  }

  /** Called with the table's id whenever we are seated at one, also for a rematch. */
  onSeated(listener: (id: string) => void): void {
    this.#seatedListeners.push(listener);
  }

  /** Whether this is a seat at a match that is not over, and the line is ours. */
  get holds(): boolean {
    return this.closed === null && this.match.seat !== null && this.match.outcome === null && seats.held(this.#table) !== null;
  }

  /** Somebody looks at the table from now on, or nobody any more. */
  show(seen: boolean): void {
    const missing = this.#unseen && seen;
    this.#unseen = !seen;
    this.#look();
    if (missing && this.match.steps.length) void this.#remember();
  }

  /** Spectators come and go without a word to the players: whoever shows how many there are looks at the table. */
  #look(): void {
    this.#line.send(this.#unseen ? { type: "unlook" } : { type: "look", table: this.#table });
  }

  retry(): void {
    if (this.line !== "up") this.#line.open();
  }

  close(): void {
    removeEventListener("offline", this.#offline);
    removeEventListener("online", this.#online);
    this.#line.close();
  }

  // What a person wants.

  act(actions: GameRecord[]): void {
    const question = this.match.question;
    if (question === null || this.match.answering) return;
    this.match.declined = null;
    this.match.hint = null;
    this.match.answering = this.#line.send({ type: "act", actions, at: question.number });
    this.#noteTurn();
  }

  /** A hint: from the page itself where it can think, else from the house. */
  async hint(think: () => Promise<Thought | null>, level: string): Promise<void> {
    const { match } = this;
    const question = match.question;
    if (question === null || match.answering || match.thinking) return;
    match.declined = null;
    match.thinking = true;
    const thought = await think();
    // It has been answered meanwhile.
    if (match.question !== question || match.answering) return;
    if (thought) this.#hinted(asHint(thought, question.number, level));
    else match.thinking = this.#line.send({ type: "hint", at: question.number });
  }

  #hinted(hint: Hinted): void {
    this.match.unhint();
    this.match.hint = hint;
    this.match.hints = Math.max(hint.hints, seats.hinted(this.#table, hint.number));
  }

  /** Why this is not legal; the last of several actions that would be one decision. */
  ask(actions: GameRecord[]): void {
    const question = this.match.question;
    if (question) this.#line.send({ type: "why", actions, at: question.number });
  }

  report(name: string, text: string): void {
    this.#line.send({ type: "report", name, text });
  }

  say(text: string): void {
    this.match.answer = "";
    if (!this.name) this.#hello(settings.nickname);
    this.#line.send({ type: "say", text });
  }

  sit(): void {
    this.refused = null;
    this.#sitting = true;
    if (this.name) this.#line.send({ type: "sit", table: this.#table });
    else this.#hello(settings.nickname);
  }

  addBot(level: string): void {
    this.#line.send({ type: "bot", level });
  }

  /** Play what was broken off on, against a bot of this level. */
  playOn(level: string): void {
    const held = seats.held(this.#table);
    this.refused = null;
    if (!held) return;
    this.#sequel = { table: held.table, token: held.token, level };
    this.#line.send({ type: "continue", ...this.#sequel });
  }

  rematch(): void {
    this.#line.send({ type: "rematch" });
  }

  leave(): void {
    seats.drop(this.#table);
    this.#line.send({ type: "leave" });
    this.close();
  }

  #noteTurn(): void {
    const { seat, question, answering, outcome } = this.match;
    if (seat !== null) seats.note(this.#table, question !== null && !answering && outcome === null);
  }

  // Coming in.

  #greet(): void {
    const follow = { follow: "views", options_max: OPTIONS_MAX } as const;
    const held = this.#table ? seats.held(this.#table) : null;
    this.name = "";
    if (held) this.#line.send({ type: "return", token: held.token, table: held.table, ...follow });
    else this.#hello(this.#opening || this.#sequel || this.#sitting ? settings.nickname : "");
  }

  #hello(name: string): void {
    this.#line.send({ type: "hello", ...(name ? { name, tokens: seats.tokens(name) } : {}), follow: "views", options_max: OPTIONS_MAX });
  }

  #welcomed(name: string): void {
    this.name = name;
    if (this.#opening) {
      const { bots: _bots, ...table } = this.#opening;
      this.#line.send({ type: "open", ...table });
    } else if (this.#sequel) {
      this.#line.send({ type: "continue", ...this.#sequel });
    } else if (this.#sitting && name) {
      this.#line.send({ type: "sit", table: this.#table });
    } else if (this.match.info?.id !== this.#table || !seats.held(this.#table)) {
      if (!name) this.#line.send({ type: "watch", table: this.#table });
    }
  }

  // What the house says.

  #take(message: FromServer): void {
    this.#hear(message);
    this.#noteTurn();
  }

  #hear(message: FromServer): void {
    const match = this.match;
    switch (message.type) {
      case "welcome":
        if (!seats.held(this.#table) || this.#opening) this.#welcomed(message.name);
        else this.name = message.name;
        break;
      case "seated":
        this.#seated(message);
        break;
      case "sat":
        match.setChair(message.seat, message.sitter);
        break;
      case "stood":
        match.setChair(message.seat, null);
        break;
      case "view":
        if (match.info) match.info = { ...match.info, phase: match.outcome ? "over" : "playing" };
        match.show(message.number, message.view);
        if (!this.#unseen) void this.#remember();
        break;
      case "events":
        match.happened(message.number, message.events, message.view);
        match.deadlines = {};
        break;
      case "question":
        if (match.question?.number !== message.number) match.unhint();
        match.question = message;
        match.answering = false;
        if (!message.again) match.declined = null;
        if (!message.options) this.#line.send({ type: "options", start: 0, count: OPTIONS_MAX });
        break;
      case "options":
        if (match.question?.number === message.number && !match.question.options && message.start === 0) {
          match.question = { ...match.question, options: message.options };
        }
        break;
      case "declined":
        this.#declined(message.request, message.code, message.reason);
        break;
      case "said":
        match.said(message);
        break;
      case "left":
        this.#left(message);
        break;
      case "returned":
        match.setHere(message.seat, true);
        match.keptUntil = { ...match.keptUntil, [message.seat]: 0 };
        match.note("returned", message.seat, message.name);
        break;
      case "clock":
        match.setDeadline(message.seat, message.left_s);
        break;
      case "over":
        match.outcome = message;
        match.question = null;
        match.deadlines = {};
        if (match.info) match.info = { ...match.info, phase: "over" };
        break;
      case "wanted":
        match.wanted = message.seats;
        if (message.table) match.rematch = message.table;
        break;
      case "gone":
        if (!message.back) this.#shut(message.reason, message.code);
        break;
      case "trouble":
        this.trouble = message.over ? "" : message.reason;
        break;
      case "hint":
        if (match.question?.number === message.number) this.#hinted(message);
        break;
      case "why":
        if (match.question?.number === message.number) match.reason = message.reason;
        break;
      case "announced":
        house.said = message.text;
        break;
      case "lobby":
      case "changes": {
        const seen = message.tables.find((table) => table.id === match.info?.id);
        if (match.info && seen) match.info = { ...match.info, watchers: seen.watchers };
        break;
      }
      case "reported":
        match.answer = t().table.reported(message.name);
        break;
      case "decisive":
      case "tables":
      case "pong":
        break;
      default:
        assertNever(message);
    }
  }

  #seated(message: Extract<FromServer, { type: "seated" }>): void {
    const { table, seat, token } = message;
    this.#table = table.id;
    this.#sitting = false;
    if (this.#sequel) seats.drop(this.#sequel.table);
    this.#sequel = null;
    // Who was refused a chair and only looks on is still to be told why.
    if (seat !== null) this.refused = null;
    this.match.reset(table, seat);
    // Other clients may have asked for hints, too; a house that was started again has forgotten them.
    const hinted = seats.held(table.id)?.hinted ?? [];
    this.match.hints = Math.max(message.hints, hinted.length);
    if (seat !== null && token) {
      seats.keep({ table: table.id, token, game: table.game, label: table.label, name: this.name, hinted });
    }
    const opening = this.#opening;
    this.#opening = null;
    for (const level of opening?.bots ?? []) this.addBot(level);
    if (!this.#unseen) this.#look();
    for (const listener of this.#seatedListeners) listener(table.id);
  }

  #declined(request: string, code: string, reason: string): void {
    if (request === "act") {
      this.match.answering = false;
      if (code !== "stale") this.match.declined = { code, reason };
    } else if (request === "hint") {
      this.match.unhint();
      if (code !== "stale") this.match.declined = { code, reason };
    } else if (request === "look") {
      return; // The table closed meanwhile, which is told by itself.
    } else if (request === "say" || request === "report") {
      this.match.answer = reasonOf({ code, reason });
    } else if (code === "door") {
      house.shut = { code, reason };
      this.#line.close();
    } else if (code === "aside") {
      // The house keeps this match and may serve it again under its next version: the seat is not forgotten.
      this.closed = { code: "closed", reason: reasonOf({ code, reason }) };
      this.#line.close();
    } else if (request === "return") {
      seats.drop(this.#table);
      this.#hello("");
    } else if (request === "watch") {
      this.closed = { code: "gone", reason };
      this.#line.close();
    } else if (request === "hello" && code === "taken" && this.#nameAttempt < NAME_ATTEMPTS_MAX) {
      this.#nameAttempt += 1;
      this.#hello(`${settings.nickname} ${this.#nameAttempt}`);
    } else {
      const sitting = this.#sitting;
      if (request === "continue") this.#sequel = null;
      if (request === "hello" || request === "sit") this.#sitting = false;
      this.refused = { code, reason };
      // Whoever came to sit down and cannot may still look on.
      if (sitting && this.match.info === null) {
        if (request === "hello") this.#hello("");
        else this.#line.send({ type: "watch", table: this.#table });
      }
    }
  }

  #left(message: Extract<FromServer, { type: "left" }>): void {
    const { seat, name, gone, grace_s, code } = message;
    this.match.setHere(seat, false);
    this.match.keptUntil = { ...this.match.keptUntil, [seat]: gone || !grace_s ? 0 : Date.now() + grace_s * 1000 };
    this.match.note(!gone ? "lost" : code === "stand-in" ? "standIn" : "gone", seat, name);
  }

  #shut(reason: string, code: string): void {
    const elsewhere = code === "elsewhere";
    if (!elsewhere) seats.drop(this.#table);
    this.closed = { code: elsewhere ? "elsewhere" : "closed", reason };
    this.#line.close();
  }

  /** Take the seat back from another tab. */
  takeOver(): void {
    this.closed = null;
    this.#line.open();
  }

  /** Fetch what happened before we came, for the log and for looking back. */
  async #remember(): Promise<void> {
    const id = this.#table;
    const story = await tableStory(id, seats.held(id)?.token ?? "").catch(() => null);
    if (story && this.match.info?.id === id && story.seat === this.match.seat) this.match.fill(story);
  }
}
