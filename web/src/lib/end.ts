/** What the end of a match is told with: how everybody stood, when it turned, how long it took. */

import type { Step } from "./protocol";

/** The step at which the winner's lead over the best of the others grew most; null where it never did. */
export function swing(values: number[][], winner: number): number | null {
  const lead = values.map((row) => row[winner]! - Math.max(...row.filter((_, seat) => seat !== winner)));
  let best: { step: number; gain: number } | null = null;
  for (let step = 1; step < lead.length; step += 1) {
    const gain = lead[step]! - lead[step - 1]!;
    if (gain > (best?.gain ?? 0)) best = { step, gain };
  }
  return best?.step ?? null;
}

export function minutes(steps: Pick<Step, "at_ms">[]): number {
  return Math.max(1, Math.round(((steps.at(-1)?.at_ms ?? 0) - (steps[0]?.at_ms ?? 0)) / 60_000));
}

export interface Plot {
  /** A path for each seat. */
  lines: string[];
  /** The values at the sides, and the height of each. */
  ticks: { value: number; y: number }[];
  /** Where each seat's line ends, apart enough for a label each. */
  ends: { seat: number; value: number; y: number }[];
  x: (step: number) => number;
}

export const PLOT = { width: 344, height: 156, left: 36, right: 292, top: 22, bottom: 132 };
const LABELS_APART = 15;

/** A chart of values by step and seat. `stepped`: they hold until they change, and lie on whole numbers. */
export function plot(values: number[][], stepped: boolean): Plot {
  const { left, right, top, bottom } = PLOT;
  const seats = values[0]?.length ?? 0;
  const all = values.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(low + 1, ...all);
  const x = (step: number) => left + ((right - left) * step) / Math.max(1, values.length - 1);
  const y = (value: number) => bottom - ((bottom - top) * (value - low)) / (high - low);
  const lines = Array.from({ length: seats }, (_, seat) =>
    values.map((row, step) => {
      const [at, to] = [x(step).toFixed(1), y(row[seat]!).toFixed(1)];
      return step === 0 ? `M${at} ${to}` : stepped ? `H${at}V${to}` : `L${at} ${to}`;
    }).join(""));
  const between = stepped && high - low <= 4 ? Array.from({ length: high - low + 1 }, (_, at) => low + at) : [low, Math.round((low + high) / 2), high];
  const last = values.at(-1) ?? [];
  const ends = last.map((value, seat) => ({ seat, value, y: y(value) })).sort((one, other) => one.y - other.y);
  // From the top down each keeps its distance; then from the bottom up, as far as they ran out of the chart.
  ends.forEach((end, at) => (end.y = Math.max(end.y, at ? ends[at - 1]!.y + LABELS_APART : top)));
  for (let at = ends.length - 1; at >= 0; at -= 1) ends[at]!.y = Math.min(ends[at]!.y, at + 1 < ends.length ? ends[at + 1]!.y - LABELS_APART : bottom);
  return { lines, ticks: [...new Set(between)].map((value) => ({ value, y: y(value) })), ends, x };
}
