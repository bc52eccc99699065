"""The games as environments for those who study learning: PettingZoo, Gymnasium, many matches at once.

    >>> from ludoteca import research  # doctest: +SKIP
    >>> env = research.env("santorini", options={"gods": "none"})  # doctest: +SKIP

It needs numpy, gymnasium and pettingzoo: `pip install ludoteca[research]`.
"""

from ludoteca.research.deal import Deal
from ludoteca.research.gym import SingleSeat
from ludoteca.research.many import Matches
from ludoteca.research.parallel import SpeakAtOnce, parallel_env
from ludoteca.research.turns import TurnByTurn, env, raw_env

__all__ = ["Deal", "Matches", "SingleSeat", "SpeakAtOnce", "TurnByTurn", "env", "parallel_env", "raw_env"]
