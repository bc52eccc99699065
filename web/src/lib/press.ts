/** A press is shown at once, and what it leads to comes when that has been painted: to draw a board anew may take longer than
 *  a person waits before pressing again. */

/** A page that nobody sees is not painted. */
const UNSEEN_MS = 200;

let due: (() => void) | null = null;

/** Let the last press do what it does, now: whatever comes after it finds the page as it has made it. */
export function settle(): void {
  const then = due;
  due = null;
  then?.();
}

/** `place` has been pressed; if it is still there after the next paint, `then`. */
export function press(place: Element, then: () => void): void {
  settle();
  place.setAttribute("data-pressed", "");
  const own = () => {
    if (place.isConnected) then();
    place.removeAttribute("data-pressed");
  };
  due = own;
  const painted = () => {
    if (due === own) settle();
  };
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, UNSEEN_MS);
}

/** A person's own event waits for the paint, and is then sent again. */
function later(event: MouseEvent | KeyboardEvent): void {
  if (!event.isTrusted) return;
  settle();
  const { target } = event;
  const key = event instanceof KeyboardEvent;
  if (key && (!["Enter", " "].includes(event.key) || event.repeat)) return;
  // A key on a button, a box or a link becomes a click by itself.
  const place = target instanceof Element ? target.closest(key ? "[data-option]:not(button, a, input, label)" : "[data-option]:not(a, input, label), button") : null;
  if (!place || (key && place !== target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  press(place, () => target!.dispatchEvent(key ? new KeyboardEvent(event.type, event) : new MouseEvent(event.type, event)));
}

/** From now on, everywhere on the page. */
export function showPresses(): void {
  addEventListener("click", later, { capture: true });
  addEventListener("keydown", later, { capture: true });
}
