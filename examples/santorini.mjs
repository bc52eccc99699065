// A player of Santorini, written from PROTOCOL.md alone: chooses by chance among what the server offers.
//
//   node santorini.mjs 127.0.0.1:2033 ada [players]

import { connect } from "node:net";
import { createInterface } from "node:readline";

const COLOURS = ["MAGENTA", "LIGHT_BLUE", "WHITE"];
const CELLS = Array.from({ length: 25 }, (_, place) => ({ i: Math.floor(place / 5), j: place % 5 }));
const [address, name, players = "2"] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (type, fields = {}) => server.write(JSON.stringify({ type, ...fields }) + "\n");
const pick = (list) => list[Math.floor(Math.random() * list.length)];
const same = (one, other) => one.i === other.i && one.j === other.j;
const shuffled = (list) => list.map((value) => [Math.random(), value]).sort().map(([, value]) => value);

let builders = []; // Where our own two stand.
const taken = []; // Where anybody stands, while builders are placed.
let offer = null; // The last offer, to choose from again after a refusal.
let winner = null;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

// Move or build, as the last offer has it: a list for each builder; for domes, two more.
function choose() {
  const { type, possibleDst } = offer;
  const [number, dst] = pick(possibleDst.flatMap((cells, number) => cells.map((cell) => [number, cell])));
  if (type === "possibleMoveDestinations") say("move", { src: builders[number], dst });
  else say("build", { src: builders[number % 2], dst, buildDome: number >= 2 });
}

const hearers = {
  ping: () => say("pong"),
  askNumberOfPlayers: () => say("setNumberOfPlayers", { numberOfPlayers: Number(players) }),
  stateUpdate: ({ state }) => state === "SETUP_PLAYERS" && console.log(`${name} waits for the others`),
  askNickAndDate: () => say("addPlayer", { name, date: `${1950 + Math.floor(Math.random() * 60)}.01.02` }),
  playerAdded: (message) => message.name === name && !message.result && fail(`the name ${name} is taken`),
  chooseMatchGodCards({ godDescriptions, numberOfPlayers }) {
    const godCardNames = shuffled(Object.keys(godDescriptions)).slice(0, Number(numberOfPlayers));
    say("setMatchGodCards", { godCardNames });
  },
  askGod({ godDescriptions, chosenGodCards }) {
    const free = Object.keys(godDescriptions).filter((god) => !chosenGodCards.includes(god));
    say("setGodCard", { godCard: pick(free) });
  },
  chooseStartPlayer: (message) => say("setStartPlayer", { name: pick(message.players) }),
  askColor({ chosenColors }) {
    say("colorUpdate", { color: pick(COLOURS.filter((colour) => !chosenColors.includes(colour))) });
  },
  askBuilders() {
    const free = CELLS.filter((cell) => !taken.some((other) => same(cell, other)));
    say("buildersPlacement", { positions: shuffled(free).slice(0, 2) });
  },
  buildersPlacement(message) {
    if (!message.result) return;
    taken.push(...message.positions);
    if (message.name === name) builders = message.positions;
  },
  possibleMoveDestinations(message) {
    offer = message;
    choose();
  },
  possibleBuildDestinations(message) {
    offer = message;
    choose();
  },
  builderPushed: (message) => walk(message),
  move: (message) => (message.result ? walk(message) : choose()),
  build: (message) => message.result || choose(),
  askStep: ({ possibleSteps }) => say("setStepChoice", { stepChoice: pick(possibleSteps) }),
  endGame: (message) => (winner = message.winner),
  disconnect: () => say("disconnect"),
};

function walk(message) {
  if (message.name !== name) return;
  builders = builders.map((cell) => (same(cell, message.src) ? message.dst : cell));
}

for await (const line of createInterface({ input: server })) {
  const message = JSON.parse(line);
  hearers[message.type]?.(message);
  if (winner) break;
}
if (winner === null) fail(`${name}: the match was broken off`);
console.log(`over: ${winner} wins`);
process.exit(0);
