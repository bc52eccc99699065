"""Whether a person can see and reach everything: options under the pointer, text that is
legible and not overlaid.

`probe` looks at the page as it stands; `explore` plays, looking at every new kind of question in every size.
"""

import asyncio
import random
from dataclasses import dataclass, field

from playwright.async_api import CDPSession, Page
from tests.browser.player import asked

Size = tuple[int, int]

# A laptop with a browser around the page, ordinary screens, large ones.
SCREENS: tuple[Size, ...] = (
    (1280, 720),
    (1280, 800),
    (1366, 650),
    (1440, 780),
    (1920, 1080),
    (2560, 1440),
)
PHONES: tuple[Size, ...] = ((375, 667), (390, 844), (844, 390))
TEXT_PX_MIN = 12
PATIENCE_S = 100.0

# Everything that is wrong with the page as it stands, in words. An option in a drawing names the shape one
# aims at with data-face. "One obvious scroll" is a scroll of one thing in a direction, by wheel or finger:
# what only a script can scroll is out of reach.
_PROBE = """(minimum) => {
  const wrong = [];
  const name = (one) => one.getAttribute('aria-label') || one.textContent.trim().slice(0, 40) || one.className || one.tagName;
  const ancestors = (one) => { const all = []; for (let at = one.parentElement; at; at = at.parentElement) all.push(at); return all; };
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const options = [...document.querySelectorAll('[data-option]:not([disabled])')].filter((one) => !one.closest('[hidden]'));
  for (const option of options) {
    const face = option.matches('[data-face]') ? option : (option.querySelector('[data-face]') ?? option);
    const before = new Map(ancestors(face).map((one) => [one, [one.scrollLeft, one.scrollTop]]));
    face.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const scrolled = { across: 0, down: 0 };
    for (const [one, [left, top]] of before) {
      if (one.scrollLeft === left && one.scrollTop === top) continue;
      scrolled.across += one.scrollLeft !== left;
      scrolled.down += one.scrollTop !== top;
      const style = getComputedStyle(one);
      if (one !== document.documentElement && one !== document.body && !/auto|scroll/.test(style.overflowX + style.overflowY)) wrong.push(`only a script can scroll to ${name(option)}`);
    }
    if (scrolled.across > 1 || scrolled.down > 1) wrong.push(`several things must be scrolled to reach ${name(option)}`);
    const box = face.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.25, .25], [.75, .25], [.25, .75], [.75, .75]]) {
      const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      if (!hit || !(option.contains(hit) || hit.closest('label')?.contains(option))) {
        wrong.push(`${name(option)} is covered at ${x}, ${y} by ${hit ? hit.outerHTML.slice(0, 90) : 'the edge of the page'}`);
        break;
      }
    }
  }

  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    const text = node.data.trim();
    if (!text || parent.closest('script, style, title, option, noscript, .sr, .skip') || !seen(parent)) continue;
    const clips = ancestors(node).filter((one) => getComputedStyle(one).overflow !== 'visible' && !(one instanceof SVGElement));
    const range = document.createRange();
    range.selectNodeContents(node);
    let shown = false;
    for (const line of range.getClientRects()) {
      let [left, top, right, bottom] = [Math.max(0, line.left), Math.max(0, line.top), Math.min(innerWidth, line.right), Math.min(innerHeight, line.bottom)];
      for (const clip of clips) {
        const edge = clip.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      // Letters are lower than the box of their line.
      const slack = (line.bottom - line.top) * .2;
      if (right - left < 2 || bottom - top < 4) continue;
      shown = true;
      boxes.push({ node, text, left: left + 1, top: top + slack, right: right - 1, bottom: bottom - slack });
    }
    if (!shown) continue;
    const drawn = parent.closest('svg') && parent.getScreenCTM ? parent.getScreenCTM() : null;
    const px = parseFloat(getComputedStyle(parent).fontSize) * (drawn ? Math.sqrt(Math.abs(drawn.a * drawn.d - drawn.b * drawn.c)) : 1);
    if (px < minimum - .05) wrong.push(`"${text.slice(0, 30)}" is ${px.toFixed(1)} px`);
  }
  const layer = (node) => node.parentElement.closest('.askbar, .topbar, .seat.own, dialog');
  for (let one = 0; one < boxes.length; one += 1) {
    for (let other = one + 1; other < boxes.length; other += 1) {
      const [a, b] = [boxes[one], boxes[other]];
      // What stays while the rest scrolls under it covers that: it is what it is for.
      if (a.node === b.node || layer(a.node) !== layer(b.node)) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        wrong.push(`"${a.text.slice(0, 30)}" lies on "${b.text.slice(0, 30)}"`);
    }
  }
  for (const button of document.querySelectorAll('.btn')) {
    if (seen(button) && button.scrollWidth > button.clientWidth + 1) wrong.push(`the button "${name(button)}" is cut off`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push('the page scrolls sideways');
  scrollTo(0, 0);
  return wrong;
}"""

