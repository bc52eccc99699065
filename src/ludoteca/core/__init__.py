"""The words that every part of Ludoteca shares: seats, questions, games, dice, requests and notices."""

from ludoteca.core.dice import Dice
from ludoteca.core.drawing import Canvas, Drawing, Room, Sight, Spot
from ludoteca.core.errors import (
    Damaged,
    JournalError,
    LocalError,
    LudotecaError,
    Refused,
    RemoteError,
    Unplayable,
)
from ludoteca.core.game import Bot, Choices, Game, Outcome, Question, Seat, Setup, State, Text, Wire
from ludoteca.core.levels import LEVELS, careless, wavering
from ludoteca.core.notices import Notice
from ludoteca.core.requests import Request
from ludoteca.core.talk import Conversation

__all__ = [
    "LEVELS",
    "Bot",
    "Canvas",
    "Choices",
    "Conversation",
    "Damaged",
    "Dice",
    "Drawing",
    "Game",
    "JournalError",
    "LocalError",
    "LudotecaError",
    "Notice",
    "Outcome",
    "Question",
    "Refused",
    "RemoteError",
    "Request",
    "Room",
    "Seat",
    "Setup",
    "Sight",
    "Spot",
    "State",
    "Text",
    "Unplayable",
    "Wire",
    "careless",
    "wavering",
]
