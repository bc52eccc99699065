import { describe, expect, it } from "vitest";
import type { Words } from "./board";
import { logLines, Match, named, news, turnsOf, unchanged } from "./match.svelte";
import type { Step, TableInfo } from "./protocol";

const step = (number: number, text = ""): Step => ({ number, at_ms: 0, seat: null, events: text ? [{ type: "Said", text }] : [], view: { number } });
const words = { tell: (event: { text?: unknown }) => ({ text: String(event.text) }) } as unknown as Words;
const info = { id: "a", chairs: [{ name: "Alba" }, null] } as unknown as TableInfo;

describe("a match", () => {
  it("follows the newest step unless somebody looks back", () => {
    const match = new Match();
    match.show(1, {});
    match.happened(2, [], {});
    expect(match.shown).toBe(1);
    match.at = 0;
    match.happened(3, [], {});
    expect(match.shown).toBe(0);
    expect(match.looking).toBe(true);
  });

  it("does not take the same record twice", () => {
    const match = new Match();
    match.happened(4, [], {});
    match.happened(4, [], {});
    match.happened(3, [], {});
    expect(match.steps).toHaveLength(1);
  });

  it("asks no longer what has been answered, and still asks while others move", () => {
    const match = new Match();
    match.reset(info, 0);
    match.question = { type: "question", number: 1, kind: "move", count: 1 } as unknown as Match["question"];
    match.answering = true;
    match.happened(2, [{ type: "Kept", seat: 1 }], {});
    expect(match.question).not.toBeNull();
    match.happened(3, [{ type: "Kept", seat: 0 }, { type: "TurnBegan", seat: 1 }], {});
    expect(match.question).toBeNull();
  });

  it("keeps the lines of the log that say the same", () => {
    const old = [{ number: 1, step: 1, text: "one" }, { number: 2, step: 2, text: "two" }];
    const lines = unchanged(old, [{ number: 1, step: 1, text: "one" }, { number: 2, step: 2, text: "due" }, { number: 3, step: 3, text: "three" }]);
    expect(lines[0]).toBe(old[0]);
    expect(lines.map((line) => line.text)).toEqual(["one", "due", "three"]);
  });

  it("puts the remembered story in place, keeping what came later and where we look", () => {
    const match = new Match();
    match.reset(info, 0);
    match.show(5, {});
    match.happened(6, [], {});
    match.at = 0;
    match.fill({ table: info, seat: 0, outcome: null, steps: [step(3), step(4), step(5)] });
    expect(match.steps.map((one) => one.number)).toEqual([3, 4, 5, 6]);
    expect(match.at).toBe(2);
  });

  it("tells steps and people in order", () => {
    const lines = logLines(
      { steps: [step(1, "one"), step(3, "three")], notes: [{ after: 1, kind: "lost", seat: 0, name: "Alba" }], names: ["Alba"] },
      words,
      (note) => `${note.name} ${note.kind}`,
      String,
    );
    expect(lines.map((line) => line.text)).toEqual(["one", "Alba lost", "three"]);
  });

  it("counts the turns that a game announces, or every decision", () => {
    const begins = (number: number, seat: number): Step => ({ ...step(number), events: [{ type: "Done", seat: 1 - seat }, { type: "TurnBegan", seat }] });
    const tell = (event: { type: string; seat?: number }) => (event.type === "TurnBegan" ? { text: "", turn: true, seat: event.seat } : { text: "done" });
    const announcing = { tell } as unknown as Words;
    const steps = [begins(1, 0), { ...step(2), events: [{ type: "Done", seat: 0 }] }, begins(3, 1)];
    expect(turnsOf(steps, announcing, ["Alba", "Bruno"])).toEqual([0, 1, 1]);
    const lines = logLines({ steps, notes: [], names: ["Alba", "Bruno"] }, announcing, String, (turn, name) => `${turn} ${name}`);
    expect(lines.filter((line) => line.heading).map((line) => line.text)).toEqual(["1 Alba", "2 Bruno"]);
    expect(turnsOf([step(0), { ...step(1), seat: 0 }, { ...step(2), seat: 1 }], words, [])).toEqual([0, 1, 2]);
  });

  it("tells names from words", () => {
    expect(named("Al took Alba's [x]+ and Al", ["Al", "Alba", "[x]+"]).filter((part) => part.name).map((part) => part.text)).toEqual(["Al", "Alba", "[x]+", "Al"]);
    expect(named("Alba waits", [""])).toEqual([{ text: "Alba waits", name: false }]);
  });
});

describe("what is news", () => {
  const by = (...seats: (number | null)[]): Step[] => seats.map((seat, number) => ({ number, at_ms: 0, seat: null, events: [{ type: `E${number}`, ...(seat === null ? {} : { seat }) }], view: {} }));
  const told = (steps: Step[], shown: number, seat: number | null) => news(steps, shown, seat).events.map((event) => event.type);

  it("is all that the others did since one's own turn", () => {
    expect(told(by(null, 0, 0, 1, 1, 2, null), 6, 0)).toEqual(["E3", "E4", "E5", "E6"]);
  });

  it("knows the turn of whoever moved last from older ones", () => {
    expect(news(by(null, 0, 0, 1, 1, 2, null), 6, 0).fresh.map((event) => event.type)).toEqual(["E5", "E6"]);
    expect(news(by(0, 1, 1), 2, 0).fresh.map((event) => event.type)).toEqual(["E1", "E2"]);
  });

  it("comes with the view before it", () => {
    const steps = by(0, 1, 1);
    expect(news(steps, 2, 0).since).toBe(steps[0]!.view);
    expect(news(steps, 0, 0).since).toBeNull();
  });

  it("is one's own turn right after it", () => {
    expect(told(by(null, 1, 0, 0), 3, 0)).toEqual(["E2", "E3"]);
  });

  it("is not the doing of whoever is only said to be next", () => {
    const steps = by(0, 1);
    steps.push({ number: 2, at_ms: 0, seat: null, events: [{ type: "TurnBegan", seat: 0 }], view: {} });
    expect(told(steps, 2, 0)).toEqual(["E1", "TurnBegan"]);
    expect(told(steps, 2, null)).toEqual(["E1", "TurnBegan"]);
  });

  it("is the turn of the last player for those who look on, and nothing before anything", () => {
    expect(told(by(null, 1, 2, 2, null), 3, null)).toEqual(["E2", "E3"]);
    expect(told([], -1, null)).toEqual([]);
  });
});
