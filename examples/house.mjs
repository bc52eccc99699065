// A player of any game in Ludoteca's own protocol, written from house.md alone: answers by chance.
//
//   node house.mjs 127.0.0.1:8001 ada santorini [players]

import { connect } from "node:net";
import { createInterface } from "node:readline";

const [address, name, game, players = "2"] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (type, fields = {}) => server.write(JSON.stringify({ type, ...fields }) + "\n");
const below = (number) => Math.floor(Math.random() * number);

let names = [];
let over = null;

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

const hearers = {
  welcome: () => say("list", { game }),
  tables({ tables }) {
    // Sit down where a chair is free, else open a table.
    const free = tables.find(({ phase, chairs }) => phase === "open" && chairs.includes(null));
    if (free) say("sit", { table: free.id });
    else say("open", { game, seats: Number(players) });
  },
  seated({ table }) {
    names = table.chairs.map((chair) => chair?.name ?? "");
    console.log(`${name} is in`);
  },
  sat: ({ seat, sitter }) => (names[seat] = sitter.name),
  question({ options, count, number }) {
    // More answers than are sent by themselves: ask for one of them.
    if (options?.length) say("act", { action: options[below(options.length)], at: number });
    else say("options", { start: below(count), count: 1 });
  },
  options: ({ options, number }) => say("act", { action: options[0], at: number }),
  declined({ request, code, reason }) {
    if (code !== "stale" && code !== "turn") fail(`${request} was declined: ${reason}`);
  },
  over: (message) => (over = message),
  gone: ({ reason }) => fail(`the table is gone: ${reason}`),
};

say("hello", { name, options_max: 64 });
for await (const line of createInterface({ input: server })) {
  const message = JSON.parse(line);
  hearers[message.type]?.(message);
  if (over) break;
}
if (!over?.ranks.length) fail(`${name}: the match was broken off`);
console.log(`over: ${over.winners.map((seat) => names[seat]).join(" and ") || "nobody"} wins`);
server.end(JSON.stringify({ type: "leave" }) + "\n", () => process.exit(0));
