/** The compiled searcher, the very file that the house runs, in whatever thread this is. */
import { BYTES, type Position } from "./position";

interface Exports {
  memory: WebAssembly.Memory;
  board(): number;
  list(): number;
  load(): void;
  begin(): void;
  save(): void;
  choices(): number;
  play(choice: number): number;
  forget(): void;
  search(count: number, turns: number): number;
  value(): number;
  depth(): number;
}

/** A win that was seen to its end is worth this less the number of turns to it. */
export const WON = 1_000_000;
const TURNS_MAX = 40;
/** How many steps a line has at most, and how many turns. */
const LINE_STEPS = 12;
const LINE_TURNS = 3;
/** Where in a position stands who decides, and how many moves the turn has had. */
const AT = { seat: 7, moves: 46 };

export interface Found {
  /** What the position is worth to who decides there, and how many turns deep that was seen. */
  value: number;
  depth: number;
  /** The best step and what would follow, each with the seat that takes it. */
  line: { seat: number; choice: number }[];
}

export class Engine {
  #until = 0;
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    const host = { more: () => Number(performance.now() < this.#until) };
    this.#exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
  }

  /** What may be answered in a position. */
  choices(position: Position): number[] {
    return this.#listed(this.#load(position));
  }

  /** The position as the engine has it after the steps of the turn. */
  saved(position: Position): Uint8Array {
    this.#load(position);
    this.#exports.save();
    return this.#bytes().slice();
  }

  think(position: Position, ms: number): Found {
    const engine = this.#exports;
    const line: Found["line"] = [];
    let count = this.#load(position);
    engine.forget();
    this.#until = performance.now() + ms;
    let choice = engine.search(this.#sensible(count), TURNS_MAX);
    const found = { value: engine.value(), depth: Math.max(1, engine.depth()), line };
    for (let turns = 0, seat = this.#seat(), step = 0; step < LINE_STEPS && turns < LINE_TURNS && count; step += 1) {
      if (step) {
        // What the search knows already is looked up; the line needs no more.
        this.#until = performance.now() + ms / LINE_STEPS;
        choice = count === 1 ? this.#listed(1)[0]! : engine.search(this.#sensible(count), Math.max(1, found.depth - turns));
      }
      line.push({ seat, choice });
      count = engine.play(choice);
      const next = this.#seat();
      turns += Number(next !== seat);
      seat = next;
    }
    return found;
  }

  #load(position: Position): number {
    const engine = this.#exports;
    this.#bytes().set(position.start);
    engine.load();
    engine.begin();
    let count = engine.choices();
    for (const choice of position.played) count = engine.play(choice);
    return count;
  }

  #bytes(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, this.#exports.board(), BYTES);
  }

  #seat(): number {
    this.#exports.save();
    return this.#bytes()[AT.seat]!;
  }

  /** Every walk comes to an end: after two moves others are taken first, where there are any. */
  #sensible(count: number): number {
    const all = this.#listed(count);
    this.#exports.save();
    const others = all.filter((choice) => (choice & 3) !== 0);
    const kept = this.#bytes()[AT.moves]! > 1 && others.length ? others : all;
    new Uint16Array(this.#exports.memory.buffer, this.#exports.list(), kept.length).set(kept);
    return kept.length;
  }

  #listed(count: number): number[] {
    return [...new Uint16Array(this.#exports.memory.buffer, this.#exports.list(), count)];
  }
}
