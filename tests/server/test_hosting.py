"""The door and the host's acts, by HTTP and by the socket in the data folder: who gets in, who does not, and
what somebody can do who should not."""

import asyncio
import contextlib
import stat
import threading
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from tests import rig
from tests.server.seeds import Seed

from ludoteca.core import Refused
from ludoteca.hall import acts, steward
from ludoteca.server import passwords, rpc
from ludoteca.server.hostdesk import WAITING_MAX
from ludoteca.server.hosting import KEY_COOKIE, KEY_HEADER, SOCKET_NAME
from ludoteca.server.serve import Server
from ludoteca.server.settings import SettingsError

DOOR, HOST, ACTS = "/api/v1/door", "/api/v1/host", "/api/v1/host/acts"
PASSWORD = "sunday-lemon-42"


@contextlib.asynccontextmanager
async def web(server: Server) -> AsyncIterator[aiohttp.ClientSession]:
    """A program, or a browser of somebody's own, that keeps its cookies."""
    host, port = server.addresses["http"]
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(f"http://{host}:{port}", cookie_jar=jar) as session:
        yield session


async def host_of(server: Server) -> dict[str, str]:
    """The header of a new host."""
    return {KEY_HEADER: (await server.desk.do("test", acts.Give("Irene", "host"))).token}


async def do(session: aiohttp.ClientSession, act: acts.Act, headers: dict[str, str]) -> dict[str, Any]:
    """Do this as a host; what was made of it."""
    body = msgspec.json.encode(act)
    async with session.post(
        ACTS, data=body, headers={**headers, "Content-Type": "application/json"}
    ) as answer:
        assert answer.status == 200, await answer.text()
        found: dict[str, Any] = await answer.json()
        return found


async def knock(session: aiohttp.ClientSession, **said: str) -> tuple[int, dict[str, Any]]:
    """Try to come in; the status and the answer."""
    async with session.post(DOOR, json=said) as answer:
        return answer.status, await answer.json()


# The door.


@pytest.mark.slow
async def test_a_password_opens_the_house_to_a_browser_and_to_a_program(tmp_path: Path) -> None:
    async with rig.house(
        tmp_path, "http", "house", door="password", password=PASSWORD, house_name="the club"
    ) as server:
        async with web(server) as stranger, web(server) as browser:
            for path in ("games", "tables", "matches", "tables/x", "matches/x/replay", "host"):
                async with stranger.get(f"/api/v1/{path}") as answer:
                    assert (answer.status, (await answer.json())["error"]) == (401, "door"), path
            async with stranger.get(DOOR) as answer:
                shown = await answer.json()
            assert shown == {
                "door": "password",
                "guests": "out",
                "role": "guest",
                "name": "the club",
                "drained": False,
            }
            status, told = await knock(browser, password=PASSWORD, name="Ada")
            assert (status, told["role"]) == (200, "member")
            async with browser.get("/api/v1/tables") as answer:
                assert answer.status == 200
            async with stranger.get("/api/v1/tables", headers={KEY_HEADER: told["key"]}) as answer:
                assert answer.status == 200
            # The page's line has the cookie, a program says the key.
            line = await browser.ws_connect("/ws")
            await line.send_json({"type": "hello", "name": "Ada"})
            assert (await line.receive_json())["type"] == "welcome"
            await line.close()
            other = await stranger.ws_connect("/ws")
            await other.send_json({"type": "hello", "name": "Bea"})
            assert (await other.receive_json())["code"] == "door"
            await other.send_json({"type": "hello", "name": "Bea", "key": told["key"]})
            assert (await other.receive_json())["type"] == "welcome"
            await other.close()
            async with browser.delete(DOOR) as answer:
                assert answer.status == 204
            async with browser.get("/api/v1/tables") as answer:
                assert answer.status == 401
        bot = await rig.connect(server, "house")
        await bot.send({"type": "hello", "name": "Bot 1"})
        assert (await bot.until("declined"))["code"] == "door"
        await bot.send({"type": "hello", "name": "Bot 1", "key": told["key"]})
        await bot.until("welcome")


