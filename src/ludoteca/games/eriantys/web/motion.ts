/** How students, professors, mother nature, towers and cards get to their places. */
import type { Move } from "$lib/board";
import { COLOURS, type Colour, type Event, type Island, type Origin, type View } from "./types";

const APART_MS = 30;

/** The group that a tile belongs to: groups are joined and numbered anew, tiles are not. */
const groupOf = (view: View, tile: number): Island => view.islands.find((island) => island.tiles.includes(tile))!;
const countOf = (students: number[] | undefined, colour: Colour) => students?.[COLOURS.indexOf(colour)] ?? 0;

export function motion(event: Event, before: View, after: View, me: number | null): Move[] {
  /** The first tile of an island as it was numbered before. */
  const tileOf = (island: number) => before.islands[island]?.tiles[0] ?? 0;
  const origin = (seat: number, colour: Colour, kind: Origin) => (kind === "card" ? `character${before.active?.character}` : `e${seat}-${colour}`);
  switch (event.type) {
    case "AssistantPlayed":
      return [
        ...(event.seat === me ? [{ piece: `hand${me}-${event.value}`, to: `played${me}`, ms: 200 }] : []),
        { piece: `played${event.seat}`, how: "flip", sound: "knock" },
      ];
    case "StudentSent": {
      const { tiles } = groupOf(after, tileOf(event.island));
      const joins = countOf(before.islands[event.island]?.students, event.colour) > 0;
      return [{ piece: `i${tiles[0]}-${event.colour}`, from: origin(event.seat, event.colour, event.origin), joins, sound: "tap" }];
    }
    case "StudentSeated": {
      // In a rival's seat a table is one student and a number.
      const joins = event.seat !== me && countOf(before.players[event.seat]?.dining, event.colour) > 0;
      return [{ piece: `d${event.seat}-${event.colour}`, from: origin(event.seat, event.colour, event.origin), joins, sound: "tap" }];
    }
    case "CoinEarned":
      return [{ piece: `coins${event.seat}`, how: "pulse", sound: "coin" }];
    case "ProfessorTaken":
      return [{ piece: `prof-${event.colour}`, from: `prof-${event.colour}`, sound: "tap" }];
    case "MotherNatureWalked": {
      const count = before.islands.length;
      const via = Array.from({ length: event.steps }, (_, step) => {
        const { tiles } = before.islands[(before.mother_nature + step + 1) % count]!;
        return `tile${tiles[Math.floor((tiles.length - 1) / 2)]}`;
      });
      return [{ piece: "mn", from: "mn", via, how: "hop", sound: "hop" }];
    }
    case "InfluenceCounted":
      return [{ piece: `claims${groupOf(after, tileOf(event.island)).tiles[0]}`, how: "pulse" }];
    case "IslandConquered":
      return (before.islands[event.island]?.tiles ?? []).map((tile, at): Move => ({ piece: `tower${tile}`, how: "drop", sound: "knock", ...(at ? { with: 0 } : {}) }));
    case "IslandsJoined": {
      // The second follows the first clockwise, so the land that grows is before its first tile. What lies on both slides together.
      const joined = [before.islands[event.first], before.islands[event.second]];
      const { tiles } = groupOf(after, joined[0]?.tiles[0] ?? 0);
      const slides = COLOURS.flatMap((colour) => joined.filter((island) => countOf(island?.students, colour) > 0).map((island, at): Move => (
        { piece: `i${tiles[0]}-${colour}`, from: `i${island!.tiles[0]}-${colour}`, how: "slide", ms: 200, with: 0, joins: at > 0 })));
      return [{ piece: `join${joined[1]?.tiles[0]}`, how: "widen" }, ...slides];
    }
    case "CloudTaken": {
      const count = (before.clouds[event.cloud] ?? []).reduce((sum, some) => sum + some, 0);
      return Array.from({ length: count }, (_, at): Move => ({ piece: `cloud${event.cloud}-${at}`, to: `e${event.seat}`, ms: 180, sound: "tap", ...(at ? { with: APART_MS * at } : {}) }));
    }
    case "CloudsFilled":
      return after.clouds.flatMap((cloud, index) =>
        Array.from({ length: cloud.reduce((sum, some) => sum + some, 0) }, (_, at): Move => ({ piece: `cloud${index}-${at}`, how: "grow", ...(index || at ? { with: APART_MS * at } : {}) })));
    case "CharacterBought":
      return [{ piece: `character${event.character}`, how: "pulse", sound: "coin" }];
    default:
      return [];
  }
}
