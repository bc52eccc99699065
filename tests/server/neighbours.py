"""Bad neighbours: more than twenty kinds of guest that nobody wants, all at once, in a process of their own.

    python -m tests.server.neighbours '{"http": ["127.0.0.1", 8000], ...}' [KIND ...]

Each kind does one thing over and over from an address of its own; those named share that of honest people.
They begin with the first line on standard input and end with its end. What shows that the house has given way
goes to standard output, and last how often each of them has tried.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests import people, rig

Kind = Callable[["Town"], Awaitable[None]]
KINDS: dict[str, Kind] = {}


def kind(function: Kind) -> Kind:
    """One more kind of bad neighbour."""
    KINDS[function.__name__] = function
    return function


class Town:
    """The house's addresses, seen by one bad neighbour."""

    def __init__(self, addresses: dict[str, people.Address], local: str, name: str) -> None:
        self.addresses = addresses
        self.local = local
        self.dice = random.Random(name)
        self._name = name
        self._count = itertools.count()

    def name(self) -> str:
        """Another name."""
        return f"{self._name}{next(self._count)}"

    @asynccontextmanager
    async def line(self, listener: str, path: str = "") -> AsyncIterator[people.Line]:
        """A connection that ends with the block."""
        line = await people.line(self.addresses[listener], self.local, path)
        try:
            yield line
        finally:
            line.cut()

    @asynccontextmanager
    async def guest(self, raw: bool = False, **hello: Any) -> AsyncIterator["Guest"]:
        """A guest of Ludoteca's own protocol, by either of its ways; who sends `raw` bytes, by lines."""
        way = ("house", "") if raw else self.dice.choice((("house", ""), ("http", "/ws")))
        async with self.line(*way) as line:
            guest = Guest(line)
            await guest.say(type="hello", name=self.name(), **hello)
            await guest.until("welcome")
            yield guest

    async def get(self, path: str, *headers: str, patience_s: float = 5.0) -> tuple[int, bytes]:
        """What a request is answered with; a failure of the house is told."""
        host, port = self.addresses["http"]
        async with self.line("http") as line:
            lines = (f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", *headers)
            return await self.ask(line, "\r\n".join((*lines, "", "")).encode("latin-1"), patience_s)

    async def ask(self, line: people.Line, request: bytes, patience_s: float = 5.0) -> tuple[int, bytes]:
        """The same with a request of any form; 0 when there is no answer."""
        await line.raw(request)
        answer = b""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while data := await line.read():
                    answer += data
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1]) if head.startswith(b"HTTP/") else 0
        if status >= 500:
            broken(f"{request[:100]!r} is answered by {answer[:200]!r}")
        return status, body


class Guest:
    """One connection of Ludoteca's own protocol."""

    def __init__(self, line: people.Line) -> None:
        self.line = line
        self._heard: deque[bytes] = deque()
        self._rest = b""

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.line.send(people.encode(message))

    async def until(self, *kinds: str, patience_s: float = 5.0) -> dict[str, Any]:
        """The next message of one of these types. Raises TimeoutError, ConnectionError."""
        async with asyncio.timeout(patience_s):
            while True:
                while self._heard:
                    message: dict[str, Any] = json.loads(self._heard.popleft())
                    if message["type"] in kinds:
                        return message
                if not (data := await self.line.read()):
                    raise ConnectionError("the house hung up")
                *lines, self._rest = (self._rest + data).split(b"\n")
                self._heard += lines

    async def open(self, game: str, seats: int = 2, **terms: Any) -> dict[str, Any]:
        """A table of one's own: the message about it, or that it was declined."""
        await self.say(type="open", game=game, seats=seats, terms={"private": True, **terms})
        return await self.until("seated", "declined")


def broken(what: str) -> None:
    """The house has given way."""
    print(f"BROKEN {what}", flush=True)


# The abuses of the findings, in their order.


