"""What to do in somebody's place, how likely it wins, how it would go on, and why: for hints and analyses."""

from collections.abc import Callable, Mapping
from typing import Any

from ludoteca.bots.random import play_at_random
from ludoteca.bots.search import worth
from ludoteca.core import Dice, Game, Outcome, Seat
from ludoteca.core.advice import Adviser
from ludoteca.core.notices import Advice, Foreseen

# How many answers are compared, of how many at most, and in how many worlds.
ANSWERS = 3
CHOICES_MAX = 64
WORLDS_MAX = 16
# An answer is played on until the seat is asked again after the others, or so many steps.
STEPS_MAX = 16
# Where a game judges nothing by itself.
PLAYOUTS = 8
PLAYOUT_ACTIONS_MAX = 400


def compared(
    game: Game, state: Any, seat: Seat, best: Any, dice: Dice, more: Callable[[], bool]
) -> list[Advice]:
    """The best answer beside the next best ones, best first; `state` is what the seat imagines.

    Without time (`more`) each is looked at once.
    """
    adviser = game.advice or _by_playing_out(game)
    answers, chances = _weighed(game, adviser, state, seat, best, dice, more)
    # Whoever chose the best one has looked further than this comparison: none of the others is better.
    chances[0] = max(chances)
    ranked = sorted(zip(answers, chances, strict=True), key=lambda pair: -pair[1])
    steps = STEPS_MAX if adviser.foresees is None or adviser.foresees(state) else 1

    return [
        Advice(
            answer,
            round(chance, 3),
            tuple(
                _played_on(game, adviser, state.clone(), seat, answer, Dice(dice.below(1 << 32)))[0][:steps]
            ),
            dict(adviser.explain(state, seat, answer)),
        )
        for answer, chance in ranked
    ]


def _weighed(
    game: Game, adviser: Adviser, state: Any, seat: Seat, best: Any, dice: Dice, more: Callable[[], bool]
) -> tuple[list[Any], list[float]]:
    """The best answer and its nearest rivals, and the chance of each."""
    choices = state.questions[seat].choices
    choices = dice.sample(choices, CHOICES_MAX) if len(choices) > CHOICES_MAX else list(choices)
    if adviser.judge is not None:
        judged = adviser.judge(state, seat, dice, more)
        answers = _ahead(best, judged)
        return answers, [judged.get(answer, 0.0) for answer in answers]
    marks = dict(adviser.glance(state, seat)) if adviser.glance is not None else {}
    marks = marks or {answer: _at_once(game, adviser, state, seat, answer) for answer in choices}
    answers = _ahead(best, marks)
    sums = [0.0] * len(answers)
    worlds = 0
    while worlds < WORLDS_MAX and (not worlds or more()):
        # All meet the same luck, so that it does not decide between them.
        world, luck = game.redeal(state, seat, dice), dice.below(1 << 32)
        for place, answer in enumerate(answers):
            sums[place] += _played_on(game, adviser, world.clone(), seat, answer, Dice(luck))[1]
        worlds += 1
    return answers, [total / worlds for total in sums]


def _ahead(best: Any, marks: Mapping[Any, float]) -> list[Any]:
    """The best one, and of the others those with the highest marks."""
    others = sorted((answer for answer in marks if answer != best), key=lambda one: -marks[one])
    return [best, *others[: ANSWERS - 1]]


def _at_once(game: Game, adviser: Adviser, state: Any, seat: Seat, answer: Any) -> float:
    later = state.clone()
    game.apply(later, seat, answer)
    return _chance(adviser, later, seat)


def _chance(adviser: Adviser, state: Any, seat: Seat) -> float:
    return came_out(state.outcome, seat) if state.outcome is not None else adviser.chance(state, seat)


def came_out(outcome: Outcome, seat: Seat) -> float:
    """1 for who has won, alone or with others, 0 for who has not; a half where nobody is ahead of anybody.

    >>> came_out(Outcome((1, 3, 1, 3), "the last tower of a colour was built"), Seat(2))
    1.0
    """
    seats = len(outcome.ranks)
    if not seats or 1 < seats == len(outcome.winners):
        return 0.5
    return float(seat in outcome.winners)


def _played_on(
    game: Game, adviser: Adviser, state: Any, seat: Seat, answer: Any, dice: Dice
) -> tuple[list[Foreseen], float]:
    """How it would go on after an answer, until the seat has another turn, and its chance then."""
    line: list[Foreseen] = []
    mover, action, others = seat, answer, False
    while True:
        line.append(Foreseen(mover, action, game.text.write(action)))
        game.apply(state, mover, action)
        questions = state.questions
        if not questions or len(line) == STEPS_MAX:
            break
        mover = seat if not others and seat in questions else next(iter(questions))
        others = others or mover != seat
        if others and seat in questions:
            break
        choices = questions[mover].choices
        action = (
            choices[0] if len(choices) == 1 else adviser.plays(game, state.clone(), mover, dice, _no_time)
        )
    return line, _chance(adviser, state, seat)


def _no_time() -> bool:
    return False


def _played_out(game: Game, state: Any, seat: int, dice: Dice) -> float:
    for _ in range(PLAYOUT_ACTIONS_MAX):
        if not state.questions:
            break
        mover, question = next(iter(state.questions.items()))
        game.apply(state, mover, dice.choice(question.choices))
    return worth(state.outcome, Seat(seat))


def _by_playing_out(game: Game) -> Adviser:
    """How any game can be advised on: by matches that are played to their end at random."""

    def chance(state: Any, seat: int) -> float:
        dice = Dice(len(state.questions[next(iter(state.questions))].choices))
        return sum(_played_out(game, state.clone(), seat, dice) for _ in range(PLAYOUTS)) / PLAYOUTS

    def explain(_state: Any, _seat: int, _action: Any) -> dict[str, str]:
        return {}

    return Adviser(explain, chance, play_at_random)
