"""The REST interface as data: what it answers with, and the OpenAPI document that says so."""

import json
from functools import cache
from typing import Any

import msgspec

from ludoteca import bots
from ludoteca.core import Game, Outcome
from ludoteca.core.notices import Decided, TableInfo
from ludoteca.core.requests import LISTED, LISTED_MAX
from ludoteca.hall import acts, steward
from ludoteca.hall.lobby import SHOWN
from ludoteca.journal.records import Record
from ludoteca.server import daybook, hosting, upkeep
from ludoteca.server.answers import Refusal
from ludoteca.server.stories import Step
from ludoteca.wire.messages import Finished, Lobby

REST_VERSION = 1
# Where it is served, beside the paths without a version, which are older than it and stay.
PREFIX = f"/api/v{REST_VERSION}"
OLD_PREFIX = "/api"

_REFUSED = "#/components/responses/Refusal"
_REF = "#/components/schemas/{name}"
# With what a path may be answered, beside what it is there for: anybody may ask for too much, stand before a
# door that is not open to all, be kept out, call the house by a wrong name, or meet it in trouble.
_ANY = {"400", "401", "403", "421", "429", "500", "503"}


class SeatCount(msgspec.Struct, frozen=True):
    """How many can play."""

    min: int
    max: int


class GameInfo(msgspec.Struct, frozen=True):
    """A game as a client needs to know it before it sits down.

    `port` is where its own protocol is spoken, null where it is not; `bots` are the levels of its bots,
    weakest first; `reveals` whether there are cards to turn up when a match is over; `options` and
    `preferences` are JSON Schemas.
    """

    name: str
    title: str
    seats: SeatCount
    port: int | None
    bots: list[str]
    reveals: bool
    options: dict[str, Any]
    preferences: dict[str, Any]


class Story(msgspec.Struct, frozen=True):
    """A match step by step, as one seat or a spectator (null) saw it; `outcome` is null while it runs."""

    table: TableInfo
    seat: int | None
    outcome: Outcome | None
    steps: list[Step]


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the house can store what is played, and new people should be sent to this machine: "ok",
    "trouble" or "leaving"."""

    status: str
    reason: str
    error: str = ""


def describe(game: Game, port: int | None) -> GameInfo:
    """A game for those who do not know it; `port` is where its own protocol is spoken, if it is."""
    return GameInfo(
        game.name,
        game.title,
        SeatCount(game.seats[0], game.seats[-1]),
        port,
        list(bots.levels(game)),
        game.reveal is not None,
        _schema(game.options),
        _schema(game.preferences),
    )


@cache
def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Made once: it takes milliseconds, in which nobody is served, and anybody may ask."""
    found: dict[str, Any] = _plain(msgspec.json.schema(kind))
    return found


def _plain(value: Any) -> Any:
    """As it is after a journey over the wire."""
    return json.loads(msgspec.json.encode(value))


