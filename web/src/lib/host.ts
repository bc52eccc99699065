/** What hosts see and do, and the door. Generated: `make types` writes it anew. */

/** All that a host sees. Of very many people or tables the first are listed; `people_count` and
 *  `tables_count` are all. */
export interface House {
  people: Person[];
  people_count: number;
  bots_count: number;
  tables: TableInfo[];
  tables_count: number;
  reports: Report[];
  barred: Barred[];
  invitations: Invitation[];
  keys: Key[];
  door: DoorKind;
  guests: Guests;
  has_password: boolean;
  pinned: string[];
  names: string[];
  drained: Drained | null;
  log: Deed[];
}

/** Somebody who is here, as a host sees it; `seat` is null for those who look on. */
export interface Person {
  name: string;
  protocol: string;
  address: string;
  role: Role;
  since_ms: number;
  table: string;
  game: string;
  seat: number | null;
  muted: boolean;
}

export type Role = "guest" | "host" | "member";

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

export type Absence = "bot" | "end" | "wait";

/** A complaint that nobody has seen to yet. */
export interface Report {
  id: number;
  at_ms: number;
  name: string;
  about: string;
  table: string;
  game: string;
  text: string;
  lines: Line[];
}

/** What somebody said at a table, publicly or to the one who reports it. */
export interface Line {
  name: string;
  text: string;
}

/** Somebody who is kept out or not heard; `until_ms` 0 is for good. `tries` were made since the start. */
export interface Barred {
  id: number;
  kind: "ban" | "mute";
  name: string;
  address: string;
  until_ms: number;
  reason: string;
  by: string;
  tries: number;
}

/** A link that is still good: for `uses` people (0: any number), `used` came. */
export interface Invitation {
  id: number;
  label: string;
  role: "host" | "member";
  uses: number;
  used: number;
  until_ms: number;
}

/** Whose browser or program may come in, and as what. */
export interface Key {
  id: number;
  label: string;
  role: Role;
  until_ms: number;
  via: number;
}

export type DoorKind = "invitation" | "open" | "password";

export type Guests = "out" | "watch";

export type Drained = "stop" | "wait";

/** One line of the log: `by` is who did it, "" the house itself or a player. */
export interface Deed {
  number: number;
  at_ms: number;
  by: string;
  did: Fact;
}

export type Fact =
  | Say
  | Mute
  | Out
  | Ban
  | Lift
  | Close
  | Drain
  | Resume
  | Door
  | Invited
  | Admitted
  | Withdraw
  | Settle
  | Reported
  | Backup
  | Verify
  | Prune;

/** Say something to everybody. */
export interface Say {
  type: "say";
  text: string;
}

/** Nobody hears this person at any table. `came` is added by the house, here and below. */
export interface Mute {
  type: "mute";
  name: string;
  seconds: number;
  reason: string;
  came: Came[];
}

/** How somebody came in whom the house calls otherwise, since another one had the name. */
export interface Came {
  name: string;
  protocol: string;
  address: string;
}

/** Turn somebody out: the connection is closed, and the name stays out for a while. */
export interface Out {
  type: "out";
  name: string;
  seconds: number;
  reason: string;
  came: Came[];
}

/** Keep a name, or an address or network, out of the house. */
export interface Ban {
  type: "ban";
  name: string;
  address: string;
  seconds: number;
  reason: string;
  came: Came[];
}

/** Let in again, or hear again: `id` is that of the ban or mute. */
export interface Lift {
  type: "lift";
  id: number;
}

/** Close a table; a match is broken off. */
export interface Close {
  type: "close";
  table: string;
  reason: string;
}

/** No new tables. */
export interface Drain {
  type: "drain";
  then: Drained;
}

/** New tables again. */
export interface Resume {
  type: "resume";
}

/** Change who may come in; what is null stays as it is. `password` is the house's: the shell hands it on
 *  as a hash. `names` may come in by protocols that cannot carry a key. */
export interface Door {
  type: "door";
  door: DoorKind | null;
  guests: Guests | null;
  password: string | null;
  names: string[] | null;
}

