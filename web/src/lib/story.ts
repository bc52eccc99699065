/** What the server remembers: the record of a match, as one seat may know it. */

import { url } from "./base";
import { house } from "./house.svelte";
import type { Decided, Moment, Story } from "./protocol";

/** What the house answers at one of its paths. */
async function get<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url(path), { headers });
  if (!response.ok) {
    const told = (await response.json().catch(() => ({}))) as { error?: string; reason?: string };
    if (told.error === "door" || told.error === "banned") house.shut = { code: told.error, reason: told.reason ?? "" };
    throw new Error(`${response.status}`);
  }
  return (await response.json()) as T;
}

/** A running table, as the owner of this token (without: a spectator) may know it. */
export function tableStory(id: string, token: string): Promise<Story> {
  return get<Story>(`/api/v1/tables/${id}/story`, token ? { Authorization: `Bearer ${token}` } : {});
}

/** A finished match with the eyes of one seat; "" is a spectator, "all" sees everything. */
export function replay(id: string, seat: string): Promise<Story> {
  return get<Story>(`/api/v1/matches/${id}/replay?seat=${seat}`);
}

/** The move that decided a finished match; null where it was broken off, or nobody can say. */
export async function decisive(id: string): Promise<Moment | null> {
  return get<Decided>(`/api/v1/matches/${id}/decisive`).then((told) => told.moment, () => null);
}

export { get };