@kind
async def follows_views_while_seated(town: Town) -> None:
    """A declined hello that had an effect made the house lose everybody's letters."""
    async with town.guest() as guest:
        await guest.open("santorini", absence="end")
        await guest.say(type="bot", level="random")
        for _ in range(20):
            question = await guest.until("question", "over", "gone")
            if question["type"] != "question":
                return
            await guest.say(type="hello", name="x", follow=town.dice.choice(("views", "events")))
            await guest.say(type="return", token="0" * 32, follow="views")
            await guest.say(type="act", action=town.dice.choice(question["options"]), at=question["number"])


@kind
async def stops_the_clocks(town: Town) -> None:
    """Times that are negative, infinite or absurd, at tables whose people then go away."""
    for number in (-1e308, 1e308, -1, 2**63, 1e15, 0):
        for field in ("grace_s", "move_s"):
            async with town.guest() as first, town.guest() as second:
                terms: dict[str, Any] = {"absence": "wait", field: number}
                seated = await first.open("santorini", **terms)
                if seated["type"] == "seated":
                    await second.say(type="sit", table=seated["table"]["id"])
                    await second.until("seated", "declined")
    for raw in (b"NaN", b"Infinity", b"1e999"):
        async with town.guest() as guest:
            await guest.line.send(b'{"type":"open","game":"santorini","terms":{"grace_s":%b}}\n' % raw)
            await guest.until("declined", "seated")


@kind
async def seats_bots_on_taken_chairs(town: Town) -> None:
    """Each of them stayed in the house for ever."""
    async with town.guest() as guest:
        await guest.open("multisweeper", seats=3)
        for _ in range(50):
            await guest.line.send(b'{"type":"bot","seat":0}\n' * 20)
            await asyncio.sleep(0.1)


@kind
async def asks_for_the_list_without_end(town: Town) -> None:
    """A quarter of a megabyte of questions in one packet, over tables that all have something to tell."""
    async with town.guest(raw=True) as guest:
        await guest.open("shelfie", private=False)
        await guest.line.raw(b'{"type":"list"}\n' * 16_000)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3.0):
                while await guest.line.read():
                    pass


@kind
async def opens_tables_and_goes(town: Town) -> None:
    """All tables of the house for nobody; half of them are public, where people look for company."""
    for private in (True, False):
        async with town.guest() as guest:
            await guest.open(town.dice.choice(("santorini", "shelfie")), private=private, grace_s=3600)
    async with town.guest() as guest:
        for _ in range(30):
            await guest.open("renaissance", seats=1)
            await guest.say(type="leave")


@kind
async def lets_bots_play_alone(town: Town) -> None:
    """Forty tables of the strongest bots, and nobody looks on."""
    async with town.guest() as guest:
        for _ in range(40):
            await guest.open("santorini", seats=3, absence="bot")
            await guest.line.send(b'{"type":"bot"}\n' * 2 + b'{"type":"leave"}\n')
        await asyncio.sleep(1.0)


@kind
async def chatters_and_asks_for_the_story(town: Town) -> None:
    """What was said is stored, and told again to whoever asks."""
    async with town.guest() as guest:
        seated = await guest.open("santorini", private=False)
        await guest.say(type="bot", level="random")
        for _ in range(10):
            await guest.line.send(people.encode({"type": "say", "text": "x" * 500}) * 100)
            for path in ("story", "story?since=0", ""):
                table = seated.get("table", {}).get("id", "none")
                await town.get(f"/api/tables/{table}/{path}")


@kind
async def sends_half_requests(town: Town) -> None:
    """HTTP that never comes to its end, and silence."""
    async with contextlib.AsyncExitStack() as stack:
        for number in range(60):
            line = await stack.enter_async_context(town.line("http"))
            await line.raw(
                (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")[
                    number % 3
                ]
            )
        await asyncio.sleep(2.0)


