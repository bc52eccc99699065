import { describe, expect, it } from "vitest";
import css from "./tokens.css?raw";

const [printed, distinct] = [css.slice(0, css.indexOf(":root.distinct")), css.slice(css.indexOf(":root.distinct"))];
type Colour = [number, number, number];

/** A token in the light and the dark theme, as linear light. */
function token(name: string, from = printed): { light: Colour; dark: Colour } {
  const written = new RegExp(`--${name}:\\s*(?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}))`);
  const found = written.exec(from) ?? written.exec(printed);
  if (!found) throw new Error(`no token ${name}`);
  const linear = (hex: string) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Colour;
  return { light: linear(found[1] ?? found[3]!), dark: linear(found[2] ?? found[3]!) };
}

/** How people see it who lack one kind of cones (Viénot and others 1999, Machado and others 2009). */
const EYES: Record<string, Colour[]> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const seen = (colour: Colour, eyes: Colour[]) => eyes.map((row) => Math.max(0, Math.min(1, row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2]))) as Colour;

/** How far apart two colours look: in OKLab, where black and white are 100 apart. */
function distance(one: Colour, other: Colour): number {
  const lab = ([r, g, b]: Colour): Colour => {
    const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b, 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt) as Colour;
    return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  };
  const [a, b] = [lab(one), lab(other)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const contrast = (one: Colour, other: Colour) => {
  const [low, high] = [one, other].map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05).sort((a, b) => a - b) as [number, number];
  return high / low;
};

/** The two that are most alike, and how far apart they are. */
function closest(colours: Record<string, Colour>, eyes: Colour[]): { pair: string; apart: number } {
  const names = Object.keys(colours);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => ({ pair: `${one} and ${other}`, apart: distance(seen(colours[one]!, eyes), seen(colours[other]!, eyes)) })));
  return pairs.sort((one, other) => one.apart - other.apart)[0]!;
}

/** The colours that lie side by side in a game. */
const TOGETHER = {
  students: ["piece-green", "piece-red", "piece-yellow", "piece-pink", "piece-blue"],
  tiles: ["piece-green", "piece-white", "piece-yellow", "piece-blue", "piece-cyan", "piece-pink"],
};
/** Less than this is hard to tell apart at a glance; players have shapes as well. */
const APART_MIN = 15;
const PLAYERS_APART_MIN = 10;

describe("colours that are easy to tell apart", () => {
  const colours = (names: string[], from: string) => Object.fromEntries(names.map((name) => [name, token(name, from).light]));
  const cases = Object.entries(TOGETHER).flatMap(([game, names]) => Object.entries(EYES).map(([eyes, matrix]) => ({ game, names, eyes, matrix })));

  it.each(cases)("are apart for $game with $eyes", ({ names, matrix }) => {
    const { pair, apart } = closest(colours(names, distinct), matrix);
    expect(apart, pair).toBeGreaterThan(APART_MIN);
  });

  it("are farther apart than those that are printed, for the eyes that need it most", () => {
    const worst = (from: string) => Math.min(...cases.map(({ names, matrix }) => closest(colours(names, from), matrix).apart));
    expect(worst(distinct)).toBeGreaterThan(worst(printed));
  });
});

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const of = (name: string) => token(name)[theme];

  it("marks and players stand out from what they lie on", () => {
    for (const name of ["legal", "chosen", "bad", "good", "warn", ...Array.from({ length: 8 }, (_, seat) => `seat-${seat + 1}`)]) {
      expect(contrast(of(name), of("surface")), name).toBeGreaterThan(3);
    }
  });

  it("text can be read", () => {
    for (const ink of ["ink", "ink-2", "ink-3"]) for (const on of ["paper", "surface", "raised", "sunken"]) expect(contrast(of(ink), of(on)), `${ink} on ${on}`).toBeGreaterThan(4.5);
  });

  it.each(Object.entries(EYES))("the first four players differ for %s", (_, eyes) => {
    const { pair, apart } = closest(Object.fromEntries([1, 2, 3, 4].map((seat) => [`seat-${seat}`, of(`seat-${seat}`)])), eyes);
    expect(apart, pair).toBeGreaterThan(PLAYERS_APART_MIN);
  });
});
