import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import { motion } from "./motion";
import Player from "./Player.svelte";
import Seat from "./Seat.svelte";
import type { Tower, View } from "./types";
import words from "./words";

/** A player is drawn in the colour of the towers, as far as white and black can be told apart from paper; partners share it. */
const HUES: Record<Tower, string> = { white: "light-dark(#8f6a14, #f6e7bd)", black: "light-dark(#17181c, #98a2ff)", gray: "light-dark(#4f7388, #7fb0c8)" };
const hue = (view: View, seat: number): string => HUES[view.players[seat]!.tower];

export default { Board, Seat, Player, hue, motion, words } satisfies GameBoard;
