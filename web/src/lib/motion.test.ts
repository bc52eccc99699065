import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stage } from "./motion";

/** Animations stand still until they are finished, as all of them are when somebody presses. */
class Still {
  onfinish: (() => void) | null = null;
  oncancel: (() => void) | null = null;
  finish(): void {
    this.onfinish?.();
  }
}

describe("a stage", () => {
  const root = document.createElement("div");
  const layer = document.createElement("div");
  const begun: Element[] = [];
  const { animate, getBoundingClientRect } = Element.prototype;

  beforeEach(() => {
    root.innerHTML = '<div id="board"><i data-piece="p"></i></div><b data-number="score">7</b><b data-number="same">3</b><i data-mark></i>';
    layer.innerHTML = "";
    begun.length = 0;
    document.body.append(root, layer);
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    Element.prototype.animate = function (this: Element) {
      begun.push(this);
      return new Still() as unknown as Animation;
    };
    Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, width: 10, height: 10 }) as DOMRect;
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    Object.assign(Element.prototype, { animate, getBoundingClientRect });
    root.remove();
    layer.remove();
  });

  it("changes numbers when the pieces have landed", () => {
    const stage = new Stage(root, layer);
    const score = root.querySelector('[data-number="score"]')!;
    stage.before([{ piece: "p", how: "drop" }]);
    score.textContent = "9";
    stage.after(0);
    // The number itself is veiled, and a picture says what it said before; one that stays the same is left alone.
    expect([...layer.children].map((one) => one.textContent)).toEqual(["7"]);
    expect(begun).toContain(score);
    expect(begun).not.toContain(root.querySelector('[data-number="same"]'));
    expect(score.textContent).toBe("9");
    stage.finish();
    expect(layer.children).toHaveLength(0);
  });

  it("holds back no number where nothing flies", () => {
    const stage = new Stage(root, layer);
    stage.before([{ piece: "nowhere", how: "drop" }]);
    root.querySelector('[data-number="score"]')!.textContent = "9";
    stage.after(0);
    expect(layer.children).toHaveLength(0);
    expect(begun).toHaveLength(0);
  });
});
