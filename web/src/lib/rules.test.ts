import { expect, test, vi } from "vitest";
import { known } from "./games";
import { findCard, partsOf, rulesOf } from "./rules";

const LANGUAGES = ["en", "it"] as const;

test.each(known)("%s tells its rules in both languages, part for part", async (game) => {
  const rules = (await rulesOf(game))!;
  const [en, it] = LANGUAGES.map((language) => partsOf(rules, language));
  expect(it!.length).toBe(en!.length);
  expect(en!.length).toBeGreaterThan(1);
  for (const [index, part] of it!.entries()) {
    expect(part.blocks.length, part.title).toBeGreaterThan(0);
    expect(part.blocks.map((block) => block.kind)).toEqual(en![index]!.blocks.map((block) => block.kind));
  }
  for (const language of LANGUAGES) expect(rules.short[language].length).toBe(4);
  for (const part of Object.values(rules.parts ?? {})) expect(en![part - 1]).toBeDefined();
});

test.each(known)("every card of %s has its name and text in both languages, and nobody forgot to translate", async (game) => {
  const rules = (await rulesOf(game))!;
  // A language that is not spoken here comes when it is first asked for.
  await vi.waitFor(() => {
    const [en, it] = LANGUAGES.map((language) => rules.cards?.(language) ?? []);
    expect(it!.map((group) => [group.id, group.cards.map((card) => card.id)])).toEqual(en!.map((group) => [group.id, group.cards.map((card) => card.id)]));
    for (const group of en!) {
      for (const card of group.cards) {
        const other = findCard(it!, `${group.id}/${card.id}`)!;
        for (const one of [card, other]) {
          expect(one.name, card.id).not.toBe("");
          expect(one.text.length, card.id).toBeGreaterThan(12);
          expect(`${one.name} ${one.text} ${one.note}`).not.toMatch(/undefined\b.*undefined|NaN|\[object/);
        }
        expect(other.text, card.id).not.toBe(card.text);
      }
    }
  });
});
