/** The door and the host's acts, as this page asks for them: the key is a cookie that no script can read. */

import { url } from "./base";
import type { Act, Day, Done, Doorway, House, Opened, Storage } from "./host";

/** Why the house said no; `wait` is in how many seconds it may be tried again. */
export class No extends Error {
  constructor(readonly code: string, readonly reason: string, readonly status: number, readonly wait = 0) {
    super(reason);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(url(`/api/v1${path}`), {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const told = (await answer.json().catch(() => ({}))) as { error?: string; reason?: string };
  throw new No(told.error ?? "", told.reason ?? "", answer.status, Number(answer.headers.get("Retry-After") ?? 0));
}

export const doorway = () => ask<Doorway>("GET", "/door");
export const knock = (by: { password?: string; invitation?: string; name?: string }) => ask<Opened>("POST", "/door", by);
export const forget = () => ask<undefined>("DELETE", "/door");
export const house = () => ask<House>("GET", "/host");
export const storage = () => ask<Storage>("GET", "/host/storage");
export const day = () => ask<Day>("GET", "/host/day");

/** Do something as a host; what is left out is as the house has it. */
export function act<T extends Act["type"]>(type: T, fields: Partial<Extract<Act, { type: T }>> = {}): Promise<Done> {
  return ask<Done>("POST", "/host/acts", { ...fields, type });
}

/** The token that came with this page's address: it is taken out of the address at once. */
export function tokenHere(): string {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return /^[0-9a-f]{32}$/.test(token) ? token : "";
}
