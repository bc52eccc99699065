// A match of two on 64 cells at boardgame.io: whoever is on turn writes a number, both are told. Usage: boardgame.mjs [FOLDER]
import { announce } from "./loopback.mjs";
import { createRequire } from "node:module";

const { Server, FlatFile } = createRequire(import.meta.url)("boardgame.io/server");
const folder = process.argv[2];

const cells = {
  name: "cells",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: () => ({ board: Array(64).fill(0), played: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    write({ G }, cell) {
      if (!Number.isInteger(cell) || cell < 0 || cell > 63) return "INVALID_MOVE";
      G.played += 1;
      G.board[cell] = G.played;
    },
  },
};

const db = folder ? { db: new FlatFile({ dir: folder, logging: false }) } : {};
const running = await Server({ games: [cells], origins: ["http://127.0.0.1"], ...db }).run(0);
announce(running.appServer);
