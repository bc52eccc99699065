"""Coming into a house that is not open to all, from a terminal."""

import asyncio
import io
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from tests import rig

from ludoteca.cli import main
from ludoteca.clients import saved
from ludoteca.clients.address import parse
from ludoteca.clients.door import DoorError, key_for
from ludoteca.hall import acts


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


@pytest.mark.slow
async def test_an_invitation_a_key_or_the_password_opens_and_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with rig.house(
        tmp_path, "http", "house", durability="off", door="password", password="lemon", house_name="the club"
    ) as server:
        url = "http://{}:{}".format(*server.addresses["http"])
        address = parse(url)
        with pytest.raises(DoorError, match="belongs to the club: come in with --key"):
            await key_for(address, "")
        with pytest.raises(DoorError, match="not good"):
            await key_for(address, "f" * 32)

        # The password, at the third try; nobody is asked again.
        said = iter(("melon", "lime", "lemon"))
        monkeypatch.setattr(sys, "stdin", Terminal())
        monkeypatch.setattr(click, "prompt", lambda *_a, **_k: next(said))
        key = await key_for(address, "", "Ada")
        assert server.house.hall.keeping.role(key, server.house.now()) == "member"
        assert await key_for(address, "") == key
        assert saved.load().keys == {url: key}

        # A link, and a key as it is; an old key that opens nothing any more is not shown for ever.
        made = await server.desk.do("Irene", acts.Invite())
        link = f"{url}/join#{made.token}"
        assert await key_for(address, link) == key
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
        assert await key_for(address, link, "Bea") not in (key, made.token)
        given = (await server.desk.do("Irene", acts.Give())).token
        assert await key_for(address, given) == given
        assert await key_for(parse("tcp://{}:{}".format(*server.addresses["house"])), given) == given


async def test_a_house_that_is_open_or_does_not_answer_asks_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with rig.house(tmp_path, "http", durability="off") as server:
        assert await key_for(parse("http://{}:{}".format(*server.addresses["http"])), "") == ""
    assert await key_for(parse("http://127.0.0.1:9"), "") == ""


@pytest.mark.slow
async def test_the_commands_show_the_key(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", durability="off", door="invitation") as server:
        url = "http://{}:{}".format(*server.addresses["http"])
        key = (await server.desk.do("Irene", acts.Give())).token

        async def run(*arguments: str, **environment: str) -> Any:
            state = {"XDG_STATE_HOME": str(tmp_path / "state"), **environment}
            return await asyncio.to_thread(CliRunner().invoke, main, arguments, env=state, input="quit\n")

        refused = await run("tables", "--server", url)
        assert (refused.exit_code, "not open to all" in refused.output) == (1, True)
        assert (await run("tables", "--server", url, LUDOTECA_KEY=key)).exit_code == 0
        refused = await run("play", "--server", url, "--linear", "--as", "Ada")
        assert (refused.exit_code, "come in with --key" in refused.output) == (1, True)
        played = await run("play", "--server", url, "--linear", "--as", "Ada", "--key", key)
        assert played.exit_code == 0, played.output