# What can be done now, each option with the kind it is of: what a drawing or button of its class, or of
# its dock, is.
_OPTIONS = """() => {
  const all = [...document.querySelectorAll('[data-option]:not([disabled])')].filter((one) => !one.closest('[hidden]'));
  document.querySelectorAll('[data-try]').forEach((one) => one.removeAttribute('data-try'));
  all.forEach((one, index) => one.setAttribute('data-try', String(index)));
  const kind = (one) => [one.tagName, one.classList[0] ?? '', one.closest('section')?.getAttribute('aria-label') ?? '', 'confirm' in one.dataset, 'discard' in one.dataset].join(' ');
  return {
    mine: document.querySelector('.askbar')?.dataset.mine === 'true',
    over: document.querySelector('dialog.result') !== null,
    asked: document.querySelector('#board')?.dataset.kind ?? '',
    kinds: all.map(kind),
    pressed: all.map((one) => one.getAttribute('aria-pressed') === 'true'),
  };
}"""

# Bring an option into view as a person does, and say where to press.
_AIM = """(index) => {
  const option = document.querySelector(`[data-try="${index}"]`);
  if (!option) return null;
  const face = option.matches('[data-face]') ? option : (option.querySelector('[data-face]') ?? option);
  face.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = face.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


async def probe(page: Page) -> list[str]:
    """What cannot be reached or read on the page as it stands."""
    return list(await page.evaluate(_PROBE, TEXT_PX_MIN))


@dataclass
class Explorer:
    """Plays by real clicks and taps, at all sizes; prefers kinds of options that were tried least."""

    page: Page
    chance: random.Random
    wrong: list[str] = field(default_factory=list)
    tried: dict[str, int] = field(default_factory=dict)
    states: set[str] = field(default_factory=set)
    clicks: int = 0
    _touch: CDPSession | None = None
    _phone: bool = False

    @classmethod
    def at(cls, page: Page, seed: int = 0) -> "Explorer":
        """Somebody at this page."""
        return cls(page, random.Random(seed))

    async def play(self, clicks: int, sizes: tuple[Size, ...]) -> None:
        """So many clicks, or to the end. Every new kind of question is looked at in all sizes."""
        end = asyncio.get_running_loop().time() + PATIENCE_S
        while self.clicks < clicks and not self.wrong:
            assert asyncio.get_running_loop().time() < end, f"nothing to do: {await asked(self.page)}"
            seen = await self.page.evaluate(_OPTIONS)
            if seen["over"]:
                return
            if not seen["mine"] or not seen["kinds"]:
                await asyncio.sleep(0.01)
                continue
            state = " | ".join([seen["asked"], *sorted(set(seen["kinds"]))])
            new = state not in self.states
            self.states.add(state)
            # The last size is where the click happens; it goes round, so that each is clicked at.
            here = sizes[self.clicks % len(sizes)]
            for size in (*(one for one in sizes if one != here), here) if new else (here,):
                await self.resize(size)
                self.wrong += [f"{size[0]}x{size[1]}, {state}: {one}" for one in await probe(self.page)]
            seen = await self.page.evaluate(_OPTIONS)
            if seen["mine"] and seen["kinds"]:
                await self._press(self._pick(seen["kinds"], seen["pressed"]), here)

    def _pick(self, kinds: list[str], pressed: list[bool]) -> int:
        order = sorted(
            range(len(kinds)),
            key=lambda one: (pressed[one], self.tried.get(kinds[one], 0), self.chance.random()),
        )
        # Mostly what was tried least and is not chosen yet; now and then anything, so that nothing
        # waits for ever.
        index = order[0] if self.chance.random() < 0.8 else self.chance.choice(order)
        self.tried[kinds[index]] = self.tried.get(kinds[index], 0) + 1
        return index

    async def _press(self, index: int, size: Size) -> None:
        point = await self.page.evaluate(_AIM, index)
        if point is None:
            return
        if size in PHONES:
            assert self._touch is not None
            where = [{"x": point[0], "y": point[1]}]
            await self._touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": where})
            await self._touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            await self.page.mouse.click(*point)
            await self.page.mouse.move(1, 1)
        self.clicks += 1

    async def resize(self, size: Size) -> None:
        """Another window, or a phone: a finger instead of a mouse."""
        if self._touch is None:
            self._touch = await self.page.context.new_cdp_session(self.page)
        phone = size in PHONES
        if phone != self._phone:
            await self._touch.send("Emulation.setTouchEmulationEnabled", {"enabled": phone})
        self._phone = phone
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})
        # Boards are measured with the next frame, and drawn again.
        await self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


async def explore(page: Page, *, clicks: int, seed: int, sizes: tuple[Size, ...]) -> Explorer:
    """Play and look; the explorer says what was wrong and what it has seen."""
    explorer = Explorer.at(page, seed)
    await explorer.play(clicks, sizes)
    return explorer
