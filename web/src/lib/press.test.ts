import { beforeEach, describe, expect, it, vi } from "vitest";
import { press, settle, showPresses } from "./press";

/** As a person's own: those that a script sends are not waited for. */
function own<E extends Event>(event: E): E {
  Object.defineProperty(event, "isTrusted", { value: true });
  return event;
}

describe("a press", () => {
  const done: string[] = [];
  const frames: FrameRequestCallback[] = [];
  let [one, other] = [document.createElement("button"), document.createElement("i")];
  showPresses();

  beforeEach(() => {
    settle();
    done.length = frames.length = 0;
    [one, other] = [document.createElement("button"), document.createElement("i")];
    other.dataset.option = "";
    document.body.replaceChildren(one, other);
    one.onclick = () => done.push("one");
    other.onclick = () => done.push("other");
    other.onkeydown = (event) => done.push(event.key);
    vi.useFakeTimers();
    vi.stubGlobal("requestAnimationFrame", (then: FrameRequestCallback) => frames.push(then));
  });

  const painted = () => {
    frames.splice(0).forEach((then) => then(0));
    vi.advanceTimersByTime(1);
  };

  it("is shown before it does anything, which it does once", () => {
    one.dispatchEvent(own(new MouseEvent("click", { bubbles: true })));
    expect(one.hasAttribute("data-pressed")).toBe(true);
    expect(done).toEqual([]);
    painted();
    expect(done).toEqual(["one"]);
    expect(one.hasAttribute("data-pressed")).toBe(false);
    vi.runAllTimers();
    expect(done).toEqual(["one"]);
  });

  it("does it on a page that nobody sees, too, which is never painted", () => {
    one.dispatchEvent(own(new MouseEvent("click", { bubbles: true })));
    vi.runAllTimers();
    expect(done).toEqual(["one"]);
  });

  it("comes before whatever was pressed after it", () => {
    one.dispatchEvent(own(new MouseEvent("click", { bubbles: true })));
    other.dispatchEvent(own(new MouseEvent("click", { bubbles: true })));
    expect(done).toEqual(["one"]);
    one.dispatchEvent(own(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
    expect(done).toEqual(["one", "other"]);
  });

  it("of a key on what is drawn waits as well, and other keys do not", () => {
    other.dispatchEvent(own(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
    other.dispatchEvent(own(new KeyboardEvent("keydown", { key: "x", bubbles: true })));
    expect(done).toEqual(["Enter", "x"]);
    other.dispatchEvent(own(new KeyboardEvent("keydown", { key: " ", bubbles: true })));
    expect(done).toEqual(["Enter", "x"]);
    painted();
    expect(done).toEqual(["Enter", "x", " "]);
  });

  it("on what is gone by then does nothing", () => {
    press(one, () => done.push("gone"));
    one.remove();
    painted();
    expect(done).toEqual([]);
  });
});
