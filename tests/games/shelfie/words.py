"""The server's messages as tests expect them, and ways to read a board."""

from typing import Any


def response(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def lobby(size: int, names: str, name: str, came: bool = True) -> dict[str, Any]:
    return response(
        "LobbyInfoMessage", sizeLobby=size, lobby=names.split(), newPlayerConnected=came, playerName=name
    )


def tile_at(board: dict[str, Any], row: int, column: int) -> str:
    (found,) = [cell["tile"] for cell in board["cells"] if (cell["row"], cell["column"]) == (row, column)]
    return str(found)


def tiles_on(board: dict[str, Any]) -> int:
    return sum(cell["tile"] != "EMPTY" for cell in board["cells"])


def said(by: str, text: str, to: str | None = None) -> dict[str, Any]:
    return response("ChatMessage", player=by, receiver=to, textMessage=text)
