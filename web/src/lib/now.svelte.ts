/** The time, four times a second while something on the page shows it. */

import { createSubscriber } from "svelte/reactivity";

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 250);
  return () => clearInterval(timer);
});

/** The page's own milliseconds; markup that reads it is drawn again as time passes. */
export function now(): number {
  subscribe();
  return Date.now();
}