@pytest.mark.slow
async def test_the_cookie_is_for_this_house_alone_and_no_page_reads_it(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", door="password", password=PASSWORD) as server, web(server) as ada:
        async with ada.post(DOOR, json={"password": PASSWORD}) as answer:
            cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith(f"{KEY_COOKIE}=")
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Secure" not in cookie
        async with ada.post(
            DOOR, json={"password": PASSWORD}, headers={"X-Forwarded-Proto": "https"}
        ) as answer:
            assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.slow
async def test_whoever_guesses_has_five_tries_and_who_knows_it_is_let_in_all_the_same(tmp_path: Path) -> None:
    async with (
        rig.house(tmp_path, "http", door="password", password=PASSWORD) as server,
        web(server) as mallory,
    ):
        # Sixty people behind one address who know it have tried nothing.
        for _ in range(8):
            assert (await knock(mallory, password=PASSWORD))[0] == 200
        for number in range(5):
            status, told = await knock(mallory, password=f"guess {number}")
            assert (status, told["error"]) == (403, "password")
        for said in ({"password": "guess"}, {"password": PASSWORD}, {"invitation": "f" * 32}):
            async with mallory.post(DOOR, json=said) as answer:
                assert (answer.status, (await answer.json())["error"]) == (429, "rate")
                assert 0 < int(answer.headers["Retry-After"]) <= 60
        # Who is in stays in.
        async with mallory.get("/api/v1/tables") as answer:
            assert answer.status == 200
        assert PASSWORD.encode() not in (tmp_path / "ludoteca.sqlite3-wal").read_bytes()


@pytest.mark.slow
async def test_a_crowd_that_guesses_from_everywhere_does_not_hold_up_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()
    matches = passwords.matches

    def hesitant(password: str, kept: str) -> bool:
        """Whoever looks at passwords does so only after the house has served others meanwhile."""
        assert looked.wait(rig.PATIENCE_S)
        return matches(password, kept)

    async with rig.house(tmp_path, "http", door="password", password=PASSWORD) as server:
        monkeypatch.setattr(passwords, "matches", hesitant)
        url = "http://{}:{}".format(*server.addresses["http"])

        async def guess(number: int) -> int:
            connector = aiohttp.TCPConnector(local_addr=(f"127.0.1.{number}", 0))
            async with aiohttp.ClientSession(url, connector=connector) as session:
                return (await knock(session, password=f"guess {number}"))[0]

        crowd = [asyncio.create_task(guess(number)) for number in range(1, WAITING_MAX + 11)]
        # So many may wait for their hash, the others are told to come again.
        await rig.becomes(lambda: sum(one.done() for one in crowd) == 10)
        assert {one.result() for one in crowd if one.done()} == {503}
        async with web(server) as member, member.get("/healthz") as answer:
            assert answer.status == 200
        looked.set()
        statuses = Counter(await asyncio.gather(*crowd))
        assert statuses == {403: WAITING_MAX, 503: 10}


@pytest.mark.slow
async def test_under_tls_the_cookie_is_for_tls_alone(tmp_path: Path) -> None:
    certificate = rig.certificate(tmp_path)
    async with rig.house(tmp_path / "data", "http", tls_cert=str(certificate), durability="off") as server:
        link = await server.desk.link()
        connector = aiohttp.TCPConnector(ssl=False)
        url = "https://{}:{}".format(*server.addresses["http"])
        async with (
            aiohttp.ClientSession(url, connector=connector) as irene,
            irene.post(DOOR, json={"invitation": link}, headers={"Origin": url}) as answer,
        ):
            assert answer.status == 200
            assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.slow
async def test_an_invitation_is_good_for_its_uses_and_not_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig.house(tmp_path, "http", door="invitation") as server:
        made = await server.desk.do("test", acts.Invite("two", uses=2, seconds=3600))
        short = await server.desk.do("test", acts.Invite("short", seconds=60))
        async with web(server) as ada, web(server) as bea, web(server) as carla:
            assert (await knock(ada, invitation=made.token))[1]["role"] == "member"
            assert (await knock(bea, invitation=made.token))[1]["role"] == "member"
            assert (await knock(carla, invitation=made.token))[1]["error"] == "invitation"
            assert (await knock(carla, password="anything"))[1]["error"] == "password"
            # A key is not an invitation, nor the other way round.
            key = (await server.desk.do("test", acts.Give())).token
            assert (await knock(carla, invitation=key))[1]["error"] == "invitation"
            async with carla.get("/api/v1/tables", headers={KEY_HEADER: made.token}) as answer:
                assert answer.status == 401
            now = server.house.now()
            monkeypatch.setattr(server.house, "now", lambda: now + 61)
            assert (await knock(carla, invitation=short.token))[1]["error"] == "invitation"


@pytest.mark.slow
async def test_guests_who_may_look_on_see_the_lists_and_a_link_shows_names_only_to_those(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "http", "house", guests="watch", door="invitation") as server:
        key = (await server.desk.do("test", acts.Give())).token
        ada = await rig.enter(server, "Ada", key=key)
        await ada.send({"type": "open", "game": "santorini"})
        table = (await ada.until("seated"))["table"]["id"]
        async with web(server) as guest:
            async with guest.get("/api/v1/tables") as answer:
                assert [one["id"] for one in await answer.json()] == [table]
            line = await guest.ws_connect("/ws")
            await line.send_json({"type": "watch", "table": table})
            assert (await line.receive_json())["type"] == "seated"
            await line.send_json({"type": "open", "game": "santorini"})
            assert (await line.receive_json())["code"] == "door"
            await line.close()
            await server.desk.do("test", acts.Ban("nobody"))
            server.house.hall.keeping.guests = "out"
            async with guest.get(f"/table/{table}") as answer:
                assert "Ada" not in await answer.text()


# Who is a host.


@pytest.mark.slow
async def test_a_link_makes_one_host_once(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http") as server, web(server) as irene, web(server) as mallory:
        token = await server.desk.link()
        assert (await knock(irene, invitation=token))[1]["role"] == "host"
        async with irene.get(HOST) as answer:
            assert answer.status == 200
        assert (await knock(mallory, invitation=token))[1]["error"] == "invitation"
        async with mallory.get(HOST) as answer:
            assert (answer.status, (await answer.json())["error"]) == (401, "token")


EVERY_ACT: list[acts.Act] = [
    acts.Say("boo"),
    acts.Mute("Ada"),
    acts.Out("Ada"),
    acts.Ban("Ada"),
    acts.Lift(1),
    acts.Close("x"),
    acts.Drain("stop"),
    acts.Resume(),
    acts.Door("open"),
    acts.Invite(role="host"),
    acts.Give(role="host"),
    acts.Withdraw(1),
    acts.Settle(1),
    acts.Backup(),
    acts.Verify(),
    acts.Prune(30),
]


@pytest.mark.slow
async def test_a_member_can_do_nothing_of_what_hosts_do_nor_see_it(tmp_path: Path) -> None:
    assert {type(act) for act in EVERY_ACT} == set(acts.Act.__args__)
    async with rig.house(tmp_path, "http", door="password", password=PASSWORD) as server:
        before = server.house.hall.keeping.log[-1].number
        async with web(server) as member:
            key = (await knock(member, password=PASSWORD))[1]["key"]
            for headers in (
                {},
                {KEY_HEADER: key},
                {KEY_HEADER: "0" * 32},
                {"Authorization": f"Bearer {key}"},
            ):
                for path in (HOST, HOST.replace("/v1", "")):
                    async with member.get(path, headers=headers) as answer:
                        assert answer.status == 401, path
                for act in EVERY_ACT:
                    sent = {**headers, "Content-Type": "application/json"}
                    async with member.post(ACTS, data=msgspec.json.encode(act), headers=sent) as answer:
                        assert answer.status == 401, act
        # One deed more: the key for the password.
        assert server.house.hall.keeping.add("", acts.Resume(), 0).number == before + 2


@pytest.mark.slow
async def test_pages_of_other_sites_do_nothing_in_a_hosts_name(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", origin=["*"]) as server, web(server) as irene:
        await knock(irene, invitation=await server.desk.link())
        address = str(irene._base_url).rstrip("/")
        body = msgspec.json.encode(acts.Drain())
        json = {"Content-Type": "application/json"}

        async def status(path: str, headers: dict[str, str], data: bytes = body) -> tuple[int, str]:
            async with irene.post(path, data=data, headers=headers) as answer:
                told = await answer.json()
                return answer.status, told.get("error", "")

        for origin in (
            "https://elsewhere.example",
            "null",
            f"{address}.elsewhere.example",
            "http://127.0.0.1:1",
        ):
            assert await status(ACTS, {**json, "Origin": origin}) == (403, "origin"), origin
            assert await status(DOOR, {**json, "Origin": origin}, b"{}") == (403, "origin"), origin
            async with irene.delete(DOOR, headers={"Origin": origin}) as answer:
                assert answer.status == 403
        # A form of another site cannot send JSON; and a browser that says nothing of itself is not believed.
        assert await status(ACTS, {"Content-Type": "text/plain", "Origin": address}) == (400, "message")
        assert await status(ACTS, json) == (403, "origin")
        assert await status(ACTS, {**json, "Sec-Fetch-Site": "cross-site"}) == (403, "origin")
        assert server.house.hall.keeping.drained is None
        assert (await status(ACTS, {**json, "Origin": address}))[0] == 200
        assert server.house.hall.keeping.drained == "wait"
        async with irene.options(ACTS, headers={"Origin": "https://elsewhere.example"}) as answer:
            assert answer.headers.get("Access-Control-Allow-Methods") == "GET, HEAD"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"type":"teleport"}', b'{"type":"ban","seconds":1e400}', b"\xff", b"[" * 30000],
    ids=repr,
)
async def test_nonsense_is_refused_in_words(tmp_path: Path, body: bytes) -> None:
    async with rig.house(tmp_path, "http", durability="off") as server, web(server) as irene:
        headers = {**await host_of(server), "Content-Type": "application/json"}
        async with irene.post(ACTS, data=body, headers=headers) as answer:
            assert (answer.status, (await answer.json())["error"]) == (400, "message")
        async with irene.post(ACTS, data=b" " * 100_000, headers=headers) as answer:
            assert answer.status == 413


# What hosts do.


@pytest.mark.slow
async def test_a_host_closes_a_table_turns_out_and_bans_and_everybody_hears_it(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house", "multisweeper") as server, web(server) as web_:
        irene = await host_of(server)
        ada, bea = await rig.enter(server, "Ada", "127.0.0.2"), await rig.enter(server, "Bea", "127.0.0.3")
        await ada.send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await ada.until("seated"))["table"]["id"]
        await bea.send({"type": "sit", "table": table})
        await bea.until("view")
        await do(web_, acts.Say("We close at ten."), irene)
        assert (await bea.until("announced"))["text"] == "We close at ten."
        await do(web_, acts.Close(table, "late"), irene)
        for person in (ada, bea):
            gone = await person.until("gone")
            assert (gone["code"], "late" in gone["reason"]) == ("host", True)
        async with web_.get(f"/api/v1/matches/{table}") as answer:
            assert (answer.status, (await answer.json())["outcome"]) == (200, None)
        await do(web_, acts.Out("Ada", 60, "calm down"), irene)
        assert (await ada.until("gone"))["code"] == "out"
        assert await ada.rest() == []
        back = await rig.connect(server, "house", "127.0.0.2")
        await back.send({"type": "hello", "name": "Ada"})
        assert (await back.until("declined"))["code"] == "banned"
        await do(web_, acts.Ban(address="127.0.0.3", reason="flooding"), irene)
        assert (await bea.until("gone"))["code"] == "out"
        assert await bea.rest() == []
        for listener in ("house", "multisweeper"):
            assert await (await rig.connect(server, listener, "127.0.0.3")).line() is None
        host, port = server.addresses["http"]
        elsewhere = aiohttp.TCPConnector(local_addr=("127.0.0.3", 0))
        async with aiohttp.ClientSession(f"http://{host}:{port}", connector=elsewhere) as banned:
            async with banned.get("/api/v1/tables") as answer:
                told = await answer.json()
                assert (answer.status, told["error"]) == (403, "banned")
                assert "flooding" in told["reason"]
            line = await banned.ws_connect("/ws")
            assert (await line.receive()).type == aiohttp.WSMsgType.CLOSE
        async with web_.get(HOST, headers=irene) as answer:
            shown = await answer.json()
        assert [one["kind"] for one in shown["barred"]] == ["ban", "ban"]
        assert shown["barred"][0]["tries"] >= 4
        await do(web_, acts.Lift(shown["barred"][0]["id"]), irene)
        await rig.enter(server, "Bea", "127.0.0.3")
        # The host comes from somewhere, too.
        with pytest.raises(AssertionError, match="yourself"):
            await do(web_, acts.Ban(address="127.0.0.0/24"), irene)


@pytest.mark.slow
async def test_what_a_host_was_told_is_done_is_so_after_a_kill(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "http", "house") as house:
        connector = aiohttp.UnixConnector(str(tmp_path / SOCKET_NAME))
        async with aiohttp.ClientSession("http://house", connector=connector) as console:

            async def act(one: acts.Act) -> acts.Done:
                headers = {"Content-Type": "application/json"}
                body = msgspec.json.encode(one)
                async with console.post("/host/acts", data=body, headers=headers) as answer:
                    return msgspec.json.decode(await answer.read(), type=acts.Done)

            link = await act(acts.Invite("Irene", "host"))
            url = "http://{}:{}".format(*house.addresses["http"])
            async with aiohttp.ClientSession(url) as browser:
                status, told = await knock(browser, invitation=link.token)
            assert status == 200
            await act(acts.Ban("Gulp", reason="insults"))
        await house.kill()
        await house.start()
        gulp = await rig.connect(house, "house")
        await gulp.send({"type": "hello", "name": "gulp"})
        assert (await gulp.until("declined"))["code"] == "banned"
        async with aiohttp.ClientSession(url, headers={KEY_HEADER: told["key"]}) as browser:
            async with browser.get(HOST) as answer:
                shown = msgspec.json.decode(await answer.read(), type=steward.House)
            assert [one.name for one in shown.barred] == ["Gulp"]
            assert (await knock(browser, invitation=link.token))[1]["error"] == "invitation"


@pytest.mark.slow
async def test_a_drained_house_ends_when_nobody_plays_and_says_that_it_wants_to_be_started_again(
    tmp_path: Path,
) -> None:
    async with rig.process(tmp_path, "http", "house") as house:
        ada, bea = await rig.enter(house, "Ada"), await rig.enter(house, "Bea")
        await ada.send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await ada.until("seated"))["table"]["id"]
        await bea.send({"type": "sit", "table": table})
        await bea.until("view")
        connector = aiohttp.UnixConnector(str(tmp_path / SOCKET_NAME))
        async with aiohttp.ClientSession("http://house", connector=connector) as console:
            for act in (acts.Drain("stop"), acts.Resume(), acts.Drain("stop")):
                body = msgspec.json.encode(act)
                headers = {"Content-Type": "application/json"}
                async with console.post("/host/acts", data=body, headers=headers) as answer:
                    assert answer.status == 200
        carla = await rig.enter(house, "Carla")
        await carla.send({"type": "open", "game": "multisweeper"})
        assert (await carla.until("declined"))["code"] == "drain"
        await asyncio.sleep(1)
        assert house._process is not None
        assert house._process.returncode is None
        await ada.send({"type": "leave"})
        await bea.until("over")
        async with asyncio.timeout(rig.PATIENCE_S):
            assert await house._process.wait() == 75
        await house.start()
        dora = await rig.enter(house, "Dora")
        await dora.send({"type": "open", "game": "multisweeper"})
        await dora.until("seated")


