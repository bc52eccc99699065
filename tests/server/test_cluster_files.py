"""The files of docs/cluster work: a server of NATS with that very configuration, and who may do what there;
units that systemd knows, a balancer that finds whoever serves."""

import asyncio
import os
import re
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import nats
import pytest
from aiohttp import web
from nats.errors import Error as NatsError
from tests import jet, rig
from tests.needs import nats_server, nginx, openssl
from tests.server.nodes import Node, told
from tests.server.test_fronts import running
from tests.server.test_thinking import thought

from ludoteca.server.cluster import pruning, status
from ludoteca.server.cluster.minds import subject
from ludoteca.server.cluster.thinker import Thinker
from ludoteca.server.cluster.thinkers import Thinkers
from ludoteca.server.metrics import Metrics
from ludoteca.server.settings import Settings, load

FILES = Path(__file__).parents[2] / "docs/cluster"
# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


class Guarded:
    """One server with the file's own words but for where it is; its routes are cut, for there is only one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (self.port,) = jet.free_ports(1)
        self.secret = {who: f"p{secrets.token_hex(8)}" for who in ("ROUTES", "HOUSE", "THINKER", "SYSTEM")}
        certify(folder)
        config = (FILES / "nats.conf").read_text()
        config = config.replace("/etc/nats/", f"{folder}/").replace("/var/lib/nats", f"{folder}/store")
        config = re.sub(r"^cluster \{.*?^\}", "", config, flags=re.MULTILINE | re.DOTALL)
        (folder / "nats.conf").write_text(config)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Guarded":
        environment = {f"NATS_{who}_PASSWORD": password for who, password in self.secret.items()}
        command = [
            nats_server(),
            "-c",
            str(self.folder / "nats.conf"),
            "-a",
            "127.0.0.1",
            "-p",
            str(self.port),
        ]
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **environment, "NATS_NAME": "nats-1"},
                stdout=log,
                stderr=log,
                preexec_fn=jet.end_with_me,
            )
        jet.wait_for(self.port)
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def url(self, who: str) -> str:
        return f"tls://{who}:{self.secret[who.upper()]}@127.0.0.1:{self.port}"

    def settings(self, who: str = "house", **more: Any) -> dict[str, Any]:
        return {
            "cluster": [self.url(who)],
            "cluster_system": [self.url("system")],
            "cluster_replicas": 1,
            "cluster_ca": str(self.folder / "ca.pem"),
            **more,
        }


def certify(folder: Path) -> None:
    """An authority, and a certificate of it for this machine."""
    run = [openssl(), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=ours"]
    for name, more in (
        ("ca", []),
        ("server", ["-addext", "subjectAltName=IP:127.0.0.1", "-CA", "ca.pem", "-CAkey", "ca.key"]),
    ):
        files = ["-keyout", f"{name}.key", "-out", f"{name}.pem"]
        subprocess.run([*run, *files, *more], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with Guarded(tmp_path_factory.mktemp("nats")) as made:
        yield made


async def test_a_node_with_these_credentials_can_do_all_that_a_node_does_and_others_cannot(
    tmp_path: Path, guarded: Guarded
) -> None:
    settings = Settings(data=str(tmp_path / "cli"), **guarded.settings())
    more: dict[str, Any] = {"metrics_token": "token", "cluster_node": "node-0", **told(guarded.settings())}
    node = Node(tmp_path / "node-0", "house", "http", **more)
    await node.start()
    try:
        async with asyncio.timeout(rig.PATIENCE_S):
            while not (await status.look(settings)).serving or not node.addresses:
                await asyncio.sleep(0.1)
        ada = await rig.enter(node, "Ada")
        opening = {"type": "open", "game": "santorini", "seats": 2, "options": {"gods": "none"}}
        await ada.send(opening, {"type": "bot", "level": "random"})
        await ada.until("seated")
        found = await status.look(settings)
        assert found.well
        assert found.quorum
        assert found.thinkers == ()
        assert found.bytes > 0
        assert found.behind[found.serving] >= 0
        assert await pruning.prune(settings, pruning.Wish(10**14)) == 0
        await _thinks(guarded, settings)
        page = "http://{}:{}".format(*node.addresses["http"])
        async with aiohttp.ClientSession(page) as client:
            async with client.get("/healthz") as answer:
                assert answer.status == 200
            async with client.get("/metrics", headers={"Authorization": "Bearer token"}) as answer:
                assert 'ludoteca_hall{node="node-0"} 1.0' in await answer.text()
            await status.drain(settings, "node-0")
            async with client.get("/healthz") as answer:
                assert (answer.status, (await answer.json())["status"]) == (503, "leaving")
    finally:
        assert await node.stop() == 0
    assert b"iolation" not in (guarded.folder / "log").read_bytes()

    # What a thinker must not do, or read.
    for wanted in ("ludoteca.>", "_INBOX.>", "$KV.>", "ludoteca-gate.>", subject("ludoteca", "here"), ">"):
        await _denied(guarded, "thinker", "subscribe", wanted)
    for wanted in (
        "ludoteca.house",
        "$JS.API.STREAM.INFO.ludoteca",
        "$KV.ludoteca-leases.house",
        "ludoteca-leave.ludoteca.node-0",
        "ludoteca-prune.ludoteca",
        subject("ludoteca", "ask", "x"),
    ):
        await _denied(guarded, "thinker", "publish", wanted)
    # Nor a node: what is not the house's, and the end of all.
    for api in ("DELETE.ludoteca", "UPDATE.ludoteca", "CREATE.another"):
        wanted = f"$JS.API.STREAM.{api}"
        await _denied(guarded, "house", "publish", wanted)
    await _denied(guarded, "house", "subscribe", "$SYS.>")
    for stranger in (
        f"tls://house:wrong@127.0.0.1:{guarded.port}",
        f"tls://127.0.0.1:{guarded.port}",
        guarded.url("house").replace("tls://", "nats://"),
    ):
        with pytest.raises((NatsError, OSError, TimeoutError)):
            await nats.connect(stranger, allow_reconnect=False, connect_timeout=2)


async def _thinks(guarded: Guarded, settings: Settings) -> None:
    """A thinker with its own credentials is found, asked, and answers."""
    stop, ready, room = asyncio.Event(), asyncio.Event(), asyncio.Event()
    thinker = Thinker(Settings(**guarded.settings("thinker")), 1)
    running = asyncio.create_task(thinker.run(stop, ready.set))
    thinkers = Thinkers(settings)
    thinkers.begin(Metrics(), room.set)
    async with asyncio.timeout(rig.PATIENCE_S):
        await ready.wait()
        while (slot := thinkers.take("santorini", "strong")) is None:
            await asyncio.sleep(0.02)
        (found,) = (await status.look(settings)).thinkers
        assert (found.name, found.workers, found.useful) == (thinker.name, 1, True)
        answer = await slot.think(thought("strong", 0.05, 20.0), 60)
        assert answer.action is not None
        await slot.close()
        await thinkers.close()
        stop.set()
        await running


async def _denied(guarded: Guarded, who: str, what: str, subject: str) -> None:
    """Whoever tries is told no."""
    told_no: asyncio.Queue[str] = asyncio.Queue()

    async def hear(error: Exception) -> None:
        told_no.put_nowait(str(error).lower())

    tls = ssl.create_default_context(cafile=guarded.folder / "ca.pem")
    client = await nats.connect(guarded.url(who), error_cb=hear, tls=tls)
    try:
        await (client.publish(subject, b"") if what == "publish" else client.subscribe(subject))
        async with asyncio.timeout(rig.PATIENCE_S):
            assert "permissions violation" in await told_no.get(), (who, what, subject)
    finally:
        await client.close()


def test_the_servers_know_each_other_by_the_same_file(guarded: Guarded) -> None:
    """With the part that the other test leaves out."""
    config = (FILES / "nats.conf").read_text()
    (guarded.folder / "whole.conf").write_text(config.replace("/etc/nats/", f"{guarded.folder}/"))
    environment = {f"NATS_{who}_PASSWORD": password for who, password in guarded.secret.items()}
    checked = subprocess.run(
        [nats_server(), "-t", "-c", str(guarded.folder / "whole.conf")],
        env={**os.environ, **environment, "NATS_NAME": "nats-1"},
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr


def test_what_the_compose_file_says_is_what_servers_and_nodes_are_told() -> None:
    text = (FILES / "compose.yml").read_text()
    services = re.findall(r"^  ([a-z]+(?:-\d)?):$", text[text.index("\nservices:") :], re.MULTILINE)
    kinds = [f"{kind}-{number}" for kind in ("nats", "node") for number in (1, 2, 3)]
    assert services == [*kinds, "thinker", "balancer"]
    wanted = set(re.findall(r"\$(NATS_[A-Z_]+)", (FILES / "nats.conf").read_text()))
    assert wanted == set(re.findall(r"(NATS_[A-Z_]+): ", text)), "what the servers ask for is what they get"
    nodes, thinker = text.split("command: [think]")
    for part in (nodes, thinker):
        given = {key: _filled(value) for key, value in re.findall(r"(LUDOTECA_\w+): \"?([^\s\"}]+)", part)}
        settings = load(None, given, {})
        assert settings.cluster
        assert f"./tls/ca.pem:{settings.cluster_ca}:ro" in part
    for source in set(re.findall(r"\./([a-z.]+):/", text)):
        assert (FILES / source).exists()
    servers = re.findall(r"server (node-\d):", (FILES / "nginx.conf").read_text())
    assert sorted(set(servers)) == [name for name in services if name.startswith("node")]


def _filled(text: str) -> str:
    """As the shell would: what is not given is as it comes."""
    return re.sub(r"\$\{[A-Z_]+:-([a-z]+)\}", r"\1", text)


def test_the_certificates_of_the_script_are_of_its_authority(tmp_path: Path) -> None:
    for _ in range(2):  # Whoever runs it again loses nothing.
        subprocess.run([FILES / "certificates.sh"], cwd=tmp_path, check=True)
        command = [openssl(), "verify", "-CAfile", "ca.pem", "nats-1.pem", "nats-2.pem", "nats-3.pem"]
        subprocess.run(command, cwd=tmp_path / "tls", check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize("name", ["nats-server.service", "ludoteca-think.service"])
def test_systemd_knows_all_that_the_units_say(tmp_path: Path, name: str) -> None:
    unit = tmp_path / name
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", (FILES / name).read_text(), flags=re.MULTILINE)
    unit.write_text(text.replace("User=nats", "User=root"))
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "Unknown" not in checked.stderr
    assert checked.returncode == 0, checked.stderr


async def test_the_balancer_sends_nobody_to_a_node_that_is_gone_or_says_that_it_cannot_serve(
    tmp_path: Path,
) -> None:
    program = nginx()
    asked = {"well": 0, "unwell": 0}

    async def answer(name: str, status: int, _request: web.Request) -> web.Response:
        asked[name] += 1
        return web.Response(status=status)

    gone, front = jet.free_ports(2)
    ports, runners = [gone], list[web.AppRunner]()
    for name, code in (("well", 200), ("unwell", 503)):
        app = web.Application()
        app.router.add_get("/{path:.*}", partial(answer, name, code))
        runners.append(web.AppRunner(app))
        await runners[-1].setup()
        await web.TCPSite(runners[-1], "127.0.0.1", 0).start()
        ports.append(runners[-1].addresses[0][1])
    config = (FILES / "nginx.conf").read_text()
    for number, port in enumerate(ports, 1):
        config = config.replace(f"node-{number}:8000", f"127.0.0.1:{port}")
    config = re.sub(r"^stream \{.*", "", config, flags=re.MULTILINE | re.DOTALL)
    config = re.sub(r"^(load_module|worker_processes).*", "", config, flags=re.MULTILINE)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    here = "".join(f"{kind}_temp_path {tmp_path}/{kind}; " for kind in kinds)
    config = config.replace("http {", f"http {{ access_log off; {here}")
    config = config.replace("listen 8080", f"listen 127.0.0.1:{front}")
    (tmp_path / "nginx.conf").write_text(f"daemon off; pid {tmp_path}/pid; error_log stderr;\n{config}")
    command = (program, "-c", str(tmp_path / "nginx.conf"), "-e", "stderr", "-p", str(tmp_path))
    try:
        async with running(*command, port=front), aiohttp.ClientSession() as client:
            for _ in range(20):
                async with client.get(f"http://127.0.0.1:{front}/healthz") as found:
                    assert found.status == 200
    finally:
        for runner in runners:
            await runner.cleanup()
    assert asked["well"] == 20
    assert asked["unwell"] <= 3, "it is left alone for a while"
