"""Why not: the reason that something on a board cannot be chosen, in words of the position."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec


class Reason(msgspec.Struct, frozen=True):
    """Why not. `code` is one word for programs, `words` a sentence or two in each language ("en", "it")."""

    code: str
    words: dict[str, str]


class Attempt(msgspec.Struct, frozen=True):
    """What somebody wants to do: `actions` are one decision, of which the last is asked about.

    `view` is all that the seat may know, `question` what it is asked now, with every legal first action.
    """

    view: Any
    seat: int
    question: Any
    actions: tuple[Any, ...]
    names: Sequence[str]

    @property
    def action(self) -> Any:
        """What is asked about."""
        return self.actions[-1]


class Why(msgspec.Struct, frozen=True):
    """How a game explains what is not possible.

    `reason(attempt)` says why not; None where nothing speaks against it. It is asked about single actions
    only when they are not among the choices. `tempting(view, seat, question)` are the decisions that a board
    makes one think of, legal or not: `ludoteca.testing` tries them all.
    """

    reason: Callable[[Attempt], Reason | None]
    tempting: Callable[[Any, int, Any], Iterable[tuple[Any, ...]]]


def reason(code: str, en: str, it: str) -> Reason:
    """A reason in both languages."""
    return Reason(code, {"en": en, "it": it})


NOT_NOW = reason("now", "That is not possible now.", "Ora non è possibile.")


def why_not(why: Why | None, attempt: Attempt) -> Reason | None:
    """Why this cannot be done; None where it can, as far as the one who asks may know."""
    if attempt.actions[0] not in attempt.question.choices:
        attempt = msgspec.structs.replace(attempt, actions=attempt.actions[:1])
        return (why.reason(attempt) if why else None) or NOT_NOW
    if len(attempt.actions) == 1 or why is None:
        return None
    return why.reason(attempt)
