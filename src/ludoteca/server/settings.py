"""What an operator can set, and where it comes from: defaults, a TOML file, the
environment, the command line."""

import os
import re
import socket
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

import msgspec
from msgspec import Meta

from ludoteca import games
from ludoteca.core import LudotecaError, Refused
from ludoteca.core.game import Nothing
from ludoteca.core.requests import Terms
from ludoteca.core.wording import allowed, meant
from ludoteca.hall import Defaults, ReturnByName
from ludoteca.server.proxies import Networks

HTTP_PORT, HOUSE_PORT, METRICS_PORT = 8000, 8001, 8002


class SettingsError(LudotecaError):
    """Something the operator wrote does not make sense; the text says what."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a house.

    Each field is an option of `serve`, a key of the file, a LUDOTECA_ variable.
    """

    host: str = "127.0.0.1"
    data: str = ""
    # Where copies that hosts make are put, "" is a folder in that of the journal; and how many stay.
    backups: str = ""
    backups_keep: Annotated[int, Meta(ge=1, le=1000)] = 14
    # Listener name to port; 0 picks a free one. What is not named keeps its usual port.
    port: dict[str, Annotated[int, Meta(ge=0, le=65535)]] = {}
    # The listeners to start, all when empty.
    only: list[str] = []
    # "GAME.KEY" to value: options, terms and wire times of tables whose protocol cannot say them.
    default: dict[str, Any] = {}
    tls_cert: str = ""
    tls_key: str = ""
    # The house's name on its door, and who may come in: what is "" hosts decide, and it is open until then.
    house_name: Annotated[str, Meta(max_length=64)] = ""
    door: Literal["", "open", "password", "invitation"] = ""
    guests: Literal["", "out", "watch"] = ""
    password: Annotated[str, Meta(max_length=200)] = ""
    # Who may come in by protocols that cannot carry a key, and listeners by which anybody may.
    names: list[Annotated[str, Meta(max_length=64)]] = []
    exempt: list[str] = []
    # Listener name to the address that it listens on; what is not named listens at `host`.
    listen: dict[str, str] = {}
    return_by_name: ReturnByName = "same-address"
    # What `return_by_name = "never"` was called before.
    require_tokens: bool = False
    # Where browsers may connect from besides the house itself; "*" is anywhere.
    origin: list[str] = []
    # Names the house answers to, besides loopback names, addresses in digits and the bound name; "*" is any.
    hosts: list[Annotated[str, Meta(pattern=r"^(\*|[^\s/:@]+)$")]] = []
    # Where the house is on a site that it shares with others: "/games".
    base_path: Annotated[str, Meta(pattern=r"^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?$", max_length=200)] = ""
    # How long browsers that came by TLS once insist on it; 0: not told.
    hsts_s: Annotated[int, Meta(ge=0)] = 365 * 24 * 3600
    # Who says it may read /metrics on the public listener too. The listener `metrics` is for operators
    # and stays inside.
    metrics_token: Annotated[str, Meta(pattern=r"^[!-~]*$")] = ""
    metrics_host: str = "127.0.0.1"
    # Whether the originals that send Java objects are understood, at the ports of their games.
    java: bool = True
    line_bytes_max: Annotated[int, Meta(ge=1024, le=65536)] = 65_536
    pack_bytes_min: Annotated[int, Meta(ge=0)] = 1024
    rate_per_s: Annotated[float, Meta(gt=0)] = 200.0
    rate_burst: Annotated[float, Meta(gt=0)] = 400.0
    # What all connections of one address may send together.
    rate_per_address_per_s: Annotated[float, Meta(gt=0)] = 4000.0
    rate_per_address_burst: Annotated[float, Meta(gt=0)] = 16_000.0
    # Sixty people behind one address, each with a page that keeps seven connections.
    connections_per_address_max: Annotated[int, Meta(ge=1)] = 512
    connections_max: Annotated[int, Meta(ge=1)] = 20_000
    tables_max: Annotated[int, Meta(ge=1)] = 10_000
    handshake_s: Annotated[float, Meta(gt=0)] = 120.0
    # Networks whose word is taken about who is behind them, and how they say it.
    trusted_proxies: list[str] = []
    forwarded_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    proxy_protocol: bool = False
    header_s: Annotated[float, Meta(gt=0)] = 15.0
    idle_s: Annotated[float, Meta(gt=0)] = 60.0
    requests_per_s: Annotated[float, Meta(gt=0)] = 100.0
    requests_burst: Annotated[float, Meta(ge=1)] = 2000.0
    outbox_bytes_max: Annotated[int, Meta(ge=4096)] = 1 << 20
    deserted_s: Annotated[float, Meta(gt=0)] = 7 * 24 * 3600.0
    abandoned_s: Annotated[float, Meta(ge=0)] = 300.0
    sequel_s: Annotated[float, Meta(ge=0)] = 7 * 24 * 3600.0
    choosing_s: Annotated[float, Meta(gt=0)] = 30.0
    # Sixty people who play, and have some matches against bots waiting for them from other days.
    tables_per_address_max: Annotated[int, Meta(ge=1)] = 256
    tables_per_guest_max: Annotated[int, Meta(ge=1)] = 16
    chat_burst: Annotated[float, Meta(ge=1)] = 10.0
    chat_per_minute: Annotated[float, Meta(gt=0)] = 30.0
    mute_s: Annotated[float, Meta(ge=0)] = 30.0
    chat_per_address_per_minute: Annotated[float, Meta(ge=1)] = 600.0
    chat_per_table_max: Annotated[int, Meta(ge=0)] = 5000
    # Records, replays and stories over HTTP: sixty people who look at what they have just played.
    stories_per_minute: Annotated[float, Meta(gt=0)] = 60.0
    stories_burst: Annotated[float, Meta(ge=1)] = 120.0
    stories_waiting_max: Annotated[int, Meta(ge=1)] = 128
    stories_bytes_max: Annotated[int, Meta(ge=0)] = 32 << 20
    story_workers: Annotated[int, Meta(ge=1, le=64)] = 1
    # A bot's thought: processor time, and how long it may last on a busy machine.
    bot_s: Annotated[float, Meta(gt=0, le=60)] = 0.5
    bot_wall_s: Annotated[float, Meta(gt=0, le=600)] = 4.0
    # The processes that bots think in; "auto" leaves one core to the house, 0 means a thread.
    bot_workers: Annotated[int, Meta(ge=0, le=64)] | Literal["auto"] = "auto"
    # The part of their time that bots may use, and the part of the workers that one address may have at once.
    bot_share: Annotated[float, Meta(gt=0, le=1)] = 1.0
    bot_share_per_address: Annotated[float, Meta(gt=0, le=1)] = 0.75
    # Whether strong bots give up what they cannot win any more.
    bot_resigns: bool = True
    # Where traces are sent (OTLP over HTTP), and the part of everything that is traced.
    traces: Annotated[str, Meta(pattern=r"^(https?://[!-~]+)?$")] = ""
    trace_share: Annotated[float, Meta(gt=0, le=1)] = 1.0
    durability: Literal["full", "normal", "off"] = "full"
    # The servers of NATS that keep the journal of a house on several machines, what it is called there, and
    # how many of them have it; how this machine is called, and how it shows who it is.
    cluster: list[Annotated[str, Meta(pattern=r"^(nats|tls)://[!-~]+$")]] = []
    cluster_name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")] = "ludoteca"
    cluster_replicas: Annotated[int, Meta(ge=1, le=5)] = 3
    cluster_node: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = ""
    cluster_credentials: str = ""
    cluster_ca: str = ""
    # The same servers by their system account, which says whether they write to the disk in time; or that the
    # operator has looked.
    cluster_system: list[Annotated[str, Meta(pattern=r"^(nats|tls)://[!-~]+$")]] = []
    cluster_rooms: bool = True
    cluster_sync: Literal["always", "trust"] = "always"
    # Whether other processes of this machine may listen at the same ports, as the nodes of `--nodes` do.
    share_ports: bool = False
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    def __post_init__(self) -> None:
        try:
            proxies = Networks(self.trusted_proxies)
        except ValueError as error:
            raise ValueError(f"trusted_proxies: {error}") from None
        if self.proxy_protocol and not proxies:
            raise ValueError("proxy_protocol needs trusted_proxies: nobody else's word is taken")

    @property
    def base(self) -> str:
        """What stands before every path of the page and its parts: "" or "/games"."""
        return self.base_path.rstrip("/")

    def node_name(self) -> str:
        """How this machine is called among those of a house on several."""
        return self.cluster_node or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:64] or "node"

    def data_folder(self) -> Path:
        """Where the journal lives."""
        if self.data:
            return Path(self.data)
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        return Path(base) / "ludoteca"

    def copies_folder(self) -> Path:
        """Where copies that hosts make are put."""
        return Path(self.backups) if self.backups else self.data_folder() / "backups"


