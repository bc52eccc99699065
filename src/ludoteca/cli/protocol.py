"""`ludoteca protocol`: what a client's author needs, as a page, as a schema, or as a transcript."""

import asyncio
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import click
import msgspec

from ludoteca import games
from ludoteca.core import Game, Refused
from ludoteca.wire import messages

REF = "#/$defs/{name}"


@click.command(short_help="Print a protocol, as a page or as a schema; record a server of it.")
@click.argument("name")
@click.argument("address", metavar="[HOST:PORT]", required=False)
@click.option("--schema", "form", flag_value="schema", help="As JSON Schema.")
@click.option("--typescript", "form", flag_value="typescript", help="As TypeScript; of a game, its records.")
@click.option("--asyncapi", "form", flag_value="asyncapi", help="As an AsyncAPI document (house only).")
@click.option("--openapi", "form", flag_value="openapi", help="As an OpenAPI document: REST (house only).")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Stand before the server at HOST:PORT and write down what it and its clients say, with the time.",
)
@click.option(
    "--listen", default="127.0.0.1:0", metavar="HOST:PORT", help="Where, with --record.  [any free port]"
)
def protocol(name: str, address: str | None, form: str | None, record: Path | None, listen: str) -> None:
    """Print the protocol NAME: `house`, Ludoteca's own, or a game's as its seed defines it.

    With --record, print where clients are to connect instead, and write a transcript until Ctrl-C.
    """
    if name != "house":
        games.load(name)
    if record is not None:
        _record(name, address, record, listen)
    elif address is not None:
        raise Refused("a server is only of use with --record", "form")
    elif form is None:
        click.echo(page(name))
    elif form == "schema":
        click.echo(json.dumps(house_schema() if name == "house" else game_schema(name), indent=2))
    elif form == "typescript":
        # Imported here, as below: no other form needs what serves HTTP.
        from ludoteca.cli import typescript

        click.echo(typescript.house() if name == "house" else typescript.game(games.load(name)), nl=False)
    elif name != "house":
        raise Refused("only Ludoteca's own protocol has an AsyncAPI or OpenAPI document", "form")
    elif form == "asyncapi":
        click.echo(json.dumps(asyncapi(), indent=2))
    else:
        from ludoteca.server.openapi import openapi

        click.echo(json.dumps(openapi(), indent=2))


def _record(name: str, address: str | None, file: Path, listen: str) -> None:
    from ludoteca.cli.recording import record
    from ludoteca.clients.address import HOUSE_PORT, host_and_port

    if address is None:
        raise Refused("say which server is to be recorded: HOST:PORT", "form")
    port = HOUSE_PORT if name == "house" else games.load(name).protocol().port
    try:
        asyncio.run(record(file, host_and_port(address, port), host_and_port(listen, 0)))
    except OSError as error:
        raise Refused(f"cannot record: {error.strerror or error}", "form") from None
    except KeyboardInterrupt:
        click.echo(err=True)


def page(name: str) -> str:
    """The protocol's page: the house's own, the game's beside its rules, or what there is
    to say without one."""
    return house_page() if name == "house" else games.page(name) or in_words(games.load(name))


def house_page() -> str:
    """The page of Ludoteca's own protocol: packed with an installed Ludoteca, in docs/ of a checkout."""
    packed = resources.files("ludoteca") / "protocols" / "house.md"
    if packed.is_file():
        return packed.read_text()
    return (Path(__file__).parents[3] / "docs" / "protocols" / "house.md").read_text()


def in_words(game: Game) -> str:
    """The records of a game that has no page, as its types describe them."""
    if game.wire is None:
        lines = [
            f"# {game.title}",
            "",
            f"{game.title} has no protocol of its own: it is played over Ludoteca's (`ludoteca protocol "
            "house`), where",
            f'it is called `"{game.name}"`. These are its records, as JSON.',
        ]
        kinds = {"Actions": game.actions, "Events": game.events, "Views": game.views, "Options": game.options}
    else:
        lines = [
            f"# {game.title}",
            "",
            f"The protocol of {game.title}, port {game.wire.port}, has no page here.",
        ]
        kinds = dict(zip(("From clients", "From the server"), game.wire.messages or (), strict=False))
    told: set[str] = set()
    for title, kind in kinds.items():
        _, records = msgspec.json.schema_components([kind], ref_template="{name}")
        lines += ["", f"## {title}"]
        for name, record in records.items():
            if name not in told:
                told.add(name)
                lines += ["", f"`{name}`: {record.get('description', '')}".rstrip(": "), *_fields(record)]
    return "\n".join(lines)


