/** My tables: the seats this browser holds, where it is my turn, and saying so where it is seen. */

import { url } from "./base";
import { t } from "./i18n.svelte";
import type { TableInfo } from "./protocol";
import { router } from "./router.svelte";
import * as seats from "./seats";
import { attend } from "./session";
import { settings } from "./settings.svelte";
import { titleOf } from "./titles.svelte";

/** The icon of a page that waits for its person: a browser shows it where the title has no room. */
const WAITING = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="1.5" y="1.5" width="29" height="29" rx="7" fill="#1f6a55"/><path d="M7 13.5h18M7 24.5h18" stroke="#fff" stroke-width="2"/><circle cx="23" cy="9" r="8" fill="#ffb066" stroke="#fff" stroke-width="1.5"/></svg>',
)}`;

class Mine {
  /** Where something is asked of me first. */
  list = $state.raw<seats.HeldSeat[]>([]);
  /** What the house last told about these tables, by id. */
  tables = $state.raw<ReadonlyMap<string, TableInfo>>(new Map());
  /** Those whose match was broken off: it can be played on against a bot for a week. */
  broken = $state.raw<ReadonlySet<string>>(new Set());
  turns = $derived(this.list.filter((seat) => seat.turn));

  constructor() {
    this.#read();
    seats.onChange(() => this.#read());
  }

  #read(): void {
    const before = this.list;
    this.list = seats.all().toSorted((one, other) => Number(other.turn ?? false) - Number(one.turn ?? false));
    for (const seat of this.list) {
      const known = before.find((one) => one.table === seat.table);
      if (seat.turn && known && !known.turn) void announce(seat);
    }
  }

  /** Look after all of them: who plays there, and that somebody is there for me. */
  async attend(): Promise<void> {
    ({ tables: this.tables, broken: this.broken } = await attend());
  }

  /** A title for the page, with how many tables wait for me; `own` is the turn at the table that it shows. */
  title(text: string, own = false): string {
    if (own) return `● ${t().table.yourTurn} · ${text}`;
    return this.turns.length ? `(${this.turns.length}) ${text}` : text;
  }
}

export const mine = new Mine();

/** Outside of the page, when nobody sees it and the person wants it; one for each table, replaced and not piled up. */
async function announce(seat: seats.HeldSeat): Promise<void> {
  if (!settings.notify || document.visibilityState === "visible" || !("Notification" in window) || Notification.permission !== "granted") return;
  const path = `/table/${seat.table}`;
  const about = { tag: seat.table, body: t().table.yourTurn, icon: url("/icon-192.png"), data: { path } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(titleOf(seat.game), about);
  const shown = new Notification(titleOf(seat.game), about);
  shown.onclick = () => {
    window.focus();
    router.go(path);
  };
}

/** Say it on the page's icon and on that of the app, and go where a notification leads. */
export function watchTurns(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  $effect.root(() => {
    $effect(() => {
      const waiting = mine.turns.length;
      if (icon) icon.href = waiting ? WAITING : url("/icon.svg");
      void (waiting ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.())?.catch(() => undefined);
    });
  });
  navigator.serviceWorker?.addEventListener("message", (event: MessageEvent<{ go?: string }>) => {
    if (event.data.go) router.go(event.data.go);
  });
}