def load(file: Path | None, environment: Mapping[str, str], given: Mapping[str, Any]) -> Settings:
    """Settings from a TOML file, then LUDOTECA_ variables, then what was given; the later
    wins, maps are merged."""
    layers = [
        from_file(file),
        from_environment(environment),
        {k: _listed(k, v) for k, v in given.items() if v is not None},
    ]
    merged: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            merged[key] = {**merged.get(key, {}), **value} if isinstance(value, dict) else value
    for key, value in merged.items():
        _check(key, value)
    try:
        return msgspec.convert(merged, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"settings: {error}") from None


def _check(key: str, value: Any) -> None:
    """Say what is wrong with one setting as the operator wrote it. Raises SettingsError."""
    if key not in _TYPES:
        raise SettingsError(
            f"settings: there is no {key!r}{meant(key, _TYPES)}; docs/hosting.md lists them all"
        )
    parts = {f"{key} {name}": (one, _PORT) for name, one in value.items()} if key == "port" else {}
    for name, (one, kind) in (parts or {key: (value, _TYPES[key])}).items():
        try:
            msgspec.convert(one, kind, strict=False)
        except msgspec.ValidationError:
            raise SettingsError(f"settings: {name} cannot be {one!r}: it is {allowed(kind)}") from None


def strangers(environment: Mapping[str, str]) -> list[str]:
    """What to say about LUDOTECA_ variables that are no settings: perhaps they were meant to be."""
    # The last are what a machine that tests Ludoteca must have, and what `ludoteca admin` and `play` read: no
    # settings, but no mistakes either.
    known = [*(f"LUDOTECA_{name.upper()}" for name in _TYPES), "LUDOTECA_REQUIRE", "LUDOTECA_KEY"]
    return [
        f"{name} is no setting and changes nothing{meant(name.removeprefix('LUDOTECA_'), _TYPES)}"
        for name in environment
        if name.startswith("LUDOTECA_") and name not in known
    ]


