"""Persephone: a rival who can go up this turn must."""

from ludoteca.games.santorini.gods.god import BOTH, God

PERSEPHONE = God(
    name="Persephone",
    demands=lambda state, _owner: 0 if state.turn.rose else BOTH,
    wants=lambda state, _owner, worker: ~state.low[state.towers[state.workers[worker]]],
    hopes=lambda step: step.rise > 0,
)