@kind
async def probes_for_private_tables(town: Town) -> None:
    """Labels are counted up; a private table must not be found by its number."""
    async with town.line("eriantys") as line:
        guest = Guest(line)
        greeting = await guest.until("NotifyPlayerIdMessage")
        for number in range(1, 20):
            name = f"table-{number}"
            await guest.say(type="SelectGameMessage", playerID=greeting["playerID"], gameName=name)
            answer = await guest.until("AskNewGameChoice", "AskNickname")
            if answer["type"] == "AskNickname":
                broken(f"{name} was found by its number")
                return


@kind
async def sits_where_there_is_no_chair(town: Town) -> None:
    """Seats beyond the table, for bots and for people."""
    async with town.guest() as guest, town.guest() as other:
        seated = await guest.open("santorini")
        for seat in (63, 2, 64, -1, 2**40):
            await guest.say(type="bot", seat=seat)
            await other.say(type="sit", table=seated["table"]["id"], seat=seat)
        await guest.say(type="ping")
        await guest.until("pong")


@kind
async def takes_seats_by_name(town: Town) -> None:
    """Says the names of others, and looks whether that gives it their seats."""
    _, body = await town.get("/api/tables")
    for table in json.loads(body or b"[]"):
        chairs = [chair for chair in table["chairs"] if chair]
        for chair in chairs:
            listener = chair["protocol"] if chair["protocol"] in ("shelfie", "house") else "house"
            async with town.line(listener) as line:
                message = {"type": "hello", "name": chair["name"]}
                if listener == "shelfie":
                    message = {"type": "LoginRequest", "nickname": chair["name"]}
                await line.send(people.encode(message))
                # The name may be free by now, and lead to another table: the same company must not be there.
                with contextlib.suppress(TimeoutError):
                    start = await Guest(line).until("GameStartNotify", "seated", patience_s=0.1)
                    if (
                        set(start.get("players", ())) == {other["name"] for other in chairs}
                        or listener == "house"
                    ):
                        broken(f"the seat of {chair['name']} was taken by its name")
    await asyncio.sleep(0.05)


@kind
async def asks_odd_things_over_http(town: Town) -> None:
    """Each of these was answered by 500 or left a traceback in the log."""
    for path, *headers in (
        ("/" + "a" * 300,),
        ("/" + "a/" * 2000,),
        ("/ws", "Origin: http://["),
        ("/api/tables/x/story", "Authorization: Bearer \xff"),
        ("/api/matches/x/replay?seat=\xb2",),
        ("/api/matches?count=\xb2&before=\xb2",),
        ("/ws/none", "Upgrade: websocket"),
        ("/%00", "Host: evil.example"),
    ):
        await town.get(path, *headers)
    for request in (
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"G\0T / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100),
    ):
        async with town.line("http") as line:
            await town.ask(line, request, patience_s=1.0)


# The others.


@kind
async def never_reads(town: Town) -> None:
    """Asks for much and takes nothing of it."""
    async with town.guest(raw=True) as guest:
        guest.line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(100):
            guest.line.writer.write(b'{"type":"list"}\n' * 10)
            await asyncio.sleep(0.02)


@kind
async def ends_no_line(town: Town) -> None:
    """As much as the house takes without a line's end, everywhere."""
    for listener in ("house", *rig.spoken()):
        async with town.line(listener) as line:
            for _ in range(10):
                await line.raw(b"x" * 50_000)
                await asyncio.sleep(0.01)


@kind
async def sends_garbage(town: Town) -> None:
    """Bytes without any sense, everywhere."""
    for listener in town.addresses:
        async with town.line(listener) as line:
            await line.raw(town.dice.randbytes(5000) + b"\n" + b"\xff\xfe\n" * 20 + b"\0\n")
            await asyncio.sleep(0.02)


@kind
async def nests_deeply(town: Town) -> None:
    """JSON within JSON within JSON."""
    async with town.guest() as guest:
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            for depth in (500, 5000, 10_000):
                deep = opening * depth + b"1" + closing * depth
                for text in (
                    b'{"type":"act","action":%b}',
                    b'{"type":"open","game":"santorini","options":%b}',
                ):
                    await guest.line.send(text % deep + b"\n")
        await asyncio.sleep(0.1)