/** An invitation was made; of its token only the digest is kept. */
export interface Invited {
  type: "invited";
  label: string;
  role: "host" | "member";
  uses: number;
  seconds: number;
  digest: string;
}

/** Somebody was given a key, by a host, for an invitation (`via` is its id), or for the password. */
export interface Admitted {
  type: "admitted";
  label: string;
  role: "host" | "member";
  seconds: number;
  digest: string;
  via: number;
}

/** An invitation or a key is worth nothing any more. */
export interface Withdraw {
  type: "withdraw";
  id: number;
}

/** A report has been seen to. */
export interface Settle {
  type: "settle";
  id: number;
}

/** Somebody complained about a person at the same table; `lines` are the last that the former heard. */
export interface Reported {
  type: "reported";
  name: string;
  about: string;
  table: string;
  game: string;
  text: string;
  lines: Line[];
}

/** Make a copy of the house, in the folder for copies. */
export interface Backup {
  type: "backup";
}

/** Execute every stored match again and compare it with what was written down. */
export interface Verify {
  type: "verify";
}

/** Remove finished matches, and what nobody needs of the log, that are older than so many days: not less
 *  than a month, so that no host can do away with what was done today. */
export interface Prune {
  type: "prune";
  days: number;
}

export type Act =
  | Say
  | Mute
  | Out
  | Ban
  | Lift
  | Close
  | Drain
  | Resume
  | Door
  | Invite
  | Give
  | Withdraw
  | Settle
  | Backup
  | Verify
  | Prune;

/** Make a link by which so many (0: any number) come in, each with a key of their own from then on. */
export interface Invite {
  type: "invite";
  label: string;
  role: "host" | "member";
  uses: number;
  seconds: number;
}

/** Make a key, for a program that cannot follow a link. */
export interface Give {
  type: "give";
  label: string;
  role: "host" | "member";
  seconds: number;
}

/** An act was carried out and is in the log under this number, which is the id of what it made. `token` is
 *  that of an invitation or key: it is told once. */
export interface Done {
  number: number;
  token: string;
}

/** How this house is entered, and what you are here. `name` is whose house it is. */
export interface Doorway {
  door: DoorKind;
  guests: Guests;
  role: Role;
  name: string;
  drained: boolean;
}

/** You are in. `key` is for programs; a browser has got it as a cookie. */
export interface Opened {
  role: Role;
  key: string;
}

/** What the house keeps, and what it is. Sizes are in bytes; `spare` is room in the file that is used
 *  again. `older` counts finished matches by the days that they are older than, `lately` those of so many
 *  days. */
export interface Storage {
  size: number;
  spare: number;
  disk_free: number;
  disk_size: number;
  live: number;
  over: number;
  records_size: number;
  older: Record<string, number>;
  lately: Record<string, number>;
  deeds: number;
  copies_folder: string;
  copies_keep: number;
  copies: Copy[];
  works: Work[];
  version: string;
  python: string;
  schema: number;
  since_ms: number;
  ways: Record<string, string>;
  certificate_until_ms: number;
}

/** A copy of the house, as `ludoteca backup` makes it. */
export interface Copy {
  name: string;
  size: number;
  made_ms: number;
}

/** Something that takes a while. `number` is that of the deed; `ended_ms` is 0 while it is being done. */
export interface Work {
  number: number;
  kind: WorkKind;
  by: string;
  began_ms: number;
  ended_ms: number;
  good: boolean;
  text: string;
}

export type WorkKind = "backup" | "prune" | "verify";

/** The last day, oldest first; the last step is still going on. `memory` and `disk_free` are the bytes
 *  that the house uses, and that are left on its disk. */
export interface Day {
  steps: Step[];
  step_s: number;
  memory: number;
  disk_free: number;
}

/** What one step came to: the most people at once, tables being played at its end, people's moves, and the
 *  part of one processor in percent that the house used, without its bots. */
export interface Step {
  at_ms: number;
  people: number;
  playing: number;
  moves: number;
  processor: number;
}
