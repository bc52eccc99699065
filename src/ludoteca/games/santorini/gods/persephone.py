"""Persephone: a rival who can go up this turn must."""

from ludoteca.games.santorini.gods.god import God

PERSEPHONE = God(name="Persephone", demands=lambda state, _owner: state.turn.rose)
