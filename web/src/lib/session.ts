/**
 * The lines this page holds: one to the table it shows, kept when the lobby opens a table and the table's page takes
 * over; and one to every other table where we sit. Whoever is in the house is there for all of their tables.
 */

import { url } from "./base";
import { lineAddress } from "./line";
import { Live, type NewTable, type Sequel } from "./live.svelte";
import { OPTIONS_MAX, type Finished, type FromClient, type FromServer, type TableInfo } from "./protocol";
import { router } from "./router.svelte";
import * as seats from "./seats";

let current: Live | null = null;
const others = new Map<string, Live>();
/** So many lines a page keeps beside the one it shows. */
const OTHERS_MAX = 8;

/** A table that is looked at no longer: who sits there stays there. */
function letGo(live: Live): void {
  const known = others.get(live.table);
  if (live.holds && (known === live || others.size < OTHERS_MAX)) {
    if (known !== live) known?.close();
    others.set(live.table, live);
    live.show(false);
    return;
  }
  if (known === live) others.delete(live.table);
  live.close();
}

/** How long a match that was broken off can be played on. */
const SEQUEL_MS = 7 * 24 * 3600 * 1000;

/** Whether a match was broken off, and not too long ago: the house may still decide otherwise. */
async function canPlayOn(table: string): Promise<boolean> {
  const found = await fetch(url(`/api/v1/matches/${table}`));
  const match = found.ok ? ((await found.json()) as Finished) : null;
  return match !== null && !match.outcome?.ranks.length && Date.now() - match.closed_ms < SEQUEL_MS;
}

/**
 * Keep a line to each table where we sit and nobody is there for us. What is over or gone is nobody's any more, unless
 * it was broken off: that can be played on against a bot.
 */
export async function attend(): Promise<{ tables: Map<string, TableInfo>; broken: Set<string> }> {
  const found = { tables: new Map<string, TableInfo>(), broken: new Set<string>() };
  for (const live of [...others.values()]) if (live.closed || live.match.outcome) letGo(live);
  await Promise.all(
    seats.all().map(async (seat) => {
      const answer = await fetch(url(`/api/v1/tables/${seat.table}`)).catch(() => null);
      const table = answer?.ok ? ((await answer.json()) as TableInfo) : null;
      if (answer?.status === 404 || table?.phase === "over") {
        if (!(await canPlayOn(seat.table))) return seats.drop(seat.table);
        found.broken.add(seat.table);
        return seats.note(seat.table, false);
      }
      if (!table) return;
      found.tables.set(seat.table, table);
      // Somebody who is there for us is another tab, or a line of our own.
      const absent = table.chairs.some((chair) => chair?.name === seat.name && !chair.here);
      if (absent && current?.table !== seat.table && !others.has(seat.table) && others.size < OTHERS_MAX) {
        others.set(seat.table, new Live({ table: seat.table, unseen: true }));
      }
    }),
  );
  return found;
}

function replaceBy(live: Live): Live {
  if (current && current !== live) letGo(current);
  current = live;
  live.onSeated((id) => {
    const route = router.route;
    if (current === live && !(route.page === "table" && route.id === id)) router.go(`/table/${id}`);
  });
  return live;
}

/** Open a table; the page goes there once we sit. */
export function openTable(table: NewTable): Live {
  return replaceBy(new Live({ open: table }));
}

/** Play on what was broken off; the page goes to its new table once we sit. */
export function playOn(sequel: Sequel): Live {
  return replaceBy(new Live({ sequel }));
}

/** Come to a table to sit down at it. */
export function sitAt(table: string): void {
  replaceBy(new Live({ table, sit: true }));
  router.go(`/table/${table}`);
}

const ANSWER_MS_MAX = 3000;

/** Why the house would not let somebody in by this name; null when it would, or does not answer. */
export function refusal(name: string): Promise<{ code: string; reason: string } | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(lineAddress());
    const finish = (answer: { code: string; reason: string } | null) => {
      clearTimeout(timer);
      // The name is free again when the house has heard us go.
      socket.onclose = () => resolve(answer);
      socket.close();
    };
    const timer = setTimeout(() => finish(null), ANSWER_MS_MAX);
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", name, tokens: seats.tokens(name), follow: "views", options_max: OPTIONS_MAX } satisfies FromClient));
    socket.onerror = () => finish(null);
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as FromServer;
      if (message.type === "declined") finish({ code: message.code, reason: message.reason });
      else if (message.type === "welcome") finish(null);
    };
  });
}

/** The line to this table: the one we have, or a new one. */
export function liveAt(table: string): Live {
  if (current?.table === table && current.closed === null) return current;
  const known = others.get(table);
  others.delete(table);
  if (!known || known.closed) return replaceBy(new Live({ table }));
  known.show(true);
  return replaceBy(known);
}

/** Nobody looks at the table any more; a seat that matters is kept, and the line to it, too. */
export function hangUp(live: Live): void {
  letGo(live);
  if (current === live) current = null;
}
