/** The game in words. */
import { assertNever, counted, measured, seatOf, type Fact, type Words } from "$lib/board";
import { made, spoken } from "$lib/spoken.svelte";
import type { Language } from "$lib/settings.svelte";
import type { Phrases } from "./en";
import { godName } from "./gods";
import { nameOf, type Action, type Event, type View } from "./types";

function words(p: Phrases, language: Language): Words<View, Event, Action> {
  const POWER = "by the power of ";
  return {
    turn: (view) => (view.phase === "over" ? [] : [view.seat]),
    ask(question, view, seat) {
      const placed = view.workers.filter((worker) => worker.seat === seat).length;
      switch (question.kind) {
        case "gods":
          return { ask: p.offer(view.order.length - view.offered.length), detail: p.offerDetail };
        case "god":
          return { ask: p.take };
        case "start":
          return { ask: p.start };
        case "colour":
          return { ask: p.colour };
        default:
          return { ask: p.place(placed + 1) };
      }
    },
    advise(action, _view, names) {
      switch (action.type) {
        case "OfferGod":
        case "TakeGod":
          return { text: p.advise.god(godName(action.god, language)), whole: true };
        case "ChooseStart":
          return { text: p.advise.start(names[action.seat] ?? ""), whole: true };
        case "ChooseColour":
          return { text: p.advise.colour(p.colours[action.colour]), whole: true };
        case "Place":
          return { text: p.advise.place(nameOf(action.cell)), whole: true };
        case "Move":
          return { text: p.advise.move(nameOf(action.source), nameOf(action.target)), whole: true };
        case "Build":
          return { text: action.dome ? p.advise.dome(nameOf(action.target)) : p.advise.build(nameOf(action.target)), whole: true };
        case "Finish":
          return { text: p.advise.finish, whole: true };
      }
    },
    waiting: (view, names) => ({ ask: p.waiting[view.phase](names[view.seat] ?? "") }),
    tell(event, names) {
      const seat = seatOf(event);
      const name = names[seat ?? -1] ?? "";
      switch (event.type) {
        case "TurnBegan":
          return event.phase === "play" ? { seat, text: "", turn: true } : null;
        case "GodOffered":
          return { seat, text: p.tell.offered(name, godName(event.god, language)) };
        case "GodTaken":
          return { seat, text: p.tell.taken(name, godName(event.god, language)) };
        case "StartChosen":
          return { seat, text: p.tell.begins(name) };
        case "ColourChosen":
          return { seat, text: p.tell.colour(name, p.colours[event.colour]) };
        case "Placed":
          return { seat, text: p.tell.placed(name, event.number, nameOf(event.cell)) };
        case "TokensCounted":
          return { seat, text: p.tell.tokens(name, event.tokens) };
        case "Pushed":
          return { seat, text: p.tell.pushed(name, event.number, nameOf(event.target)) };
        case "Moved":
          return { seat, text: p.tell.moved(name, event.number, nameOf(event.source), nameOf(event.target)) };
        case "Built":
          return { seat, text: event.dome ? p.tell.domed(name, nameOf(event.target)) : p.tell.built(name, nameOf(event.target)) };
        case "Lost":
          return { seat, text: p.tell.lost(name) };
        case "Won":
          return { seat, text: p.tell.won(name) };
        case "BrokenOff":
          return { seat, text: p.tell.broken(name) };
        default:
          return assertNever(event);
      }
    },
    facts(view, seat) {
      const facts: Fact[] = view.gods[seat] ? [{ label: godName(view.gods[seat], language), phone: true }] : [];
      if (view.tokens[seat]) facts.push({ value: view.tokens[seat], label: p.tokens(view.tokens[seat]!) });
      if (view.out[seat]) facts.push({ label: p.out });
      return facts;
    },
    ended({ reason, ranks }, names) {
      const winner = names[ranks.indexOf(1)] ?? "";
      if (reason.startsWith(POWER)) return p.ended.power(winner, godName(reason.slice(POWER.length), language));
      return reason === "nobody else could go on" ? p.ended.blocked(winner) : p.ended.climbed(winner);
    },
    out: (view, seat) => view.out[seat] ?? false,
    measure: { label: p.end.highest, stepped: true, of: measured((view, seat) => Math.max(0, ...view.workers.filter((one) => one.seat === seat).map((one) => view.levels[one.i]![one.j]!))) },
    tally(steps, seats) {
      const by = (type: Event["type"], event: Event, seat: number) => event.type === type && event.seat === seat;
      const climbs = (event: Event, view: View, seat: number) =>
        Number(event.type === "Moved" && by("Moved", event, seat) && view.levels[event.target.i]![event.target.j]! > view.levels[event.source.i]![event.source.j]!);
      return [[p.end.built, counted(steps, seats, (event, _, seat) => Number(by("Built", event, seat)))], [p.end.climbs, counted(steps, seats, climbs)]];
    },
  };
}

export const phrases = await spoken<Phrases>({ en: () => import("./en"), it: () => import("./it") });
export default made(phrases, words);
