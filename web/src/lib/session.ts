/** The one line this page holds: kept when the lobby opens a table and the table's page takes over. */

import { Live, type NewTable } from "./live.svelte";
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
