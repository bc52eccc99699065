/** Choosing in steps: first the worker, then the space, then what to do there where that is open. No rules. */
import { indexOf, type Action } from "./types";

/** The spaces of workers that can act, in the order of the options. */
export function sources(options: Action[]): number[] {
  return [...new Set(options.flatMap((option) => (option.source ? [indexOf(option.source)] : [])))];
}

/** What can be done on each space, with the worker on `source` (null: before there are workers). */
export function targets(options: Action[], source: number | null): Map<number, Action[]> {
  const found = new Map<number, Action[]>();
  for (const option of options) {
    const cell = option.target ?? option.cell;
    if (!cell || (option.source && indexOf(option.source) !== source)) continue;
    const index = indexOf(cell);
    found.set(index, [...(found.get(index) ?? []), option]);
  }
  return found;
}

/** Whether a click on a space could mean two things: then the bar asks which. */
export function isMixed(options: Action[]): boolean {
  return options.some((option) => option.type === "Move") && options.some((option) => option.type === "Build");
}
