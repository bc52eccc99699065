"""What a game promises to the house, as checks for whoever writes one.

    import pytest
    from ludoteca import games, testing

    @pytest.mark.parametrize("promise", testing.PROMISES, ids=lambda promise: promise.__name__)
    def test_connect_four_keeps_its_promises(promise):
        promise(games.load("connectfour"))

They are plain functions that raise AssertionError; pytest shows what was compared after
`pytest.register_assert_rewrite("ludoteca.testing")`. `check(game)` makes all of them, without pytest.
"""

import json

from ludoteca.core import Game
from ludoteca.play import playthrough
from ludoteca.testing import advice, contract, knowledge, learning, reasons
from ludoteca.testing.promises import PROMISES

__all__ = ["PROMISES", "advice", "check", "contract", "knowledge", "learning", "reasons", "retold"]


def check(game: Game) -> None:
    """Make sure that a game keeps all its promises.

    Raises AssertionError, with the promise it breaks first.
    """
    for promise in PROMISES:
        try:
            promise(game)
        except Exception as error:
            words = promise.__name__.replace("_", " ")
            raise AssertionError(f"{game.title} breaks a promise: {words}: {error}") from error


def retold(written: str) -> str:
    """A playthrough as it would be told now: equal to what was written, unless the rules
    or words have changed.

    Its first line says what is played, in the words of `ludoteca.playthrough`, as JSON; the rest
    may be missing yet.
    """
    head = written.partition("\n")[0]
    return f"{head}\n{playthrough(**json.loads(head))}"
