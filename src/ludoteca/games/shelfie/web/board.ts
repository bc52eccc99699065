import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import { motion } from "./motion";
import Player from "./Player.svelte";
import Seat from "./Seat.svelte";
import words from "./words";

export default { Board, Seat, Player, motion, words } satisfies GameBoard;
