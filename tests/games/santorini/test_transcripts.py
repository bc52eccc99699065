"""Every recorded conversation, replayed against our house: client lines in, server lines compared
as JSON, in order."""

from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.santorini.house import Client, House
from tests.games.santorini.transcripts import DEVIATIONS, NAMES, comparable, read


@pytest.mark.parametrize("name", NAMES)
def test_a_transcript_replays_in_the_hall(name):
    """Nothing is missing and nothing is said beside; deviations are named in transcripts.py."""
    house = House(gods="original")
    clients: dict[str, Client] = {}
    for number, step in enumerate(read(name)):
        for speaker, line in step.said:
            if line is None:
                clients[speaker].hang_up()
            else:
                clients[speaker].say(line)
        for hearer in step.heard:
            if hearer not in clients:
                clients[hearer] = house.client()
        for hearer, client in clients.items():
            heard = [comparable(message) for message in client.take()]
            wanted = [comparable(message) for message in step.heard.get(hearer, [])]
            assert heard == wanted, f"step {number}, {hearer}, after {step.said}"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
async def test_a_transcript_replays_over_tcp(name: str, tmp_path: Path) -> None:
    async with rig.house(tmp_path, "santorini", default={"santorini.gods": "original"}) as server:
        clients: dict[str, rig.Client] = {}
        for step in read(name):
            for place, (speaker, line) in enumerate(step.said):
                if line is None:
                    await clients[speaker].close()
                else:
                    await clients[speaker].send(line)
                if place + 1 < len(step.said):
                    # Only names are given by several at once: the next is sent when this one is known to all.
                    for hearer, wanted in step.heard.items():
                        await _check(clients[hearer], wanted.pop(0))
            for hearer in sorted(set(step.heard) - set(clients)):
                clients[hearer] = await rig.connect(server, "santorini")
                await _check(clients[hearer], step.heard[hearer].pop(0))
            for hearer, wanted in step.heard.items():
                for message in wanted:
                    await _check(clients[hearer], message)
        for client in clients.values():
            await client.close()


async def _check(client: rig.Client, wanted: dict[str, Any]) -> None:
    heard = await client.until(lambda message: message["type"] != "ping")
    assert comparable(heard) == comparable(wanted)


def test_who_is_out_may_leave_and_the_others_play_on():
    """Zoe is out; she hangs up, and the recorded match goes on without her."""
    house = House(gods="original")
    clients: dict[str, Client] = {}
    gone = False
    for step in read("3p-minotaur-hephaestus-triton-loss"):
        for hearer in sorted(set(step.heard) - set(clients)):
            clients[hearer] = house.client()
        for speaker, line in step.said:
            if line is not None and not clients[speaker].closed:
                clients[speaker].say(line)
        for hearer in ("client1", "client2"):
            if hearer in clients:
                heard = [comparable(message) for message in clients[hearer].take()]
                assert heard == [comparable(message) for message in step.heard.get(hearer, [])]
        if not gone and any(message["type"] == "lostUpdate" for message in step.heard["client1"]):
            gone = True
            clients["client3"].hang_up()
            for other in ("client1", "client2"):
                assert clients[other].take() == [{"type": "playerDisconnected", "name": "zoe"}]
    assert gone
    house.wait(10)
    assert all(client.closed for client in clients.values())


def test_every_deviation_is_described():
    assert all(DEVIATIONS.values())
