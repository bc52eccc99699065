import { beforeEach, expect, test } from "vitest";
import { known } from "./games";
import { rulesOf } from "./rules";
import { tips, type Tip } from "./tips.svelte";

const LIST: Tip[] = [
  { kinds: ["move"], text: { en: "one", it: "uno" } },
  { kinds: ["build"], text: { en: "two", it: "due" } },
  { kinds: ["move", "step"], text: { en: "three", it: "tre" } },
];

beforeEach(() => tips.again());

test("a tip waits for its question, is not told twice, and the next one follows", () => {
  expect(tips.next("g", "build", LIST)).toBe(1);
  expect(tips.next("g", "move", LIST)).toBe(0);
  tips.saw("g", 0);
  expect(tips.next("g", "move", LIST)).toBe(2);
  expect(tips.next("other", "move", LIST)).toBe(0);
  tips.saw("g", 2);
  expect(tips.next("g", "move", LIST)).toBe(null);
});

test("who has finished a match, or does not want them, is left alone until they are asked for again", () => {
  tips.end("g");
  expect(tips.wanted("g")).toBe(false);
  expect(tips.next("g", "move", LIST)).toBe(null);
  tips.again();
  expect(tips.next("g", "move", LIST)).toBe(0);
});

test.each(known)("the tips of %s are in both languages and belong to questions that its rules know", async (game) => {
  const rules = (await rulesOf(game))!;
  expect(rules.tips!.length).toBeGreaterThanOrEqual(4);
  for (const tip of rules.tips!) {
    expect(tip.text.en).not.toBe("");
    expect(tip.text.it).not.toBe(tip.text.en);
    for (const kind of tip.kinds) expect(rules.parts).toHaveProperty([kind]);
  }
});
