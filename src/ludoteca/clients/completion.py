"""Answers as words: what may come next after what has been typed so far."""

from collections.abc import Iterator, Sequence

import msgspec


class Choice(msgspec.Struct, frozen=True):
    """One way to go on: `label` is shown, `text` is the answer so far with it, `complete` when
    that can be sent."""

    label: str
    text: str
    complete: bool


class Choices(msgspec.Struct, frozen=True):
    """What can follow. `lead` are the words that are clear already and need not be repeated."""

    lead: str
    items: tuple[Choice, ...]


def about(answers: Sequence[str], places: Sequence[Sequence[str]]) -> list[str]:
    """The answers that name all these places, each by one of its words, in this order or else in any.

    A place that is named once too often means that there is nothing to add: the shortest answer about all.
    """
    cut = [answer.casefold().split() for answer in answers]
    for found in (
        [i for i, words in enumerate(cut) if _in_order(words, places)],
        [i for i, words in enumerate(cut) if all(_find(words, place, 0) for place in places)],
    ):
        if found and len(set(map(tuple, places))) == len(places):
            return [answers[i] for i in found]
        if found:
            shortest = min(len(cut[i]) for i in found)
            return [answers[i] for i in found if len(cut[i]) == shortest]
    return []


def common_start(answers: Sequence[str]) -> str:
    """The words that all of these begin with."""
    first, *others = [answer.split() for answer in answers]
    end = 0
    while end < len(first) and all(words[: end + 1] == first[: end + 1] for words in others):
        end += 1
    return " ".join(first[:end])


def _in_order(words: Sequence[str], places: Sequence[Sequence[str]]) -> bool:
    at = 0
    for place in places:
        at = _find(words, place, at)
        if not at:
            return False
    return True


def _find(words: Sequence[str], place: Sequence[str], start: int) -> int:
    """Where the words of a place end, the first time from `start` on; 0 when they are not there."""
    for name in place:
        wanted = name.casefold().split()
        for at in range(start, len(words) - len(wanted) + 1):
            if words[at : at + len(wanted)] == wanted:
                return at + len(wanted)
    return 0


class Vocabulary:
    """All answers to one question, cut into words and grouped by their beginnings."""

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = [answer.split() for answer in answers]
        self._keys = [[word.casefold() for word in words] for words in self._answers]

    def after(self, typed: str) -> Choices:
        """The next words after what was typed; the last word may be incomplete.

        Words that all answers share at the beginning may be left out: "3 4" for "click 3 4".
        """
        words = typed.casefold().split()
        part = words.pop() if words and not typed[-1].isspace() else ""
        everything = range(len(self._answers))
        shared = self._shared(everything, 0)
        for start in dict.fromkeys((0, shared)):
            known = [*self._keys[0][:start], *words] if self._answers else words
            found = [i for i in everything if self._keys[i][: len(known)] == known]
            choices = self._next(found, len(known), part)
            if choices.items:
                return choices
        return Choices("", ())

    def _next(self, found: Sequence[int], depth: int, part: str) -> Choices:
        fitting = [i for i in found if len(self._keys[i]) > depth and self._keys[i][depth].startswith(part)]
        whole = [i for i in found if len(self._keys[i]) == depth]
        if not part and not whole and fitting:
            depth = max(depth, self._shared(fitting, depth))
            whole = [i for i in fitting if len(self._keys[i]) == depth]
            fitting = [i for i in fitting if len(self._keys[i]) > depth]
        lead = " ".join(self._answers[(fitting or whole)[0]][:depth]) if fitting or whole else ""
        items = [Choice("(that is all)", lead, True) for _ in whole[:1] if not part]
        groups: dict[str, list[int]] = {}
        for i in fitting:
            groups.setdefault(self._keys[i][depth], []).append(i)
        # Numbers in their order; everything else as the game has it.
        order = sorted(groups, key=int) if all(word.isdecimal() for word in groups) else [*groups]
        items += [self._choice(groups[word], depth) for word in order]
        return Choices(lead, tuple(items))

    def _choice(self, group: list[int], depth: int) -> Choice:
        """The next word, and those after it that are clear then."""
        end = max(depth + 1, self._shared(group, depth))
        words = self._answers[group[0]]
        complete = len(group) == 1 and len(words) == end
        return Choice(" ".join(words[depth:end]), " ".join(words[:end]), complete)

    def _shared(self, found: Sequence[int], depth: int) -> int:
        """How far all of these agree, from a depth to which they do."""
        if not found:
            return depth
        first = self._keys[found[0]]
        while depth < len(first) and all(
            len(self._keys[i]) > depth and self._keys[i][depth] == first[depth] for i in found
        ):
            depth += 1
        return depth


def outline(answers: Sequence[str], limit: int) -> Iterator[str]:
    """Many answers in few lines: "move B2: A1 A2 C3"; one line for each beginning, or all
    of them when few."""
    if len(answers) <= limit:
        yield from answers
        return
    groups: dict[str, list[str]] = {}
    for answer in answers:
        head, _, last = answer.rpartition(" ")
        groups.setdefault(head, []).append(last)
    for head, lasts in groups.items():
        yield f"{head}: {' '.join(lasts)}" if head else " ".join(lasts)


def about_choice(explanation: str, choice: str) -> str:
    """What an explanation says about the last thing that a choice names: its line that begins with that.

    Names end with a colon or are codes: a sentence that begins with the verb of an answer is about no choice.
    """
    lines = [(line.split()[0], line) for line in explanation.splitlines() if line.strip()]
    told = {
        first.rstrip(":").casefold(): line
        for first, line in lines
        if first.endswith(":") or first[-1].isdecimal()
    }
    return next((told[word] for word in reversed(choice.casefold().split()) if word in told), "")


def place_of(rows: Sequence[str], answers: Sequence[str], own: Sequence[str]) -> tuple[int, int]:
    """The first and the last row about a question: those with the cards that its answers name by a code, else
    those from our own name on."""
    codes = {word for answer in answers for word in answer.split() if len(word) > 2 and word[-1].isdecimal()}
    found = [index for index, row in enumerate(rows) if codes.intersection(row.split())]
    found = found or [index for index, row in enumerate(rows) if any(name in row for name in own)]
    return (found[0], found[-1]) if found else (0, 0)
