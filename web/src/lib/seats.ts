/** The seats this browser holds: one token for each table, kept until the match is over or left. */

export interface HeldSeat {
  table: string;
  token: string;
  game: string;
  label: string;
  name: string;
  /** Whether something is asked of us there. */
  turn?: boolean;
  /** The questions that a bot gave us a hint for, by their numbers. */
  hinted?: number[];
}

const PREFIX = "ludoteca.seat.";
/** The house looks at no more of them. */
const TOKENS_MAX = 16;
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** Call this whenever a seat changes, in this page or in another one of the same browser. */
export function onChange(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent) => (event.key === null || event.key.startsWith(PREFIX)) && listener();
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

export function keep(seat: HeldSeat): void {
  localStorage.setItem(PREFIX + seat.table, JSON.stringify(seat));
  changed();
}

/** Something is asked of us at this table, or nothing any more. */
export function note(table: string, turn: boolean): void {
  const seat = held(table);
  if (seat && Boolean(seat.turn) !== turn) keep({ ...seat, turn });
}

/** A bot gave us a hint for this question; how many it were at this table. */
export function hinted(table: string, question: number): number {
  const seat = held(table);
  if (!seat) return 0;
  const all = [...new Set([...(seat.hinted ?? []), question])];
  keep({ ...seat, hinted: all });
  return all.length;
}

/** What shows the house that a name is ours: the tokens of our other seats under it. */
export function tokens(name: string): string[] {
  return all().filter((seat) => seat.name.toLowerCase() === name.toLowerCase()).map((seat) => seat.token).slice(-TOKENS_MAX);
}

export function held(table: string): HeldSeat | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + table) ?? "null") as HeldSeat | null;
  } catch {
    return null;
  }
}

export function drop(table: string): void {
  localStorage.removeItem(PREFIX + table);
  changed();
}

export function all(): HeldSeat[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => held(key.slice(PREFIX.length)))
    .filter((seat) => seat !== null);
}
