"""What a player can choose: a turn is one click."""

from typing import Annotated

import msgspec
from msgspec import Meta


class Click(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Open one closed cell; columns and rows count from 0 at the top left."""

    column: Annotated[int, Meta(ge=0)]
    row: Annotated[int, Meta(ge=0)]


Action = Click
