"""Tables, seats, nicknames, presence and chat: the house without its sockets.

Time comes in as an argument.
"""

from ludoteca.hall.guest import Guest, GuestId
from ludoteca.hall.hall import Hall
from ludoteca.hall.limits import Defaults, Limits, ReturnByName
from ludoteca.hall.post import Entry, Post
from ludoteca.hall.table import Table

__all__ = ["Defaults", "Entry", "Guest", "GuestId", "Hall", "Limits", "Post", "ReturnByName", "Table"]
