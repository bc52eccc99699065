import { describe, expect, it } from "vitest";
import { qr } from "./qr";

/** By the side of a code: error correction codewords of a block, blocks, the middles of alignment patterns, and the version's bits. */
const TABLES: Record<number, [degree: number, blocks: number, middles: number[], version?: number]> = {
  21: [10, 1, []], 25: [16, 1, [6, 18]], 29: [26, 1, [6, 22]], 33: [18, 2, [6, 26]], 37: [24, 2, [6, 30]], 41: [16, 4, [6, 34]],
  45: [18, 4, [6, 22, 38], 0x07c94], 49: [22, 4, [6, 24, 42], 0x085bc], 53: [22, 5, [6, 26, 46], 0x09a99], 57: [26, 5, [6, 28, 50], 0x0a4d3],
};

/** Reads a code up to version 10, as the standard says, without a line of what wrote it. */
function read(dark: boolean[][]): string {
  const size = dark.length;
  const at = (row: number, column: number) => Number(dark[row]![column]);
  // The format beside the upper left finder, most significant bit first.
  const format = [...Array(6).keys()].map((column) => at(8, column)).concat(at(8, 7), at(8, 8), at(7, 8), [5, 4, 3, 2, 1, 0].map((row) => at(row, 8)));
  const again = [...Array(7).keys()].map((index) => at(size - 1 - index, 8)).concat([...Array(8).keys()].map((index) => at(8, size - 8 + index)));
  expect(again).toEqual(format);
  const bits = format.reduce((sum, bit) => sum * 2 + bit, 0) ^ 0b101010000010010;
  expect(bits >> 13, "error correction M").toBe(0);
  const mask = (bits >> 10) & 7;
  const turned = (i: number, j: number) =>
    [(i + j) % 2, i % 2, j % 3, (i + j) % 3, (Math.floor(i / 2) + Math.floor(j / 3)) % 2, ((i * j) % 2) + ((i * j) % 3), (((i * j) % 2) + ((i * j) % 3)) % 2, (((i + j) % 2) + ((i * j) % 3)) % 2][mask] === 0;
  const [degree, count, middles, version] = TABLES[size]!;
  const finder = (row: number, column: number) => (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9);
  const aligned = middles.flatMap((row) => middles.map((column) => [row, column] as const)).filter(([row, column]) => !finder(row, column));
  const taken = (row: number, column: number) => {
    if (row === 6 || column === 6 || finder(row, column)) return true;
    if (version && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true;
    return aligned.some(([one, other]) => Math.abs(row - one) <= 2 && Math.abs(column - other) <= 2);
  };
  if (version) {
    // The version twice, least significant bit first.
    const bits = (read: (at: number, by: number) => number) => Array.from({ length: 18 }, (_, bit) => read(Math.floor(bit / 3), bit % 3) << bit).reduce((sum, bit) => sum | bit, 0);
    expect(bits((at_, by) => at(at_, size - 11 + by))).toBe(version);
    expect(bits((at_, by) => at(size - 11 + by, at_))).toBe(version);
  }
  const read: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (!taken(row, column)) read.push(at(row, column) ^ Number(turned(row, column)));
    }
    up = !up;
  }
  const words = Array.from({ length: Math.floor(read.length / 8) }, (_, index) => read.slice(index * 8, index * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  // A codeword is divisible by the generator: it vanishes at each of its roots.
  const multiply = (one: number, other: number) => {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
      product = (product << 1) ^ (product & 128 ? 0x11d : 0);
      if ((other >> bit) & 1) product ^= one;
    }
    return product & 255;
  };
  const data = words.length - degree * count;
  // The later blocks have a word more where they are not equal: those words come last of all data.
  const short = Math.floor(data / count);
  const longer = count - (data % count);
  const parts = [...Array(count).keys()].map((block) => [
    ...Array.from({ length: short }, (_, index) => words[index * count + block]!), ...(block >= longer ? [words[short * count + block - longer]!] : []),
  ]);
  const blocks = parts.map((part, block) => [...part, ...Array.from({ length: degree }, (_, index) => words[data + index * count + block]!)]);
  for (const block of blocks) {
    for (let power = 0, root = 1; power < degree; power += 1, root = multiply(root, 2)) {
      expect(block.reduce((sum, word) => multiply(sum, root) ^ word, 0), `root ${power}`).toBe(0);
    }
  }
  const whole = parts.flat();
  const stream = whole.flatMap((word) => [...Array(8).keys()].map((bit) => (word >> (7 - bit)) & 1));
  const take = (start: number, length: number) => stream.slice(start, start + length).reduce((sum, bit) => sum * 2 + bit, 0);
  expect(take(0, 4), "bytes").toBe(4);
  const counted = size < 57 ? 8 : 16;
  return new TextDecoder().decode(Uint8Array.from({ length: take(4, counted) }, (_, index) => take(4 + counted + index * 8, 8)));
}

describe("a QR code", () => {
  it.each(["a", "http://10.0.0.7", "http://127.0.0.1:8000/table/1", "http://10.0.0.7:8000/table/df360f547f48", "http://192.168.178.20:8000/table/df360f547f48df360f547f48df360f54", "é".repeat(50), ...[122, 123, 152, 153, 180, 181, 213].map((length) => `http://ludoteca.example/club/table/${"0123456789abcdef".repeat(14)}`.slice(0, length))])("of %s can be read", (text) => {
    expect(read(qr(text)!)).toBe(text);
  });

  it("grows with its text, up to a limit", () => {
    const sizes = [14, 15, 42, 43, 122, 123, 213].map((length) => qr("x".repeat(length))!.length);
    expect(sizes).toEqual([21, 25, 29, 33, 45, 49, 57]);
    expect(qr("x".repeat(214))).toBeNull();
    expect(qr("é".repeat(107))).toBeNull();
  });
});
