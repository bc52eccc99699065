import { expect, test, vi } from "vitest";
import { settings } from "./settings.svelte";
import { made, spoken } from "./spoken.svelte";

test("the language that is spoken is there at once, and another speaks when it has come", async () => {
  settings.language = "it";
  const asked: string[] = [];
  let arrive = () => {};
  const phrases = await spoken({
    en: () => new Promise<{ en: { hello: string } }>((resolve) => {
      asked.push("en");
      arrive = () => resolve({ en: { hello: "hello" } });
    }),
    it: async () => {
      asked.push("it");
      return { it: { hello: "ciao" } };
    },
  });
  const loud = made(phrases, (p, language) => `${p.hello.toUpperCase()} (${language})`);
  expect(asked).toEqual(["it"]);
  expect(loud.it).toBe("CIAO (it)");
  expect(phrases.en.hello).toBe("ciao");
  expect(phrases.en.hello).toBe("ciao");
  expect(asked, "it is fetched once").toEqual(["it", "en"]);
  arrive();
  await vi.waitFor(() => expect(phrases.en.hello).toBe("hello"));
  expect(loud.en).toBe("HELLO (en)");
  expect(loud.it).toBe("CIAO (it)");
  settings.language = "en";
});

test("a language that could not be fetched is asked for again", async () => {
  let tries = 0;
  const phrases = await spoken({
    en: async () => ({ en: { hello: "hello" } }),
    it: async () => {
      tries += 1;
      if (tries === 1) throw new Error("offline");
      return { it: { hello: "ciao" } };
    },
  });
  expect(phrases.it.hello).toBe("hello");
  await vi.waitFor(() => expect(phrases.it.hello).toBe("ciao"));
  expect(tries).toBe(2);
});