def _fields(record: dict[str, Any]) -> Iterator[str]:
    """One line for each field of a record of a schema, what it holds as JSON Schema says it."""
    needed = record.get("required", [])
    for name, kind in record.get("properties", {}).items():
        shape = json.dumps(kind, ensure_ascii=False)
        yield f"- `{name}`{'' if name in needed else ' (may be left out)'}: {shape}"


def house_schema() -> dict[str, Any]:
    """Everything that goes over the line in Ludoteca's own protocol, with the records of every game."""
    kinds: list[Any] = [messages.FromClient, messages.FromServer]
    names = ["FromClient", "FromServer"]
    (client, server), defs = msgspec.json.schema_components(kinds, ref_template=REF)
    parts: dict[str, Any] = {**defs, names[0]: client, names[1]: server}
    for game in games.load_all():
        records = {
            "Options": game.options,
            "Preference": game.preferences,
            "Action": game.actions,
            "Event": game.events,
            "View": game.views,
        }
        template = REF.replace("{name}", f"{game.name}.{{name}}")
        outs, inner = msgspec.json.schema_components(list(records.values()), ref_template=template)
        parts |= {f"{game.name}.{key}": value for key, value in inner.items()}
        for key, out in zip(records, outs, strict=True):
            parts.setdefault(f"{game.name}.{key}", out)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Ludoteca's own protocol, version {messages.PROTOCOL_VERSION}",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": parts,
    }


def game_schema(name: str) -> dict[str, Any]:
    """The messages of a seed's JSON protocol."""
    wire = games.load(name).wire
    if wire is None:
        raise Refused(f"{name} has no protocol of its own: see `ludoteca protocol house --schema`", "form")
    if wire.messages is None:
        raise Refused(f"{name} speaks lines of text, not JSON: see `ludoteca protocol {name}`", "form")
    (client, server), defs = msgspec.json.schema_components(list(wire.messages), ref_template=REF)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{games.load(name).title}: the messages of the seed",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {**defs, "FromClient": client, "FromServer": server},
    }


def asyncapi() -> dict[str, Any]:
    """Ludoteca's own protocol as AsyncAPI 3, with a message for each type."""
    schema = house_schema()
    inner = _as_asyncapi(json.loads(json.dumps(schema["$defs"]).replace("#/$defs/", "#/components/schemas/")))
    both = {"client": messages.FromClient.__args__, "server": messages.FromServer.__args__}
    # The part of a list of options is asked for and sent under one type.
    names = {kind: f"{side}.{kind.__struct_config__.tag}" for side, kinds in both.items() for kind in kinds}

    def message(kind: type[msgspec.Struct]) -> dict[str, Any]:
        return {
            "name": kind.__struct_config__.tag,
            "title": kind.__name__,
            "summary": inner[kind.__name__].get("description", ""),
            "contentType": "application/json",
            "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        }

    def operation(action: str, summary: str, side: str) -> dict[str, Any]:
        return {
            "action": action,
            "channel": {"$ref": "#/channels/house"},
            "summary": summary,
            "messages": [{"$ref": f"#/channels/house/messages/{names[kind]}"} for kind in both[side]],
        }

    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Ludoteca", "version": str(messages.PROTOCOL_VERSION), "license": {"name": "MIT"}},
        "servers": {
            "websocket": {"host": "127.0.0.1:8000", "protocol": "ws", "pathname": "/ws"},
            "lines": {"host": "127.0.0.1:8001", "protocol": "tcp", "description": "JSON objects, one a line"},
        },
        "channels": {
            "house": {
                "address": "/ws",
                "messages": {name: message(kind) for kind, name in names.items()},
            }
        },
        "operations": {
            "ask": operation("receive", "What a client says", "client"),
            "tell": operation("send", "What the house says", "server"),
        },
        "components": {"schemas": inner},
    }


def _as_asyncapi(schema: Any) -> Any:
    """A schema in which the key that tells records apart is named as AsyncAPI does it: by
    itself, without a mapping."""
    if isinstance(schema, list):
        return [_as_asyncapi(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: part["propertyName"] if key == "discriminator" and isinstance(part, dict) else _as_asyncapi(part)
        for key, part in schema.items()
    }
