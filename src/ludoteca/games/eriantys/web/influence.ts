/** Who leads on an island: students of one's professors and towers, as the character in force lets them count. */
import { COLOURS, type Island, type Tower, type View } from "./types";

const CENTAUR = 6;
const KNIGHT = 8;
const KNIGHTS = 2;

/** A team, the seats it is made of, and its influence. */
export interface Claim { tower: Tower; seats: number[]; influence: number }

/** The teams with any influence, most first. */
export function influence(view: Pick<View, "players" | "professors" | "active">, island: Pick<Island, "students" | "tower" | "tiles">): Claim[] {
  const { players, professors, active } = view;
  const teams = new Map<Tower, Claim>();
  players.forEach(({ tower }, seat) => teams.set(tower, { tower, influence: 0, seats: [...(teams.get(tower)?.seats ?? []), seat] }));
  const add = (tower: Tower, count: number) => (teams.get(tower)!.influence += count);
  professors.forEach((holder, at) => {
    if (holder !== null && active?.colour !== COLOURS[at]) add(players[holder]!.tower, island.students[at]!);
  });
  if (island.tower && active?.character !== CENTAUR) add(island.tower, island.tiles.length);
  if (active?.character === KNIGHT) add(players[active.seat]!.tower, KNIGHTS);
  return [...teams.values()].filter((claim) => claim.influence > 0).sort((one, other) => other.influence - one.influence);
}
