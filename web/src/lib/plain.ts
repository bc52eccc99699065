/** How a game without a drawing is played: its view as text and its options as a list. */

import type { GameBoard, Words } from "./board";
import Plain from "../components/Plain.svelte";

const words: Words = {
  turn: () => [],
  ask: (question) => ({ ask: question.kind }),
  waiting: () => ({ ask: "…" }),
  tell: (event) => ({ text: JSON.stringify(event) }),
};

export default { Board: Plain, words: { en: words, it: words } } satisfies GameBoard;
