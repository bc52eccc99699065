/** Ludoteca's own protocol, as far as the page speaks it: the shapes of `ludoteca.wire.messages`. */

/** A record of a game's own: an action, an event; its `type` says which. */
export interface GameRecord {
  type: string;
  [field: string]: unknown;
}

export interface Sitter {
  name: string;
  given: string;
  protocol: string;
  bot: string;
  ready: boolean;
  here: boolean;
  preference: unknown;
}

export interface Terms {
  absence: "end" | "wait" | "bot";
  grace_s: number;
  move_s: number;
  private: boolean;
}

export type Phase = "open" | "playing" | "over";

export interface TableInfo {
  id: string;
  game: string;
  label: string;
  phase: Phase;
  chairs: (Sitter | null)[];
  options: Record<string, unknown>;
  terms: Terms;
  opened_ms: number;
  watchers: number;
}

export interface Outcome {
  ranks: number[];
  reason: string;
  scores: Record<string, number[]>;
}

export interface Question {
  number: number;
  kind: string;
  count: number;
  options?: GameRecord[];
  again: boolean;
}

export type FromServer =
  | { type: "welcome"; name: string; protocol: number }
  | { type: "seated"; table: TableInfo; seat: number | null; token: string }
  | { type: "sat"; seat: number; sitter: Sitter }
  | { type: "stood"; seat: number; name: string }
  | { type: "view"; number: number; view: unknown }
  | { type: "events"; number: number; events: GameRecord[]; view?: unknown }
  | ({ type: "question" } & Question)
  | { type: "options"; number: number; start: number; count: number; options: GameRecord[] }
  | { type: "declined"; request: string; code: string; reason: string }
  | { type: "said"; number: number; name: string; text: string; to: string | null }
  | { type: "left"; seat: number; name: string; grace_s: number; gone: boolean; reason: string; code: "lost" | "waits" | "stand-in" | "left" | "broke" | "time" }
  | { type: "returned"; seat: number; name: string }
  | { type: "clock"; seat: number; left_s: number }
  | ({ type: "over"; winners: number[] } & Outcome)
  | { type: "wanted"; seats: number[] }
  | { type: "gone"; reason: string; back: boolean; code: "deserted" | "crashed" | "elsewhere" | "closing" }
  | { type: "trouble"; reason: string; over: boolean }
  | { type: "tables"; tables: TableInfo[] }
  | { type: "pong" };

export type FromClient =
  | { type: "hello"; name?: string; follow: "views"; options_max: number }
  | { type: "return"; token: string; table: string; follow: "views"; options_max: number }
  | { type: "open"; game: string; seats: number; options?: unknown; terms?: Terms; label?: string; preference?: unknown }
  | { type: "sit"; table: string; seat?: number; preference?: unknown }
  | { type: "bot"; level: string; seat?: number }
  | { type: "watch"; table: string }
  | { type: "act"; actions: GameRecord[]; at: number }
  | { type: "say"; text: string }
  | { type: "options"; start: number; count: number }
  | { type: "leave" }
  | { type: "rematch" }
  | { type: "ping" };

/** The most options the server sends along with a question. */
export const OPTIONS_MAX = 1000;

/** A game as `/api/v1/games` describes it. */
export interface GameInfo {
  name: string;
  title: string;
  seats: { min: number; max: number };
  port: number;
  bots: string[];
  /** Whether a finished match can be looked at with all cards face up. */
  reveals: boolean;
  options: Schema;
  preferences: Schema;
}

/** The part of JSON Schema that options and preferences use. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  title?: string;
  description?: string;
  type?: string;
  enum?: (string | number)[];
  anyOf?: Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  properties?: Record<string, Schema>;
}

/** A finished match as `/api/v1/matches` lists it. */
export interface MatchSummary {
  table: TableInfo;
  outcome: Outcome | null;
  closed_ms: number;
}

/** One step of a story: what happened under this number, and the view after it. */
export interface Step {
  number: number;
  at_ms: number;
  /** Who decided; null where nobody did (the start, somebody gone). */
  seat: number | null;
  events: GameRecord[];
  view: unknown;
}

/** `/api/v1/matches/ID/replay`, and `/api/v1/tables/ID/story` while it is played. */
export interface Story {
  table: TableInfo;
  seat: number | null;
  steps: Step[];
  outcome: Outcome | null;
}
