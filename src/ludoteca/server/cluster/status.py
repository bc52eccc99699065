"""How a house on several machines is, asked from outside."""

import asyncio
import contextlib
from typing import Any

import msgspec
from nats.errors import Error as NatsError

from ludoteca.server.cluster.lease import Leases
from ludoteca.server.cluster.node import LEAVE, Said
from ludoteca.server.cluster.stream import CONNECT_S, Stream, Unavailable, connect
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings

# Whoever leaves closes its doors and stores what is left.
LEAVE_S = 15.0


class Status(msgspec.Struct, frozen=True):
    """`end` is the last message of the stream, `servers` says of each whether it has everything."""

    end: int
    epoch: int
    leader: str
    servers: dict[str, bool]
    nodes: tuple[Said, ...]
    serving: str
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
    except (Unavailable, TimeoutError) as error:
        raise StoreError(f"the cluster does not say how it is: {error}") from None
    finally:
        await stream.close()
    nodes = sorted(_nodes(said), key=lambda node: (not node.serves, node.node))
    group: dict[str, Any] = info.get("cluster") or {}
    leader = str(group.get("leader", ""))
    servers = {leader: True} if leader else {}
    for peer in group.get("replicas", []):
        servers[peer["name"]] = bool(peer.get("current")) and not peer.get("offline")
    serving = next((node.node for node in nodes if node.serves), "")
    return Status(
        int(info["state"]["last_seq"]),
        max((node.epoch for node in nodes), default=0),
        leader,
        servers,
        tuple(nodes),
        serving,
        bool(serving) and all(servers.values()),
    )


def _nodes(said: dict[str, bytes]) -> list[Said]:
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
