/** The game in words. */
import type { Fact, Words } from "$lib/board";
import type { Language } from "$lib/settings.svelte";
import { en, type Phrases } from "./en";
import { godName } from "./gods";
import { it } from "./it";
import { nameOf, type Cell, type Colour, type View } from "./types";

function words(p: Phrases, language: Language): Words<View> {
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
    waiting: (view, names) => ({ ask: p.waiting[view.phase](names[view.seat] ?? "") }),
    tell(event, names) {
      const seat = event.seat as number;
      const name = names[seat] ?? "";
      const number = event.number as number;
      const at = (field: string) => nameOf(event[field] as Cell);
      switch (event.type) {
        case "TurnBegan":
          return event.phase === "play" ? { text: p.tell.turn(name), heading: true } : null;
        case "GodOffered":
          return { seat, text: p.tell.offered(name, godName(event.god as string, language)) };
        case "GodTaken":
          return { seat, text: p.tell.taken(name, godName(event.god as string, language)) };
        case "StartChosen":
          return { seat, text: p.tell.begins(name) };
        case "ColourChosen":
          return { seat, text: p.tell.colour(name, p.colours[event.colour as Colour]) };
        case "Placed":
          return { seat, text: p.tell.placed(name, number, at("cell")) };
        case "TokensCounted":
          return { seat, text: p.tell.tokens(name, event.tokens as number) };
        case "Pushed":
          return { seat, text: p.tell.pushed(name, number, at("target")) };
        case "Moved":
          return { seat, text: p.tell.moved(name, number, at("source"), at("target")) };
        case "Built":
          return { seat, text: event.dome ? p.tell.domed(name, at("target")) : p.tell.built(name, at("target")) };
        case "Lost":
          return { seat, text: p.tell.lost(name) };
        case "Won":
          return { seat, text: p.tell.won(name) };
        case "BrokenOff":
          return { seat, text: p.tell.broken(name) };
        default:
          return null;
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
  };
}

export const phrases = { en, it };
export default { en: words(en, "en"), it: words(it, "it") };
