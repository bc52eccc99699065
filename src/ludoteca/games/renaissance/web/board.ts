import type { GameBoard } from "$lib/board";
import Board from "./Board.svelte";
import Lorenzo from "./Lorenzo.svelte";
import Player from "./Player.svelte";
import Seat from "./Seat.svelte";
import words from "./words";

export default { Board, Seat, Player, Extras: Lorenzo, words } satisfies GameBoard;
