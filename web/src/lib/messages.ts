/** The messages of Ludoteca's own protocol, and the answers of its REST. Generated: `make types` writes it anew. */

export type FromClient =
  | Hello
  | List
  | Look
  | Unlook
  | Open
  | Seek
  | Sit
  | Bot
  | Watch
  | Return
  | Act
  | Hint
  | Why
  | Decisive
  | Continue
  | Options
  | Say
  | Report
  | Leave
  | Rematch
  | Ping;

/** Say who you are; first of all. `follow` "views" adds the whole view to every message of events, for
 *  clients that do not want to follow the events themselves; questions with more than `options_max`
 *  options come without the list. `tokens` are those of seats that you hold under this name: they show
 *  that it is yours, for another table beside them. `key` is what this house gave you, where not everybody
 *  may come in. */
export interface Hello {
  type: "hello";
  name?: string;
  follow?: "events" | "views";
  options_max?: number;
  tokens?: string[];
  key?: string;
}

/** Ask for the public tables, of one game or of all: those that wait for players first, then those being
 *  played at, each oldest first. `show` takes one kind alone, `label` those of this name, `mine` those
 *  where somebody of my name has a seat, private ones too. `after` is the `more` of the list before. */
export interface List {
  type: "list";
  game?: string;
  show?: Show;
  after?: string;
  count?: number;
  label?: string;
  mine?: boolean;
}

export type Show = "all" | "open" | "playing";

/** Look at the lobby, at one game's part of it, or at one table: you are told what there is and, until
 *  `unlook`, at most once a second what has changed. Whoever looks again looks elsewhere. With `house` a
 *  host is told when there is something new to ask for over REST (`counts.house`), and of no table. */
export interface Look {
  type: "look";
  game?: string;
  show?: Show;
  table?: string;
  house?: boolean;
}

/** Look no more. */
export interface Unlook {
  type: "unlook";
}

/** Open a table and sit down at it. What is left out is the game's default. */
export interface Open {
  type: "open";
  game: string;
  seats?: number;
  options?: OfGame;
  terms?: WantedTerms | null;
  label?: string;
  preference?: OfGame;
}

export type OfGame = unknown;

/** Terms as a client may ask for them, within bounds. Records keep plain terms, so that those of old
 *  tables are read. */
export interface WantedTerms {
  absence?: Absence;
  grace_s?: number;
  move_s?: number;
  private?: boolean;
}

export type Absence = "bot" | "end" | "wait";

/** Sit down at the oldest open public table of a game; a new one is opened when there is none. */
export interface Seek {
  type: "seek";
  game: string;
  preference?: OfGame;
}

/** Sit down at a table. */
export interface Sit {
  type: "sit";
  table: string;
  seat?: number | null;
  preference?: OfGame;
}

/** Seat a bot at my table; `level` is one that the game lists, "" the strongest. */
export interface Bot {
  type: "bot";
  level?: string;
  seat?: number | null;
}

/** Look on at a table; with `since`, only what happened after that number is told. */
export interface Watch {
  type: "watch";
  table: string;
  since?: number;
}

/** Take my seat again, in place of hello. What happened after number `since` follows, once and in order. */
export interface Return {
  type: "return";
  token: string;
  table?: string;
  since?: number;
  follow?: "events" | "views";
  options_max?: number;
}

/** Answer the pending question: one action, or several that are one decision. `at` is the question's
 *  number; an answer to an older question is declined as stale, so that sending again after a lost
 *  connection is safe. */
export interface Act {
  type: "act";
  action?: OfGame;
  actions?: GameRecord[];
  at?: number | null;
}

export type GameRecord = { type: string; [field: string]: unknown };

/** Ask what the game's strongest bot would answer to the pending question, or to the one numbered `at`;
 *  only where all others are bots. */
export interface Hint {
  type: "hint";
  at?: number | null;
}

