/** One WebSocket that comes back by itself. It knows when to try again, and nothing of what is said. */

import { url } from "./base";
import type { FromClient, FromServer } from "./protocol";

export type LineState = "connecting" | "up" | "down";

/** Pauses between attempts: quick at first, for a restarted server, then patient. */
export const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000];
/** A line that has been silent so long is asked for a sign of life, and given up when none comes. */
export const QUIET_MS = 10_000;
export const SILENCE_MS = 15_000;

/** Where the house is spoken to. */
export function lineAddress(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${url("/ws")}`;
}

export interface LineEvents {
  /** The line stands: say who you are. */
  opened(): void;
  heard(message: FromServer): void;
  changed(state: LineState, retryInMs: number): void;
}

export class Line {
  #socket: WebSocket | null = null;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #closed = false;

  constructor(
    private readonly url: string,
    private readonly events: LineEvents,
    private readonly make: (url: string) => WebSocket = (address) => new WebSocket(address),
  ) {}

  /** Connect, now; also the answer to "Try now". */
  open(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#closed = false;
    this.events.changed("connecting", 0);
    const socket = this.make(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempts = 0;
      this.#heardAt = Date.now();
      this.#watch = setInterval(() => this.#listen(), 1000);
      this.events.changed("up", 0);
      this.events.opened();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      this.#heardAt = Date.now();
      this.events.heard(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = () => this.#lost(socket);
    socket.onerror = () => this.#lost(socket);
  }

  send(message: FromClient): boolean {
    if (this.#socket === null || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Hang up for good. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#drop();
  }

  /** The browser says that the network is gone: do not wait for the socket to notice. */
  suspect(): void {
    if (this.#socket !== null && !this.#closed) this.#lost(this.#socket);
  }

  #listen(): void {
    const silent = Date.now() - this.#heardAt;
    if (silent > SILENCE_MS && this.#socket !== null) this.#lost(this.#socket);
    else if (silent > QUIET_MS) this.send({ type: "ping" });
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.#closed) return;
    this.#drop();
    const pause = PAUSES_MS[Math.min(this.#attempts, PAUSES_MS.length - 1)] ?? 0;
    this.#attempts += 1;
    this.events.changed("down", pause);
    this.#timer = setTimeout(() => this.open(), pause);
  }

  #drop(): void {
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    }
  }
}
