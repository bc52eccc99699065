/** What the dialogs compute: sums, the depots, the steps that a whole decision is sent as. No rules. */
import { CARDS, COLOURS, GIVES, LEADER_PLACES, LEADERS, PLACES, RESOURCES } from "./types";
import type { Depot, PlayerBoard, Power, Resource, Stock, Store, View } from "./types";

export const NOTHING: Stock = [0, 0, 0, 0];
/** A stock made of its counts, one after the other. */
export function each([coins, stones, servants, shields]: Stock, change: (count: number, at: number) => number): Stock {
  return [change(coins, 0), change(stones, 1), change(servants, 2), change(shields, 3)];
}
export const plus = (one: Stock, other: Stock): Stock => each(one, (count, at) => count + other[at]!);
export const minus = (one: Stock, other: Stock): Stock => each(one, (count, at) => count - other[at]!);
/** What is positive of it. */
export const positive = (stock: Stock): Stock => each(stock, (count) => Math.max(0, count));
export const covers = (one: Stock, other: Stock): boolean => one.every((count, at) => count >= other[at]!);
export const sum = (stock: Stock): number => stock.reduce((total, count) => total + count, 0);
const some = (resource: Resource | null, count: number): Stock => each(NOTHING, (_, at) => (RESOURCES[at] === resource ? count : 0));
export const one = (resource: Resource): Stock => some(resource, 1);
export const of = (resources: Resource[]): Stock => resources.map(one).reduce(plus, NOTHING);

const held = (depots: Depot[]): Stock => depots.map((depot) => some(depot.resource, depot.count)).reduce(plus, NOTHING);
export const warehouse = (board: PlayerBoard): Stock => held(board.depots.slice(0, PLACES.length));
export const leaderDepots = (board: PlayerBoard): Stock => held(board.depots.slice(PLACES.length));
export const owned = (board: PlayerBoard): Stock => plus(held(board.depots), board.strongbox);

/** What the depots of the leaders in play are for, in the order they came. */
export const depotKinds = (board: PlayerBoard): Resource[] => board.played.filter((leader) => LEADERS[leader]!.kind === "depot").map((leader) => LEADERS[leader]!.resource);
export const capacity = (depot: number): number => PLACES[depot] ?? LEADER_PLACES;

/** A card's price for this player: discount leaders take one off. */
export function price(board: PlayerBoard, card: string): Stock {
  const discounts = board.played.filter((leader) => LEADERS[leader]!.kind === "discount").map((leader) => one(LEADERS[leader]!.resource));
  return discounts.reduce((cost, less) => positive(minus(cost, less)), CARDS[card]!.cost);
}

/** The place of a card's deck in the grid: level 3 first. */
export const placeOf = (card: string): number => (3 - CARDS[card]!.level) * COLOURS.length + COLOURS.indexOf(CARDS[card]!.colour);

/** The depots that hold something else than before. */
export function changed(before: PlayerBoard | null, board: PlayerBoard): ReadonlySet<number> {
  const same = (one: Depot | undefined, other: Depot) => one?.count === other.count && (one.resource === other.resource || other.count === 0);
  return new Set(before === null ? [] : board.depots.flatMap((depot, index) => (same(before.depots[index], depot) || (!before.depots[index] && !depot.count) ? [] : [index])));
}

// Placing.

/** The depots as these steps would fill them; those that the house proposes are where a person starts from. */
export function laid(board: PlayerBoard, steps: Store[]): Depot[] {
  return board.depots.map((_, index) => {
    const step = steps.find((one) => one.depot === index);
    return { resource: step?.resource ?? null, count: step?.resource ? step.count : 0 };
  });
}

/** What is in no depot. */
export function givenUp(board: PlayerBoard, waiting: Resource[], depots: Depot[]): Stock {
  return minus(plus(held(board.depots), of(waiting)), held(depots));
}

/** Whether one more of this kind can go into a depot, as the depots stand. */
export function fits(board: PlayerBoard, depots: Depot[], depot: number, kind: Resource): boolean {
  const here = depots[depot]!;
  if (here.count >= capacity(depot) || (here.resource !== null && here.resource !== kind)) return false;
  if (depot >= PLACES.length) return depotKinds(board)[depot - PLACES.length] === kind;
  return depots.every((other, index) => index === depot || index >= PLACES.length || other.resource !== kind);
}