def from_file(file: Path | None) -> dict[str, Any]:
    """What a TOML file says. Raises SettingsError."""
    if file is None:
        return {}
    try:
        found = tomllib.loads(file.read_text())
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}") from None
    if isinstance(found.get("default"), dict):
        found["default"] = dict(_flat(found["default"]))
    return found


def _flat(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """[default.multisweeper] players = 3 means the same as "multisweeper.players" = 3."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{inner}", one) for inner, one in value.items())
        else:
            yield key, value


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """LUDOTECA_HOST=..., LUDOTECA_PORT="http=0,house=9000"; variables that are no setting are left alone."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        text = environment.get("LUDOTECA_" + field.encode_name.upper())
        if text is None:
            continue
        found[field.name] = _listed(field.name, text)
    return found


_PORT = Annotated[int, Meta(ge=0, le=65535)]
_TYPES = {field.name: field.type for field in msgspec.structs.fields(Settings)}
_LISTS = {field.name for field in msgspec.structs.fields(Settings) if get_origin(field.type) is list}


def _listed(key: str, value: Any) -> Any:
    """Where a list is wanted, "a,b" is one; where a map is, "a=1,b=2"."""
    if key in ("port", "default", "listen") and isinstance(value, str):
        return pairs(part for part in value.split(",") if part.strip())
    if key in _LISTS and isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """["http=0", "house=9000"] as a map."""
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise SettingsError(f"{text!r} is not of the form NAME=VALUE")
        found[key.strip()] = value.strip()
    return found


def as_toml(settings: Settings) -> str:
    """A file that says the same, without what is as it comes."""
    usual = Settings()
    said = ((name, getattr(settings, name)) for name in Settings.__struct_fields__)
    return "".join(
        f"{name} = {toml(msgspec.to_builtins(value))}\n"
        for name, value in said
        if value != getattr(usual, name)
    )


def toml(value: Any) -> str:
    """A value as TOML has it: JSON, but for maps."""
    if isinstance(value, dict) and value:
        return (
            f"{{ {', '.join(f'{msgspec.json.encode(k).decode()} = {toml(v)}' for k, v in value.items())} }}"
        )
    return msgspec.json.encode(value).decode()


class GameDefaults(dict[str, Defaults]):
    """What newcomers get, game by game: the games' own defaults with the operator's choices laid over them.

    Games the operator said nothing about are loaded when somebody first asks for them. Raises SettingsError.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._chosen: dict[str, dict[str, Any]] = {}
        for path, value in settings.default.items():
            name, dot, key = path.partition(".")
            if name not in games.names() or not dot:
                known = ", ".join(games.names())
                raise SettingsError(f"--default {path}: the part before the dot must be one of {known}")
            self._chosen.setdefault(name, {})[key] = value
        for name in self._chosen:
            self[name]

    def __missing__(self, name: str) -> Defaults:
        made = self[name] = _defaults(name, self._chosen.get(name, {}))
        return made


def _defaults(name: str, chosen: dict[str, Any]) -> Defaults:
    game = games.load(name)
    kinds: dict[str, type[msgspec.Struct]] = {
        "options": game.options,
        "terms": Terms,
        "settings": game.wire.settings if game.wire else Nothing,
    }
    parts: dict[str, dict[str, Any]] = {part: {} for part in kinds}
    parts["terms"]["absence"] = "end"
    for key, value in chosen.items():
        homes = [part for part, kind in kinds.items() if key in kind.__struct_fields__]
        if key != "players" and not homes:
            known = sorted({"players"}.union(*(kind.__struct_fields__ for kind in kinds.values())))
            raise SettingsError(f"--default {name}.{key}: {game.title} knows {', '.join(known)}")
        for part in homes:
            parts[part][key] = value
    try:
        seats = msgspec.convert(chosen.get("players", max(2, game.seats[0])), int, strict=False)
        if seats not in game.seats:
            raise SettingsError(
                f"--default {name}.players: {game.title} is for {game.seats[0]} to {game.seats[-1]}"
            )
        made: dict[str, Any] = {p: msgspec.convert(parts[p], kind, strict=False) for p, kind in kinds.items()}
        game.settle(made["options"], seats)
    except (msgspec.ValidationError, Refused) as error:
        raise SettingsError(f"--default {name}: {error}") from None
    return Defaults(seats, made["options"], made["terms"], made["settings"])