@kind
async def comes_and_goes(town: Town) -> None:
    """Hundreds of connections that want nothing."""
    for listener in ("house", "multisweeper", "santorini", "http") * 10:
        line = await people.line(town.addresses[listener], town.local)
        line.cut()


@kind
async def connects_and_never_streams(town: Town) -> None:
    """Remote calls by people who do not listen; grpc chooses the address that they come from."""
    from tests.games.shelfie.remote import Remote

    from ludoteca.games.shelfie.rpc import pb

    remote = Remote(town)
    try:
        for _ in range(20):
            await remote.stub.Connect(pb.ConnectRequest(), timeout=5.0)
        await asyncio.sleep(1.0)
    finally:
        await remote.close()


@kind
async def calls_with_nonsense(town: Town) -> None:
    """Remote calls that no descriptor knows, streams that are left in the midst, and calls without an id."""
    import grpc.aio
    from tests.games.shelfie.remote import Remote

    from ludoteca.games.shelfie.rpc import SERVICE, pb

    # A stream that the house has ended may look like a cancellation of ours.
    ended = (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError, asyncio.CancelledError)
    remote = Remote(town)
    play = remote.channel.stream_stream(f"/{SERVICE}/Play")
    login = pb.ClientMessages(messages=[pb.ClientMessage(login=pb.LoginRequest(nickname=town.name()))])
    try:
        for odd in (b"", b"\xff" * 40, b"\x0a\x04\xff\xfe\x00", b"\x0a" * 9000, town.dice.randbytes(2000)):
            stream = play()
            with contextlib.suppress(TimeoutError, *ended):
                async with asyncio.timeout(0.5):
                    await stream.write(login.SerializeToString())
                    await stream.write(odd)
                    await stream.read()
            stream.cancel()
        for name in ("PickTile", "ConfirmOrder", "Chat", "Nothing"):
            with contextlib.suppress(*ended):
                call = remote.channel.unary_unary(f"/{SERVICE}/{name}")
                await call(town.dice.randbytes(30), timeout=0.5)
    finally:
        await remote.close()


@kind
async def sends_odd_objects(town: Town) -> None:
    """Java's streams that promise gigabytes, nest without end, name classes that nobody has, or stop."""
    from tests.fuzz.objects import BOMBS, HEADS

    from ludoteca.wire.java import HEADER

    for listener in ("eriantys", "renaissance", "shelfie"):
        for odd in (*(HEADER + bomb for bomb in BOMBS), *HEADS):
            async with town.line(listener) as line:
                await line.raw(odd)
                await asyncio.sleep(0.01)


@kind
async def sends_fragments(town: Town) -> None:
    """A message of thousands of pieces, and pings between them."""
    async with town.line("http", "/ws") as line:
        await line.raw(people.frame(b"", 0x01))
        for _ in range(20):
            await line.raw((people.frame(b"", 0x00) + people.frame(b"x", 0x89)) * 500)
            await asyncio.sleep(0.02)


@kind
async def wants_to_hear_it_all_again(town: Town) -> None:
    """Watches from numbers that never were, over and over, and returns with tokens that never were."""
    async with town.guest() as guest, town.guest() as other:
        seated = await other.open("multisweeper", private=False)
        table = seated.get("table", {}).get("id", "")
        for since in (0, 1, 2**53, -1, 2**60, 0.5):
            for _ in range(5):
                await guest.say(type="watch", table=table, since=since)
                await guest.say(type="return", token="f" * 32, table=table, since=since)
                await guest.say(type="leave")
        await asyncio.sleep(0.1)


