/** How pieces get where the view has them. The drawing is always of the newest view, and can be pressed at once: a piece flies
 *  as a picture of itself in a layer above, and is seen in its place when that has landed. Everything is put on the document's
 *  timeline beforehand: if an animation is lost, nothing is wrong, and to skip all of it is to finish it. */

import type { Move } from "./board";
import { settings, type Pace } from "./settings.svelte";
import { play } from "./sound";

const EASE = "cubic-bezier(.2, .7, .2, 1)";
const SOFT = "cubic-bezier(.3, 0, .3, 1)";
const SLOWER: Record<Pace, number> = { slow: 2, normal: 1, fast: 0.5, off: 0 };
const HOP_MS = 150;
const HOPS_MS_MAX = 600;
/** A flight rises by this part of its length, but not higher than so many pixels. */
const RISE = 0.22;
const RISE_PX_MAX = 30;
/** Between two turns that wait: time to see that one has ended. */
const PAUSE_MS = 240;
/** What would be shown later than this is not shown at all: the last view stands there already. */
export const BACKLOG_MS_MAX = 1500;
/** While so many steps come in so quickly, nothing flies. */
const RUSH_MS = 120;

type How = NonNullable<Move["how"]>;

/** How long each kind takes, unhurried. */
const MS: Record<How, number> = { fly: 180, slide: 180, hop: HOP_MS, drop: 140, grow: 140, open: 90, flip: 200, pulse: 140, fade: 120, widen: 200 };

/** What happens to a piece in its own place. */
const IN_PLACE: Record<Exclude<How, "fly" | "slide" | "hop">, Keyframe[]> = {
  drop: [{ transform: "translateY(-16px)", opacity: 0 }, { transform: "translateY(2px)", opacity: 1, offset: 0.8 }, { transform: "none", opacity: 1 }],
  grow: [{ transform: "scale(.4)", opacity: 0 }, { transform: "none", opacity: 1 }],
  open: [{ transform: "scale(.94)", opacity: 0 }, { transform: "none", opacity: 1 }],
  flip: [{ transform: "scaleX(0)" }, { transform: "none" }],
  pulse: [{ transform: "none" }, { transform: "scale(1.15)" }, { transform: "none" }],
  fade: [{ opacity: 0 }, { opacity: 1 }],
  widen: [{ strokeWidth: "0px" }, {}],
};

interface Spot { x: number; y: number; width: number }

/** A move whose start has been measured; `leaves` is a picture of a piece that the new view no longer has. */
interface Begun { move: Move; from: Spot | null; leaves: HTMLElement | SVGElement | null }

const now = (): number => Number(document.timeline?.currentTime ?? performance.now());