def openapi(base: str = "") -> dict[str, Any]:
    """The whole document; OpenAPI 3.1, whose schemas are JSON Schema."""
    kinds = {
        "games": list[GameInfo],
        "tables": list[TableInfo],
        "lobby": Lobby,
        "table": TableInfo,
        "story": Story,
        "matches": list[Finished],
        "match": Finished,
        "record": list[Record],
        "decisive": Decided,
        "health": Health,
        "refusal": Refusal,
        "door": hosting.Doorway,
        "knock": hosting.Knock,
        "opened": hosting.Opened,
        "host": steward.House,
        "storage": upkeep.Storage,
        "day": daybook.Day,
        "act": acts.Act,
        "done": acts.Done,
    }
    shown, parts = msgspec.json.schema_components(list(kinds.values()), ref_template=_REF)
    schemas = dict(zip(kinds, shown, strict=True)) | {"any": {"type": "object"}}

    def answer(name: str, is_tagged: bool) -> dict[str, Any]:
        headers = {"ETag": {"$ref": "#/components/headers/ETag"}} if is_tagged else {}
        content = {"application/json": {"schema": schemas[name]}}
        return {"description": _ANSWERS[name], "headers": headers, "content": content}

    def path(
        operation: str, summary: str, name: str, *, missing: str = "", tag: bool = True, **more: Any
    ) -> dict[str, Any]:
        """One path that can be read. `missing` are the statuses of its own refusals."""
        found = {"200": answer(name, tag)}
        if tag:
            found["304"] = {"description": "It is as you know it.", "headers": answer(name, tag)["headers"]}
        refused = {"$ref": _REFUSED}
        found |= dict.fromkeys(sorted(_ANY | set(missing.split())), refused)
        given = [{"$ref": f"#/components/parameters/{key}"} for key in more.pop("with_", ())]
        if tag:
            given.append({"$ref": "#/components/parameters/known"})
        about = {"operationId": operation, "summary": summary, "parameters": given, "responses": found}
        return {"get": about | more}

    def write(operation: str, summary: str, given: str, name: str, **more: Any) -> dict[str, Any]:
        """What a path does with what is sent there."""
        body = {"required": True, "content": {"application/json": {"schema": schemas[given]}}}
        refused = {key: {"$ref": _REFUSED} for key in sorted(_ANY | {"404", "409", "413"})}
        about = {"operationId": operation, "summary": summary, "requestBody": body}
        return about | {"responses": {"200": answer(name, False)} | refused} | more

    paths = {
        "/games": path("listGames", "The games of this house.", "games"),
        "/games/{game}/cards": path(
            "getCards", "What is printed on a game's cards.", "any", missing="404", with_=["game"]
        ),
        "/lobby": path(
            "getLobby", "What those see who look at the lobby.", "lobby", missing="404", with_=["of", "show"]
        ),
        "/tables": path(
            "listTables",
            "The public tables: those that wait for players first, then those being played at, oldest first.",
            "tables",
            with_=["of", "show", "after", "count"],
        ),
        "/tables/{id}": path(
            "getTable",
            "One table, also a private one.",
            "table",
            missing="404 409",
            tag=False,
            with_=["id"],
        ),
        "/tables/{id}/story": path(
            "getStory",
            "The match of a table so far, for a spectator or the owner of a seat.",
            "story",
            missing="404 409",
            tag=False,
            with_=["id"],
            security=[{}, {"seat": []}],
        ),
        "/matches": path(
            "listMatches",
            "Finished matches of public tables, newest first.",
            "matches",
            with_=["of", "before", "few", "after"],
        ),
        "/matches/{id}": path("getMatch", "One of them.", "match", missing="404 409", with_=["id"]),
        "/matches/{id}/record": path(
            "getRecord", "Its inputs: with the rules, all of it.", "record", missing="404 409", with_=["id"]
        ),
        "/matches/{id}/replay": path(
            "getReplay", "It step by step.", "story", missing="403 404 409", with_=["id", "seat"]
        ),
        "/matches/{id}/decisive": path(
            "getDecisive", "Which move decided it.", "decisive", missing="404 409", with_=["id"]
        ),
        "/openapi.json": path("getOpenapi", "This document.", "any"),
    }
    paths["/door"] = {
        **path("getDoor", "How this house is entered, and what you are here.", "door", tag=False),
        "post": write("knock", "Come in, by the password or an invitation.", "knock", "opened"),
        "delete": {
            "operationId": "forget",
            "summary": "Have this browser's key forgotten.",
            "responses": {"204": {"description": "It is."}, "403": {"$ref": _REFUSED}},
        },
    }
    paths["/host"] = path(
        "getHouse", "What hosts see.", "host", missing="401", tag=False, security=[{"key": []}]
    )
    paths["/host/storage"] = path(
        "getStorage", "What the house keeps.", "storage", missing="401", tag=False, security=[{"key": []}]
    )
    paths["/host/day"] = path(
        "getDay", "What the day was like.", "day", missing="401", tag=False, security=[{"key": []}]
    )
    paths["/host/acts"] = {
        "post": write("act", "Do something as a host.", "act", "done", security=[{"key": []}])
    }
    health = path("getHealth", "Whether the house can store what is played.", "health", tag=False)
    health["get"]["responses"]["503"] = answer("health", False)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ludoteca",
            "version": str(REST_VERSION),
            "description": "What a house shows to those who do not play, its door, and what hosts do.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": base or "/", "description": "The house's web address."}],
        "paths": {PREFIX + key: value for key, value in paths.items()} | {"/healthz": health},
        "components": {
            "schemas": _plain(parts),
            "parameters": _PARAMETERS,
            "headers": {
                "ETag": {
                    "description": "Changes with the answer; send it along as If-None-Match.",
                    "required": True,
                    "schema": {"type": "string"},
                }
            },
            "responses": {"Refusal": answer("refusal", False)},
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "The token of a seat."},
                "key": {
                    "type": "apiKey",
                    "in": "header",
                    "name": hosting.KEY_HEADER,
                    "description": "What this house gave you: wanted by all paths where not all may come in.",
                },
            },
        },
    }


_ANSWERS = {
    "games": "All of them.",
    "tables": "As far as what is told about them is stored. Where there are more, a header `Link` with "
    '`rel="next"` leads to them.',
    "lobby": "The first 50 tables of each phase, the eight matches that ended last, and how many there are.",
    "table": "The table.",
    "story": "Each step with its events and the view after it.",
    "matches": 'Newest first. Where there are more, a header `Link` with `rel="next"` leads to them.',
    "match": "The match.",
    "record": "All inputs but whispers, in order.",
    "decisive": "The move, and in words how it decided the match; none where it was broken off.",
    "health": "How it is.",
    "refusal": "Why not: one word for programs, and a sentence for people.",
    "any": "As it is.",
    "door": "The door.",
    "opened": "You are in; the key comes as a cookie, too.",
    "host": "All that there is to see: never a hand.",
    "storage": "What is kept, how it grows, copies, and what is being done about it.",
    "day": "The day's curve.",
    "done": "It is done, and stored.",
}


def _parameter(name: str, place: str, about: str, **schema: Any) -> dict[str, Any]:
    is_path = place == "path"
    return {"name": name, "in": place, "required": is_path, "description": about, "schema": schema}


_PARAMETERS = {
    "id": _parameter("id", "path", "Of a table, which its match keeps.", type="string"),
    "game": _parameter("game", "path", "A game's name.", type="string"),
    "of": _parameter("game", "query", "Only of this game.", type="string"),
    "before": _parameter("before", "query", "Only those that ended before, as `closed_ms`.", type="integer"),
    "few": _parameter("count", "query", "How many.", type="integer", minimum=0, maximum=200, default=50),
    "count": _parameter(
        "count", "query", "How many.", type="integer", minimum=1, maximum=LISTED_MAX, default=LISTED
    ),
    "show": _parameter(
        "show", "query", "Only those that wait for players, or are being played at.", enum=[*SHOWN]
    ),
    "after": _parameter(
        "after",
        "query",
        "From this place on, as `Link` has it; it holds while tables come and go.",
        type="string",
    ),
    "seat": _parameter(
        "seat",
        "query",
        "With whose eyes: a seat's number, `all` for all cards face up, nothing for a spectator's.",
        type="string",
    ),
    "known": _parameter("If-None-Match", "header", "The ETag of what you have.", type="string"),
}
