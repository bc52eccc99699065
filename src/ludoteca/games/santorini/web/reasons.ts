/** What speaks for a step, in words, as the house says it (advice.py). */
import type { Language } from "$lib/settings.svelte";
import { indexOf, nameOf, SIDE, type Action, type Cell, type View } from "./types";

const TOP = 3;
type Reason = [en: string, it: string];

const beside = (one: Cell, other: Cell): boolean => indexOf(one) !== indexOf(other) && Math.abs(one.i - other.i) <= 1 && Math.abs(one.j - other.j) <= 1;
const levelOf = (view: View, { i, j }: Cell): number => view.levels[i]![j]!;
const open = (view: View, cell: Cell): boolean => !view.domes[cell.i]![cell.j] && !view.workers.some((worker) => indexOf(worker) === indexOf(cell));
const CELLS: Cell[] = Array.from({ length: SIDE * SIDE }, (_, space) => ({ i: Math.floor(space / SIDE), j: space % SIDE }));

/** Where these seats could step up to the third level, were it their turn. */
function waysUp(view: View, seats: (seat: number) => boolean): Cell[] {
  const ready = view.workers.filter((worker) => seats(worker.seat) && levelOf(view, worker) === TOP - 1);
  return CELLS.filter((cell) => levelOf(view, cell) === TOP && open(view, cell) && ready.some((worker) => beside(worker, cell)));
}

/** The picture after a step, without what gods do to others. */
function after(view: View, action: Action): View {
  if (action.type === "Move") {
    const { source, target } = action;
    return { ...view, workers: view.workers.map((worker) => (indexOf(worker) === indexOf(source) ? { ...worker, ...target } : worker)) };
  }
  if (action.type !== "Build") return view;
  const at = indexOf(action.target);
  const changed = <T>(rows: T[][], value: (old: T) => T): T[][] => rows.map((row, i) => row.map((old, j) => (i * SIDE + j === at ? value(old) : old)));
  return action.dome ? { ...view, domes: changed(view.domes, () => true) } : { ...view, levels: changed(view.levels, (level) => level + 1) };
}

function* reasons(before: View, action: Action): Generator<Reason> {
  const seat = before.seat;
  const later = after(before, action);
  const rival = (other: number) => other !== seat;
  const mine = (other: number) => other === seat;
  const left = waysUp(later, rival).map(indexOf);
  for (const cell of waysUp(before, rival).filter((one) => !left.includes(indexOf(one)))) {
    yield [`keeps your rival from winning on ${nameOf(cell)}`, `impedisce al rivale di vincere in ${nameOf(cell)}`];
  }
  const climbs = action.type === "Move" && levelOf(later, action.target) > levelOf(before, action.source);
  if (climbs) yield [`climbs to ${levelOf(later, action.target)}`, `sale al livello ${levelOf(later, action.target)}`];
  const ways = waysUp(later, mine);
  const had = waysUp(before, mine).map(indexOf);
  if (ways.length > 1) yield ["threatens to win in two places", "minaccia di vincere in due punti"];
  else if (ways.some((cell) => !had.includes(indexOf(cell)))) yield ["threatens to win", "minaccia di vincere"];
  if (action.type === "Build") {
    const { target } = action;
    const [name, level] = [nameOf(target), levelOf(later, target)];
    const reach = (view: View, seats: (seat: number) => boolean) => view.workers.some((one) => seats(one.seat) && beside(one, target) && levelOf(view, target) <= levelOf(view, one) + 1);
    if (action.dome) yield [`closes ${name}`, `chiude ${name}`];
    else if (reach(later, mine) && reach(later, rival)) yield [`makes ${name} a step for you and for your rival (level ${level})`, `fa di ${name} un gradino per te e per il rivale (livello ${level})`];
    else if (reach(later, mine)) yield [`makes ${name} a step for you (level ${level})`, `fa di ${name} un gradino per te (livello ${level})`];
    else if (reach(later, rival)) yield [`gives your rival a step on ${name} (level ${level})`, `dà al rivale un gradino in ${name} (livello ${level})`];
    else if (reach(before, rival)) yield [`keeps ${name} out of your rival's reach`, `tiene ${name} lontano dal rivale`];
    else yield [`builds ${name} up for later (level ${level})`, `alza ${name} per dopo (livello ${level})`];
  } else if (action.type === "Move" && !climbs) {
    const wider = (view: View, cell: Cell) => CELLS.filter((one) => beside(one, cell) && open(view, one) && levelOf(view, one) <= levelOf(view, cell) + 1).length;
    if (wider(later, action.target) > wider(before, action.source)) yield ["brings your worker where it has more ways", "porta la pedina dove ha più strade"];
    else yield ["gets your worker near what is to be built", "avvicina la pedina a ciò che si costruirà"];
  } else if (action.type === "Finish") yield ["nothing more is worth building", "costruire ancora non serve"];
}

/** How gods win who need no third level, where this is the step that does it. */
function ownWay(view: View, action: Action): Reason {
  const god = view.gods[view.seat];
  const falls = action.type === "Move" ? levelOf(view, action.source) - levelOf(view, action.target) : 0;
  if (god === "Pan" && falls > 1) return ["wins at once: Pan comes down two levels", "vince subito: Pan scende di due livelli"];
  if (god === "Eros" && action.type === "Move" && levelOf(view, action.target) < TOP) return ["wins at once: Eros' workers meet", "vince subito: le pedine di Eros si incontrano"];
  if (god === "Chronus" && action.type === "Build" && action.dome) return ["wins at once: five towers are complete", "vince subito: cinque torri sono complete"];
  return ["wins at once", "vince subito"];
}

/** The weightiest two in a sentence; `ends` is in how many turns the match is won, where that is certain. */
export function reasonFor(view: View, action: Action, ends: number | null): Record<Language, string> {
  const found: Reason[] = ends === null ? [] : ends <= 1 ? [ownWay(view, action)] : [["cannot be stopped any more", "non si può più fermare"]];
  if (ends === null || ends > 1) found.push(...reasons(view, action));
  if (!found.length) found.push(["keeps most ways open", "lascia aperte più strade"]);
  const sentence = (parts: string[], and: string) => parts.join(and).replace(/^./, (first) => first.toUpperCase()) + ".";
  const best = found.slice(0, 2);
  return { en: sentence(best.map(([english]) => english), " and "), it: sentence(best.map(([, italian]) => italian), " e ") };
}