export function still(): boolean {
  return settings.pace === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

export class Stage {
  /** Divides all durations, for replays. */
  speed = 1;
  #root: HTMLElement;
  #layer: HTMLElement;
  #begun: Begun[] | null = null;
  #running = new Set<Animation>();
  /** When what has been put on the timeline will be over. */
  #free = 0;
  /** Until when a piece is still on its way. */
  #until = new Map<string, number>();
  /** What numbers said before. */
  #counts = new Map<string, string>();
  #mover: number | null = null;
  #came = -Infinity;
  #rush = false;

  /** Pieces are looked for below `root`; `layer` is what they fly in, over the whole window. */
  constructor(root: HTMLElement, layer: HTMLElement) {
    this.#root = root;
    this.#layer = layer;
  }

  /** Before the new view is drawn: see where the pieces are. */
  before(moves: Move[]): void {
    const came = now();
    const late = this.#free - came > BACKLOG_MS_MAX;
    // Ten moves at once: after the first jump nothing flies until it is calm again.
    this.#rush = still() || late || (this.#rush && came - this.#came < RUSH_MS);
    this.#came = came;
    if (this.#rush) this.finish();
    this.#counts = new Map(this.#rush ? [] : this.#numbers().map((one) => [one.getAttribute("data-number")!, one.textContent]));
    this.#begun = this.#rush ? null : moves.map((move) => ({
      move,
      from: spotOf(this.#find(move.from ?? (move.to ? move.piece : ""))),
      leaves: move.to ? this.#picture(this.#find(move.piece)) : null,
    }));
  }

  /** After it has been drawn: let go. `mover` is whose doing it was. */
  after(mover: number | null = null): void {
    const begun = this.#begun;
    this.#begun = null;
    if (!begun?.length) return;
    const at = now();
    const waiting = this.#free > at;
    let start = waiting ? this.#free + (mover === this.#mover ? 0 : this.#time(PAUSE_MS)) : at;
    let end = start;
    this.#mover = mover;
    for (const one of begun) {
      if (one.move.with === undefined) start = end;
      const begin = start + this.#time(one.move.with ?? 0);
      const over = this.#play(one, begin - at, at);
      if (over !== null) end = Math.max(end, at + over);
    }
    this.#free = Math.max(this.#free, end);
    // What was touched is marked when all has landed, and numbers change then.
    if (end <= at) return;
    for (const mark of this.#root.querySelectorAll("[data-mark]")) this.#veil(mark, end - at);
    for (const number of this.#numbers()) this.#delay(number, this.#counts.get(number.getAttribute("data-number")!), end - at);
  }

  /** Everything is where it belongs. */
  finish(): void {
    for (const animation of [...this.#running]) animation.finish();
    this.#free = 0;
    this.#until.clear();
  }

  #time(ms: number): number {
    return (ms * SLOWER[settings.pace]) / this.speed;
  }

  #find(key: string): Element | null {
    if (!key) return null;
    const seen = [...this.#root.querySelectorAll(`[data-piece="${CSS.escape(key)}"]`)].filter((one) => one.getBoundingClientRect().width > 0);
    // What is drawn on the board and in a seat as well flies on the board.
    return seen.find((one) => one.closest("#board")) ?? seen[0] ?? null;
  }

  /** Put one move on the timeline; when it will be over, counted from now, or null if there is nothing to see. */
  #play({ move, from, leaves }: Begun, delay: number, at: number): number | null {
    const how = move.how ?? "fly";
    const piece = move.to ? leaves : this.#find(move.piece);
    if (!piece) return null;
    if (how !== "fly" && how !== "slide" && how !== "hop") {
      const duration = this.#time(move.ms ?? MS[how]);
      this.#run(piece, IN_PLACE[how], { delay, duration, easing: EASE, fill: "backwards" }, move);
      return delay + duration;
    }
    const to = spotOf(move.to ? this.#find(move.to) : piece);
    if (!from || !to) return null;
    const ghost = move.to ? leaves! : this.#picture(piece);
    if (!ghost) return null;
    const stops = (move.via ?? []).flatMap((key) => spotOf(this.#find(key)) ?? []);
    const ms = how === "hop" ? (move.ms ?? Math.min(HOP_MS * Math.max(1, stops.length), HOPS_MS_MAX)) : (move.ms ?? MS[how]);
    const duration = this.#time(ms);
    // A picture of a piece that stays is drawn at its new place, one of a piece that leaves at its old one.
    const keys = move.to ? leaving(from, to, how) : how === "hop" ? hops(from, stops, to) : arc(from, to, how === "slide");
    this.#layer.append(ghost);
    const key = move.piece;
    const busy = (this.#until.get(key) ?? 0) - at;
    if (busy > 0) this.#veil(ghost, Math.min(busy, delay));
    if (!move.to) {
      if (!move.joins) this.#veil(piece, delay + duration);
      this.#until.set(key, at + delay + duration);
    }
    this.#run(ghost, keys, { delay, duration, easing: how === "hop" ? SOFT : EASE, fill: "both" }, move, () => ghost.remove());
    return delay + duration;
  }

  #numbers(): Element[] {
    return [...this.#root.querySelectorAll("[data-number]")];
  }

  /** A number says for so long what it said before, in a picture of itself. */
  #delay(number: Element, before: string | undefined, duration: number): void {
    const picture = before === undefined || before === number.textContent || number.getBoundingClientRect().width === 0 ? null : this.#picture(number);
    if (!picture) return;
    const { font, color, fill, textAnchor } = getComputedStyle(number);
    const text = picture instanceof SVGElement ? picture.querySelector("text")! : picture;
    text.textContent = before!;
    picture.classList.add("was");
    Object.assign(text.style, { font, color, fill, textAnchor });
    this.#layer.append(picture);
    this.#veil(number, duration);
    this.#run(picture, [{ opacity: 1 }, { opacity: 1 }], { duration }, undefined, () => picture.remove());
  }

  /** Unseen for so long. */
  #veil(piece: Element, duration: number): void {
    if (duration > 0) this.#run(piece, [{ opacity: 0 }, { opacity: 0 }], { duration });
  }

  #run(piece: Element, keys: Keyframe[], timing: KeyframeAnimationOptions, move?: Move, landed?: () => void): void {
    const animation = piece.animate(keys, timing);
    this.#running.add(animation);
    const over = () => {
      this.#running.delete(animation);
      landed?.();
    };
    animation.oncancel = over;
    animation.onfinish = () => {
      over();
      if (move?.sound) play(move.sound);
    };
  }

  /** A picture of a piece that looks as it does now, at its place on the screen. */
  #picture(piece: Element | null): HTMLElement | SVGElement | null {
    if (!piece) return null;
    const box = piece.getBoundingClientRect();
    const copy = bare(piece.cloneNode(true) as HTMLElement | SVGElement);
    const origin = (left: number, top: number) => `${box.left + box.width / 2 - left}px ${box.top + box.height / 2 - top}px`;
    if (piece instanceof SVGGraphicsElement && !(piece instanceof SVGSVGElement && piece.ownerSVGElement === null)) {
      const matrix = (piece.parentNode as SVGGraphicsElement).getScreenCTM?.();
      if (!matrix) return null;
      const frame = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const scaled = document.createElementNS("http://www.w3.org/2000/svg", "g");
      scaled.setAttribute("transform", `scale(${matrix.a} ${matrix.d})`);
      scaled.append(copy);
      frame.append(scaled);
      Object.assign(frame.style, { left: `${matrix.e}px`, top: `${matrix.f}px`, transformOrigin: origin(matrix.e, matrix.f) });
      frame.setAttribute("class", "ghost");
      return frame;
    }
    const unit = unitOf(piece);
    Object.assign(copy.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`, margin: "0" });
    copy.style.setProperty("--u", `${unit}px`);
    copy.classList.add("ghost");
    return copy;
  }
}

/** Nothing in it can be found, focused or read out. */
function bare<E extends Element>(copy: E): E {
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of one.getAttributeNames()) if (/^(data-|aria-|id$|role$|tabindex$|title$)/.test(name)) one.removeAttribute(name);
  }
  return copy;
}

/** The length that boards are drawn in, where this piece is. */
function unitOf(piece: Element): number {
  const ruler = document.createElement("i");
  Object.assign(ruler.style, { position: "absolute", visibility: "hidden", width: "calc(100 * var(--u, 1px))" });
  (piece.parentElement ?? piece).append(ruler);
  const unit = ruler.getBoundingClientRect().width / 100;
  ruler.remove();
  return unit;
}

function spotOf(piece: Element | null): Spot | null {
  const box = piece?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width } : null;
}

const move = (x: number, y: number, scale = 1): string => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
const ratio = (one: Spot, other: Spot): number => Math.min(4, Math.max(0.25, one.width / (other.width || 1)));

/** From there to the place where it is drawn. */
function arc(from: Spot, to: Spot, flat: boolean): Keyframe[] {
  const [x, y, scale] = [from.x - to.x, from.y - to.y, ratio(from, to)];
  const rise = flat ? 0 : Math.min(RISE_PX_MAX, Math.hypot(x, y) * RISE);
  return [{ transform: move(x, y, scale) }, { transform: move(x / 2, y / 2 - rise, ((1 + scale) / 2) * (flat ? 1 : 1.08)) }, { transform: move(0, 0) }];
}

function hops(from: Spot, via: Spot[], to: Spot): Keyframe[] {
  const keys: Keyframe[] = [{ transform: move(from.x - to.x, from.y - to.y) }];
  let last = from;
  // It stands beside the middle of a place, by as much as it does at the end.
  const beside = via.length ? { x: to.x - via.at(-1)!.x, y: to.y - via.at(-1)!.y } : { x: 0, y: 0 };
  for (const stop of via.length ? via : [to]) {
    const next = { ...stop, x: stop.x + beside.x, y: stop.y + beside.y };
    keys.push({ transform: move((last.x + next.x) / 2 - to.x, (last.y + next.y) / 2 - to.y - 16) }, { transform: move(next.x - to.x, next.y - to.y) });
    last = next;
  }
  return keys;
}

/** From where it is drawn to a place that takes it in. */
function leaving(from: Spot, to: Spot, how: How): Keyframe[] {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const rise = how === "slide" ? 0 : Math.min(RISE_PX_MAX, Math.hypot(x, y) * RISE);
  const scale = Math.min(1, ratio(to, from));
  return [{ transform: move(0, 0) }, { transform: move(x / 2, y / 2 - rise, 1.05), opacity: 1, offset: 0.5 }, { transform: move(x, y, scale), opacity: 0 }];
}
