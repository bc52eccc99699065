/** The game in words. */
import { assertNever, measured, seatOf, type Words } from "$lib/board";
import { made, spoken } from "$lib/spoken.svelte";
import type { Phrases } from "./en";
import { plus, points } from "./model";
import { CARDS, LEADERS, RESOURCES, TOKENS, type Action, type Event, type LineTaken, type Pay, type Stock, type View } from "./types";

/** "2 coins, 1 stone". */
export function stock(p: Phrases, some: Stock, faith = 0): string {
  const parts = RESOURCES.flatMap((kind, at) => (some[at] ? [p.count(some[at]!, kind)] : []));
  if (faith) parts.push(p.faith(faith));
  return parts.join(", ") || p.nothing;
}

export function leaderInWords(p: Phrases, leader: string): string {
  const facts = LEADERS[leader]!;
  const kind = facts.kind === "depot" ? p.many[facts.resource] : p.single[facts.resource];
  return p.leader[facts.kind](kind);
}

export function needsInWords(p: Phrases, leader: string): string {
  const facts = LEADERS[leader]!;
  const cards = facts.cards.map((need) => p.leader.cards(need.count, p.colours[need.colour], need.level));
  return p.leader.needs(cards.length ? cards.join(", ") : stock(p, facts.resources));
}

export function cardInWords(p: Phrases, card: string): string {
  const facts = CARDS[card]!;
  return p.card(p.colours[facts.colour], facts.level, facts.points, stock(p, facts.cost), stock(p, facts.takes), stock(p, facts.gives, facts.faith));
}

export function tokenInWords(p: Phrases, token: string): string {
  const { colour, cross, shuffles } = TOKENS[token]!;
  return colour ? p.tell.tokenCards(p.colours[colour]) : `${p.tell.tokenCross(cross)}${shuffles ? p.thenShuffled : ""}`;
}

const spent = (payment: Pay): Stock => [payment.warehouse, payment.leaders, payment.strongbox].reduce(plus);

function words(p: Phrases): Words<View, Event, Action> {
  const lineOf = (event: LineTaken) => p[event.line](event.index + 1);
  return {
    turn(view) {
      if (view.phase === "leaders") return view.boards.flatMap((board, seat) => (board.kept ? [] : [seat]));
      if (view.phase === "resources") return view.boards.flatMap((board, seat) => (board.due ? [seat] : []));
      return view.phase === "over" ? [] : [view.current];
    },
    ask: (question) => ({ ask: { leaders: p.ask.leaders, resources: p.ask.resources, end: p.ask.end }[question.kind] ?? p.ask.action }),
    advise(action) {
      switch (action.type) {
        case "KeepLeaders":
          return { text: p.advise.keep([action.first, action.second].map((leader) => leaderInWords(p, leader)).join("; ")), whole: true };
        case "ChooseResource":
          return { text: p.advise.resource(p.single[action.resource], action.depot + 1), whole: true };
        case "TakeLine":
          return { text: p.advise.line(p[action.line](action.index + 1)), whole: true };
        case "Store":
          return { text: action.resource ? p.advise.store(p.count(action.count, action.resource), action.depot + 1) : p.advise.leave(action.depot + 1), whole: false };
        case "BuyCard":
          return { text: p.advise.buy(cardInWords(p, action.card), action.slot + 1), whole: false };
        case "UseBasic":
        case "UseSlot":
        case "UseLeader":
          return { text: p.advise.produce, whole: false };
        case "Pay":
          return { text: p.advise.pay(stock(p, spent(action))), whole: false };
        case "PlayLeader":
          return { text: p.advise.play(leaderInWords(p, action.leader)), whole: true };
        case "DiscardLeader":
          return { text: p.advise.discard(leaderInWords(p, action.leader)), whole: true };
        case "TakeBack":
          return { text: p.advise.back, whole: true };
        case "EndTurn":
          return { text: p.advise.end, whole: true };
      }
    },
    waiting(view, names) {
      const name = names[view.current] ?? "";
      const detail = view.last_round ? p.lastRound : "";
      if (view.phase === "leaders" || view.phase === "resources" || view.phase === "over") return { ask: p.waiting[view.phase] };
      if (view.waiting.length) return { ask: p.waiting.place(name), detail };
      return { ask: view.acted ? p.waiting.end(name) : p.waiting.turn(name), detail };
    },
    tell(event, names) {
      const seat = seatOf(event);
      const name = names[seat ?? -1] ?? "";
      switch (event.type) {
        case "LeadersKept":
          return { seat, text: p.tell.kept(name) };
        case "ResourceChosen":
          return { seat, text: p.tell.start(name, p.single[event.resource]) };
        case "TurnBegan":
          return { seat, text: "", turn: true };
        case "LineTaken":
          return { seat, text: p.tell.took(name, lineOf(event), event.taken.map((kind) => p.single[kind]).join(", ") || p.nothing) };
        case "WarehouseArranged": {
          const { discarded } = event;
          return { seat, text: discarded.some((count) => count) ? p.tell.gaveUp(name, stock(p, discarded)) : p.tell.arranged(name) };
        }
        case "CardBought": {
          const card = CARDS[event.card]!;
          return { seat, text: p.tell.bought(name, p.colours[card.colour], card.level) };
        }
        case "Produced":
          return { seat, text: p.tell.produced(name, stock(p, spent(event.payment)), stock(p, event.gained, event.faith)) };
        case "LeaderPlayed":
          return { seat, text: p.tell.played(name, leaderInWords(p, event.leader)) };
        case "LeaderDiscarded":
          return { seat, text: p.tell.discarded(name) };
        case "FaithMoved": {
          const markers = event.cells.map((cell, index) => p.marker(names[index] ?? "", cell));
          if (event.cross !== null) markers.push(p.marker(p.lorenzo, event.cross));
          return { text: p.tell.faith(markers.join(", ")) };
        }
        case "ReportHeld": {
          const keepers = names.filter((_, index) => event.kept[index]);
          return { text: p.tell.report(event.report + 1, keepers.join(", ") || p.tell.nobody) };
        }
        case "LastRoundBegan":
          return { seat, text: p.tell.last(name) };
        case "TokenTurned": {
          const token = TOKENS[event.token]!;
          return { text: token.colour ? p.tell.tokenCards(p.colours[token.colour]) : p.tell.tokenCross(token.cross) };
        }
        case "Departed":
          return { seat, text: p.tell.departed(name) };
        case "Rejoined":
          return { seat, text: p.tell.rejoined(name) };
        case "Finished":
          return { text: p.tell.finished };
        case "ResourcesOpened":
        case "Drafted":
        case "TakenBack":
          return null;
        default:
          return assertNever(event);
      }
    },
    facts(view, seat) {
      const board = view.boards[seat]!;
      return [
        { value: points(board), label: p.points(points(board)), score: true },
        { value: board.faith, label: p.marbles.red },
        { label: p.cardsOf7(board.slots.flat().length), wide: true },
      ];
    },
    ended(outcome, names, view) {
      if (view.cross === null || !outcome.ranks.length) return "";
      return outcome.ranks[0] === 1 ? p.beatLorenzo(names[0] ?? "") : p.lorenzoWins;
    },
    measure: { label: p.chart, of: measured((view, seat) => points(view.boards[seat]!)) },
    tally: (steps) => [[p.points(2), steps.at(-1)!.view.boards.map(points)]],
    scores: p.scores,
  };
}

export const phrases = await spoken<Phrases>({ en: () => import("./en"), it: () => import("./it") });
export default made(phrases, words);
