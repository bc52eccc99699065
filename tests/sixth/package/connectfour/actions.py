"""What a player can choose: a column."""

from typing import Annotated

import msgspec
from msgspec import Meta

from connectfour.data import COLUMNS


class Drop(msgspec.Struct, frozen=True, tag=True):
    """Drop a disc into a column; columns count from 0 at the left."""

    column: Annotated[int, Meta(ge=0, lt=COLUMNS)]


Action = Drop
