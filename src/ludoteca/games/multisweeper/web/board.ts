import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import Ladder from "./Ladder.svelte";
import { motion } from "./motion";
import words from "./words";

export default { Board, Extras: Ladder, motion, words } satisfies GameBoard;
