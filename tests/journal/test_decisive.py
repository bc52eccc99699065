"""The decisive move of a match: found when it is over, in every game, by what its own bots think."""

from typing import Any

import msgspec
import pytest
from tests.journal.test_records import record_of
from tests.journal.test_replay import and_then

from ludoteca import bots, games
from ludoteca.core import Dice, Game, Refused
from ludoteca.core.notices import Moment
from ludoteca.core.requests import Terms
from ludoteca.journal import Match, Record, encode, replay, verify
from ludoteca.journal.decisive import decisive, moment_of
from ludoteca.journal.records import Acted, Input, Opened, SatDown, Started, WentAway, encode_body
from ludoteca.server import stories


def played(game: Game, levels: tuple[str, ...], seed: int = 3) -> list[bytes]:
    """A whole match between bots, written down."""
    options = game.settle(game.options(), len(levels))
    wishes = tuple(game.preferences() for _ in levels)
    inputs: list[Input] = [Opened("t1", game.name, "table-1", len(levels), options, Terms(), game.version)]
    inputs += [SatDown(seat, f"P{seat}", f"P{seat}", "bot", "k", level) for seat, level in enumerate(levels)]
    inputs.append(Started(len(levels), seed, options, wishes))
    match, dice, lines = Match(game), Dice(seed), list[bytes]()
    while match.state is None or match.running:
        if len(lines) < len(inputs):
            given = inputs[len(lines)]
        else:
            seat, _ = next(iter(match.questions.items()))
            state = game.redeal(match.state, seat, dice)
            given = Acted(seat, (bots.choose(game, levels[seat], state, seat, dice, lambda: False),))
        events = match.perform(given)
        body = encode_body(Record(len(lines) + 1, 1000, given))
        lines.append(encode(body, match.seal(body, events)))
    return lines


@pytest.mark.parametrize("name", games.names())
def test_the_decisive_move_is_a_decision_of_the_replay_that_helped_the_winner(name: str) -> None:
    game = games.load(name)
    lines = played(game, ("random", bots.levels(game)[1]))
    told = decisive("t1", lines, games.load)
    moment, outcome = told.moment, verify(lines, games.load).outcome
    assert moment is not None
    assert outcome is not None
    assert moment_of(replay(lines, games.load)) == moment, "the same for who has executed it already"
    steps = list(stories.tell(lines, None))
    assert steps[moment.move].number == moment.number
    assert steps[moment.move].seat == moment.seat
    assert moment.winner in outcome.winners
    assert (moment.before, moment.after) == (round(moment.before, 3), round(moment.after, 3)), (
        "no more is known"
    )
    assert all(f"P{moment.seat}" in moment.words[language] for language in ("en", "it"))
    if moment.code == "end":
        assert game.opinion is None
        assert steps[-1].number == moment.number
    else:
        assert moment.after > moment.before
        assert (moment.code == "gift") == (moment.seat not in outcome.winners)


def with_opinions(values: list[float]) -> tuple[list[bytes], Any]:
    """A short match of Multisweeper, and its game with these opinions of the winner's lead, step by step."""
    lines = record_of()
    told = iter(values)
    winner = verify(lines, games.load).outcome.winners[0]  # type: ignore[union-attr]

    def lead(by: float) -> tuple[float, ...]:
        return tuple(by * (seat == winner) for seat in range(2))

    game = msgspec.structs.replace(games.load("multisweeper"), opinion=lambda _: lead(next(told)))
    return lines, lambda _: game


def judged(values: list[float]) -> Moment:
    lines, load = with_opinions(values)
    moment = decisive("t1", lines, load).moment
    assert moment is not None
    return moment


def test_the_largest_swing_towards_the_winner_decides_and_the_codes_say_how() -> None:
    # Anna (0) and Bruno (1) click in turn from step 1 on; the last click ends it and is not judged.
    lines = record_of()
    winner = verify(lines, games.load).outcome.winners[0]  # type: ignore[union-attr]
    clicks = len(lines) - 4
    assert clicks >= 4, "a match long enough to swing"
    own = [step for step in range(1, clicks) if (step - 1) % 2 == winner]
    other = [step for step in range(1, clicks) if (step - 1) % 2 != winner]

    def swings(at: int, before: float, after: float) -> Moment:
        return judged([before] * at + [after] * clicks)

    assert (swings(own[0], -2, 3).code, swings(own[0], -2, 3).move) == ("lead", own[0])
    assert (swings(own[0], 1, 3).code, swings(own[0], 1, 3).before) == ("away", 1)
    assert swings(own[0], -5, -1).code == "closer"
    assert swings(own[0], -5, 0).code == "closer", "level is not ahead"
    assert swings(own[0], 0, 3).code == "lead", "nor was it before"
    assert (swings(other[0], -2, 3).code, swings(other[0], -2, 3).seat) == ("gift", 1 - winner)
    assert swings(own[0], 3, 3).code == "end", "nothing ever changed"


def test_a_match_that_was_broken_off_has_none_and_one_that_goes_on_is_not_judged() -> None:
    lines = record_of()
    with pytest.raises(Refused, match="no finished match"):
        decisive("t1", lines[:-1], games.load)
    with pytest.raises(Refused, match="no finished match"):
        decisive("t1", [], games.load)
    santorini = games.load("santorini")
    broken = and_then(played(santorini, ("random", "random"))[:12], WentAway(0, "", True))
    assert decisive("t1", broken, games.load).moment is None
