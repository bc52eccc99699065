"""Servers of NATS on this machine, real ones, which tests kill, stop and start again.

with jet.Servers(folder, 3) as servers:
    house = Settings(**servers.settings("evening"))
    servers.kill(0)

They end with the process that started them, whatever becomes of it.
"""

import contextlib
import ctypes
import json
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Self

from tests.needs import nats_server
from tests.rig import PATIENCE_S

_PR_SET_PDEATHSIG = 1


class Servers:
    """So many servers, which know each other."""

    def __init__(self, folder: Path, count: int = 3, sync_interval: str = "always") -> None:
        self._folder = folder
        self._sync_interval = sync_interval
        self._ports = free_ports(2 * count)
        self._count = count
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * count

    def __enter__(self) -> Self:
        for number in range(self._count):
            self.start(number)
        return self

    def __exit__(self, *_error: object) -> None:
        for number in range(self._count):
            self.kill(number)

    def settings(self, name: str, **more: Any) -> dict[str, Any]:
        """What a house must be told to be kept by these servers, under this name."""
        return {
            "cluster": [f"nats://house:door@127.0.0.1:{port}" for port in self._clients],
            "cluster_system": [f"nats://system:key@127.0.0.1:{port}" for port in self._clients],
            "cluster_name": name,
            "cluster_replicas": self._count,
            **more,
        }

    @property
    def _clients(self) -> list[int]:
        return self._ports[: self._count]

    def start(self, number: int) -> None:
        """Start one, for the first time or again, and wait until clients may come."""
        folder = self._folder / f"nats-{number}"
        folder.mkdir(exist_ok=True)
        config = folder / "server.conf"
        routes = self._ports[self._count :]
        written: dict[str, Any] = {
            "server_name": f"server-{number}",
            "listen": f"127.0.0.1:{self._clients[number]}",
            "jetstream": {"store_dir": str(folder), "sync_interval": self._sync_interval},
            "accounts": {
                "SYSTEM": {"users": [{"user": "system", "password": "key"}]},
                "HOUSE": {"jetstream": "enabled", "users": [{"user": "house", "password": "door"}]},
            },
            "system_account": "SYSTEM",
        }
        if self._count > 1:
            written["cluster"] = {
                "name": "tests",
                "listen": f"127.0.0.1:{routes[number]}",
                # Who is told to find a server by another way does not hear of the straight one.
                "no_advertise": True,
                "routes": [f"nats-route://127.0.0.1:{port}" for port in routes],
            }
        config.write_text(json.dumps(written))
        with (folder / "log").open("ab") as log:
            self._processes[number] = subprocess.Popen(
                [nats_server(), "-c", str(config)], stdout=log, stderr=log, preexec_fn=end_with_me
            )
        wait_for(self._clients[number])

    def kill(self, number: int) -> None:
        """kill -9."""
        process, self._processes[number] = self._processes[number], None
        if process is not None:
            process.kill()
            process.wait()

    def pause(self, number: int) -> None:
        """SIGSTOP: it neither answers nor hangs up."""
        self._signal(number, signal.SIGSTOP)

    def go_on(self, number: int) -> None:
        """SIGCONT."""
        self._signal(number, signal.SIGCONT)

    def _signal(self, number: int, what: signal.Signals) -> None:
        process = self._processes[number]
        assert process is not None
        process.send_signal(what)

    def running(self, number: int) -> bool:
        """Whether this one was started and not killed since."""
        return self._processes[number] is not None


def end_with_me() -> None:
    """A process that is about to begin ends with the one that starts it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(count: int) -> list[int]:
    """Ports that nobody has at this moment."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def wait_for(port: int) -> None:
    """Until somebody listens there."""
    end = time.monotonic() + PATIENCE_S
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert time.monotonic() < end, "a server of NATS did not start"
        time.sleep(0.02)
