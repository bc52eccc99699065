import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Line, PAUSES_MS, SILENCE_MS, type LineState } from "./line";

class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor() {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
}

describe("a line that comes back by itself", () => {
  const states: LineState[] = [];
  const line = () =>
    new Line("ws://house/ws", { opened: () => undefined, heard: () => undefined, changed: (state) => states.push(state) }, () => new FakeSocket() as unknown as WebSocket);

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.made = [];
    states.length = 0;
  });
  afterEach(() => void vi.useRealTimers());

  it("tries again with growing pauses, and starts over once it stood", () => {
    const one = line();
    one.open();
    FakeSocket.made[0]!.onclose!();
    expect(states.at(-1)).toBe("down");
    vi.advanceTimersByTime(PAUSES_MS[0]!);
    expect(FakeSocket.made).toHaveLength(2);
    FakeSocket.made[1]!.onclose!();
    vi.advanceTimersByTime(PAUSES_MS[0]!);
    expect(FakeSocket.made).toHaveLength(2);
    vi.advanceTimersByTime(PAUSES_MS[1]!);
    expect(FakeSocket.made).toHaveLength(3);
    FakeSocket.made[2]!.open();
    expect(states.at(-1)).toBe("up");
    FakeSocket.made[2]!.onclose!();
    vi.advanceTimersByTime(PAUSES_MS[0]!);
    expect(FakeSocket.made).toHaveLength(4);
  });

  it("gives up a line that is silent, after asking for a sign of life", () => {
    line().open();
    FakeSocket.made[0]!.open();
    vi.advanceTimersByTime(SILENCE_MS + 2000);
    expect(FakeSocket.made[0]!.sent).toContain('{"type":"ping"}');
    expect(states).toContain("down");
  });

  it("stays closed once closed", () => {
    const one = line();
    one.open();
    one.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made).toHaveLength(1);
  });
});
