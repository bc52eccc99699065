"""The promises of a game to those who are advised: legal answers, chances that are chances, and words that
say nothing of what the seat cannot know."""

from ludoteca.bots.advice import compared
from ludoteca.core import Dice, Game
from ludoteca.testing.promises import promise
from ludoteca.testing.walks import moments, setups, some

MOMENTS = 6
ANSWERS = 4


@promise
def what_it_advises_is_legal_and_weighed(game: Game) -> None:
    dice = Dice(11)
    for setup in setups(game)[:2]:
        for state in moments(game, setup, MOMENTS // 2):
            for seat, question in state.questions.items():
                if len(question.choices) == 1:
                    continue
                best = dice.choice(question.choices)
                imagined = game.redeal(state, seat, dice)
                advice = compared(game, imagined, seat, best, dice, lambda: False)
                assert advice[0].action == best
                assert len({one.action for one in advice}) == len(advice) > 1, advice
                chances = [one.chance for one in advice]
                assert chances == sorted(chances, reverse=True)
                assert all(0 <= chance <= 1 for chance in chances), chances
                for one in advice:
                    assert one.action in question.choices
                    assert (one.line[0].seat, one.line[0].action) == (seat, one.action)


@promise
def it_says_why_in_every_language_and_by_what_the_seat_knows(game: Game) -> None:
    if game.advice is None:
        return
    dice = Dice(12)
    for setup in setups(game):
        for state in moments(game, setup, MOMENTS):
            for seat, question in state.questions.items():
                worlds = [state, game.redeal(state, seat, dice)]
                for action in some(question, dice, ANSWERS):
                    told, again = (game.advice.explain(world.clone(), seat, action) for world in worlds)
                    assert told == again, "what was dealt otherwise gives another reason"
                    assert all(told.values()), action
                    assert told["en"] != told["it"], action
