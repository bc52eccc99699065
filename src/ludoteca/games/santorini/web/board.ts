import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import { motion } from "./motion";
import Seat from "./Seat.svelte";
import type { Colour, View } from "./types";
import words from "./words";

/** The colour that a player chose: workers and everything else of this player are drawn in it. */
const HUES: Record<Colour, string> = { LIGHT_BLUE: "light-dark(#1a6f99, #63c0ee)", MAGENTA: "light-dark(#a8327f, #ee8fcd)", WHITE: "light-dark(#6a6357, #efeae0)" };
const hue = (view: View, seat: number): string | null => (view.colours[seat] ? HUES[view.colours[seat]] : null);

/** Loaded when somebody asks for a hint or an analysis. */
const mind = () => import("./mind").then((one) => one.default);

export default { Board, Seat, hue, mind, motion, words } satisfies GameBoard;
