"""A person at the page: opens tables, plays by clicking only what is offered, or with the keyboard alone."""

import random
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec
from playwright.async_api import Page

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
# So long nothing may be asked of a player, on a busy machine.
PATIENCE_S = 40.0
# So many answers of a match are given one after the other; then the page gives some itself before each.
BY_HAND = 25
IN_BETWEEN = 4
# Tab leads to anything on a page with so many presses.
TABS_MAX = 150

# What can be done now, or null; what was pressed has its effect before. Each option is of a kind: what a drawing
# or button of its class, or of its dock, is; one in the bar has a figure. `offered` waits for it, or for the end.
_LOOK = """
  const about = (one) => {
    const confirm = 'confirm' in one.dataset, discard = 'discard' in one.dataset;
    return {
      kind: [one.tagName, one.classList[0] ?? '', one.closest('section')?.getAttribute('aria-label') ?? '', confirm, discard].join(' '),
      pressed: one.getAttribute('aria-pressed') === 'true',
      figure: one.closest('.choices') ? [...one.closest('.choices').querySelectorAll('button')].indexOf(one) + 1 : 0,
      confirm, discard,
    };
  };
  const look = () => {
    const mine = document.querySelector('.askbar')?.dataset.mine === 'true';
    const over = document.querySelector('dialog.result') !== null;
    const all = mine ? [...document.querySelectorAll('[data-option]:not([disabled])')].filter((one) => !one.closest('[hidden]')) : [];
    if (!over && !all.length || document.querySelector('[data-pressed]')) return null;
    document.querySelectorAll('[data-try]').forEach((one) => one.removeAttribute('data-try'));
    all.forEach((one, index) => one.setAttribute('data-try', String(index)));
    const asked = document.querySelector('#board')?.dataset.kind ?? '', options = all.map(about);
    return { over, asked, options, state: [asked, ...[...new Set(options.map((one) => one.kind))].sort()].join(' | ') };
  };
  const offered = (patience_ms) => new Promise((done) => {
    const now = look();
    if (now) return done(now);
    const watch = new MutationObserver(() => {
      const now = look();
      if (now) { watch.disconnect(); clearTimeout(late); done(now); }
    });
    const late = setTimeout(() => { watch.disconnect(); done(null); }, patience_ms);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-option', 'data-mine', 'data-pressed', 'disabled', 'hidden'] });
  });
"""
_OFFERED = f"(patience_ms) => {{ {_LOOK} return offered(patience_ms); }}"

# Presses what leads on, as `Offered.leading_on` does, as soon as it is offered: no word between page and test for
# each press, and no pointer.
_HURRY = f"""async ([presses, seed, known, patience_ms]) => {{ {_LOOK}
  const chance = () => (seed = Math.imul(seed, 1103515245) + 12345 & 0x7fffffff) / 0x80000000;
  let pressed = 0;
  while (pressed < presses) {{
    const now = await offered(patience_ms);
    if (!now) return null;
    if (now.over || known && !known.includes(now.state)) break;
    const whim = chance() > .8;
    const worth = now.options.map((one) => 4 * one.discard + 2 * (!whim && (one.pressed || !one.confirm)) + chance());
    document.querySelector(`[data-try="${{worth.indexOf(Math.min(...worth))}}"]`)
      .dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true }}));
    pressed += 1;
    await new Promise((drawn) => setTimeout(drawn));
  }}
  return pressed;
}}"""


@dataclass(frozen=True)
class Offer:
    """One option as the page shows it; its place in the list is its `data-try`."""

    kind: str
    pressed: bool
    figure: int
    confirm: bool
    discard: bool


@dataclass(frozen=True)
class Offered:
    """What can be done now: nothing when the match is over."""

    over: bool
    asked: str
    options: list[Offer]
    # What is asked, and the kinds of options there are.
    state: str

    def leading_on(self, chance: random.Random) -> int:
        """The option of a person who wants to finish: confirms, and throws nothing away, mostly."""
        whim = chance.random() > 0.8

        def worth(index: int) -> tuple[bool, bool, float]:
            one = self.options[index]
            return (one.discard, not whim and (one.pressed or not one.confirm), chance.random())

        return min(range(len(self.options)), key=worth)


class Evaluates(Protocol):
    """A page of any browser."""

    async def evaluate(self, function: str, argument: Any = ..., /) -> Any:
        """What a function of the page returns."""


async def offered(page: Evaluates) -> Offered:
    """Wait until we can do something."""
    found = await page.evaluate(_OFFERED, PATIENCE_S * 1000)
    assert found is not None, f"nothing to do: {await asked(page)}"
    return msgspec.convert(found, Offered)


