import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import Seat from "./Seat.svelte";
import words from "./words";

export default { Board, Seat, heavy: true, words } satisfies GameBoard;
