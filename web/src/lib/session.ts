/** The one line this page holds: kept when the lobby opens a table and the table's page takes over. */

import { lineAddress } from "./line";
import { Live, type NewTable, type Sequel } from "./live.svelte";
import { OPTIONS_MAX, type FromClient, type FromServer } from "./protocol";
import { router } from "./router.svelte";

let current: Live | null = null;

function replaceBy(live: Live): Live {
  current?.close();
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
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", name, follow: "views", options_max: OPTIONS_MAX } satisfies FromClient));
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
  return replaceBy(new Live({ table }));
}

/** Nobody looks at the table any more; the seat is kept, the line is not. */
export function hangUp(live: Live): void {
  live.close();
  if (current === live) current = null;
}
