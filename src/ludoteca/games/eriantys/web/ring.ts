/** Where the twelve island tiles lie: along a rounded rectangle on wide boards, the rim of a square on narrow ones; and the
 *  room they leave in the middle for clouds and characters. Lengths are units of the board, not pixels. */

export interface Point { x: number; y: number }

/** The room in the middle; `scale` shrinks what stands in it when it is too much. */
export interface Hub { left: number; top: number; width: number; height: number; scale: number }

export interface Layout { width: number; height: number; radius: number; student: number; points: Point[] }

const EXPONENT = 4.4;
const RADIUS = 43;
/** How far before the top the first tile stands, so that no tile is in the middle of a side. */
const TURN = 0.26;

/** Twelve points at equal distance along |x/a|^n + |y/b|^n = 1, clockwise. */
function around(width: number, height: number): Point[] {
  const SAMPLES = 1200;
  const power = 2 / EXPONENT;
  const [a, b] = [width / 2 - RADIUS - 17, height / 2 - RADIUS - 20];
  const curve = Array.from({ length: SAMPLES + 1 }, (_, index) => {
    const angle = (index / SAMPLES) * 2 * Math.PI - Math.PI / 2 - TURN;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return { x: width / 2 + a * Math.sign(cos) * Math.abs(cos) ** power, y: height / 2 + 2 + b * Math.sign(sin) * Math.abs(sin) ** power };
  });
  const lengths = [0];
  for (let index = 1; index < curve.length; index += 1) {
    lengths.push(lengths[index - 1]! + Math.hypot(curve[index]!.x - curve[index - 1]!.x, curve[index]!.y - curve[index - 1]!.y));
  }
  const total = lengths.at(-1)!;
  return Array.from({ length: 12 }, (_, tile) => {
    const { x, y } = curve[Math.max(0, lengths.findIndex((length) => length >= (tile / 12) * total))]!;
    return { x: Math.round(x), y: Math.round(y) };
  });
}

/** A board of this size. */
export function wide(width: number, height: number): Layout {
  return { width, height, radius: RADIUS, student: 22, points: around(width, height) };
}

const RIM = [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3], [2, 3], [1, 3], [0, 3], [0, 2], [0, 1]] as const;

export const TALL: Layout = {
  width: 400,
  height: 412,
  radius: 39,
  student: 19,
  points: RIM.map(([column, row]) => ({ x: 200 + (column - 1.5) * 99.4, y: 206 + (row - 1.5) * 101 })),
};
export const TALL_HUB: Hub = { left: 102, top: 108, width: 196, height: 196, scale: 0.83 };

/** Joined tiles around a corner: their land bends outwards, so that the middle stays free. */
export function bend(layout: Pick<Layout, "width" | "height">, one: Point, other: Point, factor: number): Point {
  const [dx, dy] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
  const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  const [x, y] = [middle.x - layout.width / 2, middle.y - layout.height / 2];
  const distance = Math.hypot(x, y) || 1;
  const out = (19 * factor * Math.min(dx, dy)) / Math.max(dx, dy, 1);
  return { x: middle.x + (x / distance) * out, y: middle.y + (y / distance) * out };
}

const CLOUD = { width: 118, height: 70 };
const FACTS = 24;

/** The best rectangle around the middle that stays clear of every island. */
export function hubOf(layout: Layout, groups: number[][], clouds: number, characters: number): Hub {
  const { width, height, radius, points } = layout;
  const joints = groups.flatMap((tiles) => tiles.slice(1).map((tile, place) => bend(layout, points[tiles[place]!]!, points[tile]!, 1)));
  const keep = [...points.map((at) => ({ ...at, r: radius + 12 })), ...joints.flatMap((at) => [{ ...at, r: 48 }, { x: at.x, y: at.y - 34, r: 34 }])];
  let best = { score: -1, hub: { left: width / 2 - 110, top: height / 2 - 80, width: 220, height: 160, scale: 0.8 } };
  for (let shift = -36; shift <= 36; shift += 6) {
    for (let half = 110; half < width / 2; half += 4) {
      // Everything is clear up to some height and nothing above it: find that height.
      let low = height / 2;
      for (const { x, y, r } of keep) {
        const beside = Math.max(0, Math.abs(x - width / 2) - half);
        if (beside < r) low = Math.min(low, Math.abs(y - height / 2 - shift) - Math.sqrt(r * r - beside * beside));
      }
      if (low < 60) continue;
      const room = 2 * half;
      const rows = Math.ceil(clouds / Math.max(1, Math.min(perRow(room, clouds), clouds)));
      const need = rows * CLOUD.height + FACTS + (characters ? characters * (room >= 290 ? 53 : 68) + 6 : 0);
      const scale = Math.min(1, (2 * low) / need, room / 236);
      const score = scale * 1000 + Math.min(half, 185) - Math.abs(shift);
      if (score > best.score) best = { score, hub: { left: width / 2 - half, top: height / 2 + shift - low, width: room, height: 2 * low, scale } };
    }
  }
  return best.hub;
}

/** How many clouds stand beside each other: four are four or two by two, never three and one. */
export function perRow(room: number, clouds: number): number {
  const fit = Math.max(1, Math.floor((room + 6) / CLOUD.width));
  return clouds === 4 && fit < 4 ? 2 : Math.min(fit, clouds);
}

/** The bumps of a tile's coast: three smaller circles at angles that look random and never change. */
export function bumps(tile: number, radius: number): (Point & { r: number })[] {
  return [0, 1, 2].map((index) => {
    const angle = ((tile * 73 + index * 131) % 360) * (Math.PI / 180);
    return { x: Math.cos(angle) * radius * 0.4, y: Math.sin(angle) * radius * 0.4, r: radius * 0.66 };
  });
}

/** Where a group's content sits: on its middle tile; for an even group between two, or on the upper of two. */
export function middle(tiles: number[], layout: Layout): Point {
  const half = (tiles.length - 1) / 2;
  const one = layout.points[tiles[Math.floor(half)]!]!;
  const other = layout.points[tiles[Math.ceil(half)]!]!;
  if (one === other) return one;
  if (Math.abs(one.x - other.x) < 20) return one.y < other.y ? one : other;
  return bend(layout, one, other, 1);
}
