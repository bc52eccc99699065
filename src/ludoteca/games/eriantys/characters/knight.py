"""Knight: more influence."""

from ludoteca.games.eriantys.characters.character import Character


class Knight(Character):
    """This turn the buyer has two more influence in every resolution, even with nothing on the island."""

    extra_influence = 2
    only_before_walk = True
