/** The seats this browser holds: one token for each table, kept until the match is over or left. */

export interface HeldSeat {
  table: string;
  token: string;
  game: string;
  label: string;
  name: string;
}

const PREFIX = "ludoteca.seat.";

export function keep(seat: HeldSeat): void {
  localStorage.setItem(PREFIX + seat.table, JSON.stringify(seat));
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
}

export function all(): HeldSeat[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => held(key.slice(PREFIX.length)))
    .filter((seat) => seat !== null);
}
