"""Actions as numbers, for those who learn to play: a fixed list of all that could ever be answered."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ludoteca.core.errors import LocalError


class Nth(msgspec.Struct, frozen=True):
    """A word for actions too many to list: the one in this place (from 0) among a question's answers of their
    type. What it means depends on the question."""

    type: str
    place: int


class Vocabulary:
    """All words of a game, numbered from 0; `len` is how many there are."""

    def __init__(self, words: Sequence[Any]) -> None:
        self.words = tuple(words)
        self._numbers = {word: number for number, word in enumerate(self.words)}
        if len(self._numbers) < len(self.words):
            raise LocalError("a word is in the list twice")

    def __len__(self) -> int:
        return len(self.words)

    def numbers(self, question: Any) -> list[int]:
        """The number of each answer to a question, in its order. Raises LocalError if one has none."""
        known, found = self._numbers, []
        places: dict[str, int] = {}
        for action in question.choices:
            number = known.get(action)
            if number is None:
                name = type(action).__name__
                place = places[name] = places.get(name, -1) + 1
                number = known.get(Nth(name, place))
                if number is None:
                    raise LocalError(f"there is no word for {action}")
            found.append(number)
        return found

    def action(self, question: Any, number: int) -> Any:
        """The answer with this number. Raises LocalError if it is none to this question."""
        word = self.words[number] if 0 <= number < len(self.words) else None
        if isinstance(word, Nth):
            alike = [one for one in question.choices if type(one).__name__ == word.type]
            if word.place < len(alike):
                return alike[word.place]
        elif word is not None and word in question.choices:
            return word
        raise LocalError(f"{number} is no answer to the question ({question.kind})")
