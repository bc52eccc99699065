import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import Lorenzo from "./Lorenzo.svelte";
import { motion } from "./motion";
import Player from "./Player.svelte";
import Seat from "./Seat.svelte";
import words from "./words";

export default { Board, Seat, Player, Extras: Lorenzo, motion, words } satisfies GameBoard;
