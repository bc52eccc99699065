"""The rules of the games and what is printed on their cards, as pages to read without a network."""

from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from ludoteca import games
from ludoteca.core import Game, Refused
from ludoteca.core.wording import meant

# Packed with an installed Ludoteca; in docs/ of a checkout.
_PACKED = resources.files("ludoteca") / "rules"
_CHECKOUT = Path(__file__).parents[3] / "docs"


def rules(name: str) -> str:
    """The rules of a game, as Markdown. Raises Refused when it has no page."""
    game = games.load(name)
    for page in (_PACKED / f"{name}.md", _CHECKOUT / "rules" / f"{name}.md"):
        if page.is_file():
            return _readable(page.read_text())
    raise Refused(f"{game.title} has no page about its rules", "rules")


def glossary() -> str:
    """What the words of the house mean, as Markdown."""
    for page in (_PACKED / "glossary.md", _CHECKOUT / "glossary.md"):
        if page.is_file():
            return page.read_text()
    raise Refused("the glossary is not packed with this Ludoteca", "rules")


def _readable(page: str) -> str:
    """Without the paragraph that leads to other files of a checkout."""
    head, _, rest = page.partition("\n\n")
    first, _, others = rest.partition("\n\n")
    return f"{head}\n\n{others}" if "](../" in first else page


def cards(game: Game) -> dict[str, dict[str, Any]]:
    """What is printed on the game's cards and pieces, by kind and name."""
    known: dict[str, Any] = msgspec.to_builtins(game.cards, str_keys=True)
    return {kind: named for kind, named in known.items() if isinstance(named, dict)}


def card(game: Game, word: str) -> list[str]:
    """What is printed on one card, called by its name or number. Raises Refused."""
    found = [
        line
        for kind, named in cards(game).items()
        for name, about in named.items()
        if word.casefold() in (name.casefold(), _title(about).casefold())
        for line in _described(kind, name, about)
    ]
    if not found:
        names = [
            one
            for named in cards(game).values()
            for name, about in named.items()
            for one in (name, _title(about))
        ]
        raise Refused(
            f"{game.title} has no card {word!r}{meant(word, [name for name in names if name])}", "card"
        )
    return found


def _title(about: Any) -> str:
    return str(about.get("name", "")) if isinstance(about, dict) else ""


def _described(kind: str, name: str, about: Any) -> list[str]:
    head = f"{name} ({kind.replace('_', ' ').rstrip('s')})"
    if not isinstance(about, dict):
        return [f"{head}: {_words(about)}"]
    return [
        head,
        *(
            f"  {key.replace('_', ' ')}: {_words(value)}"
            for key, value in about.items()
            if value not in ([], (), {}, None)
        ),
    ]


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_words(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(_words(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
