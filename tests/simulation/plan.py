"""What an evening is made of: who comes, and what goes wrong. A seed decides it."""

import zlib
from typing import NamedTuple

from ludoteca import games
from ludoteca.core import Dice

# Who may come. The first four play; of them there is at least one.
PLAYING = ("couple", "solo", "natives", "impatient")
NEIGHBOURS = (
    "follower",
    "clockstopper",
    "seatfiller",
    "lister",
    "hoarder",
    "botfarmer",
    "chatterer",
    "prober",
    "impostor",
    "babbler",
    "mute",
    "namesake",
    "browser",
)
GUESTS = (*PLAYING, *NEIGHBOURS)
# Who is nothing without somebody to bother.
VICTIMS = {"impostor": "natives", "namesake": "impatient", "browser": "impatient"}
# What happens to lines all the time, and what happens now and then.
WEATHER = (
    "dribble",
    "gather",
    "packed",
    "late_bots",
    "spoiled",
    "slow_disk",
    "small_outbox",
    "file",
    "rare",
    "secrets",
)
ACCIDENTS = (
    "crash",
    "stop",
    "drain",
    "full",
    "lie",
    "rot",
    "misdirect",
    "cut",
    "half_open",
    "deaf",
    "partition",
    "swizzle",
    "clock",
    "alien",
    "second",
    "upgrade",
    "downgrade",
    "stuck",
)
FAULTS = (*WEATHER, *ACCIDENTS)
# Of these what happens to lines, where there are several nodes; and what happens to those and to the servers
# of NATS between them.
LINES = ("cut", "half_open", "deaf", "partition", "swizzle")
NODES = (
    "node_dies",
    "node_stops",
    "node_drained",
    "node_pauses",
    "node_cut",
    "server_dies",
    "server_parted",
    "no_majority",
    "new_leader",
)
NODES_WEATHER = (
    *("dribble", "gather", "packed", "late_bots", "small_outbox"),
    *("forgetful", "lossy", "slow_disk"),
)
# How nodes are set up: tables are divided among them, in one evening of three.
NODES_WAYS = ("rooms",)
ACCIDENTS_MAX = 7
# What takes long comes in one evening of so many.
RARE = {"file": 6, "secrets": 12}


class Plan(NamedTuple):
    """One evening. `parts` are guests and faults by name; everything else follows from seed and game, and
    from the number of `nodes`, which is 0 for a house on one machine.

    Every part has dice of its own, so that one more or less changes nothing about the others' decisions.
    """

    seed: int
    game: str
    parts: tuple[str, ...]
    nodes: int = 0

    def dice(self, what: str) -> Dice:
        """The dice of one part."""
        return Dice(self.seed << 32 | zlib.crc32(f"{self.game} {what}".encode()))

    def has(self, part: str) -> bool:
        """Whether this is part of the evening."""
        return part in self.parts

    def without(self, *parts: str) -> "Plan":
        """The same evening with less of everything."""
        return self._replace(parts=tuple(part for part in self.parts if part not in parts))

    def also(self, *parts: str) -> "Plan":
        """The same evening with these in it."""
        return self._replace(parts=(*self.parts, *(part for part in parts if part not in self.parts)))

    @property
    def command(self) -> str:
        """What repeats it."""
        whole = plan(self.seed, self.game, self.nodes).parts
        left_out = [part for part in whole if part not in self.parts]
        added = [part for part in self.parts if part not in whole]
        more = f" --nodes {self.nodes}" if self.nodes else ""
        more += f" --with {','.join(added)}" if added else ""
        more += f" --without {','.join(left_out)}" if left_out else ""
        return f'make simulate ARGS="--seed {self.seed} --game {self.game}{more}"'


def plan(seed: int, game: str = "", nodes: int = 0) -> Plan:
    """The evening of a seed: a few of everything, another few each time (swarm testing), since faults that
    all come together hide each other."""
    game = game or games.names()[seed % len(games.names())]
    empty = Plan(seed, game, (), nodes)
    dice = empty.dice(f"plan {nodes}" if nodes else "plan")
    parts = [part for part in PLAYING if not dice.below(3)] or [dice.choice(PLAYING)]
    parts += dice.sample(NEIGHBOURS, dice.below(3))
    parts += sorted({VICTIMS[part] for part in parts if part in VICTIMS}.difference(parts))
    if nodes:
        parts += [part for part in NODES_WEATHER if not dice.below(3)]
        parts += dice.sample(LINES, dice.below(3))
        parts += dice.sample(NODES, 1 + dice.below(4))
        parts += [part for part in NODES_WAYS if not empty.dice(part).below(3)]
    else:
        parts += [part for part in WEATHER if not dice.below(RARE.get(part, 4))]
        parts += dice.sample(ACCIDENTS, dice.below(6))
    return empty._replace(parts=tuple(parts))
