"""The porter: who may come in, and what those may do who have come without a key."""

import math

from ludoteca.core import Refused
from ludoteca.core import requests as wanted
from ludoteca.core.requests import Request
from ludoteca.hall.directory import Directory
from ludoteca.hall.guest import Guest
from ludoteca.hall.keeping import Barred, Keeping
from ludoteca.hall.post import Post

# For whoever is at the door: showing a key, and the seat that one has already. And what is nobody's business.
_ALWAYS = (wanted.Unlock, wanted.Return, wanted.Leave, wanted.Beat, wanted.Unlook)
# For those who may look on.
_LOOKING = (wanted.Enter, wanted.List, wanted.Look, wanted.Watch, wanted.Decisive)
# What some protocols say before a name.
_NAMELESS = (wanted.List, wanted.Seek, wanted.Open, wanted.Join)
# What no host sees anything of.
_UNSEEN = (wanted.Beat, wanted.List, wanted.Look, wanted.Unlook, wanted.Why, wanted.Hint, wanted.Say)


class Porter:
    """Asked before every request but a move: who makes one sits, and has passed here."""

    def __init__(self, keeping: Keeping, tables: Directory, post: Post) -> None:
        self._keeping = keeping
        self._tables = tables
        self._post = post
        # How often somebody wanted something that may change what a host sees.
        self.asked = 0

    def arrive(self, address: str, now: float) -> None:
        """Refused where an address is kept out."""
        self._keep_out(self._keeping.ban_on(address, now), now)

    def check(self, guest: Guest, request: Request, now: float) -> None:
        """Refused where this guest may not ask for this; who has no way to show a key is shown out."""
        self.asked += not isinstance(request, _UNSEEN)
        try:
            self._check(guest, request, now)
        except Refused:
            if guest.protocol != "house":
                self._post.outs.append(guest)
            raise

    def _check(self, guest: Guest, request: Request, now: float) -> None:
        keeping = self._keeping
        if isinstance(request, wanted.Enter):
            self._name(guest, request.name, request.name, now)
        elif isinstance(request, wanted.Return):
            for table, seat in self._tables.seats_of((request.token,)):
                chair = table.chair(seat)
                self._name(guest, chair.name, chair.given, now)
        elif isinstance(request, wanted.Unlock):
            self._unlock(guest, request.key, now)
        elif isinstance(request, wanted.Look) and request.house and guest.role != "host":
            raise Refused("this is for hosts", "token")
        if keeping.door == "open" or guest.role != "guest" or guest.bot or isinstance(request, _ALWAYS):
            return
        if guest.seat is not None and guest.name and not isinstance(request, wanted.Rematch):
            return
        if keeping.guests == "watch" and isinstance(request, _LOOKING):
            return
        # Where nobody can show a key, the name must do; some protocols ask for it after all else.
        if guest.protocol != "house" and not guest.name and keeping.names:
            if isinstance(request, _NAMELESS):
                return
            if isinstance(request, wanted.Enter) and keeping.listed(request.name):
                guest.role = "member"
                return
        raise Refused("this house is not open to all: come in with its password or an invitation", "door")

    def may_look(self, guest: Guest) -> bool:
        """Whether somebody who looks at the lobby still may, since the door may have been shut."""
        keeping = self._keeping
        if keeping.door == "open" or keeping.guests == "watch" or guest.role != "guest":
            return True
        return guest.seat is not None and bool(guest.name)

    def _name(self, guest: Guest, name: str, given: str, now: float) -> None:
        self._keep_out(self._keeping.ban_on("", now, name, guest.came(given)), now)

    def _keep_out(self, barred: Barred | None, now: float) -> None:
        if barred is not None:
            self._keeping.tried(barred)
            reason = f"you are kept out of this house {_until(barred, now)}{_because(barred)}"
            raise Refused(reason, "banned")

    def _unlock(self, guest: Guest, token: str, now: float) -> None:
        role = self._keeping.role(token, now)
        if role is None:
            raise Refused("this key opens nothing here (any more)", "door")
        guest.role = role

    def hear(self, guest: Guest, now: float) -> None:
        """Refused where a host has muted this guest."""
        found = self._keeping.mute_on(guest.name, now, guest.came())
        if found is not None:
            raise Refused(f"you are muted {_until(found, now)}{_because(found)}", "muted")


def _until(barred: Barred, now: float) -> str:
    if not barred.until_ms:
        return "for good"
    left_s = max(1.0, barred.until_ms / 1000 - now)
    if left_s < 2 * 3600:
        return f"for {math.ceil(left_s / 60)} min"
    return (
        f"for {math.ceil(left_s / 3600)} h" if left_s < 2 * 86400 else f"for {math.ceil(left_s / 86400)} days"
    )


def _because(barred: Barred) -> str:
    return f": {barred.reason}" if barred.reason else ""
