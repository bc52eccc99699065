/** The student moves of a turn, composed before they are sent. It counts students and seats, nothing more. */
import { ofType } from "$lib/board";
import { COLOURS, TABLE, type Action, type Colour, type MoveToDining, type MoveToIsland, type Player, type Students } from "./types";

/** One student of the entrance goes somewhere. */
export type StudentMove = MoveToIsland | MoveToDining;

const at = (colour: Colour): number => COLOURS.indexOf(colour);

/** Students still in the entrance after the drafted moves. */
export function entrance(students: Students, moves: StudentMove[]): Students {
  return students.map((count, index) => count - moves.filter((move) => at(move.colour) === index).length) as Students;
}

/** Students at the tables after the drafted moves. */
export function dining(students: Students, moves: StudentMove[]): Students {
  const seated = moves.filter((move) => move.type === "MoveToDining");
  return students.map((count, index) => count + seated.filter((move) => at(move.colour) === index).length) as Students;
}

/** Options that still make sense after the drafted moves: there is such a student, and a seat for it. */
export function left(options: Action[], player: Pick<Player, "entrance" | "dining">, moves: StudentMove[]): StudentMove[] {
  const here = entrance(player.entrance, moves);
  const tables = dining(player.dining, moves);
  return ofType(options, "MoveToIsland", "MoveToDining").filter((option) => {
    const index = at(option.colour);
    return here[index]! > 0 && (option.type === "MoveToIsland" || tables[index]! < TABLE);
  });
}

/** Where mother nature stops after so many steps. */
export function stop(from: number, steps: number, islands: number): number {
  return (from + steps) % islands;
}
