"""Text that is safe to print, and text for terminals that know nothing but ASCII."""

import unicodedata

_SIGNS = {
    "†": "+",
    "·": ".",
    "•": "*",
    "●": "*",
    "○": "o",
    "…": "...",
    "–": "-",
    "—": "-",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "×": "x",
    "→": ">",
    "←": "<",
    "▸": ">",
    "█": "#",
    "■": "#",
    "□": ".",
    "│": "|",
    "─": "-",
    "┌": "+",
    "┐": "+",
    "└": "+",
    "┘": "+",
    "├": "+",
    "┤": "+",
    "┬": "+",
    "┴": "+",
    "┼": "+",
    "═": "=",
    "║": "|",
    "╔": "+",
    "╗": "+",
    "╚": "+",
    "╝": "+",
    "▲": "^",
    "▒": "%",
    "░": ":",
    "▓": "#",
    "‹": "<",
    "›": ">",
}


def harmless(text: str) -> str:
    """Without control signs: what a server sends must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(sign for sign in text if sign.isprintable() or sign == "\n")


def plain(text: str) -> str:
    """The nearest that ASCII has; a sign that it has nothing for is a question mark."""
    if text.isascii():
        return text
    return "".join(one if one.isascii() else _SIGNS.get(one) or _without_marks(one) for one in text)


def _without_marks(sign: str) -> str:
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
