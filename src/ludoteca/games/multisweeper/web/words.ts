/** The game in words. */
import { assertNever, seatOf, type Seen, type Words } from "$lib/board";
import { made, spoken } from "$lib/spoken.svelte";
import type { Phrases } from "./en";
import type { Action, Event, View } from "./types";

/** How many cells each had opened after each step. */
function opened(steps: Seen<View, Event>[], seats: number): number[][] {
  const sums = Array.from({ length: seats }, () => 0);
  return steps.map(({ events }) => {
    for (const event of events) if (event.type === "Opened") sums[event.seat]! += event.cells.length;
    return [...sums];
  });
}

function words(p: Phrases): Words<View, Event, Action> {
  return {
    turn: (view) => (view.mover === null ? [] : [view.mover]),
    ask: () => ({ ask: p.ask, detail: p.danger }),
    advise: (action) => ({ text: p.advise(action.column, action.row), whole: true }),
    waiting(view, names) {
      if (view.mover === null) return { ask: p.over };
      const at = view.order.indexOf(view.mover);
      const after = [...view.order.slice(at + 1), ...view.order.slice(0, at)].map((seat) => names[seat]!);
      return { ask: p.waiting(names[view.mover] ?? ""), detail: after.length ? p.then(after.join(", ")) : "" };
    },
    tell(event, names) {
      const seat = seatOf(event);
      const name = names[seat ?? -1] ?? "";
      switch (event.type) {
        case "RoundBegun":
          return { text: p.round(event.round, event.order.length), heading: true };
        case "Opened": {
          const { column, row, cells } = event;
          const what = cells.length === 1 ? String(cells[0]![1]) : p.cells(cells.length);
          return { seat, text: p.opened(name, column, row, what) };
        }
        case "Exploded":
          return { seat, text: p.opened(name, event.column, event.row, p.mine) };
        case "Forfeited":
          return { seat, text: p.forfeited(name) };
        case "Eliminated":
          return { seat, text: p.out(name) };
        case "Won":
          return { seat, text: p.won(name) };
        case "BrokenOff":
          return { seat, text: p.brokenOff(name) };
        default:
          return assertNever(event);
      }
    },
    facts(view, seat) {
      const out = view.out.find((one) => one.seat === seat);
      if (out) return [{ label: p.outIn(out.round) }];
      const next = view.mover === null ? -1 : view.order[(view.order.indexOf(view.mover) + 1) % view.order.length];
      return [{ label: seat === next && view.order.length > 1 ? p.next : p.inRound }];
    },
    ended(outcome, names, view) {
      const winner = outcome.ranks.indexOf(1);
      return winner < 0 ? "" : p.ended(names[winner] ?? "", Math.max(1, view.out.length));
    },
    out: (view, seat) => view.out.some((one) => one.seat === seat),
    measure: { label: p.end.opened, of: (steps, seats) => opened(steps, seats) },
    tally: (steps, seats) => [
      [p.end.rounds, Array.from({ length: seats }, (_, seat) => (steps.at(-1)?.view.out.find((one) => one.seat === seat)?.round ?? steps.at(-1)?.view.out.length ?? 0))],
      [p.end.cells, opened(steps, seats).at(-1) ?? []],
    ],
  };
}

export const phrases = await spoken<Phrases>({ en: () => import("./en"), it: () => import("./it") });
export default made(phrases, words);