# Settings and the socket.


async def test_only_the_houses_own_user_reaches_the_socket(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http"):
        found = (tmp_path / SOCKET_NAME).stat().st_mode
        assert stat.S_ISSOCK(found)
        assert stat.S_IMODE(found) == 0o600
    assert not (tmp_path / SOCKET_NAME).exists()


@pytest.mark.slow
async def test_what_the_settings_say_about_the_door_is_so_and_logged_once(tmp_path: Path) -> None:
    said = {"door": "password", "password": PASSWORD, "names": ["Ada"]}
    for _ in range(2):
        async with rig.house(tmp_path, "http", **said) as server, web(server) as ada:
            keeping = server.house.hall.keeping
            assert [deed.by for deed in keeping.log] == ["settings"]
            assert keeping.pinned == {"door", "password", "names"}
            status, _ = await knock(ada, password=PASSWORD)
            assert status == 200
            with pytest.raises(Refused, match="settings"):
                await server.desk.do("Irene", acts.Door("open"))
    async with rig.house(tmp_path, "http", **{**said, "password": "another"}) as server, web(server) as ada:
        assert (await knock(ada, password=PASSWORD))[0] == 403
        assert (await knock(ada, password="another"))[0] == 200


async def test_a_door_with_a_password_that_nobody_set_does_not_open(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="needs a password"):
        async with rig.house(tmp_path, "http", door="password"):
            pass


@pytest.mark.slow
async def test_an_exempt_listener_lets_everybody_in_and_a_list_those_on_it(tmp_path: Path) -> None:
    async with rig.house(
        tmp_path,
        "house",
        "multisweeper",
        "shelfie",
        door="invitation",
        exempt=["multisweeper"],
        names=["Ada"],
    ) as server:
        sweeper = await rig.connect(server, "multisweeper")
        await sweeper.send("hello")
        heard = await sweeper.line()
        assert heard is not None
        own = await rig.connect(server, "house")
        await own.send({"type": "hello", "name": "Ada"})
        assert (await own.until("declined"))["code"] == "door"


async def test_a_listener_may_listen_elsewhere(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", "multisweeper", listen={"multisweeper": "127.0.0.5"}) as server:
        assert server.addresses["multisweeper"][0] == "127.0.0.5"
        assert server.addresses["house"][0] == "127.0.0.1"


@pytest.mark.slow
async def test_every_seed_lets_listed_names_play_and_shows_all_others_out(tmp_path: Path) -> None:
    games = rig.spoken()
    async with rig.house(
        tmp_path, "http", *games, door="invitation", names=["Adaline", "Beatrice", "Gulper"], durability="off"
    ) as server:
        await server.desk.do("Irene", acts.Ban("Gulper"))
        for game in games:
            # Santorini asks for names when a table is full, so strangers come as far as that there.
            strangers = [await Seed(game, name).connect(server) for name in ("Mallory", "Gulper")]
            for seed in strangers:
                await seed.quiet(0.2)
            adaline = await Seed(game, "Adaline").connect(server)
            await adaline.quiet(0.2)
            beatrice = await Seed(game, "Beatrice").connect(server)
            for one in (adaline, beatrice):
                await one.until(lambda seed: seed.caller.picture)
            for seed in strangers:
                assert seed._task is not None
                await asyncio.wait_for(seed._task, rig.PATIENCE_S)
                assert not seed.caller.picture, game
                await seed.close()
            names = {chair.name for table in server.house.hall.tables for _, chair in table.taken()}
            assert names == {"Adaline", "Beatrice"}, game
            roles = {guest.name: guest.role for guest in server.house.hall.guests if not guest.bot}
            assert roles == {"Adaline": "member", "Beatrice": "member"}
            # Who plays there is turned out as everywhere.
            await server.desk.do("Irene", acts.Out("Adaline", 0))
            assert adaline._task is not None
            await asyncio.wait_for(adaline._task, rig.PATIENCE_S)
            for one in (adaline, beatrice):
                await one.close()
            async with asyncio.timeout(rig.PATIENCE_S):
                while any(not guest.bot for guest in server.house.hall.guests):
                    await asyncio.sleep(0.02)
            for table in list(server.house.hall.tables):
                await server.desk.do("Irene", acts.Close(table.id))


@pytest.mark.slow
async def test_a_key_comes_along_over_grpc_and_over_the_sockets_of_games(tmp_path: Path) -> None:
    async with rig.house(
        tmp_path, "http", "shelfie", "shelfie-rpc", door="invitation", durability="off"
    ) as server:
        key = (await server.desk.do("test", acts.Give())).token
        import grpc
        import grpc.aio

        service = rpc.load("shelfie")
        host, port = server.addresses["shelfie-rpc"]
        async with grpc.aio.insecure_channel(f"{host}:{port}") as channel:
            connect = channel.unary_unary(f"/{service.SERVICE}/{service.CONNECT}", None, None)
            for metadata, role in (((), "guest"), (((KEY_HEADER.lower(), key),), "member")):
                await connect(b"", metadata=metadata, timeout=rig.PATIENCE_S)
                *_, guest = server.house.hall.guests
                assert guest.role == role
        async with web(server) as session:
            for headers, role in (({}, "guest"), ({KEY_HEADER: key}, "member")):
                line = await session.ws_connect("/ws/shelfie", headers=headers)
                await line.receive()
                *_, guest = server.house.hall.guests
                assert guest.role == role
                await line.close()
