"""The connection to a house: what a person is told when there is none."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests import rig

from ludoteca.clients.address import Address
from ludoteca.clients.link import open_pipe
from ludoteca.clients.visit import Play, Visit
from ludoteca.server import hosts


async def test_who_calls_the_house_by_a_wrong_name_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not every machine has a name that leads here and is not ours: here it has none at all.
    monkeypatch.setattr(hosts, "_is_address", lambda _name: False)
    monkeypatch.setattr(hosts.Hosts, "_know", lambda _self, _name: False)
    async with rig.house(tmp_path, "http") as server:
        with pytest.raises(OSError, match="this house does not answer to"):
            await open_pipe(Address(*server.addresses["http"]))


async def test_where_nobody_listens_the_reason_is_the_networks(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server:
        address = Address(*server.addresses["http"])
    with pytest.raises(OSError, match="connection refused"):
        await open_pipe(address)


@contextlib.asynccontextmanager
async def visiting(address: Address, name: str, game: str) -> AsyncIterator[Visit]:
    """A person whose terminal is at a table of this game, or was told that the name is not theirs."""
    visit = Visit(address, str(address), name, Play(game, fresh=True))
    told = asyncio.Event()
    visit.sat = lambda _desk: told.set()
    visit.name_declined = lambda _reason: told.set()
    running = asyncio.create_task(visit.link.run())
    try:
        await asyncio.wait_for(told.wait(), 10)
        yield visit
    finally:
        await visit.link.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.slow
async def test_who_plays_in_two_terminals_has_one_name_and_another_machine_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mine"))
    async with rig.house(tmp_path / "house", "http") as server:
        address = Address(*server.addresses["http"])
        async with (
            visiting(address, "Anna", "santorini") as first,
            visiting(address, "anna", "shelfie") as second,
        ):
            assert (first.link.name, second.link.name) == ("Anna", "anna")
            assert first.desk is not None
            assert second.desk is not None
            monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
            async with visiting(address, "Anna", "eriantys") as stranger:
                assert stranger.desk is None, "somebody else came in under her name"
