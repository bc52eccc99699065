"""Whether what bots say of chances comes true.

    python -m training.chances eriantys --level strong --matches 100 --seed 1

lets equals play and asks, whenever a seat's turn begins, how likely it comes out ahead (`Adviser.chance`, by
which hints weigh answers). It prints how often that came about where so much was said, and how much surprise
was left: 0.693 for each look is what somebody has who always says one in two. The slope is what all that was
said would have to be multiplied by, as log odds: above 1 the game is too cautious, below it too sure.
"""

import math
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludoteca import games
from ludoteca.bots.advice import came_out
from ludoteca.core import Dice, Game, Seat
from ludoteca.play import patience

# So many looks at the clock for a decision.
LOOKS = 6
BINS = 10
# Nobody is believed to be surer than this.
SURE = 1e-3


class Said(NamedTuple):
    """A chance that was told, and what came about: 1 who has won, 0 who has not."""

    chance: float
    came: float

    @property
    def surprise(self) -> float:
        """In nats: 0 for who knew, 0.693 for who said one in two."""
        chance = min(max(self.chance, SURE), 1 - SURE)
        return -self.came * math.log(chance) - (1 - self.came) * math.log(1 - chance)


def told(game: Game, level: str, matches: int, seed: int, seats: int = 0) -> Iterator[Said]:
    """What was said as the turns of such matches began."""
    assert game.advice is not None, f"{game.name} has no advice"
    dice = Dice(seed)
    for number in range(matches):
        state, _ = game.start(game.setup(seats, seed=seed + number))
        looks: list[tuple[Seat, float]] = []
        last = None
        while state.questions:
            seat, question = next(iter(state.questions.items()))
            imagined = game.redeal(state, seat, dice)
            if seat != last:
                looks.append((seat, game.advice.chance(imagined, seat)))
            last = seat
            single = len(question.choices) == 1
            choose = game.bots[level]
            action = question.choices[0] if single else choose(game, imagined, seat, dice, patience(LOOKS))
            game.apply(state, seat, action)
        yield from (Said(chance, came_out(state.outcome, seat)) for seat, chance in looks)


def surprise(said: Iterable[Said]) -> float:
    """What is left of it on average."""
    found = [one.surprise for one in said]
    return sum(found) / len(found)


def slope(said: Iterable[Said]) -> float:
    """By how much all log odds would have to be multiplied to fit best."""
    points = [(min(max(one.chance, SURE), 1 - SURE), one.came) for one in said]
    odds = [(math.log(chance / (1 - chance)), came) for chance, came in points]
    factor = 1.0
    for _ in range(30):
        chances = [1 / (1 + math.exp(-factor * x)) for x, _ in odds]
        pull = sum(x * (came - chance) for (x, came), chance in zip(odds, chances, strict=True))
        curve = sum(x * x * chance * (1 - chance) for (x, _), chance in zip(odds, chances, strict=True))
        factor += pull / max(curve, 1e-9)
    return factor


def _main() -> None:
    parser = ArgumentParser(description="Whether what bots say of chances comes true.")
    parser.add_argument("game", choices=[game.name for game in games.load_all() if game.advice is not None])
    parser.add_argument("--level", default="medium")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seats", type=int, default=0)
    given = parser.parse_args()
    said = [*told(games.load(given.game), given.level, given.matches, given.seed, given.seats)]
    bins = defaultdict(list)
    for one in said:
        bins[min(BINS - 1, int(one.chance * BINS))].append(one)
    for _, group in sorted(bins.items()):
        chance = sum(one.chance for one in group) / len(group)
        came = sum(one.came for one in group) / len(group)
        print(f"{len(group):6} looks: {100 * chance:5.1f} % said, {100 * came:5.1f} % came about")
    print(f"surprise {surprise(said):.3f} (0.693 knows nothing), slope {slope(said):.2f}, {len(said)} looks")


if __name__ == "__main__":
    _main()
