"""Centaur: towers give no influence."""

from ludoteca.games.eriantys.characters.character import Character


class Centaur(Character):
    """This turn towers count for nobody, the buyer included."""

    towers_count = False
    only_before_walk = True
