"""A match of an arena as a file like those of `ludoteca export`: any house can take it in and replay it."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

from ludoteca import games
from ludoteca.core import Game, Outcome, Setup
from ludoteca.core.requests import Terms
from ludoteca.hall import parcel
from ludoteca.journal import Match, Record
from ludoteca.journal.records import Acted, Closed, Input, Opened, SatDown, Started, encode, encode_body
from ludoteca.journal.seal import CHAIN_START, chain, told

# What one seat decided.
Decision = tuple[int, tuple[Any, ...]]


def packed(
    id: str, game: Game, setup: Setup, names: Sequence[str], decisions: Iterable[Decision], outcome: Outcome
) -> bytes:
    """The match as a file. Where the rules did not end it, `outcome` says what counts, and why."""
    match, digest = Match(game), CHAIN_START
    now_ms = int(time.time() * 1000)
    lines: list[bytes] = []
    for given in _inputs(id, game, setup, names, decisions):
        digest = _write(lines, match, given, digest, now_ms)
    if match.running:
        _write(lines, match, Closed(outcome.reason, outcome.ranks), digest, now_ms)
    return parcel.pack(lines, games.load)


def _inputs(
    id: str, game: Game, setup: Setup, names: Sequence[str], decisions: Iterable[Decision]
) -> Iterable[Input]:
    yield Opened(id, game.name, "arena", setup.seats, setup.options, Terms(), version=game.version)
    for seat, name in enumerate(names):
        yield SatDown(seat, name, name, "bot", "", name, setup.preferences[seat])
    yield Started(setup.seats, setup.seed, setup.options, setup.preferences, setup.order)
    for seat, actions in decisions:
        yield Acted(seat, actions)


def _write(lines: list[bytes], match: Match, given: Input, digest: bytes, now_ms: int) -> bytes:
    events = match.perform(given)
    body = encode_body(Record(len(lines) + 1, now_ms, given))
    digest = chain(digest, body)
    lines.append(encode(body, digest + told(events, match.state)))
    return digest
