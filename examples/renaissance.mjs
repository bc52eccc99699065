// A player of Masters of Renaissance, written from PROTOCOL.md alone: goes to the market in every turn.
//
//   node renaissance.mjs 127.0.0.1:4000 adalove [players]

import { connect } from "node:net";
import { createInterface } from "node:readline";

const PLACES = [1, 2, 3];
const [address, name, players = "2"] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (type, fields = {}) => server.write(JSON.stringify({ type, ...fields }) + "\n");
const below = (number) => Math.floor(Math.random() * number);

let warehouse = { 0: [], 1: [], 2: [] };
let score = null;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

// What there is and as much of the rest as has a place; what is left out is discarded.
function store(resources) {
  const depots = [0, 1, 2].map((depot) => [...warehouse[depot]]);
  for (const resource of resources) {
    // One depot for a resource; a new one goes where the least room is enough.
    const same = depots.findIndex((held) => held.includes(resource));
    const depot = same >= 0 ? same : depots.findIndex((held) => held.length === 0);
    if (depot >= 0 && depots[depot].length < PLACES[depot]) depots[depot].push(resource);
  }
  return { 0: depots[0], 1: depots[1], 2: depots[2] };
}

const hearers = {
  ping: () => say("pong"),
  usernameResponse({ free, reason }) {
    if (!free) fail(`the name ${name} cannot be had: ${reason}`);
    console.log(`${name} is in`);
  },
  numberOfPlayersRequest: () => say("numberOfPlayersReply", { number: Number(players) }),
  leaderCardsRequest({ leaderCards }) {
    say("leaderCardsReply", { username: name, leaderCards: leaderCards.slice(below(3)).slice(0, 2) });
  },
  resourcesRequest({ number }) {
    warehouse[2] = Array(number).fill("COINS");
    say("resourcesReply", { username: name, warehouse });
  },
  possibleActions({ actions }) {
    say("actionReply", { action: actions.includes("ENDTURN") ? "ENDTURN" : "MARKETACTION" });
  },
  actionResponse({ action }) {
    if (action !== "MARKETACTION") return;
    const row = below(2) === 0;
    say("rowColumnSelection", { username: name, index: below(row ? 3 : 4), row, exchange: [] });
  },
  resourcesManageRequest({ resources }) {
    say("resourcesManageReply", { username: name, warehouse: store(resources) });
  },
  marketUpdate(message) {
    if (message.username === name) warehouse = message.warehouse;
  },
  error: ({ error, detail }) => fail(`the server says ${error}: ${detail}`),
  finalScore: (message) => (score = message),
};

say("loginRequest", { username: name });
for await (const line of createInterface({ input: server })) {
  const message = JSON.parse(line);
  hearers[message.type]?.(message);
  if (score) break;
}
if (score === null) fail(`${name}: the match was broken off`);
const points = Object.entries(score.scores).map(([player, number]) => `${player} ${number}`);
console.log(`over: ${score.winners.join(" and ") || "Lorenzo"} wins (${points.join(", ")})`);
process.exit(0);