const ORDER = [2, 1, 0, 3, 4];

/** An arrangement as the steps the house asks for: depot by depot, passing over those that nothing could go into. */
export function stores(board: PlayerBoard, waiting: Resource[], depots: Depot[]): Store[] {
  let rest = plus(held(board.depots), of(waiting));
  const used = new Set<Resource>();
  const kinds = depotKinds(board);
  const steps: Store[] = [];
  for (const depot of ORDER) {
    if (depot >= depots.length || sum(rest) === 0) break;
    const candidates = depot < PLACES.length ? RESOURCES.filter((kind) => !used.has(kind)) : [kinds[depot - PLACES.length]!];
    if (!candidates.some((kind) => rest[RESOURCES.indexOf(kind)]! > 0)) continue;
    const { resource, count } = depots[depot]!;
    steps.push({ type: "Store", depot, resource, count: resource === null ? 0 : count });
    if (resource === null) continue;
    rest = minus(rest, some(resource, count));
    if (depot < PLACES.length) used.add(resource);
  }
  return steps;
}

// Paying.

export interface Payment { warehouse: Stock; leaders: Stock; strongbox: Stock }
export type Source = keyof Payment;
export const SOURCES: Source[] = ["warehouse", "leaders", "strongbox"];

export const stockOf = (board: PlayerBoard): Payment => ({ warehouse: warehouse(board), leaders: leaderDepots(board), strongbox: board.strongbox });

/** Pay what is due, from the sources in this order. */
export function prefill(board: PlayerBoard, due: Stock, order: Source[] = SOURCES): Payment {
  const stock = stockOf(board);
  const payment: Payment = { warehouse: [...NOTHING], leaders: [...NOTHING], strongbox: [...NOTHING] };
  RESOURCES.forEach((_, at) => {
    let left = due[at]!;
    for (const source of order) {
      const count = Math.min(left, stock[source][at]!);
      payment[source][at] = count;
      left -= count;
    }
  });
  return payment;
}

export const paid = (payment: Payment): Stock => SOURCES.map((source) => payment[source]).reduce(plus, NOTHING);

/** Producing: what the chosen powers take and give together. */
export function totals(board: PlayerBoard, powers: Power[]): { takes: Stock; gives: Stock; faith: number } {
  let [takes, gives, faith] = [NOTHING, NOTHING, 0];
  for (const power of powers) {
    if (power.type === "UseBasic") {
      takes = plus(takes, of(power.spend));
      gives = plus(gives, one(power.gain));
    } else if (power.type === "UseSlot") {
      const card = CARDS[board.slots[power.slot]!.at(-1)!]!;
      takes = plus(takes, card.takes);
      gives = plus(gives, card.gives);
      faith += card.faith;
    } else {
      takes = plus(takes, one(LEADERS[power.leader]!.resource));
      gives = plus(gives, one(power.gain));
      faith += 1;
    }
  }
  return { takes, gives, faith };
}

/** What a line of the market gives, white marbles counted apart. */
export function harvest(view: View, line: "row" | "column", index: number): { resources: Stock; faith: number; whites: number } {
  const places = line === "row" ? [0, 1, 2, 3].map((column) => index * 4 + column) : [0, 1, 2].map((row) => row * 4 + index);
  const marbles = places.map((place) => view.marbles[place]!);
  return {
    resources: of(marbles.flatMap((marble) => GIVES[marble] ?? [])),
    faith: marbles.filter((marble) => marble === "red").length,
    whites: marbles.filter((marble) => marble === "white").length,
  };
}

/** Points so far: cards, faith, tiles, leaders, resources. */
export function points(board: PlayerBoard): number {
  const cards = board.slots.flat().reduce((total, card) => total + CARDS[card]!.points, 0);
  const leaders = board.played.reduce((total, leader) => total + LEADERS[leader]!.points, 0);
  const steps = [0, 1, 2, 4, 6, 9, 12, 16, 20];
  const tiles = board.tiles.reduce((total, tile, index) => total + (tile === "up" ? index + 2 : 0), 0);
  return cards + leaders + steps[Math.floor(board.faith / 3)]! + tiles + Math.floor(sum(owned(board)) / 5);
}
