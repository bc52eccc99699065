"""How a house on several machines is, asked from outside."""

import asyncio
import contextlib
from typing import Any

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeout

from ludoteca.server.cluster import minds
from ludoteca.server.cluster.lease import MODEST_S, Leases
from ludoteca.server.cluster.minds import Here, subject
from ludoteca.server.cluster.node import LEAVE, Said
from ludoteca.server.cluster.room import EMPTY_S
from ludoteca.server.cluster.stream import CONNECT_S, Stream, Unavailable, connect
from ludoteca.server.cluster.thinkers import THINKERS_MAX
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings

# Whoever leaves has the desk and then every table taken by others, each of which it waits for itself.
LEAVE_S = MODEST_S + EMPTY_S + 15.0
# How long machines that only think have to say that they are here.
ROLL_S = 0.5


class Thinking(msgspec.Struct, frozen=True):
    """A machine that only thinks; `useful` is whether it has a mind that this machine has, too."""

    name: str
    version: str
    workers: int
    busy: int
    useful: bool


class Status(msgspec.Struct, frozen=True):
    """`end` is the last message of the stream, `servers` says of each whether it has everything, `quorum`
    whether enough of them do for anything to be stored; `behind` is how much each node's copy lacks."""

    end: int
    messages: int
    bytes: int
    epoch: int
    leader: str
    servers: dict[str, bool]
    quorum: bool
    nodes: tuple[Said, ...]
    behind: dict[str, int]
    serving: str
    thinkers: tuple[Thinking, ...]
    well: bool


async def look(settings: Settings) -> Status:
    """Ask the servers, and hear what the nodes say of themselves. Raises StoreError."""
    stream = Stream(await connect(settings, settings.cluster), settings.cluster_name)
    try:
        async with asyncio.timeout(CONNECT_S):
            info = await stream.api("STREAM.INFO", {})
            if "state" not in info:
                reason = info.get("error", {}).get("description", "no answer")
                raise StoreError(f"there is no house {settings.cluster_name} in this cluster: {reason}")
            said = await Leases(stream, settings.cluster_replicas).all()
            thinkers = await _call_roll(stream.client, settings.cluster_name)
    except (Unavailable, NatsError, OSError, TimeoutError) as error:
        raise StoreError(
            f"the cluster does not say how it is: {error or 'no answer in time'};"
            " perhaps most of its servers are gone, and nothing can be stored"
        ) from None
    finally:
        await stream.close()
    nodes = sorted(said_by(said), key=lambda node: (not node.serves, node.node))
    group: dict[str, Any] = info.get("cluster") or {}
    leader = str(group.get("leader", ""))
    servers = {leader: True} if leader else {}
    for peer in group.get("replicas", []):
        servers[peer["name"]] = bool(peer.get("current")) and not peer.get("offline")
    serving = next((node.node for node in nodes if node.serves), "")
    end = int(info["state"]["last_seq"])
    # Where there is one server alone there is no group.
    quorum = 2 * sum(servers.values()) > len(servers) if servers else True
    return Status(
        end,
        int(info["state"]["messages"]),
        int(info["state"]["bytes"]),
        max((node.epoch for node in nodes), default=0),
        leader,
        servers,
        quorum,
        tuple(nodes),
        {node.node: max(0, end - node.at) for node in nodes},
        serving,
        thinkers,
        bool(serving) and all(servers.values()),
    )


async def _call_roll(client: Client, house: str) -> tuple[Thinking, ...]:
    """The machines that only think, as far as they answer soon."""
    inbox = client.new_inbox()
    answers = await client.subscribe(inbox)
    await client.publish(subject(house, "roll"), b"", reply=inbox)
    found: dict[str, Thinking] = {}
    known = set(minds.known())
    with contextlib.suppress(NatsTimeout):
        while len(found) < THINKERS_MAX:
            message = await answers.next_msg(timeout=ROLL_S)
            if not message.data:
                break  # Nobody is there.
            with contextlib.suppress(msgspec.DecodeError):
                here = msgspec.msgpack.decode(message.data, type=Here)
                useful = not known.isdisjoint(here.minds)
                found[here.name] = Thinking(here.name, here.version, here.workers, here.busy, useful)
    await answers.unsubscribe()
    return tuple(found[name] for name in sorted(found))


def said_by(said: dict[str, bytes]) -> list[Said]:
    """What nodes say of themselves, of all that keys say."""
    found = []
    for key, value in said.items():
        if key.startswith("node."):
            with contextlib.suppress(msgspec.DecodeError):
                found.append(msgspec.json.decode(value, type=Said))
    return found


async def drain(settings: Settings, node: str) -> None:
    """Have a node serve no more. Raises StoreError."""
    client = await connect(settings, settings.cluster)
    try:
        answer = await client.request(f"{LEAVE}.{settings.cluster_name}.{node}", b"", timeout=LEAVE_S)
    except (NatsError, OSError, TimeoutError) as error:
        raise StoreError(f"{node} does not answer: {error}") from None
    finally:
        await client.close()
    if answer.data != b"left":
        raise StoreError(f"{node} does not serve: {answer.data.decode(errors='replace')}")