/** Ask why an action is not legal; or the last of several that would be one decision. */
export interface Why {
  type: "why";
  action?: OfGame;
  actions?: GameRecord[];
  at?: number | null;
}

/** Ask which move decided a match that is over. */
export interface Decisive {
  type: "decisive";
  table: string;
}

/** Play on a match that was broken off less than a week ago, at a new table, with bots in the others'
 *  places; `token` is that of your seat there, `level` that of the bots, "" the strongest. */
export interface Continue {
  type: "continue";
  table: string;
  token: string;
  level?: string;
}

/** Ask for a part of the pending question's options, when they were too many to be sent. */
export interface Options {
  type: "options";
  start?: number;
  count?: number;
}

/** Say something to all at the table, or to the player called `to`. */
export interface Say {
  type: "say";
  text: string;
  to?: string | null;
}

/** Tell the host about a person at your table, who does not hear of it; the last lines that you have heard
 *  there go with it. */
export interface Report {
  type: "report";
  name: string;
  text?: string;
}

/** Get up from the table for good. */
export interface Leave {
  type: "leave";
}

/** Play again with the same people. */
export interface Rematch {
  type: "rematch";
}

/** Answered by pong, for clients that want to know whether the line stands. */
export interface Ping {
  type: "ping";
}

export type FromServer =
  | Welcome
  | Tables
  | Lobby
  | Changes
  | Seated
  | Sat
  | Stood
  | View
  | Events
  | Question
  | OptionList
  | Hinted
  | Reasoned
  | Decided
  | Declined
  | Said
  | Announced
  | Noted
  | Left
  | Returned
  | Clock
  | Over
  | Wanted
  | Gone
  | Trouble
  | Pong;

/** You are in, under this name. */
export interface Welcome {
  type: "welcome";
  name: string;
  protocol: number;
}

/** The tables asked for; with `more`, the list goes on after that place. */
export interface Tables {
  type: "tables";
  tables: TableInfo[];
  more?: string;
}

/** A table as the hall lists it. `chairs` has one entry for each seat, null for a free one. */
export interface TableInfo {
  id: string;
  game: string;
  label: string;
  phase: Phase;
  chairs: (Sitter | null)[];
  options: unknown;
  terms: Terms;
  opened_ms: number;
  watchers: number;
}

export type Phase = "open" | "over" | "playing";

/** Who sits on a chair. `name` is unique in the house; `given` is the name as it was typed; `protocol` is
 *  how the player came ("house", a game's name, "bot"). `ready` is false while name or preference are
 *  still asked for, and `here` while no connection stands behind the chair. `came` counts those who became
 *  ready at this table, from 1 (0: not yet). */
export interface Sitter {
  name: string;
  given: string;
  protocol: string;
  bot: string;
  ready: boolean;
  here: boolean;
  preference: unknown;
  came: number;
}

/** What a table agrees on beside the game's own options. `absence` says what happens when a player's
 *  connection is lost: "end" applies the game's rule for a lost player at once (most seeds end the match;
 *  Renaissance skips the absent), "wait" does so after `grace_s` seconds, "bot" lets a bot hold the chair.
 *  `move_s` limits the time for one decision, 0 means no limit; who exceeds it counts as having left. */
export interface Terms {
  absence: Absence;
  grace_s: number;
  move_s: number;
  private: boolean;
}

/** What there is to see where you look, in place of all that you were told before: the first 50 tables of
 *  each phase and the eight matches that ended last. `counts` are of all tables of that game. */
export interface Lobby {
  type: "lobby";
  game: string;
  show: Show;
  table: string;
  tables: TableInfo[];
  finished: Finished[];
  counts: Counts;
  more: Record<string, string>;
}

/** A match that is over; no `outcome` where the table was given up. */
export interface Finished {
  table: TableInfo;
  outcome: Outcome | null;
  closed_ms: number;
}

