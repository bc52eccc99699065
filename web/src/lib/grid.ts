/** Walking a board with the keyboard: one tab stop, arrows from cell to cell, `.` and `,` from option to option. */

export interface Grid {
  columns: number;
  count: number;
  legal: (index: number) => boolean;
}

/** Where a key leads from cell `at`, "choose" for Enter and Space, null for a key that means nothing here. */
export function walk(key: string, at: number, grid: Grid): number | "choose" | null {
  const { columns, count } = grid;
  const row = Math.floor(at / columns);
  const column = at % columns;
  switch (key) {
    case "ArrowLeft":
      return column > 0 ? at - 1 : at;
    case "ArrowRight":
      return column < columns - 1 && at + 1 < count ? at + 1 : at;
    case "ArrowUp":
      return row > 0 ? at - columns : at;
    case "ArrowDown":
      return at + columns < count ? at + columns : at;
    case "Home":
      return at - column;
    case "End":
      return Math.min(count - 1, at - column + columns - 1);
    case ".":
      return next(at, 1, grid);
    case ",":
      return next(at, -1, grid);
    case "Enter":
    case " ":
      return "choose";
    default:
      return null;
  }
}

/** The nearest option after (or before) a cell, around the board; the cell itself when there is none. */
export function next(at: number, step: 1 | -1, { count, legal }: Grid): number {
  for (let distance = 1; distance <= count; distance += 1) {
    const index = (at + step * distance + count * distance) % count;
    if (legal(index)) return index;
  }
  return at;
}

/** Handle a key on a grid of `[data-cell]` elements; returns the cell that is the tab stop from now on. */
export function onGridKey(event: KeyboardEvent, at: number, grid: Grid, choose: (index: number) => void): number {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return at;
  const result = walk(event.key, at, grid);
  if (result === null) return at;
  event.preventDefault();
  event.stopPropagation();
  if (result === "choose") {
    choose(at);
    return at;
  }
  const cells = (event.currentTarget as Element).querySelectorAll<SVGElement>("[data-cell]");
  for (const cell of cells) if (cell.dataset.cell === String(result)) cell.focus();
  return result;
}

/** The cell an event happened on, null beside all of them. */
export function cellOf(event: Event): number | null {
  const cell = (event.target as Element).closest<SVGElement>("[data-cell]");
  return cell?.dataset.cell === undefined ? null : Number(cell.dataset.cell);
}
