/** The address bar: `/`, `/table/ID`, `/replay/ID?seat=1&move=12`, `/rules/GAME`, `/lessons/GAME/LESSON`, `/join`, `/house`, all below the house. */

import { below, url } from "./base";

export type Route =
  | { page: "lobby" }
  | { page: "table"; id: string }
  | { page: "replay"; id: string; seat: string; move: number | null }
  | { page: "rules"; game: string }
  | { page: "lessons"; game: string; lesson: string }
  | { page: "join" }
  | { page: "house"; tab: "" | "doors" | "storage" };

export function parse(path: string, search: string): Route {
  const [, page, id, more = ""] = path.split("/");
  if (page === "join") return { page };
  if (page === "house") return { page, tab: id === "doors" || id === "storage" ? id : "" };
  if (page === "table" && id) return { page, id };
  if (page === "rules" && id) return { page, game: id };
  if (page === "lessons" && id) return { page, game: id, lesson: more };
  if (page === "replay" && id) {
    const query = new URLSearchParams(search);
    const move = query.get("move");
    return { page, id, seat: query.get("seat") ?? "", move: move === null ? null : Number(move) };
  }
  return { page: "lobby" };
}

const here = () => parse(below(location.pathname), location.search);

/** What the house serves besides the page. */
const ELSEWHERE = /^\/(api|docs)(\/|$)/;

class Router {
  route = $state.raw<Route>(here());

  constructor() {
    addEventListener("popstate", () => (this.route = here()));
    // Links inside the page do not load it anew.
    addEventListener("click", (event) => {
      const link = (event.target as Element).closest?.("a[href]");
      const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!(link instanceof HTMLAnchorElement) || !plain || link.target || link.origin !== location.origin) return;
      const path = below(link.pathname);
      if (link.getAttribute("href")?.startsWith("#") || url(path) !== link.pathname || ELSEWHERE.test(path)) return;
      event.preventDefault();
      this.go(path + link.search);
    });
  }

  /** To one of the house's own paths. */
  go(path: string): void {
    history.pushState(null, "", url(path));
    this.route = here();
    scrollTo(0, 0);
  }

  /** Change the address without leaving the page or a trace in the history. */
  note(path: string): void {
    history.replaceState(null, "", url(path));
  }
}

export const router = new Router();
