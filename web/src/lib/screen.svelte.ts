/** How much room the page has; the same limits as in style/frame.css. */

import { MediaQuery } from "svelte/reactivity";
import { settings } from "./settings.svelte";

const wide = new MediaQuery("(min-width: 1061px)");
const roomy = new MediaQuery("(min-width: 1200px)");
const short = new MediaQuery("(max-height: 779px)");

export const screen = {
  /** One column: seats as a strip, the question at the bottom, the page scrolls. */
  get compact(): boolean {
    return !wide.current;
  },
  /** Room for events and chat beside the board. */
  get aside(): boolean {
    return roomy.current && settings.size === "normal";
  },
  /** So much room that there is something to choose. */
  get wide(): boolean {
    return roomy.current;
  },
  /** Events and chat share one panel. */
  get short(): boolean {
    return short.current;
  },
};