@kind
async def whispers_and_renames(town: Town) -> None:
    """Names as long and as odd as they come, and secrets for whoever had them."""
    async with town.guest() as guest, town.guest() as other:
        seated = await guest.open("shelfie")
        await other.say(type="sit", table=seated["table"]["id"])
        for name in ("İ" * 32, "ß" * 40, "\u202e", " ", "Bot-Ada", "a" * 64, "\0"):
            for one in (guest, other):
                await one.say(type="hello", name=name)
                await one.say(type="say", text=name * 20, to=name)
        await guest.say(type="leave")
        await asyncio.sleep(0.1)


@kind
async def answers_old_questions(town: Town) -> None:
    """The same answer again and again, and answers to what others are asked."""
    async with town.guest() as guest, town.guest() as other:
        seated = await guest.open("santorini", absence="end")
        await other.say(type="sit", table=seated["table"]["id"])
        asking = asyncio.create_task(other.until("question"))
        try:
            question = await guest.until("question", "gone")
            for action in question.get("options", ())[:20]:
                for at in (question["number"], 0, 2**53, None):
                    await guest.say(type="act", action=action, at=at)
                    await other.say(type="act", action=action, at=at)
            await asyncio.sleep(0.1)
        finally:
            asking.cancel()


@kind
async def drips(town: Town) -> None:
    """One byte at a time, on many lines."""
    async with contextlib.AsyncExitStack() as stack:
        listeners = ("house", "multisweeper", "shelfie", "http") * 5
        lines = [await stack.enter_async_context(town.line(listener)) for listener in listeners]
        for byte in b'{"type":"hello","name":"drip"':
            for line in lines:
                await line.raw(bytes((byte,)))
            await asyncio.sleep(0.05)


@kind
async def never_chooses(town: Town) -> None:
    """The first to come says how many play, and everybody else waits for that: this one
    never says anything sensible."""
    async with town.line("santorini") as santorini, town.line("shelfie") as shelfie:
        await shelfie.send(people.encode({"type": "LoginRequest", "nickname": town.name()}))
        for number in (0, 1, 99, -1, 2**70) * 4:
            await santorini.send(people.encode({"type": "setNumberOfPlayers", "numberOfPlayers": number}))
            await shelfie.send(people.encode({"type": "NumPlayersResponse", "numPlayers": number}))
            await asyncio.sleep(0.5)


@kind
async def claims_to_be_others(town: Town) -> None:
    """Headers that a proxy would set, to be counted as somebody else."""
    for number in range(20):
        spoofed = f"X-Forwarded-For: 10.0.0.{number}", f"Forwarded: for=10.1.0.{number}"
        await town.get("/api/tables", *spoofed)


ROUNDS: Counter[str] = Counter()


async def _live(town: Town, what: Kind) -> None:
    """For ever; that the house hangs up or keeps silent is its right."""
    while True:
        ROUNDS[f"{what.__name__}: tried"] += 1
        try:
            await what(town)
            ROUNDS[f"{what.__name__}: went through"] += 1
        except (OSError, TimeoutError, KeyError, ValueError, asyncio.IncompleteReadError):
            pass
        except Exception as error:
            if "grpc" not in type(error).__module__:
                raise
        await asyncio.sleep(0.02)


async def _main(addresses: dict[str, people.Address], sharing: list[str]) -> None:
    os.nice(5)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    tasks = []
    for number, (name, what) in enumerate(KINDS.items(), 1):
        local = "127.0.0.1" if name in sharing else f"127.0.1.{number}"
        tasks.append(asyncio.create_task(_live(Town(addresses, local, f"{name[:12]}-"), what)))
    ending = asyncio.create_task(asyncio.to_thread(sys.stdin.readline))
    done, _ = await asyncio.wait((ending, *tasks), return_when=asyncio.FIRST_COMPLETED)
    for task in done - {ending}:
        broken(f"a bad neighbour gave up: {task.exception()!r}")
    print(json.dumps(ROUNDS), flush=True)
    # Without a farewell, as such people go.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(_main(json.loads(sys.argv[1]), sys.argv[2:]))
