import { expect, test } from "vitest";
import { parse, spans, tables } from "./markdown";

test("words keep their emphasis, and links only their words", () => {
  expect(spans("a **turn** is *short*, see `spread` and [its\nprotocol](x.md).")).toEqual([
    { text: "a " }, { text: "turn", style: "b" }, { text: " is " }, { text: "short", style: "i" }, { text: ", see " },
    { text: "spread", style: "code" }, { text: " and its\nprotocol." },
  ]);
});

test("a page is read block by block, and lines that go on belong to their item", () => {
  const page = "# Title\n\nOne\ntwo.\n\n1. First\n   goes on\n2. Second\n\n| id | text |\n|---|---|\n| 1 | a |\n| 2 | |\n\n    . 2\n    2 .\n";
  expect(parse(page)).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", spans: [{ text: "One two." }] },
    { kind: "list", ordered: true, items: [[{ text: "First goes on" }], [{ text: "Second" }]] },
    { kind: "table", head: ["id", "text"], rows: [["1", "a"], ["2", ""]] },
    { kind: "drawing", text: ". 2\n2 ." },
  ]);
  expect(tables(page)).toEqual([[["1", "a"], ["2", ""]]]);
});
