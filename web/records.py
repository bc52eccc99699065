"""Writes the TypeScript of all records that the page draws; with --check it only compares.

`src/lib/messages.ts` is Ludoteca's own protocol, `records.ts` beside each board are the game's own records,
and `lessons.json` its lessons, in which the rules have judged every answer.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ludoteca import bots, games
from ludoteca.cli import typescript
from ludoteca.core import Dice, Game
from ludoteca.core.lesson import Lesson, Try

ROOT = Path(__file__).resolve().parent.parent
# A rival in a lesson is neither blind nor merciless: a medium bot, with so many thoughts.
RIVAL = "medium"
THOUGHTS = 40


def files() -> Iterator[tuple[Path, str]]:
    """Each generated file and what is to be in it."""
    yield ROOT / "web" / "src" / "lib" / "messages.ts", typescript.house()
    yield ROOT / "web" / "src" / "lib" / "host.ts", typescript.host()
    for folder in sorted((ROOT / "src" / "ludoteca" / "games").glob("*/web")):
        game = games.load(folder.parent.name)
        yield folder / "records.ts", typescript.game(game)
        if lessons := games.lessons(game.name):
            told = [json.dumps(told_lesson(game, lesson), ensure_ascii=False) for lesson in lessons]
            yield folder / "lessons.json", "[\n" + ",\n".join(told) + "\n]\n"


def told_lesson(game: Game, lesson: Lesson) -> dict[str, Any]:
    """A lesson as the page has it: what is seen and asked, each option with its verdict, what good
    answers lead to and what the bots say for them, and how the rival goes on."""
    state = lesson.position()
    question = state.questions[lesson.seat]
    options = []
    for action in question.choices:
        after = state.clone()
        game.apply(after, lesson.seat, action)
        verdict = lesson.judge(Try(state, action, after))
        option = {"action": plain(action), "verdict": verdict}
        if lesson.verdicts[verdict].good:
            option["view"] = plain(game.view(after, lesson.seat))
            if game.advice is not None:
                option["why"] = plain(game.advice.explain(state, lesson.seat, action))
        if reply := replied(game, lesson, after):
            option["reply"] = reply
        options.append(option)
    return {
        **{name: plain(getattr(lesson, name)) for name in ("id", "title", "ask", "hint", "seat", "verdicts")},
        "kind": question.kind,
        "view": plain(game.view(state, lesson.seat)),
        "options": options,
    }


def replied(game: Game, lesson: Lesson, state: Any) -> dict[str, Any] | None:
    """The turn of the rival who is next, as the player sees it: what happens, and what it leads to."""
    events: list[Any] = []
    while state.questions and lesson.seat not in state.questions:
        seat = min(state.questions)
        thoughts = iter(range(THOUGHTS))
        more = partial(lambda left: next(left, None) is not None, thoughts)
        action = bots.choose(game, RIVAL, game.redeal(state, seat, Dice(1)), seat, Dice(1), more)
        events += [game.seen(event, lesson.seat) for event in game.apply(state, seat, action)]
    return {"events": plain(events), "view": plain(game.view(state, lesson.seat))} if events else None


def plain(record: Any) -> Any:
    """As it is on the line."""
    return json.loads(msgspec.json.encode(record))


def main(*, only_check: bool) -> int:
    """Write what differs, or say so; the number of files that did."""
    stale = [(path, text) for path, text in files() if not path.is_file() or path.read_text() != text]
    for path, text in stale:
        if only_check:
            print(f"{path.relative_to(ROOT)} is not what the Python records say: run make types.")
        else:
            path.write_text(text)
    return len(stale)


if __name__ == "__main__":
    only_check = "--check" in sys.argv
    sys.exit(bool(main(only_check=only_check)) and only_check)
