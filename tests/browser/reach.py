"""Whether a person can see and reach everything: options under the pointer, text that is
legible and not overlaid.

`probe` looks at the page as it stands; an `Explorer` plays a match, and looks before every press.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from playwright.async_api import CDPSession, Page
from tests.browser.player import IN_BETWEEN, Evaluates, Offered, accessibility, hurry, offered

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
PHONE: Size = (390, 844)
PHONES: tuple[Size, ...] = ((375, 667), PHONE, (844, 390))
SIZES = SCREENS + PHONES
# Where there is least room: what fits here mostly fits everywhere.
TIGHT: tuple[Size, ...] = ((1280, 720), (1366, 650), (375, 667), (844, 390))
TEXT_PX_MIN = 12
# Whatever is asked is looked at in another window after so many presses.
STAY_MAX = 6

# Everything that is wrong with the page as it stands, in words. An option in a drawing names the shape one
# aims at with data-face. "One obvious scroll" is a scroll of one thing in a direction, by wheel or finger:
# what only a script can scroll is out of reach.
_PROBE = """(minimum) => {
  const wrong = [];
  const name = (one) => one.getAttribute('aria-label') || one.textContent.trim().slice(0, 40) || one.className || one.tagName;
  const ancestors = (one) => { const all = []; for (let at = one.parentElement; at; at = at.parentElement) all.push(at); return all; };
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  // Under a dialog nothing is on offer but what is in it.
  const stage = document.querySelector('dialog:modal') ?? document;
  const options = [...stage.querySelectorAll('[data-option]:not([disabled])')].filter((one) => !one.closest('[hidden]'));
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

  // What is seen of an element: memory for ancestors, which many texts share.
  const room = new Map([[document.documentElement, [0, 0, innerWidth, innerHeight]]]);
  const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const within = (one) => {
    let found = room.get(one);
    if (found) return found;
    found = within(one.parentElement);
    if (!(one instanceof SVGElement) && getComputedStyle(one).overflow !== 'visible') {
      const edge = one.getBoundingClientRect();
      found = meet(found, [edge.left, edge.top, edge.right, edge.bottom]);
    }
    room.set(one, found);
    return found;
  };
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    const text = node.data.trim();
    if (!text || parent.closest('script, style, title, option, noscript, .sr, .skip, [inert]') || !seen(parent)) continue;
    const clip = within(parent);
    range.selectNodeContents(node);
    let shown = false;
    for (const line of range.getClientRects()) {
      const [left, top, right, bottom] = meet(clip, [line.left, line.top, line.right, line.bottom]);
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
  const layer = (node) => node.parentElement.closest('.askbar, .topbar, .seat.own, dialog > footer, dialog');
  boxes.sort((a, b) => a.top - b.top);
  for (let one = 0; one < boxes.length; one += 1) {
    const a = boxes[one];
    for (let other = one + 1; other < boxes.length && boxes[other].top < a.bottom - 1; other += 1) {
      const b = boxes[other];
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 1 || Math.min(a.bottom, b.bottom) - b.top <= 1) continue;
      // What stays while the rest scrolls under it covers that: it is what it is for.
      if (a.node === b.node || layer(a.node) !== layer(b.node)) continue;
      wrong.push(`"${a.text.slice(0, 30)}" lies on "${b.text.slice(0, 30)}"`);
    }
  }
  for (const button of document.querySelectorAll('.btn')) {
    if (seen(button) && button.scrollWidth > button.clientWidth + 1) wrong.push(`the button "${name(button)}" is cut off`);
  }
  const bar = document.querySelector('.askbar')?.getBoundingClientRect();
  if (bar && innerWidth <= 620 && Math.abs(bar.bottom - innerHeight) > 2) wrong.push('the question is not at the foot of the phone');
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push('the page scrolls sideways');
  scrollTo(0, 0);
  return wrong;
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

# Boards are measured with the next frame, and drawn again.
_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


async def probe(page: Evaluates) -> list[str]:
    """What cannot be reached or read on the page as it stands."""
    return list(await page.evaluate(_PROBE, TEXT_PX_MIN))


async def aim(page: Evaluates, index: int) -> tuple[float, float] | None:
    """Where to press for one of the options offered; None when it is gone."""
    point = await page.evaluate(_AIM, index)
    return (point[0], point[1]) if point else None


@dataclass
class Explorer:
    """Plays by real clicks and taps, in windows of many sizes; first curious, then to win time."""

    page: Page
    chance: random.Random
    sizes: tuple[Size, ...] = SIZES
    wrong: list[str] = field(default_factory=list)
    clicks: int = 0
    # At which sizes each state of the page was looked at, what was asked, and how often it was pressed.
    seen: dict[str, set[Size]] = field(default_factory=dict)
    questions: set[str] = field(default_factory=set)
    tried: dict[str, int] = field(default_factory=dict)
    clicked: dict[Size, int] = field(default_factory=dict)
    size: Size | None = None
    turn: int = 0
    _devtools: CDPSession | None = None

    @classmethod
    def at(cls, page: Page, seed: int = 0, sizes: tuple[Size, ...] = SIZES) -> "Explorer":
        """Somebody at this page."""
        return cls(page, random.Random(seed), sizes)

    async def play(self, curious: int, *, everywhere: bool = True, axe: bool = False) -> None:
        """A match to its end. So many presses are of what was tried least, the others of what leads on.

        A question that is new is looked at in all sizes, a new state of the page where there is least room,
        and then each time it comes in another size; not `everywhere`, in some of these sizes, in turns. Who
        only wants to come to the end looks and presses now and then, and in between lets the page press by
        itself what was seen before. With `axe`, new questions are read by it, too.
        """
        while not self.wrong:
            now = await offered(self.page)
            if now.over:
                looked = set().union(*self.seen.values())
                some = self._some(self.sizes, everywhere)
                await self._look(
                    "result", [size for size in self.sizes if size in some or size not in looked]
                )
                self.wrong += await accessibility(self.page)
                return
            new = now.asked not in self.questions
            self.questions.add(now.asked)
            if new:
                await self._look(now.state, self._some(self.sizes, everywhere))
            elif now.state not in self.seen:
                await self._look(now.state, self._some(TIGHT, everywhere))
            else:
                await self._look(now.state, [self._elsewhere(now.state)])
            if new and axe:
                self.wrong += [f"{self.size}, {now.state}: {one}" for one in await accessibility(self.page)]
            # Looking has taken a while, in which the table may have moved on.
            now = await offered(self.page)
            if now.over:
                continue
            await self._press(self._pick(now, curious=self.clicks < curious))
            if self.clicks >= curious:
                seed = self.chance.randrange(1, 1 << 30)
                self.clicks += await hurry(self.page, IN_BETWEEN, seed=seed, known=self.seen)

    def _some(self, sizes: Iterable[Size], everywhere: bool) -> list[Size]:
        """Those of these sizes that are ours, or a third of them, in turns."""
        mine = [size for size in sizes if size in self.sizes] or list(self.sizes)
        self.turn += 1
        return mine if everywhere else mine[self.turn % 3 :: 3]

    async def _look(self, state: str, sizes: Iterable[Size]) -> None:
        for size in sizes:
            await self.resize(size)
            self.seen.setdefault(state, set()).add(size)
            self.wrong += [f"{size[0]}x{size[1]}, {state}: {one}" for one in await probe(self.page)]

    def _elsewhere(self, state: str) -> Size:
        """Here, if this was not seen here; else where it was not; else where least was clicked, in turns."""
        looked = self.seen.get(state, set())
        if self.size is not None and self.size not in looked:
            return self.size
        missing = [size for size in self.sizes if size not in looked]
        stay = self.size is not None and not missing and self.clicks % STAY_MAX
        return self.size if stay and self.size else min(missing or self.sizes, key=self._clicked)

    def _clicked(self, size: Size) -> int:
        return self.clicked.get(size, 0)

    def _pick(self, now: Offered, *, curious: bool) -> int:
        everything = range(len(now.options))

        def novelty(index: int) -> tuple[bool, int, float]:
            one = now.options[index]
            return (one.pressed, self.tried.get(one.kind, 0), self.chance.random())

        if not curious:
            index = now.leading_on(self.chance)
        elif self.chance.random() > 0.8:
            # Now and then anything, so that nothing waits for ever.
            index = self.chance.choice(everything)
        else:
            index = min(everything, key=novelty)
        self.tried[now.options[index].kind] = self.tried.get(now.options[index].kind, 0) + 1
        return index

    async def _press(self, index: int) -> None:
        assert self._devtools is not None
        assert self.size is not None
        point = await aim(self.page, index)
        if point is None:
            return
        if self.size in PHONES:
            where = [{"x": point[0], "y": point[1]}]
            await self._devtools.send(
                "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": where}
            )
            await self._devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            await self.page.mouse.click(*point)
            await self.page.mouse.move(1, 1)
        self.clicks += 1
        self.clicked[self.size] = self._clicked(self.size) + 1

    async def resize(self, size: Size) -> None:
        """Another window, or a phone: a finger instead of a mouse."""
        if size == self.size:
            await self.page.evaluate(_FRAME)
            return
        if self._devtools is None:
            self._devtools = await self.page.context.new_cdp_session(self.page)
        if self.size is None or (size in PHONES) != (self.size in PHONES):
            await self._devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": size in PHONES})
        self.size = size
        await self._devtools.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
        )
        await self.page.evaluate(_FRAME)
