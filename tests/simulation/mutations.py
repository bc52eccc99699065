"""Bugs to plant, one at a time: each a place in the code that must not read otherwise. Those of the findings
that were cured (D1 to D18, but for D10, D14 and D15) are put back here; the others break one promise each."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """In `module` every old text, which is there once, becomes the new one; `more` names other modules, too.

    All evenings are of one `game`.
    """

    name: str
    module: str
    changes: tuple[tuple[str, str], ...]
    game: str = "santorini"
    more: tuple[tuple[str, str, str], ...] = ()


MUTATIONS = (
    # What was found before, and cured.
    Mutation(
        "D1 how to be told changes in the middle of a match",
        "ludoteca.wire.house",
        (
            (
                "        self._wish = message\n        if not message.name:",
                "        self._wish = message\n        self._follow()\n        if not message.name:",
            ),
        ),
    ),
    Mutation(
        "D1 one conversation's failure is everybody's",
        "ludoteca.server.house",
        (
            (
                "            except Exception as error:\n"
                '                self._drop("telling", guest, error)\n'
                "        self.told = number",
                "            except ZeroDivisionError as error:\n"
                '                self._drop("telling", guest, error)\n'
                "        self.told = number",
            ),
            (
                "                    shell.tell(notices, now)",
                "                    shell.tell(notices, now)\n                    assert guest % 23",
            ),
        ),
    ),
    Mutation(
        "D2 times without bounds",
        "ludoteca.core.requests",
        (
            (
                "    grace_s: Annotated[float, Meta(ge=0, le=30 * 24 * 3600)] = 120.0",
                "    grace_s: float = 120.0",
            ),
            (
                "    move_s: Annotated[float, Meta(ge=0, le=30 * 24 * 3600)] = 0.0",
                "    move_s: float = 0.0",
            ),
        ),
        more=(
            (
                "ludoteca.server.timers",
                "        slot = int(min(max(when, now - SLOT_S), now + FAR_S) / SLOT_S) + 1",
                "        slot = int(when / SLOT_S) + 1",
            ),
        ),
    ),
    Mutation(
        "D3 a bot that gets no chair stays",
        "ludoteca.hall.seating",
        (
            (
                "            self._desk.dismiss(bot)\n            raise",
                "            raise",
            ),
        ),
    ),
    Mutation(
        "D4 lines are not paid for before they are carried out",
        "ludoteca.server.session",
        (
            (
                "                wait_s = self.pay(now)\n                if wait_s:",
                "                wait_s = 0.0\n                if wait_s:",
            ),
        ),
    ),
    Mutation(
        "D5 one address takes all tables",
        "ludoteca.hall.seating",
        (
            (
                "        if len(guest.opened) >= limits.tables_per_guest_max:",
                "        if len(guest.opened) >= 10_000:",
            ),
            (
                "self._tables.has_spent(guest.address, limits.tables_per_address_max)",
                "self._tables.has_spent(guest.address, 10_000)",
            ),
        ),
    ),
    Mutation(
        "D6 bots play where nobody is",
        "ludoteca.hall.hall",
        (
            (
                "table is None or seat is None or not table.attended():",
                "table is None or seat is None:",
            ),
        ),
    ),
    Mutation(
        "D7 chat without end",
        "ludoteca.hall.hall",
        (
            (
                '        wait_s, budget = guest.muted_until - now, "chat"',
                '        wait_s, budget = 0.0, "chat"',
            ),
        ),
    ),
    Mutation(
        "D8 one table keeps the house from starting",
        "ludoteca.hall.recovery",
        (
            (
                "        except Exception as error:\n            self._give_up(opened.id, error)",
                "        except JournalError as error:\n            self._give_up(opened.id, error)",
            ),
        ),
        more=(
            (
                "ludoteca.server.waking",
                "            except Exception as error:\n                # The one place",
                "            except JournalError as error:\n                # The one place",
            ),
        ),
    ),
    Mutation(
        "D9 half requests stay for ever",
        "ludoteca.server.gate",
        (
            (
                "        self._wire.abort()",
                "        self._wire.is_closing()",
            ),
        ),
    ),
    Mutation(
        "D11 private tables are found by their label",
        "ludoteca.hall.directory",
        (
            (
                "        if not table.terms.private:\n            self._labels.setdefault",
                "        if table.terms is not None:\n            self._labels.setdefault",
            ),
        ),
    ),
    Mutation(
        "D12 a WebSocket that was slowed down is never read again",
        "ludoteca.server.websocket",
        (
            (
                "        self._is_paused = paused\n",
                "        self._is_paused = self._is_paused or paused\n",
            ),
        ),
    ),
    Mutation(
        "D13 a bot on a chair that is not there",
        "ludoteca.hall.seating",
        (
            (
                "        if seat is not None and not 0 <= seat < len(table.chairs):\n"
                '            raise Refused("there is no such chair", "seat")\n'
                "        self._seat_bot",
                "        self._seat_bot",
            ),
        ),
    ),
    Mutation(
        "D16 an odd origin is answered by 500",
        "ludoteca.server.http",
        (
            (
                "        return origin.lower() in (",
                '        __import__("urllib.parse").parse.urlsplit(origin)\n'
                "        return origin.lower() in (",
            ),
        ),
    ),
    Mutation(
        "D17 two houses on one journal",
        "ludoteca.server.lock",
        (
            (
                "        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)",
                "        assert fcntl",
            ),
        ),
    ),
    Mutation(
        "D18 whispers are told to whoever comes next",
        "ludoteca.hall.ledger",
        (
            (
                "                    if key in keys:",
                "                    if keys:",
            ),
        ),
    ),
    # The house.
    Mutation(
        "letters do not wait for their records",
        "ludoteca.server.house",
        (
            (
                "            self._waiting.append((self._appended, self._monotonic(), number, letters))\n"
                "        elif",
                "            self._waiting.append((self._appended, self._monotonic(), number, []))\n"
                "            self._tell(letters, number, self.now())\n"
                "        elif",
            ),
        ),
    ),
    Mutation(
        "letters without records overtake the others",
        "ludoteca.server.house",
        (
            (
                "        elif self._waiting:\n",
                "        elif not letters and self._waiting:\n",
            ),
        ),
    ),
    Mutation(
        "nobody goes on after trouble",
        "ludoteca.server.house",
        (
            (
                "                shell.pause(bool(reason))",
                "                shell.pause(bool(notice))",
            ),
        ),
    ),
    Mutation(
        "the shell of somebody who has gone is kept",
        "ludoteca.server.house",
        (
            (
                "                self._shells.pop(guest.id, None)\n",
                "",
            ),
        ),
    ),
    Mutation(
        "a far alarm is set again and again",
        "ludoteca.server.house",
        (
            (
                "        self._alarms.pop()\n",
                "        self._alarms.clear()\n",
            ),
        ),
    ),
    # The ledger and the course.
    Mutation(
        "who returns hears the last record once more",
        "ludoteca.hall.ledger",
        (
            (
                "            if at <= number and not whole:",
                "            if at < number and not whole:",
            ),
        ),
    ),
    Mutation(
        "who returns misses a record",
        "ludoteca.hall.ledger",
        (
            (
                "            if at <= number and not whole:",
                "            if at <= number + 1 and not whole:",
            ),
        ),
    ),
    Mutation(
        "everybody sees what one may know",
        "ludoteca.hall.ledger",
        (
            (
                "            if seen(event, seat) is not event:",
                "            if seen(event, seat) is event is None:",
            ),
        ),
        "renaissance",
    ),
    Mutation(
        "a table that is over is listed as live",
        "ludoteca.hall.course",
        (
            (
                '            fate = "over" if self.match.state is not None else "forgotten"',
                '            fate = None if self.match.state is not None else "forgotten"',
            ),
        ),
    ),
    # Tables, questions, the floor.
    Mutation(
        "an answer to an old question counts",
        "ludoteca.hall.questions",
        (
            (
                "        if at is not None and at != pending.number:",
                "        if at is not None and at > pending.number:",
            ),
        ),
    ),
    Mutation(
        "nobody is waited for",
        "ludoteca.hall.table",
        (
            (
                "now >= chair.away_since + self.terms.grace_s:",
                "now >= chair.away_since + self.terms.grace_s / 1e9:",
            ),
            (
                "end = chair.away_since + self.terms.grace_s",
                "end = chair.away_since + self.terms.grace_s / 1e9",
            ),
        ),
    ),
    Mutation(
        "a clock runs out at once",
        "ludoteca.hall.questions",
        (
            (
                "        self.move_s = move_s\n",
                "        self.move_s = move_s / 1000\n",
            ),
        ),
    ),
    Mutation(
        "a deserted table stays for ever",
        "ludoteca.hall.floor",
        (
            (
                "        if deserted is not None and now >= deserted + self._patience(table):",
                "        if deserted is not None and now >= deserted + 1e9:",
            ),
        ),
    ),
    # The desk: names, seats, those who wait and look.
    Mutation(
        "a name is kept after its owner has gone",
        "ludoteca.hall.hall",
        (
            (
                "        self._guarded(self.desk.table_of(guest), now, partial(self._lose, guest, now))\n"
                "        self.names.leave(guest)\n",
                "        self._guarded(self.desk.table_of(guest), now, partial(self._lose, guest, now))\n",
            ),
        ),
    ),
    Mutation(
        "who looked at the lobby is never forgotten",
        "ludoteca.hall.hall",
        (
            (
                "        self.desk.dismiss(guest)\n        self.lookers.unlook(guest)\n",
                "        self.desk.dismiss(guest)\n",
            ),
        ),
    ),
    Mutation(
        "a seat's token outlives its table",
        "ludoteca.hall.directory",
        (
            (
                "        for _, chair in table.taken():\n            self._seats.pop(chair.key, None)\n",
                "",
            ),
        ),
    ),
    Mutation(
        "two sit on one chair",
        "ludoteca.hall.entrance",
        (
            (
                "            chair.guest = None\n"
                "            self._names.leave(old)\n"
                '            old.place("", None)\n',
                "            chair.guest = None\n            self._names.leave(old)\n",
            ),
        ),
    ),
    Mutation(
        "bots of a table that is gone stay",
        "ludoteca.hall.desk",
        (
            (
                "            if guest is not None and guest.bot:\n                self.dismiss(guest)\n",
                "",
            ),
        ),
    ),
    # Sessions, links and conversations.
    Mutation(
        "a connection is never counted out",
        "ludoteca.server.tcp",
        (
            (
                "        self._ticket.leave()\n        if self._session",
                "        if self._session",
            ),
        ),
    ),
    Mutation(
        "half a frame is thrown away",
        "ludoteca.wire.frames",
        (
            (
                "        self._held = self._held[self._at :] + data if self._held else data",
                "        self._held = data",
            ),
        ),
    ),
    Mutation(
        "who follows views sees the last one again",
        "ludoteca.wire.house",
        (
            (
                "            self._picture = self._game.update(self._picture, event)",
                "            self._game.update(self._picture, event)",
            ),
        ),
    ),
    # The journal's file.
    Mutation(
        "sheets are read in the wrong order",
        "ludoteca.server.journal_reader",
        (
            (
                "for part in reversed(backwards) for line in part",
                "for part in backwards for line in part",
            ),
        ),
    ),
    # Bots.
    Mutation(
        "a thought is never forgotten",
        "ludoteca.server.workshop",
        (
            (
                "        if self._asked.get(guest) == number:\n            del self._asked[guest]",
                "        if self._asked.get(guest) == number + 1:\n            del self._asked[guest]",
            ),
        ),
    ),
)
