/** As much Markdown as the pages of the rules are written in: headings, paragraphs, lists, tables, drawings of letters. */

export interface Span {
  text: string;
  style?: "b" | "i" | "code";
}

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "drawing"; text: string };

const ITEM = /^(?:- |(\d+)\. )/;
const STYLED = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`/g;

/** Words with their emphasis; a link is only its words. */
export function spans(text: string): Span[] {
  const found: Span[] = [];
  let end = 0;
  const plain = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  for (const match of plain.matchAll(STYLED)) {
    if (match.index > end) found.push({ text: plain.slice(end, match.index) });
    const [whole, bold, italic, code] = match;
    found.push(bold ? { text: bold, style: "b" } : italic ? { text: italic, style: "i" } : { text: code!, style: "code" });
    end = match.index + whole.length;
  }
  if (end < plain.length) found.push({ text: plain.slice(end) });
  return found;
}

const cells = (line: string) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function block(lines: string[]): Block {
  const first = lines[0]!;
  const title = /^(#+) (.*)$/.exec(first);
  if (title) return { kind: "heading", level: title[1]!.length, text: title[2]! };
  if (first.startsWith("|")) return { kind: "table", head: cells(first), rows: lines.slice(2).map(cells) };
  if (first.startsWith("    ")) return { kind: "drawing", text: lines.map((line) => line.slice(4)).join("\n") };
  const item = ITEM.exec(first);
  if (!item) return { kind: "paragraph", spans: spans(lines.join(" ")) };
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop()} ${line.trim()}`);
  }
  return { kind: "list", ordered: item[1] !== undefined, items: items.map(spans) };
}

/** A page as its blocks, which blank lines part. */
export function parse(text: string): Block[] {
  return text.trim().split(/\n\s*\n/).map((part) => block(part.split("\n")));
}

/** The rows of the tables of a page, in their order. */
export function tables(text: string): string[][][] {
  return parse(text).flatMap((one) => (one.kind === "table" ? [one.rows] : []));
}
