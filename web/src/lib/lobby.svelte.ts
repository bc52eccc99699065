/** The lobby as the house tells it: a line that looks while somebody sees the page, and comes back by itself. */

import { house } from "./house.svelte";
import { Line, lineAddress } from "./line";
import type { Counts, Finished, FromServer, TableInfo } from "./protocol";

const FINISHED_MAX = 8;
const NOBODY: Counts = { open: 0, playing: 0, over: 0, people: 0, bots: 0 };

const older = (one: TableInfo, other: TableInfo) => one.opened_ms - other.opened_ms;

export class Lobby {
  tables = $state.raw<TableInfo[]>([]);
  finished = $state.raw<Finished[]>([]);
  counts = $state.raw<Counts>(NOBODY);
  reachable = $state(true);
  /** Only the tables of this game are looked at; "" for all. */
  game = $state("");
  open = $derived(this.tables.filter((table) => table.phase === "open").toSorted(older));
  playing = $derived(this.tables.filter((table) => table.phase === "playing").toSorted(older));

  /** Where the list of open tables goes on: after those that are looked at, and after those asked for beyond. */
  #after = "";
  #beyond = "";
  #line: Line;

  /** `up` is called whenever the house can be reached (again). */
  constructor(up: () => void) {
    this.#line = new Line(lineAddress(), {
      opened: () => this.#look(),
      heard: (message) => this.#hear(message),
      changed: (state) => {
        if (state === "connecting") return;
        this.reachable = state === "up";
        if (this.reachable) up();
      },
    });
    document.addEventListener("visibilitychange", this.#look);
    addEventListener("offline", this.#offline);
    addEventListener("online", this.#online);
    this.#line.open();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#look);
    removeEventListener("offline", this.#offline);
    removeEventListener("online", this.#online);
    this.#line.close();
  }

  #offline = () => this.#line.suspect();
  #online = () => void (this.reachable || this.#line.open());

  /** A page that nobody sees need not be told anything. */
  #look = (): void => {
    if (document.visibilityState === "visible") this.#line.send({ type: "look", game: this.game });
    else this.#line.send({ type: "unlook" });
  };

  choose(game: string): void {
    this.game = game;
    this.#look();
  }

  /** Whether there are open tables that are not shown yet. */
  get hasMore(): boolean {
    return this.open.length < this.counts.open;
  }

  /** Ask for some more open tables: they stay as they are until the next look. */
  more(): void {
    this.#line.send({ type: "list", game: this.game, show: "open", after: this.#beyond || this.#after });
  }

  #hear(message: FromServer): void {
    switch (message.type) {
      case "lobby":
        this.tables = message.tables;
        this.finished = message.finished;
        this.#beyond = "";
        break;
      case "changes": {
        const known = new Map(this.tables.map((table) => [table.id, table]));
        for (const table of message.tables) known.set(table.id, table);
        for (const id of message.gone) known.delete(id);
        this.tables = [...known.values()];
        this.finished = [...message.finished, ...this.finished].slice(0, FINISHED_MAX);
        break;
      }
      case "tables": {
        const known = new Set(this.tables.map((table) => table.id));
        this.tables = [...this.tables, ...message.tables.filter((table) => !known.has(table.id))];
        this.#beyond = message.more ?? "";
        return;
      }
      case "announced":
        house.said = message.text;
        return;
      case "declined":
        if (message.code === "door") house.shut = { code: message.code, reason: message.reason };
        return;
      default:
        return;
    }
    this.counts = message.counts;
    this.#after = message.more.open ?? "";
  }
}
