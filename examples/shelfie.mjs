// A player of My Shelfie, written from PROTOCOL.md alone: takes one tile a turn, into the emptiest column.
//
//   node shelfie.mjs 127.0.0.1:11500 ada [players]

import { connect } from "node:net";
import { createInterface } from "node:readline";

const SIDES = [[-1, 0], [1, 0], [0, -1], [0, 1]];
const [address, name, players = "2"] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (type, fields = {}) => server.write(JSON.stringify({ type, ...fields }) + "\n");
const pick = (list) => list[Math.floor(Math.random() * list.length)];

let cells = []; // The board.
let shelf = Array.from({ length: 6 }, () => Array(5).fill("EMPTY")); // The top row first.
let hand = []; // What we took and did not place yet.
let result = null;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

const tileAt = (row, column) =>
  cells.find((cell) => cell.row === row && cell.column === column)?.tile ?? "EMPTY";

// Take a tile that has an empty side.
function take() {
  const free = cells.filter(
    ({ row, column, tile }) =>
      tile !== "EMPTY" && SIDES.some(([down, right]) => tileAt(row + down, column + right) === "EMPTY"),
  );
  const { row, column } = pick(free);
  say("PickTileRequest", { position: { row, column } });
}

// The column with the most empty places.
function emptiest() {
  const room = [0, 1, 2, 3, 4].map((column) => shelf.filter((row) => row[column] === "EMPTY").length);
  return room.indexOf(Math.max(...room));
}

const hearers = {
  PingMessage: () => say("PongMessage"),
  LoginResponse({ nickname }) {
    if (nickname === null) fail(`the name ${name} is taken`);
    console.log(`${name} is in`);
  },
  NumPlayersRequest: () => say("NumPlayersResponse", { numPlayers: Number(players) }),
  GameStartNotify({ board, nextPlayer }) {
    cells = board.cells;
    if (nextPlayer === name) take();
  },
  PickTileResponse({ pickedTiles }) {
    hand = pickedTiles;
    say("ConfirmPickRequest");
  },
  ConfirmPickResponse({ board }) {
    cells = board.cells;
    if (hand.length) say("ConfirmColumnRequest", { columnNumber: emptiest() });
  },
  ConfirmColumnResponse: () => say("ConfirmOrderNotify", { pickedTiles: hand }),
  EndTurnNotify({ board, bookshelf, player, nextPlayer }) {
    cells = board.cells;
    if (player === name) {
      shelf = bookshelf.rows;
      hand = [];
    } else if (nextPlayer === name) {
      // The last turn of all names the mover again.
      take();
    }
  },
  GameResultNotify: (message) => (result = message),
};

say("LoginRequest", { nickname: name });
for await (const line of createInterface({ input: server })) {
  const message = JSON.parse(line);
  hearers[message.type]?.(message);
}
if (result === null) fail(`${name}: the match was broken off`);
const points = Object.entries(result.points).map(([player, number]) => `${player} ${number}`);
console.log(`over: ${result.winner} wins (${points.join(", ")})`);
