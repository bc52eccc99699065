"""`ludoteca admin`: looking after a house by the socket in its data folder, and from elsewhere with a key."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests import rig

from ludoteca.cli import main
from ludoteca.cli.admin import AdminError, seconds


async def run(*arguments: str, given: str | None = None) -> Result:
    """The command in a thread of its own, beside the house."""
    return await asyncio.to_thread(CliRunner().invoke, main, ["admin", *arguments], input=given)


def printed(done: Result) -> str:
    """What the command said; the house of a test logs to the same place."""
    lines = done.stdout.strip().splitlines()
    return "\n".join(line for line in lines if "[info" not in line and "[debug" not in line)


@pytest.mark.slow
async def test_a_host_at_the_console_does_all_that_there_is_to_do(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off", bot_workers=0) as server:
        data = ("--data", str(tmp_path))
        ada = await rig.enter(server, "Ada")
        await ada.send({"type": "open", "game": "santorini", "label": "corner"})
        table = (await ada.until("seated"))["table"]["id"]

        async def done(*arguments: str, given: str | None = None) -> str:
            found = await run(*data, *arguments, given=given)
            assert found.exit_code == 0, found.output
            return printed(found)

        status = await done("status")
        assert "1 people, 0 bots, 1 tables." in status
        assert f"Ada (guest, house, 127.0.0.1): santorini at {table}" in status
        assert "corner: santorini, open: Ada, free" in status
        await done("say", "We close at ten.")
        assert (await ada.until("announced"))["text"] == "We close at ten."
        await done("mute", "Ada", "--for", "2h")
        await ada.send({"type": "say", "text": "hello"})
        assert (await ada.until("declined"))["code"] == "muted"
        await done("close", table, "--reason", "late")
        assert (await ada.until("gone"))["code"] == "host"
        await done("out", "Ada", "--for", "1m")
        assert (await ada.until("gone"))["code"] == "out"
        await done("ban", "--address", "192.0.2.0/24", "--reason", "flooding")
        found = json.loads(await done("status", "--json"))
        assert [(one["kind"], one["name"] or one["address"]) for one in found["barred"]] == [
            ("ban", "192.0.2.0/24"),
            ("ban", "Ada"),
            ("mute", "Ada"),
        ]
        for one in found["barred"]:
            await done("lift", str(one["id"]))
        await done("drain")
        assert server.house.hall.keeping.drained == "wait"
        await done("resume")
        await done(
            "door",
            "password",
            "--guests",
            "watch",
            "--new-password",
            "--names",
            "Bea, Carla",
            given="lemon\n",
        )
        keeping = server.house.hall.keeping
        assert (keeping.door, keeping.guests, keeping.names) == ("password", "watch", ("Bea", "Carla"))
        assert keeping.password.startswith("scrypt$")
        host, port = server.addresses["http"]
        link = await done("link", "--name", "Irene")
        assert link.startswith(f"http://{host}:{port}/house#")
        invitation = await done("invite", "--uses", "3", "--label", "the club")
        assert invitation.startswith(f"http://{host}:{port}/join#")
        assert "the club (member), 0 of 3" in await done("status")
        await done("withdraw", str(keeping.invitations(server.house.now())[0].id))
        log = await done("log")
        assert "console: close table=" in log
        assert "lemon" not in log
        assert "scrypt" not in log

        # What it keeps: begun by the house, waited for by the command.
        assert "0 finished matches" in await done("storage")
        assert "looked through" in await done("backup")
        assert "verified" in await done("verify")
        assert "0 finished matches removed" in await done("prune", "--older-than", "30")
        said = await done("storage")
        assert f"1 copies in {tmp_path / 'backups'}: the newest from " in said
        assert "by console: done." in said
        assert (await run(*data, "prune", "--older-than", "29")).exit_code == 2

        # From elsewhere, with a key.
        key = tmp_path / "key"
        key.write_text(await done("key", "--host", "--label", "laptop"))
        there = ("--server", f"http://{host}:{port}", "--key-file", str(key))
        found = json.loads(printed(await run(*there, "status", "--json")))
        assert found["door"] == "password"
        assert (await run(*there, "door", "open")).exit_code == 0
        assert keeping.log[-1].by == "laptop"
        key.write_text(await done("key"))
        refused = await run(*there, "status")
        assert (refused.exit_code, "this is for hosts" in refused.output) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status"], "no house is open in"),
        (["ban", "--name", "x", "--for", "soon"], "'soon' is no time: say 30m, 2h, 7d or ever"),
        (["--server", "http://127.0.0.1:9", "status"], "wants a host's key"),
    ],
)
async def test_what_does_not_work_is_said_in_one_line(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    found = await run("--data", str(tmp_path), *arguments)
    assert found.exit_code == 1
    assert words in found.output
    assert "Traceback" not in found.output


def test_times_are_typed_as_people_say_them() -> None:
    assert [seconds(text) for text in ("90s", "30m", "2h", "7d", "1w", "ever")] == [
        90,
        1800,
        7200,
        7 * 86400,
        7 * 86400,
        0,
    ]
    for text in ("", "0m", "1y", "-1h", "1.5h", "9999999d", "２h"):
        with pytest.raises(AdminError):
            seconds(text)
