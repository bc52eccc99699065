// The load of a peer: sits people down, says "ready"; for each line "MOVES" on its input it lets every match play so
// many moves, waits until both players of all have heard of them, and says "done" and for each move how many
// milliseconds it took until the other player was told. Usage: load.mjs PEER PORT MATCHES
import readline from "node:readline";

const [peer, port, count] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;

class Match {
  constructor() {
    this.limit = 0;
    this.heard = [0, 0];
    this.waiting = null;
    this.moved = 0;
  }

  // A player was told the state after so many moves; `move` sends the next one if it is that player's turn.
  told(seat, played, mine, move) {
    this.heard[seat] = played;
    if (mine) {
      if (this.moved) took.push((performance.now() - this.moved).toFixed(2));
      this.moved = 0;
      this.waiting = () => move(played % 64);
      this.go();
    }
    finished();
  }

  go() {
    if (this.waiting && Math.max(...this.heard) < this.limit) {
      const move = this.waiting;
      this.waiting = null;
      this.moved = performance.now();
      move();
    }
  }
}

const matches = Array.from({ length: Number(count) }, () => new Match());
let playing = false;
let took = [];

function finished() {
  if (playing && matches.every((match) => match.heard.every((heard) => heard >= match.limit))) {
    playing = false;
    console.log("done", took.join(" "));
    took = [];
  }
}

async function sitBoardgame(match) {
  const { io } = await import("socket.io-client");
  const post = async (path, body) =>
    (
      await fetch(base + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  const { matchID } = await post("/games/cells/create", { numPlayers: 2 });
  for (const seat of [0, 1]) {
    const playerID = String(seat);
    const joined = await post(`/games/cells/${matchID}/join`, { playerID, playerName: playerID });
    const credentials = joined.playerCredentials;
    const socket = io(`${base}/cells`, { transports: ["websocket"], forceNew: true, reconnection: false });
    const told = (state) =>
      match.told(seat, state.G.played, state.ctx.currentPlayer === playerID, (cell) => {
        const payload = { type: "write", args: [cell], playerID, credentials };
        socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, matchID, playerID);
      });
    socket.on("update", (_id, state) => told(state));
    await new Promise((resolve) => {
      socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, 2));
      socket.on("sync", (_id, { state }) => {
        told(state);
        resolve();
      });
    });
  }
}

async function sitColyseus(match) {
  const { Client } = await import("@colyseus/sdk");
  const first = await new Client(`ws://127.0.0.1:${port}`).create("cells");
  const second = await new Client(`ws://127.0.0.1:${port}`).joinById(first.roomId);
  for (const [seat, room] of [first, second].entries()) {
    let last = -1;
    const told = (state) => {
      if (state?.played === undefined || state.played === last) return;
      last = state.played;
      match.told(seat, last, state.turn === seat, (cell) => room.send("write", { cell }));
    };
    room.onStateChange(told);
    told(room.state);
  }
}

const sit = peer === "boardgame" ? sitBoardgame : sitColyseus;
for (const match of matches) await sit(match);
console.log("ready");

for await (const line of readline.createInterface({ input: process.stdin })) {
  playing = true;
  for (const match of matches) match.limit += Number(line);
  for (const match of matches) match.go();
  finished();
}
process.exit(0);