/** How a match ended. `ranks` has one number for each seat, 1 for the winners (several when they share the
 *  victory); it is empty when the match was broken off. `scores` breaks the points down, a row of one
 *  number for each seat under each name, the last row being the total; it is empty in games without
 *  points. */
export interface Outcome {
  ranks: number[];
  reason: string;
  scores: Record<string, number[]>;
}

/** How many tables there are in each phase, and how many sit at them and are there. `house` is for hosts
 *  who look at the house: it is another one when there is something new to see. */
export interface Counts {
  open: number;
  playing: number;
  over: number;
  people: number;
  bots: number;
  house?: number;
}

/** What has changed where you look: `tables` are new or other than they were, those that are `gone` are
 *  not to be seen any more, `finished` matches ended since, newest first. */
export interface Changes {
  type: "changes";
  tables: TableInfo[];
  gone: string[];
  finished: Finished[];
  counts: Counts;
  more: Record<string, string>;
}

/** You have a seat (or, with null, watch). Sent on sitting down, on returning and for a rematch. `token`
 *  takes the seat again after a lost connection. In a running match `Shown` follows, and `Asked` when it
 *  is your turn. `hints` is how many you had in this match, with whatever client. */
export interface Seated {
  type: "seated";
  table: TableInfo;
  seat: number | null;
  token: string;
  hints: number;
}

/** Somebody sat down, or a chair's name or readiness changed. Also sent to the one concerned. */
export interface Sat {
  type: "sat";
  seat: number;
  sitter: Sitter;
}

/** A chair is free again. */
export interface Stood {
  type: "stood";
  seat: number;
  name: string;
}

/** All you may know, as of this number. */
export interface View {
  type: "view";
  number: number;
  view: OfGame;
  hues?: string[];
}

/** What happened, as you may know it; with the view after it for those who follow views. */
export interface Events {
  type: "events";
  number: number;
  events: GameRecord[];
  view?: OfGame;
  hues?: string[];
}

/** It is yours to decide. `options` is left out when there are more than you wanted to be sent.
 *  `proposal`, where there is one, is a whole decision that most would take: send it back as `actions`, or
 *  decide otherwise. */
export interface Question {
  type: "question";
  number: number;
  kind: string;
  count: number;
  options?: GameRecord[];
  again: boolean;
  proposal?: GameRecord[];
}

/** A part of the pending question's options. */
export interface OptionList {
  type: "options";
  number: number;
  start: number;
  count: number;
  options: GameRecord[];
}

/** What a bot of this level would answer to the question under this number. `advice` are the best answers
 *  it compared, that one first; none where there was nothing to compare. `hints` is how many questions of
 *  this match you had hints for. */
export interface Hinted {
  type: "hint";
  number: number;
  level: string;
  actions: GameRecord[];
  advice: Advice[];
  hints: number;
}

/** An answer as bots judge it: how likely it wins (0 to 1), how it would probably go on, and why, in words
 *  of each language ("en", "it"). */
export interface Advice {
  action: GameRecord;
  chance: number;
  line: Foreseen[];
  words: Record<string, string>;
}

/** What a seat would do; `text` is that in the words of the terminal. */
export interface Foreseen {
  seat: number;
  action: GameRecord;
  text: string;
}

/** Why what you asked about is no answer to the question under this number; null where it is one. */
export interface Reasoned {
  type: "why";
  number: number;
  reason: Reason | null;
}

/** Why not. `code` is one word for programs, `words` a sentence or two in each language ("en", "it"). */
export interface Reason {
  code: string;
  words: Record<string, string>;
}

/** Which move decided the match of a table; null where it was broken off. */
export interface Decided {
  type: "decisive";
  table: string;
  moment: Moment | null;
}

