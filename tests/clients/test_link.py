"""The connection to a house: what a person is told when there is none."""

from pathlib import Path

import pytest
from tests import rig

from ludoteca.clients.address import Address
from ludoteca.clients.link import open_pipe
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
