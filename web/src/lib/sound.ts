/** Short tones, made on the spot: what a piece does, your turn, the end. Silent until asked for. */

import { settings } from "./settings.svelte";

export type Cue = "tap" | "knock" | "hop" | "coin" | "turn" | "low" | "refused" | "won" | "lost";
/** Frequency in Hz, length in ms; the notes of a cue follow each other. */
type Note = [frequency: number, length_ms: number];

const CUES: Record<Cue, { notes: Note[]; shape?: OscillatorType; loud?: number }> = {
  tap: { notes: [[520, 50]] },
  knock: { notes: [[190, 70]], shape: "triangle" },
  hop: { notes: [[330, 60], [350, 60]] },
  coin: { notes: [[880, 60], [1175, 60]] },
  turn: { notes: [[392, 90], [523, 90]] },
  low: { notes: [[660, 80]], shape: "triangle" },
  refused: { notes: [[150, 60]], shape: "triangle", loud: 0.06 },
  won: { notes: [[392, 120], [494, 120], [587, 120]] },
  lost: { notes: [[587, 120], [494, 120], [392, 120]] },
};
const LOUD = 0.12;
/** Never two within this time: ten pieces that land at once are one sound. */
const APART_MS = 60;
/** The only ones that are heard from a page that nobody sees. */
const CALLING: Cue[] = ["turn"];

let context: AudioContext | null = null;
let last = -Infinity;

export function play(cue: Cue): void {
  if (!settings.sounds || (document.hidden && !CALLING.includes(cue))) return;
  const at = performance.now();
  if (at - last < APART_MS) return;
  last = at;
  context ??= new AudioContext();
  const { notes, shape = "sine", loud = LOUD } = CUES[cue];
  let start = context.currentTime;
  for (const [frequency, length_ms] of notes) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    const end = start + length_ms / 1000;
    oscillator.type = shape;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, end);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(end);
    start = end;
  }
}
