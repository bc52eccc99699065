/** After what has just changed can be seen: a page answers a press first, and does what takes longer then. */

/** A page that nobody sees is not painted. */
const UNSEEN_MS = 200;

export function painted(then: () => void): void {
  let over = false;
  const once = () => {
    if (over) return;
    over = true;
    then();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, UNSEEN_MS);
}
