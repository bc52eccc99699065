// A player of Eriantys, written from PROTOCOL.md alone: fills the dining room, Basic mode.
//
//   node eriantys.mjs 127.0.0.1:8090 ada [players]

import { connect } from "node:net";
import { createInterface } from "node:readline";

const BEAT_MS = 500;
const TABLE_MAX = 10;
const [address, name, players = "2"] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (type, fields = {}) => server.write(JSON.stringify({ type, ...fields }) + "\n");
const pick = (list) => list[Math.floor(Math.random() * list.length)];

let playerID = "";
let board = null;
let winner; // Not known yet; null is a draw.

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

// One action of those that are possible.
function act(kinds) {
  const me = board.players.find((player) => player.nickname === name);
  if (kinds.includes("CHOOSE_CLOUD")) {
    const full = board.clouds.filter((cloud) => Object.values(cloud.students).some((count) => count > 0));
    return { actionType: "CHOOSE_CLOUD", cloud: pick(full).id };
  }
  if (kinds.includes("MOVE_MOTHER_NATURE")) {
    const steps = 1 + Math.floor(Math.random() * me.lastAssistant.steps);
    return { actionType: "MOVE_MOTHER_NATURE", steps };
  }
  if (kinds.includes("END")) return { actionType: "END" };
  const colours = Object.keys(me.entrance).filter((colour) => me.entrance[colour] > 0);
  const seats = colours.filter((colour) => me.diningRoom[colour] < TABLE_MAX);
  if (seats.length && Math.random() < 0.7) {
    return { actionType: "MOVE_STUDENT_TO_DININGROOM", color: pick(seats) };
  }
  return { actionType: "MOVE_STUDENT_TO_ISLAND", color: pick(colours), island: pick(board.islands).id };
}

const look = () => say("AskGameListMessage", { playerID });

const hearers = {
  NotifyPlayerIdMessage(message) {
    playerID = message.playerID;
    look();
  },
  GameListMessage({ gameList }) {
    if (gameList.length) return say("SelectGameMessage", { playerID, gameName: gameList[0].gameName });
    const gameInfo = { gameName: name, gameMode: "Basic", numPlayers: Number(players) };
    say("NewGameMessage", { playerID, gameInfo });
  },
  AskNewGameName: look,
  AskNewGameChoice: look,
  AskNickname({ isFirstRequest }) {
    if (!isFirstRequest) fail(`the name ${name} is taken`);
    say("SetNickname", { playerID, nickname: name });
  },
  AskTowerColor: ({ possibleColors }) => say("SetTowerColor", { playerID, color: possibleColors[0] }),
  AckTowerColor: () => console.log(`${name} is in`),
  GameStart: ({ game }) => (board = game),
  UpdateGameBoard: ({ gameInfo }) => (board = gameInfo),
  AskAssistantCard({ game, possibleCards }) {
    board = game;
    say("SetAssistantCard", { nickname: name, assistantCard: pick(possibleCards) });
  },
  AskAction: ({ possibleActions }) => say("SetAction", { nickname: name, action: act(possibleActions) }),
  ShowEndGame: ({ winnerNickname }) => (winner = winnerNickname),
  ShowDisconnection: ({ disconnectedNickname }) => fail(`${disconnectedNickname ?? "somebody"} has left`),
};

// Two seconds without a line count as lost.
const beating = setInterval(() => say("Heartbeat"), BEAT_MS);
for await (const line of createInterface({ input: server })) {
  const message = JSON.parse(line);
  hearers[message.type]?.(message);
}
clearInterval(beating);
if (winner === undefined) fail(`${name}: the match was broken off`);
console.log(`over: ${winner ?? "nobody"} wins`);
