"""The twelve characters of the Expert mode, one file each, and what they share with the turns."""

from ludoteca.games.eriantys.characters.board import Board, influence, poured
from ludoteca.games.eriantys.characters.centaur import Centaur
from ludoteca.games.eriantys.characters.character import Character, has_room
from ludoteca.games.eriantys.characters.farmer import Farmer
from ludoteca.games.eriantys.characters.herald import Herald
from ludoteca.games.eriantys.characters.herbalist import Herbalist
from ludoteca.games.eriantys.characters.jester import Jester
from ludoteca.games.eriantys.characters.knight import Knight
from ludoteca.games.eriantys.characters.messenger import Messenger
from ludoteca.games.eriantys.characters.minstrel import Minstrel
from ludoteca.games.eriantys.characters.monk import Monk
from ludoteca.games.eriantys.characters.mushroom_seller import MushroomSeller
from ludoteca.games.eriantys.characters.princess import Princess
from ludoteca.games.eriantys.characters.thief import Thief

__all__ = ["IN_FORCE", "Board", "Character", "has_room", "influence", "poured"]

# By the number on the card; 0 is in force while nobody is bought.
IN_FORCE: tuple[Character, ...] = (
    Character(),
    Monk(),
    Farmer(),
    Herald(),
    Messenger(),
    Herbalist(),
    Centaur(),
    Jester(),
    Knight(),
    MushroomSeller(),
    Minstrel(),
    Princess(),
    Thief(),
)
