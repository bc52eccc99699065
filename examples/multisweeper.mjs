// A player of Multisweeper, written from PROTOCOL.md alone: clicks cells by chance until it is over.
//
//   node multisweeper.mjs 127.0.0.1:1337 ada

import { connect } from "node:net";
import { createInterface } from "node:readline";

const CLOSED = 9;
const [address, name] = process.argv.slice(2);
const [host, port] = address.split(":");
const server = connect(Number(port), host);
const say = (line) => server.write(line + "\n");
const pick = (list) => list[Math.floor(Math.random() * list.length)];

let width = 0;
let board = [];
let result = "the connection ended";

for await (const line of createInterface({ input: server })) {
  const [word, ...rest] = line.split(" ");
  const numbers = rest.map(Number);
  if (word === "multisweeper") {
    say("multisweeper client v1");
    say(`name ${name}`);
    console.log(`${name} waits for the others`);
  } else if (word === "start") {
    width = numbers[0];
    board = Array(numbers[0] * numbers[1]).fill(CLOSED);
    console.log(`a round of ${numbers[0]} x ${numbers[1]} with ${numbers[2]} mines`);
  } else if (word === "board_update") {
    board = numbers;
  } else if (word === "turn_start") {
    const cell = pick(board.flatMap((value, place) => (value === CLOSED ? [place] : [])));
    say(`click ${cell % width} ${Math.floor(cell / width)}`);
  } else if (word === "end_condition") {
    result = ["lost", "plays on", "won"][numbers[0]];
    console.log(`${name} ${result}`);
  } else if (word === "sudden_exit" && result !== "lost") {
    // For a spectator this is the end; for a player it was broken off.
    console.error(`${name}: the tournament was broken off`);
    process.exit(1);
  }
}

console.log(`over: ${name} ${result}`);
process.exit(result === "lost" || result === "won" ? 0 : 1);
