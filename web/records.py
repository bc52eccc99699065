"""Writes the TypeScript of all records that the page draws; with --check it only compares.

`src/lib/messages.ts` is Ludoteca's own protocol, `records.ts` beside each board are the game's own records.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from ludoteca import games
from ludoteca.cli import typescript

ROOT = Path(__file__).resolve().parent.parent


def files() -> Iterator[tuple[Path, str]]:
    """Each generated file and what is to be in it."""
    yield ROOT / "web" / "src" / "lib" / "messages.ts", typescript.house()
    for folder in sorted((ROOT / "src" / "ludoteca" / "games").glob("*/web")):
        yield folder / "records.ts", typescript.game(games.load(folder.parent.name))


def main(*, only_check: bool) -> int:
    """Write what differs, or say so; the number of files that did."""
    stale = [(path, text) for path, text in files() if not path.is_file() or path.read_text() != text]
    for path, text in stale:
        if only_check:
            print(f"{path.relative_to(ROOT)} is not what the Python records say: run make types.")
        else:
            path.write_text(text)
    return len(stale)


if __name__ == "__main__":
    only_check = "--check" in sys.argv
    sys.exit(bool(main(only_check=only_check)) and only_check)
