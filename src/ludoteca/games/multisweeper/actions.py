"""What a player can choose: a turn is one click."""

import msgspec

from ludoteca.core.bounds import Small


class Click(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Open one closed cell; columns and rows count from 0 at the top left."""

    column: Small
    row: Small


Action = Click
