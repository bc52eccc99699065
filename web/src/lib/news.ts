/** A line by which a host is told that there is something new in the house, while somebody sees the page. */

import { Line, lineAddress } from "./line";

export class News {
  #line: Line;

  /** `fresh` is called when there is something to ask for, also when the house can be reached again. */
  constructor(fresh: () => void, lost: () => void) {
    this.#line = new Line(lineAddress(), {
      opened: () => this.#look(),
      heard: (message) => {
        if (message.type === "lobby" || message.type === "changes") fresh();
      },
      changed: (state) => {
        if (state === "down") lost();
      },
    });
    document.addEventListener("visibilitychange", this.#look);
    addEventListener("online", this.#online);
    this.#line.open();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#look);
    removeEventListener("online", this.#online);
    this.#line.close();
  }

  #online = () => this.#line.open();

  #look = (): void => {
    if (document.visibilityState === "visible") this.#line.send({ type: "look", house: true });
    else this.#line.send({ type: "unlook" });
  };
}
