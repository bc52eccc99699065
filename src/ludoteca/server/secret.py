"""The secret of a house, in a file beside its journal: what addresses are hashed with before
they are written down."""

import os
import secrets
from pathlib import Path

SECRET_BYTES = 32
SECRET_NAME = "house.secret"


def secret_of(folder: Path) -> bytes:
    """The secret of a data folder, made when there is none. Raises OSError.

    It is no part of the journal, so that a journal that is handed on gives nobody's address away. When it is
    lost, nobody is given a seat back for a name that was taken with it.
    """
    path = folder / SECRET_NAME
    if path.exists() and len(found := path.read_bytes()) == SECRET_BYTES:
        return found
    made = secrets.token_bytes(SECRET_BYTES)
    # Whole or not at all, and for nobody else to read.
    fresh = folder / f"{SECRET_NAME}.new"
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return made
