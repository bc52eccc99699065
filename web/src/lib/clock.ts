/** When a clock speaks: a timer that is read out every second would drown everything else. */

const MARKS_S = [60, 20, 10];
/** How long the words stay in the live region; then they go, so that the same ones are news again next turn. */
const SPOKEN_S = 3;

/** The seconds to read out with so much time left; null while there is nothing to say. */
export function spokenAt(leftMs: number): number | null {
  const left = leftMs / 1000;
  return MARKS_S.find((mark) => left <= mark && left > mark - SPOKEN_S) ?? null;
}
