import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import words from "./words";

export default { Board, words } satisfies GameBoard;
