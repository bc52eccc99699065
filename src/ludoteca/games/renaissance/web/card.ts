/** Masters of Renaissance in the lobby. */
import type { GameCard } from "$lib/board";
import Cover from "./Cover.svelte";
import type { Options, Preferences } from "./records";

export default {
  Cover,
  title: "Masters of Renaissance",
  order: 4,
  minutes: 60,
  text: {
    en: { blurb: "Trade at the market, develop, walk the faith track." },
    it: { blurb: "Commercia al mercato, sviluppa, avanza nella fede." },
  },
} satisfies GameCard<Options, Preferences>;
