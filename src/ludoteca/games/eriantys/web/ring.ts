/** Where the twelve island tiles lie: an oval on wide screens, the rim of a square on narrow ones. */

export interface Point { x: number; y: number }

export interface Layout { width: number; height: number; radius: number; student: number; points: Point[] }

const EXPONENT = 2.7;

/** Twelve points at equal distance along |x/a|^n + |y/b|^n = 1, from the top, clockwise. */
function oval(cx: number, cy: number, a: number, b: number): Point[] {
  const SAMPLES = 2400;
  const power = 2 / EXPONENT;
  const curve = Array.from({ length: SAMPLES + 1 }, (_, index) => {
    const angle = (index / SAMPLES) * 2 * Math.PI - Math.PI / 2;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return { x: cx + a * Math.sign(cos) * Math.abs(cos) ** power, y: cy + b * Math.sign(sin) * Math.abs(sin) ** power };
  });
  const lengths = [0];
  for (let index = 1; index < curve.length; index += 1) {
    lengths.push(lengths[index - 1]! + Math.hypot(curve[index]!.x - curve[index - 1]!.x, curve[index]!.y - curve[index - 1]!.y));
  }
  const total = lengths.at(-1)!;
  return Array.from({ length: 12 }, (_, tile) => {
    const found = lengths.findIndex((length) => length >= (tile / 12) * total);
    const { x, y } = curve[Math.max(0, found)]!;
    return { x: Math.round(x), y: Math.round(y) };
  });
}

const RIM = [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3], [2, 3], [1, 3], [0, 3], [0, 2], [0, 1]] as const;

export const WIDE: Layout = { width: 860, height: 512, radius: 49, student: 25, points: oval(430, 256, 366, 190) };
export const TALL: Layout = {
  width: 400,
  height: 404,
  radius: 39,
  student: 19,
  points: RIM.map(([column, row]) => ({ x: 200 + (column - 1.5) * 99.4, y: 202 + (row - 1.5) * 99.4 })),
};

/** The bumps of a tile's coast: three smaller circles at angles that look random and never change. */
export function bumps(tile: number, radius: number): (Point & { r: number })[] {
  return [0, 1, 2].map((index) => {
    const angle = ((tile * 73 + index * 131) % 360) * (Math.PI / 180);
    return { x: Math.cos(angle) * radius * 0.42, y: Math.sin(angle) * radius * 0.42, r: radius * 0.68 };
  });
}

/** Where a group's content sits: on its middle tile; for an even group between two, or on the upper of two. */
export function middle(tiles: number[], points: Point[]): Point {
  const half = (tiles.length - 1) / 2;
  const one = points[tiles[Math.floor(half)]!]!;
  const other = points[tiles[Math.ceil(half)]!]!;
  if (Math.abs(one.x - other.x) < 20) return one.y < other.y ? one : other;
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