async def open_table(
    page: Page,
    game: str,
    *,
    players: int = 2,
    bots: str = "random",
    private: bool = False,
    options: dict[str, str] | None = None,
) -> None:
    """Open a table in the lobby's dialog.

    `bots` "random" or "strong" take the other chairs; options are by label.
    """
    await page.locator(f'.game[data-game="{game}"] .do .btn:not(.tint)').click()
    dialog = page.locator("dialog")
    await choose(page, "Players", str(players))
    if bots and players > 1:
        await choose(page, "Empty chairs", "seat bots")
        levels = dialog.get_by_role("radiogroup", name="Bots", exact=True).locator("label")
        await (levels.first if bots == "random" else levels.last).click()
    if private:
        await choose(page, "Who may come", "only with the link")
    if options:
        await dialog.locator("summary").click()
    for label, value in (options or {}).items():
        field = dialog.get_by_label(label, exact=True)
        if await field.get_attribute("role") == "radiogroup":
            await field.get_by_text(value, exact=True).click()
        else:
            await field.fill(value)
    await dialog.get_by_role("button", name="Open the table").click()
    await page.wait_for_url("**/table/*")


async def choose(page: Page, label: str, value: str) -> None:
    """One of a few choices of the dialog."""
    await (
        page.locator("dialog")
        .get_by_role("radiogroup", name=label, exact=True)
        .get_by_text(value, exact=True)
        .click()
    )


async def play(page: Page, *, seed: int = 1, turns: int | None = None) -> int:
    """Click offered options, at random, until the match is over (or so many clicks are done); how many it
    were. In a long match the page clicks some itself."""
    chance = random.Random(seed)
    clicks = 0
    while turns is None or clicks < turns:
        now = await offered(page)
        if now.over:
            break
        index = now.leading_on(chance)
        try:
            await page.locator(f'[data-try="{index}"]').click(timeout=2_000)
        except Exception:
            # The table moved on between looking and clicking: look again.
            continue
        await settled(page)
        clicks += 1
        if turns is None and clicks > BY_HAND:
            clicks += await hurry(page, IN_BETWEEN, seed=chance.randrange(1, 1 << 30))
    return clicks


async def hurry(page: Evaluates, presses: int, *, seed: int = 1, known: Collection[str] | None = None) -> int:
    """Let the page press what leads on by itself, for those who only want to come to the end: so often, until
    that, or until a state is offered that is not `known`. How often it was."""
    pressed = await page.evaluate(
        _HURRY, [presses, seed, None if known is None else list(known), PATIENCE_S * 1000]
    )
    assert pressed is not None, f"nothing to do: {await asked(page)}"
    return int(pressed)


# What is pressed has its effect after the next paint.
_SETTLED = """() => new Promise((done) => {
  const look = () => document.querySelector('[data-pressed]') ? setTimeout(look, 5) : done();
  look();
})"""


async def settled(page: Evaluates) -> None:
    """Wait until the last press has done what it does."""
    await page.evaluate(_SETTLED)


async def play_by_keyboard(page: Page, *, seed: int = 1) -> None:
    """The same with keys only: a figure for a choice of the bar; Tab to what is on the board, `.` from
    option to option where it is a grid, and Enter. Later in a match what was answered so before is mostly
    left to the page."""
    chance = random.Random(seed)
    known: set[str] = set()
    answers = 0
    while not (now := await offered(page)).over:
        index = now.leading_on(chance)
        if figure := now.options[index].figure:
            await page.keyboard.press(str(figure))
        elif key := await _walk_to(page, index):
            await page.keyboard.press(key)
        await settled(page)
        known.add(now.state)
        answers += 1
        if answers > BY_HAND:
            await hurry(page, IN_BETWEEN, seed=chance.randrange(1, 1 << 30), known=known)


# Where the focus is, as seen from an option: on it, on the board that it is a cell of, or elsewhere.
_FOCUS = """(index) => {
  const wanted = document.querySelector(`[data-try="${index}"]`);
  if (!wanted) return 'gone';
  const here = document.activeElement;
  if (wanted.contains(here)) return here.matches('input') ? 'box' : 'there';
  return here.closest('[role=grid]')?.contains(wanted) ? 'grid' : 'elsewhere';
}"""


async def _walk_to(page: Page, index: int) -> str:
    """Bring the focus to an option, and say which key chooses it; "" when the table has moved on."""
    for _ in range(TABS_MAX):
        match await page.evaluate(_FOCUS, index):
            case "there":
                return "Enter"
            case "box":
                return "Space"
            case "grid":
                await page.keyboard.press(".")
            case "gone":
                return ""
            case _:
                await page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to an option: {await asked(page)}")


async def tab_into(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(TABS_MAX):
        if await page.evaluate("(where) => document.activeElement?.closest(where) !== null", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


async def asked(page: Evaluates) -> str:
    """The sentence above the board."""
    return str(await page.evaluate("() => document.querySelector('.ask')?.innerText ?? ''"))


async def close_result(page: Page) -> None:
    """Look at the board again."""
    await page.locator("dialog.result header button").click()


async def accessibility(page: Page) -> list[str]:
    """What axe finds moderate or worse."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text())
    found: dict[str, Any] = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("moderate", "serious", "critical")
    ]


async def fits(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1"))