/** The move that decided a match. `number` counts the table's records, `move` the steps of its replay.
 *  `code` says how: by `lead` the winner came ahead, by `away` broke away, by `closer` came closer; `gift`
 *  is a lead that another one's move gave away, `end` the last move of a match that nobody has an opinion
 *  on. `seat` made the move, `winner` gained by it (null: nobody won). `before` and `after` are the
 *  winner's lead in the opinion of the game's bots, in a measure of the game's own. `words` say it in each
 *  language. `advice` is what they would have answered, by what that seat knew; none where that is what
 *  was done. */
export interface Moment {
  number: number;
  move: number;
  seat: number;
  winner: number | null;
  code: Turning;
  before: number;
  after: number;
  words: Record<string, string>;
  advice?: Advice[];
}

export type Turning = "away" | "closer" | "end" | "gift" | "lead";

/** A request was not carried out, and nothing has changed. `code` is for programs, `reason` for people. */
export interface Declined {
  type: "declined";
  request: string;
  code: string;
  reason: string;
}

/** Somebody said something; `to` names the only listener, null is everybody. */
export interface Said {
  type: "said";
  number: number;
  name: string;
  text: string;
  to: string | null;
}

/** A host says this to everybody in the house. */
export interface Announced {
  type: "announced";
  text: string;
}

/** Your report about this person is kept for the host. */
export interface Noted {
  type: "reported";
  name: string;
}

/** A player's connection is lost (`grace_s` says how long the seat is kept), or, with `gone`, given up.
 *  `code` is for programs, `reason` for people. */
export interface Left {
  type: "left";
  seat: number;
  name: string;
  grace_s: number;
  gone: boolean;
  reason: string;
  code: LeftCode;
}

export type LeftCode = "broke" | "left" | "lost" | "stand-in" | "time" | "waits";

/** A player is back. */
export interface Returned {
  type: "returned";
  seat: number;
  name: string;
}

/** The time left for a seat's decision, in seconds. */
export interface Clock {
  type: "clock";
  seat: number;
  left_s: number;
}

/** The match has ended. `ranks` by seat, 1 for winners, empty when it was broken off. */
export interface Over {
  type: "over";
  ranks: number[];
  winners: number[];
  reason: string;
  scores: Record<string, number[]>;
}

/** These seats want a rematch. Those who looked on hear at last which `table` it is played at. */
export interface Wanted {
  type: "wanted";
  seats: number[];
  table?: string;
}

/** The table, or the whole house, closes: `reason` says why. You have no seat any more. With `back` the
 *  house means to return (a restart): the seat is kept. `code` is for programs, `reason` for people. */
export interface Gone {
  type: "gone";
  reason: string;
  back: boolean;
  code: GoneCode;
}

export type GoneCode = "closing" | "crashed" | "deserted" | "elsewhere" | "host" | "out";

/** The house cannot store moves at the moment (or, with `over`, can again): nothing is lost, but all wait. */
export interface Trouble {
  type: "trouble";
  reason: string;
  over: boolean;
}

/** The answer to ping. */
export interface Pong {
  type: "pong";
}

/** A game as a client needs to know it before it sits down. `port` is where its own protocol is spoken,
 *  null where it is not; `bots` are the levels of its bots, weakest first; `reveals` whether there are
 *  cards to turn up when a match is over; `options` and `preferences` are JSON Schemas. */
export interface GameInfo {
  name: string;
  title: string;
  seats: SeatCount;
  port: number | null;
  bots: string[];
  reveals: boolean;
  options: Record<string, unknown>;
  preferences: Record<string, unknown>;
}

/** How many can play. */
export interface SeatCount {
  min: number;
  max: number;
}

/** A match step by step, as one seat or a spectator (null) saw it; `outcome` is null while it runs. */
export interface Story {
  table: TableInfo;
  seat: number | null;
  outcome: Outcome | null;
  steps: Step[];
}

/** What one record brought about, and the view after it. `seat` decided; null where nobody did. */
export interface Step {
  number: number;
  at_ms: number;
  seat: number | null;
  events: GameRecord[];
  view: unknown;
}
