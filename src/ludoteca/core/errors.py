"""The family of errors.

LudotecaError
  Refused          the rules or the house say no; nothing has changed; the player is asked again
  RemoteError      the other side broke its protocol; answer as its seed says
  LocalError       our own side is at fault: a protocol we were about to break, a library used wrongly
  JournalError     a record that cannot be played on
    Damaged        its bytes, or their order, are not what was written
    Unplayable     it is whole, but the rules of this version cannot execute it
"""


class LudotecaError(Exception):
    """What every error of Ludoteca's own has in common."""


class Refused(LudotecaError):
    """The rules or the house say no. Raised before the first change, so there is nothing to undo.

    `code` is one word for programs ("illegal", "turn", "taken", "full", ...); the text is for people.
    """

    def __init__(self, reason: str, code: str = "illegal") -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


class RemoteError(LudotecaError):
    """The other side broke the protocol."""


class LocalError(LudotecaError):
    """Our own side is at fault: a protocol that we were about to break, or a library that is used wrongly."""


class JournalError(LudotecaError):
    """A record that cannot be played on."""


class Damaged(JournalError):
    """A record whose bytes, or their order, are not what was written."""


class Unplayable(JournalError):
    """A record that is whole, but that the rules of this version cannot execute; those of another may."""
