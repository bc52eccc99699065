// The same match at Colyseus; with "eager", what a move changed is sent at once instead of every 50 ms.
import { announce } from "./loopback.mjs";
import http from "node:http";
import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { schema } from "@colyseus/schema";

const eager = process.argv[2] === "eager";
const Cells = schema({ board: ["number"], turn: "uint8", played: "number" });

class CellsRoom extends Room {
  maxClients = 2;

  onCreate() {
    this.state = new Cells();
    this.state.turn = 0;
    this.state.played = 0;
    for (let cell = 0; cell < 64; cell++) this.state.board.push(0);
    this.players = [];
    if (eager) this.setPatchRate(null);
    this.onMessage("write", (client, { cell }) => {
      if (this.players[this.state.turn] !== client.sessionId) return;
      if (!Number.isInteger(cell) || cell < 0 || cell > 63) return;
      this.state.played += 1;
      this.state.board[cell] = this.state.played;
      this.state.turn = 1 - this.state.turn;
      if (eager) this.broadcastPatch();
    });
  }

  onJoin(client) {
    this.players.push(client.sessionId);
  }
}

const web = http.createServer();
const server = new Server({ transport: new WebSocketTransport({ server: web }), greet: false });
server.define("cells", CellsRoom);
await server.listen(0);
announce(web);
