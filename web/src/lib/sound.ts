/** Two short tones, made on the spot: your turn, and the end. Silent until asked for. */

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function tone(frequency: number, start: number, length: number): void {
  if (context === null) return;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0.08, context.currentTime + start);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(context.currentTime + start);
  oscillator.stop(context.currentTime + start + length);
}

export function play(what: "turn" | "over"): void {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  if (what === "turn") tone(660, 0, 0.18);
  else [523, 659, 784].forEach((frequency, index) => tone(frequency, index * 0.14, 0.3));
}
