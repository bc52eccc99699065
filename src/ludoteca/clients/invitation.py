"""An invitation to a table: its address, and a picture of it that telephones read."""

from collections.abc import Iterator

# A code stands in so many blank modules, or nobody reads it.
QUIET = 2
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def code(address: str, *, ascii_only: bool = False, light: bool = False) -> list[str]:
    """The QR code of an address, two rows of it to a line.

    With `light` the light parts are drawn and not the dark ones: what a dark terminal needs where colours
    cannot be chosen.
    """
    rows = [[bool(cell) != light for cell in row] for row in _modules(address)]
    if ascii_only:
        return ["".join("##" if cell else "  " for cell in row) for row in rows]
    if len(rows) % 2:
        rows.append([light] * len(rows[0]))
    return [
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _modules(address: str) -> Iterator[list[int]]:
    # Here, because most houses start without drawing one, and it takes longer than the house.
    import segno

    for row in segno.make_qr(address, error="l").matrix_iter(border=QUIET):
        yield [int(cell) for cell in row]
