/** A text as a QR code: bytes, error correction M, versions 1 to 10, which hold up to 213 bytes. */

/** Of each version: codewords in all, error correction codewords of a block, blocks. */
const VERSIONS = [[26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4], [242, 22, 4], [292, 22, 5], [346, 26, 5]] as const;
/** Where the middles of the alignment patterns of each version are, along either side. */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const MASKS: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

// The field of 256 elements in which the correction is computed.
const POWERS = new Uint8Array(255);
const LOGS = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at += 1) {
  POWERS[at] = value;
  LOGS[value] = at;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}
const times = (one: number, other: number) => (one && other ? POWERS[(LOGS[one]! + LOGS[other]!) % 255]! : 0);

/** The error correction of a block: what is left when it is divided by the generator of this degree. */
function correction(block: number[], degree: number): number[] {
  let generator = [1];
  for (let at = 0; at < degree; at += 1) {
    generator = [...generator, 0].map((value, index) => value ^ times(generator[index - 1] ?? 0, POWERS[at]!));
  }
  const left = [...block, ...Array<number>(degree).fill(0)];
  for (let at = 0; at < block.length; at += 1) {
    const lead = left[at]!;
    generator.forEach((value, index) => (left[at + index]! ^= times(value, lead)));
  }
  return left.slice(block.length);
}

/** The text in codewords, padded, cut into blocks, and the blocks with their correction taken in turns. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [all, degree, count] = VERSIONS[version - 1]!;
  const room = all - degree * count;
  const bits = [0, 1, 0, 0];
  const put = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  for (let pad = 0xec; bits.length < room * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data = Array.from({ length: room }, (_, at) => bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
  const short = Math.floor(room / count);
  const blocks: number[][] = [];
  for (let at = 0, index = 0; index < count; index += 1) {
    const length = short + Number(index >= count - (room % count));
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const turns = (lists: number[][]) =>
    Array.from({ length: Math.max(...lists.map((one) => one.length)) }, (_, at) => lists.flatMap((one) => (at < one.length ? [one[at]!] : []))).flat();
  return [...turns(blocks), ...turns(blocks.map((block) => correction(block, degree)))];
}

/** A number with the check bits of a cyclic code behind it. */
function checked(value: number, length: number, generator: number): number {
  let left = value << length;
  for (let bit = 31 - Math.clz32(left); left >= 1 << length; bit = 31 - Math.clz32(left)) left ^= generator << (bit - length);
  return (value << length) | left;
}

/** How hard a code is to read: long runs, squares, what looks like a finder, too much of one colour. */
function penalty(dark: boolean[][]): number {
  const size = dark.length;
  let sum = 0;
  for (const lines of [dark, dark.map((_, column) => dark.map((row) => row[column]!))]) {
    for (const line of lines) {
      const text = line.map(Number).join("");
      for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
      sum += 40 * (text.match(/(?=10111010000|00001011101)/g) ?? []).length;
    }
  }
  for (let row = 1; row < size; row += 1) {
    for (let column = 1; column < size; column += 1) {
      const one = dark[row]![column];
      if (one === dark[row - 1]![column] && one === dark[row]![column - 1] && one === dark[row - 1]![column - 1]) sum += 3;
    }
  }
  const share = (dark.flat().filter(Boolean).length * 100) / (size * size);
  return sum + 10 * Math.floor(Math.abs(share - 50) / 5);
}

/** The squares of the code, true where it is dark; null for a text that is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const fits = VERSIONS.findIndex(([all, degree, count], index) => bytes.length + (index < 9 ? 2 : 3) <= all - degree * count);
  if (fits < 0) return null;
  const version = fits + 1;
  const size = 17 + 4 * version;
  const fixed: (boolean | undefined)[][] = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const set = (row: number, column: number, dark: boolean) => {
    if (row >= 0 && column >= 0 && row < size && column < size) fixed[row]![column] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]] as const) {
    for (let row = -1; row <= 7; row += 1) {
      for (let column = -1; column <= 7; column += 1) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        set(top + row, left + column, ring !== 2 && ring !== 4);
      }
    }
  }
  const middles = ALIGNED[fits]!;
  for (const row of middles) {
    for (const column of middles) {
      const corner = (row === 6 && column === 6) || (row === 6 && column === size - 7) || (row === size - 7 && column === 6);
      if (corner) continue;
      for (let down = -2; down <= 2; down += 1) for (let right = -2; right <= 2; right += 1) set(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1);
    }
  }
  if (version >= 7) {
    const bits = checked(version, 12, 0x1f25);
    for (let at = 0; at < 18; at += 1) {
      const dark = Boolean((bits >> at) & 1);
      set(Math.floor(at / 3), size - 11 + (at % 3), dark);
      set(size - 11 + (at % 3), Math.floor(at / 3), dark);
    }
  }
  /** Which mask was taken, twice; M is 0. */
  const format = (mask: number) => {
    const bits = checked(mask, 10, 0x537) ^ 0x5412;
    for (let at = 0; at < 15; at += 1) {
      const dark = Boolean((bits >> at) & 1);
      set(at < 6 ? at : at < 8 ? at + 1 : size - 15 + at, 8, dark);
      set(8, at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at, dark);
    }
    set(size - 8, 8, true);
  };
  format(0);

  const words = codewords(bytes, version);
  const places: [number, number][] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const row = up ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (fixed[row]![column] === undefined) places.push([row, column]);
    }
  }
  const drawn = MASKS.map((mask, number) => {
    format(number);
    const dark = fixed.map((row) => row.map(Boolean));
    places.forEach(([row, column], at) => {
      const bit = Boolean(((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
      dark[row]![column] = bit !== mask(row, column);
    });
    return dark;
  });
  return drawn.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}
