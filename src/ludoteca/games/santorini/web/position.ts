/** A position as the compiled searcher reads it (engine/__init__.py has the same in Python), and its choices as actions. */
import { ofType, type Seen } from "$lib/board";
import { indexOf, SIDE, type Action, type Cell, type Event, type View } from "./types";

/** In the order of the engine's numbers; 0 is a mortal. */
const GODS = ["", "Apollo", "Artemis", "Athena", "Atlas", "Demeter", "Hephaestus", "Hermes", "Minotaur", "Pan", "Prometheus",
  "Aphrodite", "Chronus", "Eros", "Hera", "Hestia", "Hypnus", "Limus", "Morpheus", "Persephone", "Poseidon", "Selene", "Triton",
  "Zeus", "Hades", "Terpsichore", "Urania"];
const SEATS = 3;
const DOMED = 8;
const TOKENS_MAX = 200;
export const BYTES = 57;
/** Where the bytes of a position are. */
const AT = { order: 1, gods: 4, seat: 7, out: 8, risen: 9, tokens: 10, towers: 13, workers: 38, level: 49 };

const MOVE = 0;
const BLOCK = 1;
const DOME = 2;
const FINISH = 3;

/** What was on the table as the turn began, and the steps of the turn since. */
export interface Position {
  start: Uint8Array;
  played: number[];
}

const bits = (flags: boolean[]): number => flags.reduce((sum, flag, at) => sum | (Number(flag) << at), 0);
const coded = (kind: number, source: Cell, target: Cell): number => kind | (indexOf(source) << 2) | (indexOf(target) << 7);

export function actionOf(code: number): Action {
  const at = (space: number): Cell => ({ i: Math.floor(space / SIDE), j: space % SIDE });
  const [kind, source, target] = [code & 3, at((code >> 2) & 31), at(code >> 7)];
  if (kind === FINISH) return { type: "Finish" };
  return kind === MOVE ? { type: "Move", source, target } : { type: "Build", source, target, dome: kind === DOME };
}

/** Who went up in their latest turn, as far as the steps tell. Athena's rivals need to know. */
function climbers(steps: Seen<View, Event>[]): Map<number, boolean> {
  const rose = new Map<number, boolean>();
  let turn: { seat: number; rose: boolean; levels: number[] } | null = null;
  for (const { view, events } of steps) {
    for (const event of events) {
      if (event.type === "TurnBegan" && event.phase === "play") {
        if (turn) rose.set(turn.seat, turn.rose);
        turn = { seat: event.seat, rose: false, levels: [] };
      } else if (turn?.seat === (event as { seat?: number }).seat && turn) {
        const { levels } = turn;
        if (event.type === "Moved") turn.rose ||= levels[indexOf(event.target)]! > levels[indexOf(event.source)]!;
        else if (event.type === "Built" && !event.dome) levels[indexOf(event.target)]! += 1;
        else if (event.type === "Lost") turn = null;
      }
    }
    if (turn && !turn.levels.length) turn.levels = view.levels.flat();
  }
  return rose;
}

/** Null where nothing is to be thought about yet, or no more, or where the steps do not reach back far enough. */
export function positionOf(steps: Seen<View, Event>[]): Position | null {
  const now = steps.at(-1)?.view;
  const began = steps.findLastIndex(({ events }) => ofType(events, "TurnBegan").some(({ phase }) => phase === "play"));
  if (!now || now.phase !== "play" || now.winner !== null || began < 0) return null;
  const rose = climbers(steps);
  const athena = now.gods.indexOf("Athena");
  if (athena >= 0 && !rose.has(athena) && !ofType(steps.flatMap(({ events }) => events), "Placed").length) return null;

  const { view } = steps[began]!;
  const start = new Uint8Array(BYTES);
  start[0] = view.order.length;
  start.set(view.order, AT.order);
  start.set(view.gods.map((god) => GODS.indexOf(god)), AT.gods);
  start[AT.seat] = view.seat;
  start[AT.out] = bits(view.out);
  start[AT.risen] = bits(Array.from({ length: SEATS }, (_, seat) => rose.get(seat) ?? false));
  start.set(view.tokens.map((tokens) => Math.min(tokens, TOKENS_MAX)), AT.tokens);
  start.set(view.levels.flatMap((row, i) => row.map((level, j) => level + (view.domes[i]![j] ? DOMED : 0))), AT.towers);
  for (const worker of view.workers) start[AT.workers + 2 * worker.seat + worker.number - 1] = 1 + indexOf(worker);
  start[AT.level] = 1;

  const played = steps.slice(began + 1).flatMap(({ events }) => events.flatMap((event) => {
    if (event.type === "Moved") return [coded(MOVE, event.source, event.target)];
    return event.type === "Built" ? [coded(event.dome ? DOME : BLOCK, event.source, event.target)] : [];
  }));
  return { start, played };
}
