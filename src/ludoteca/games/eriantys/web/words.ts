/** The game in words. */
import { assertNever, measured, seatOf, type Words } from "$lib/board";
import { made, spoken } from "$lib/spoken.svelte";
import type { Phrases } from "./en";
import { COLOURS, movesOf, type Action, type Event, type Island, type Students, type View } from "./types";

/** The towers that a team has at the start. */
const towersOf = (view: View): number => (view.players.length === 3 ? 6 : 8);

function words(p: Phrases): Words<View, Event, Action> {
  const one = p.creatures;
  const advised = (action: Action): string => {
    switch (action.type) {
      case "PlayAssistant":
        return p.advise.assistant(action.value);
      case "MoveToIsland":
      case "SendFromCard":
        return p.advise.send(one[action.colour], action.island + 1);
      case "MoveToDining":
      case "SeatFromCard":
        return p.advise.seat(one[action.colour]);
      case "Walk":
        return p.advise.walk(action.steps);
      case "TakeCloud":
        return p.advise.cloud(action.cloud + 1);
      case "BuyCharacter":
        return p.advise.buy(p.characters[action.character]![0]);
      case "ResolveIsland":
      case "ForbidIsland":
        return p.advise.island(action.island + 1);
      case "SwapWithCard":
        return p.advise.swap(one[action.taken], one[action.given]);
      case "SwapWithDining":
        return p.advise.swap(one[action.seated], one[action.taken]);
      case "SilenceColour":
      case "ReturnColour":
        return p.advise.colour(p.colours[action.colour]);
      case "StopSwapping":
        return p.advise.stop;
      case "EndTurn":
        return p.advise.end;
    }
  };
  return {
    turn: (view) => (view.phase === "ended" ? [] : [view.current]),
    ask: (question) => ({ ask: question.kind === "assistant" ? p.ask.assistant : question.kind }),
    advise: (action) => ({ text: advised(action), whole: true }),
    waiting(view, names) {
      const name = names[view.current] ?? "";
      const detail = view.last_round ? p.lastRound : p.tell.round(view.round);
      if (view.phase === "ended") return { ask: p.waiting.ended };
      if (view.phase === "planning") return { ask: p.waiting.planning(name), detail };
      if (view.active?.choosing) return { ask: p.waiting.character(name, p.characters[view.active.character]![0]), detail };
      if (view.moved < movesOf(view.players.length)) return { ask: p.waiting.students(name), detail };
      return { ask: view.walked ? p.waiting.cloud(name) : p.waiting.walk(name), detail };
    },
    tell(event, names, view) {
      const seat = seatOf(event);
      const name = names[seat ?? -1] ?? "";
      switch (event.type) {
        case "RoundBegan":
          return { text: p.tell.round(event.round), heading: true };
        case "TurnBegan":
          return view.phase === "action" ? { seat, text: "", turn: true } : null;
        case "AssistantPlayed":
          return { seat, text: p.tell.assistant(name, event.value) };
        case "StudentSent":
          return { seat, text: p.tell.sent(name, p.creatures[event.colour], event.island + 1) };
        case "StudentSeated":
          return { seat, text: p.tell.seated(name, p.creatures[event.colour]) };
        case "CoinEarned":
          return { seat, text: p.tell.coin(name) };
        case "ProfessorTaken":
          return { seat, text: p.tell.professor(name, p.colours[event.colour]) };
        case "MotherNatureWalked":
          return { seat, text: p.tell.walked(name, event.steps, event.island + 1) };
        case "NoEntryLifted":
          return { text: p.tell.lifted(event.island + 1) };
        case "IslandConquered":
          return { text: p.tell.conquered(p.towers[event.tower], event.island + 1) };
        case "IslandsJoined": {
          const [first, second] = [event.first + 1, event.second + 1];
          return { text: p.tell.joined(first, second, Math.min(first, second)) };
        }
        case "CloudTaken":
          return { seat, text: p.tell.cloud(name, event.cloud + 1) };
        case "CharacterBought":
          return { seat, text: p.tell.bought(name, p.characters[event.character]![0], event.price) };
        case "NoEntryPlaced":
          return { seat, text: p.tell.forbidden(name, event.island + 1) };
        case "CardSwapped":
          return { seat, text: p.tell.swapped(name, p.creatures[event.taken], p.creatures[event.given]) };
        case "DiningSwapped":
          return { seat, text: p.tell.swapped(name, p.creatures[event.taken], p.creatures[event.seated]) };
        case "ColourSilenced":
          return { seat, text: p.tell.silenced(name, p.colours[event.colour]) };
        case "ColourReturned":
          return { seat, text: p.tell.returned(name, p.colours[event.colour]) };
        case "LastRoundAnnounced":
          return { text: p.tell.lastRound };
        case "GameEnded":
          return { text: p.tell.ended };
        case "BrokenOff":
          return { seat, text: p.tell.broken(name) };
        case "CloudsFilled":
        case "OrderFixed":
        case "InfluenceCounted":
        case "CardRefilled":
        case "CharacterDone":
          return null;
        default:
          return assertNever(event);
      }
    },
    measure: { label: p.end.towers, stepped: true, of: measured((view, seat) => towersOf(view) - view.players[seat]!.towers) },
    tally(steps) {
      const view = steps.at(-1)!.view;
      const each = (of: (seat: number) => number) => view.players.map((_, seat) => of(seat));
      return [
        [p.end.built, each((seat) => towersOf(view) - view.players[seat]!.towers)],
        [p.end.professors, each((seat) => view.professors.filter((holder) => holder === seat).length)],
        [p.end.seated, each((seat) => view.players[seat]!.dining.reduce((sum, count) => sum + count, 0))],
      ];
    },
    ended: (outcome, names) => p.ended[outcome.reason]?.(names.filter((_, seat) => outcome.ranks[seat] === 1).join(" + ")) ?? "",
    facts(view, seat) {
      const player = view.players[seat]!;
      const facts = [{ value: player.towers, label: p.towerWord(player.towers), phone: true }];
      return view.mode === "Expert" ? [...facts, { value: player.coins, label: p.coinWord(player.coins), phone: true }] : facts;
    },
  };
}

/** "3 red, 1 pink". */
export function students(p: Phrases, some: Students): string {
  return COLOURS.flatMap((colour, index) => (some[index] ? [p.count(some[index]!, p.colours[colour])] : [])).join(", ");
}

/** An island for those who cannot see it: place, content, state. */
export function islandInWords(p: Phrases, island: Island, index: number, motherNature: boolean): string {
  const words = [p.island(index + 1)];
  if (island.tiles.length > 1) words.push(p.joinedTiles(island.tiles.length));
  words.push(students(p, island.students) || p.empty);
  if (island.tower) words.push(p.towerOf(p.towers[island.tower]));
  if (island.no_entry) words.push(p.noEntry);
  if (motherNature) words.push(p.motherNature);
  return words.join(", ");
}

export const phrases = await spoken<Phrases>({ en: () => import("./en"), it: () => import("./it") });
export default made(phrases, words);
