/** Choosing in steps: first the worker, then the space, then what to do there where that is open. No rules. */
import { ofType } from "$lib/board";
import { indexOf, type Action, type Build, type Move, type Place } from "./types";

/** What is done on a space. */
export type OnSpace = Place | Move | Build;

/** The spaces of workers that can act, in the order of the options. */
export function sources(options: Action[]): number[] {
  return [...new Set(options.flatMap((option) => ("source" in option ? [indexOf(option.source)] : [])))];
}

/** What can be done on each space, with the worker on `source` (null: before there are workers). */
export function targets(options: Action[], source: number | null): Map<number, OnSpace[]> {
  const found = new Map<number, OnSpace[]>();
  for (const option of ofType(options, "Place", "Move", "Build")) {
    if (option.type !== "Place" && indexOf(option.source) !== source) continue;
    const index = indexOf(option.type === "Place" ? option.cell : option.target);
    found.set(index, [...(found.get(index) ?? []), option]);
  }
  return found;
}

/** Whether a click on a space could mean two things: then the bar asks which. */
export function isMixed(options: Action[]): boolean {
  return options.some((option) => option.type === "Move") && options.some((option) => option.type === "Build");
}
