"""Messenger: mother nature may walk further."""

from ludoteca.games.eriantys.characters.character import Character


class Messenger(Character):
    """Mother nature may take up to two steps more this turn."""

    extra_steps = 2
    only_before_walk = True
