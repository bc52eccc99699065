"""Bugs to plant, one at a time: each a place in the code that must not read otherwise. Those of the findings
that were cured (D1 to D18) are put back here; the others break one promise each."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """In `module` every old text, which is there once, becomes the new one; `more` names other modules, too.

    All evenings are of one `game`, and of so many `nodes`.
    """

    name: str
    module: str
    changes: tuple[tuple[str, str], ...]
    game: str = "santorini"
    more: tuple[tuple[str, str, str], ...] = ()
    nodes: int = 0


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
                "\n    def _show_out",
                "            except ZeroDivisionError as error:\n"
                '                self._drop("telling", guest, error)\n'
                "\n    def _show_out",
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
        "ludoteca.hall.chat",
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
                "            self._waiting.append((self._appended, self._monotonic(), number, letters))\n",
                "            self._waiting.append((self._appended, self._monotonic(), number, []))\n"
                "            self._tell(letters, number, self.now())\n",
            ),
        ),
    ),
    Mutation(
        "letters without records overtake the others",
        "ludoteca.server.house",
        (
            (
                "        if entries or self._waiting:\n",
                "        if entries or (self._waiting and not letters):\n",
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
        "ludoteca.hall.away",
        (
            (
                "now >= chair.away_since + table.terms.grace_s:",
                "now >= chair.away_since + table.terms.grace_s / 1e9:",
            ),
            (
                "end = chair.away_since + table.terms.grace_s",
                "end = chair.away_since + table.terms.grace_s / 1e9",
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
    # Those that earlier evenings did not find, and more of the same kind.
    Mutation(
        "D10 private matches are listed when they are over",
        "ludoteca.hall.lobby",
        (
            (
                "                if not summary.table.terms.private:",
                "                if summary.table.terms is not None:",
            ),
        ),
    ),
    Mutation(
        "D10 whispers are in the record that everybody may read",
        "ludoteca.journal.records",
        (("        if not is_whisper(given):", "        if given is not None:"),),
    ),
    Mutation(
        "D14 a seat goes to whoever says the name",
        "ludoteca.hall.entrance",
        (
            (
                '        return self._return_by_name == "anyone" '
                'or origin in ("", self._desk.origin(table, guest))',
                "        return True",
            ),
        ),
        "renaissance",
    ),
    Mutation(
        "D15 a full disk is taken for another house",
        "ludoteca.server.journal_writer",
        (
            (
                '                raise StoreError(f"cannot keep a journal in {folder}: '
                '{_why(error, folder)}") from None',
                '                raise StoreError(f"another house is running on {folder}") from error',
            ),
        ),
    ),
    Mutation(
        "letters go out one record too early",
        "ludoteca.server.house",
        (("waiting[0][0] <= count:", "waiting[0][0] <= count + 1:"),),
    ),
    Mutation(
        "a false record is taken for another table's",
        "ludoteca.hall.recovery",
        (("        if table_id and opened.id != table_id:", "        if table_id and not opened.id:"),),
    ),
    Mutation(
        "a spoiled snapshot is believed",
        "ludoteca.hall.snapshot",
        (
            (
                "    if stored[:head] != form + blake2b(body, digest_size=DIGEST_BYTES, key=form).digest():",
                "    if stored[: len(form)] != form:",
            ),
        ),
    ),
    Mutation(
        "a connection that is lost stays a guest",
        "ludoteca.server.session",
        (
            (
                "        self._finished = True\n"
                '        self._held = b""\n'
                "        self._house.depart(self.guest)",
                '        self._finished = True\n        self._held = b""',
            ),
        ),
    ),
    Mutation(
        "who had to wait is never read again",
        "ludoteca.server.session",
        (
            (
                "                if self._paused:\n                    self._paused = False\n",
                "                if self._paused:\n",
            ),
        ),
    ),
    Mutation(
        "an alarm rings once",
        "ludoteca.server.session",
        (
            (
                "    def _ring(self) -> None:\n        self._alarms = self._alarms[:-1]\n",
                "    def _ring(self) -> None:\n",
            ),
        ),
        "eriantys",
    ),
    Mutation(
        "a finished match forgets its sheets",
        "ludoteca.server.journal_writer",
        (("                *(last if over else NONE),", "                *NONE,"),),
    ),
    Mutation(
        "a bookmark is a sheet ahead",
        "ludoteca.server.journal_writer",
        (
            (
                "        if mark:\n            sheets.bookmark(connection, self._sheet, self._lasts)",
                "        if mark:\n            sheets.bookmark(connection, sheet, self._lasts)",
            ),
        ),
    ),
    Mutation(
        "a journal of a newer version is written",
        "ludoteca.server.schema",
        (("    if found > len(steps):", "    if found > 1000 * len(steps):"),),
    ),
    Mutation(
        "a snapshot is one record behind",
        "ludoteca.hall.snapshot",
        (
            (
                "    for number, line in enumerate(lines[1:], snapshot.number + 1):",
                "    for number, line in enumerate(lines[1:-1], snapshot.number + 1):",
            ),
        ),
    ),
    Mutation(
        "people are not counted out",
        "ludoteca.hall.desk",
        (("            self._people -= not guest.bot\n", ""),),
    ),
    Mutation(
        "names of a table that is gone are kept",
        "ludoteca.hall.desk",
        (("        for _, chair in table.taken():\n            self.names.forget(chair.name, table)\n", ""),),
    ),
    Mutation(
        "a stand-in stays when the owner is back",
        "ludoteca.hall.entrance",
        (("            self._desk.dismiss(stand_in)", "            assert stand_in.bot"),),
    ),
    Mutation(
        "an address is never counted out",
        "ludoteca.server.doorman",
        (("        self._by_address[address] -= 1\n", ""),),
    ),
    Mutation(
        "who comes while tables come back waits for ever",
        "ludoteca.server.waking",
        (("        while self._line and not self.crowded:\n            self._line.popleft()()\n", ""),),
    ),
    Mutation(
        "a table that somebody needed is brought back twice",
        "ludoteca.server.waking",
        (
            (
                "            self._asleep.pop(table, None)\n",
                '            self._asleep.pop(table if why != "needed" else "", None)\n',
            ),
        ),
    ),
    Mutation(
        "alarms of a slot that is there already are lost",
        "ludoteca.server.timers",
        (("        else:\n            calls.append(call)", ""),),
    ),
    Mutation(
        "a bot that breaks down is not replaced",
        "ludoteca.server.workshop",
        (
            (
                "            self._replace(guest, bots.substitute(table.game, level))\n"
                "            self.answer(guest, number)\n",
                "",
            ),
        ),
    ),
    Mutation(
        "a seat sees no more than those who look on",
        "ludoteca.hall.ledger",
        (
            (
                "        return Shown(self.number, self.game.view(self.match.state, seat))",
                "        return Shown(self.number, self.game.view(self.match.state, seat and None))",
            ),
        ),
        "renaissance",
    ),
    Mutation(
        "a question that stands keeps its number",
        "ludoteca.hall.questions",
        (
            (
                "            if pending is None or seat == actor or pending.question != question:",
                "            if pending is None or pending.question != question:",
            ),
        ),
    ),
    Mutation(
        "half a line is thrown away",
        "ludoteca.wire.lines",
        (("            data = self.rest + data\n", "            assert data\n"),),
    ),
    # Those that needed other guests, or another look of the judge's.
    Mutation(
        "a snapshot forgets what it forgot",
        "ludoteca.hall.ledger",
        (
            (
                "            else:\n                forgotten = max(forgotten, number)",
                "            else:\n                forgotten = max(forgotten, 0)",
            ),
        ),
    ),
    Mutation(
        "a WebSocket forgets what came too quickly",
        "ludoteca.server.websocket",
        (
            (
                "            else:\n                self._wait(0.0)\n                return\n",
                "            else:\n                return\n",
            ),
        ),
    ),
    Mutation(
        "bots move while nothing can be stored",
        "ludoteca.server.workshop",
        (
            (
                "        while self._house.trouble and not self._house.closing:",
                "        while self._house.trouble and self._house.closing:",
            ),
        ),
    ),
    Mutation(
        "the name of somebody who is away is free",
        "ludoteca.hall.hall",
        (
            (
                '        guest.place("", None)\n'
                "        self.names.keep(guest.name, table)\n"
                "        away.lost(table, seat, now)",
                '        guest.place("", None)\n        away.lost(table, seat, now)',
            ),
        ),
    ),
    Mutation(
        "who waited in line stays there",
        "ludoteca.hall.hall",
        (
            (
                "        self._seating.stop_seeking(guest, now)\n        self._guarded(",
                "        self._guarded(",
            ),
        ),
        "renaissance",
    ),
    Mutation(
        "a short memory is believed to be whole",
        "ludoteca.hall.ledger",
        (
            (
                "(not full or self.history[0][0] <= number + 1)",
                "(not full or self.history[0][0] <= number + 3)",
            ),
        ),
    ),
    Mutation(
        "bots are not asked again when somebody returns",
        "ludoteca.hall.table",
        (("        if deserted and not chair.bot:\n", "        if deserted and chair.bot:\n"),),
    ),
    Mutation(
        "what is left of a turn is forgotten",
        "ludoteca.server.session",
        (
            (
                "        asyncio.get_running_loop().call_soon(self._wake)\n        self._wait()",
                '        self._held = b""',
            ),
        ),
    ),
)
