"""What the house knows about who may do what: the fold of its log. Nothing here does I/O, and the time is an
argument; whoever adds a deed sees to it that it is durable before anybody is told."""

import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Literal, TypeVar

import msgspec

from ludoteca.core import Damaged, Refused
from ludoteca.hall import acts
from ludoteca.hall.acts import Came, Deed, DoorKind, Drained, Fact, Guests, Role
from ludoteca.hall.chair import key_of

LOG_SHOWN_MAX = 300
FOR_GOOD = 1 << 62
# How many of each there may be: a host who needs more wants another tool, and nobody else may fill the house.
BARRED_MAX = 5000
INVITATIONS_MAX = 500
KEYS_MAX = 10_000
REPORTS_MAX = 200
# A ban by address concerns at most so many: who would bar a quarter of the world has mistyped.
PREFIX_MIN = {4: 8, 6: 16}
# Who has one IPv6 address has 2^64 of them.
IPV6_PREFIX = 64

_Network = IPv4Network | IPv6Network
Kind = Literal["name", "address", "mute", "name-came", "mute-came"]
# Under what a name is looked up, and how somebody came in whom the house calls so.
_KINDS: dict[Literal["ban", "mute"], tuple[Kind, Kind]] = {
    "ban": ("name", "name-came"),
    "mute": ("mute", "mute-came"),
}

_Key = TypeVar("_Key")

_decode = msgspec.json.Decoder(Deed).decode


class Barred(msgspec.Struct, frozen=True):
    """Somebody who is kept out or not heard; `until_ms` 0 is for good. `tries` were made since the start."""

    id: int
    kind: Literal["ban", "mute"]
    name: str
    address: str
    until_ms: int
    reason: str
    by: str
    tries: int = 0


class Invitation(msgspec.Struct, frozen=True):
    """A link that is still good: for `uses` people (0: any number), `used` came."""

    id: int
    label: str
    role: Literal["member", "host"]
    uses: int
    used: int
    until_ms: int


class Key(msgspec.Struct, frozen=True):
    """Whose browser or program may come in, and as what."""

    id: int
    label: str
    role: Role
    until_ms: int
    via: int = 0


class Report(msgspec.Struct, frozen=True):
    """A complaint that nobody has seen to yet."""

    id: int
    at_ms: int
    name: str
    about: str
    table: str
    game: str
    text: str
    lines: tuple[acts.Line, ...]


def fold(name: str) -> str:
    """A name as bans compare it: letters that look alike in another dress do not help."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def network_of(text: str) -> _Network:
    """An address or network as it is barred; one IPv6 address is its /64. Raises Refused."""
    try:
        network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise Refused("that is no address, and no network like 192.0.2.0/24", "address") from None
    if network.prefixlen < PREFIX_MIN[network.version]:
        raise Refused(f"/{network.prefixlen} is too large a part of the world", "address")
    if isinstance(network, IPv6Network):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen == 128:
            return IPv4Network(mapped)
        if network.prefixlen > IPV6_PREFIX:
            return network.supernet(new_prefix=IPV6_PREFIX)
    return network


class Keeping:
    """Bans, mutes, invitations, keys, reports, the door, and whether the house takes new tables."""

    def __init__(self, door: DoorKind = "open") -> None:
        self.door: DoorKind = door
        self.guests: Guests = "out"
        self.password = ""
        self.names: tuple[str, ...] = ()
        self.drained: Drained | None = None
        # What of the door the operator's settings say: no host changes it.
        self.pinned: frozenset[str] = frozenset()
        self.log: deque[Deed] = deque(maxlen=LOG_SHOWN_MAX)
        self._number = 0
        self._listed: frozenset[str] = frozenset()
        self._barred: dict[int, Barred] = {}
        # By what they are looked up, which several may have in common: names, single addresses as the doorman
        # counts them, names that are mute; and networks, which must all be tried.
        self._found: dict[tuple[Kind, str], list[int]] = {}
        self._networks: dict[_Network, list[int]] = {}
        self._invitations: dict[str, Invitation] = {}
        self._keys: dict[str, Key] = {}
        self._reports: dict[int, Report] = {}

    def load(self, lines: Iterable[bytes]) -> None:
        """Take up what was kept. Raises Damaged: a house that cannot read its bans does not open."""
        for line in lines:
            try:
                deed = _decode(line)
            except msgspec.DecodeError as error:
                raise Damaged(f"deed {self._number + 1} in the house's log cannot be read: {error}") from None
            self._take(deed)
        if self.drained == "stop":
            # That is what it was for.
            self.drained = None

    def add(self, by: str, did: Fact, now: float) -> Deed:
        """One more deed, which takes effect at once."""
        deed = Deed(self._number + 1, int(now * 1000), by, did)
        self._take(deed)
        return deed

    @property
    def number(self) -> int:
        """That of the last deed."""
        return self._number

    # Who comes.

    def role(self, token: str, now: float) -> Role | None:
        """What a key makes of who shows it; None when it is no key (any more)."""
        found = self.key(token, now)
        return found.role if found is not None else None

    def key(self, token: str, now: float) -> Key | None:
        """The key of this token, while it holds."""
        found = self._keys.get(key_of(token)) if token else None
        return found if found is not None and _holds(found.until_ms, now) else None

    def invitation(self, token: str, now: float) -> Invitation:
        """The invitation of this token. Raises Refused when it was used, or is not good any more."""
        found = self._invitations.get(key_of(token))
        if found is None or not _holds(found.until_ms, now):
            raise Refused("this invitation is not good (any more): ask for another one", "invitation")
        if found.uses and found.used >= found.uses:
            raise Refused("this invitation has been used: ask for another one", "invitation")
        return found

    def listed(self, name: str) -> bool:
        """Whether this name may come in where nobody can show a key."""
        return fold(name) in self._listed

    def ban_on(self, address: str, now: float, name: str = "", came: Came | None = None) -> Barred | None:
        """The ban on this address, as the doorman counts it, or on this name, or on how somebody comes in."""
        found = self._holding(self._found.get(("name", fold(name)), ()), now) if name else None
        if found is None and came is not None:
            found = self._holding(self._found.get(("name-came", _way(came)), ()), now)
        if found is None and address:
            found = self._holding(self._found.get(("address", address), ()), now)
            found = found or (self._network_ban(address, now) if self._networks else None)
        return found

    def tried(self, barred: Barred) -> None:
        """Somebody who is kept out has come all the same."""
        self._barred[barred.id] = msgspec.structs.replace(barred, tries=barred.tries + 1)

    def _network_ban(self, address: str, now: float) -> Barred | None:
        try:
            own = ip_network(address, strict=False)
        except ValueError:
            return None  # Nobody knows where from: a socket of this machine.
        for network, numbers in self._networks.items():
            if _within(own, network) and (found := self._holding(numbers, now)) is not None:
                return found
        return None

    def mute_on(self, name: str, now: float, came: Came | None = None) -> Barred | None:
        """The mute on this name, or on how somebody came in."""
        found = self._holding(self._found.get(("mute", fold(name)), ()), now)
        if found is None and came is not None:
            found = self._holding(self._found.get(("mute-came", _way(came)), ()), now)
        return found

    def is_barred(self, name: str, now: float) -> bool:
        """Whether nobody may be given this name who has not asked for it: it stands for somebody else."""
        return self.ban_on("", now, name) is not None or self.mute_on(name, now) is not None

    def _holding(self, numbers: Sequence[int], now: float) -> Barred | None:
        """Of those that hold, the one that holds longest."""
        found = [one for number in numbers if _holds((one := self._barred[number]).until_ms, now)]
        return max(found, key=lambda one: one.until_ms or FOR_GOOD, default=None)

    # What hosts see.

    def barred(self, now: float) -> list[Barred]:
        """All bans and mutes that hold, newest first."""
        return [one for one in reversed(self._barred.values()) if _holds(one.until_ms, now)]

    def invitations(self, now: float) -> list[Invitation]:
        """All invitations that are good, newest first."""
        return [
            one
            for one in reversed(self._invitations.values())
            if _holds(one.until_ms, now) and (not one.uses or one.used < one.uses)
        ]

    def keys(self, now: float) -> list[Key]:
        """The keys of hosts, and those that hosts gave to programs; newest first."""
        return [
            one
            for one in reversed(self._keys.values())
            if (one.role == "host" or one.via == one.id) and _holds(one.until_ms, now)
        ]

    def reports(self) -> list[Report]:
        """What was reported and not seen to, oldest first."""
        return list(self._reports.values())

    def standing(self, now: float) -> set[int]:
        """The numbers of all that holds: bans, mutes, invitations, keys, reports."""
        found = {key.id for key in self._keys.values() if _holds(key.until_ms, now)} | self._reports.keys()
        return found | {one.id for one in self.barred(now)} | {one.id for one in self.invitations(now)}

    def check(self, act: acts.Act | acts.Reported, now: float) -> None:
        """Raises Refused when an act names what there is not, or when there is no more room for its kind."""
        match act:
            case acts.Lift(id=number) if number not in self._barred:
                raise Refused("there is no such ban or mute", "gone")
            case acts.Withdraw(id=number) if not (self._find(number)):
                raise Refused("there is no such invitation or key", "gone")
            case acts.Settle(id=number) if number not in self._reports:
                raise Refused("there is no such report", "gone")
            case acts.Ban(name=name, address=address) if bool(fold(name)) == bool(address.strip()):
                raise Refused("a ban is of a name or of an address", "message")
            case acts.Ban(address=address) if address.strip():
                network_of(address)
            case acts.Mute(name=name) | acts.Out(name=name) if not fold(name):
                raise Refused("a name needs visible characters", "name")
            case acts.Door() if any(getattr(act, name) is not None for name in self.pinned):
                raise Refused("the settings of the house say this: change it there", "settings")
            case acts.Door(door="password", password=password) if not (password or self.password):
                raise Refused("say the password, too", "password")
            case _:
                pass
        count, count_max = 0, 1
        match act:
            case acts.Ban() | acts.Mute() | acts.Out():
                count, count_max = len(self.barred(now)), BARRED_MAX
            case acts.Invite():
                count, count_max = len(self.invitations(now)), INVITATIONS_MAX
            case acts.Reported():
                count, count_max = len(self._reports), REPORTS_MAX
        if count >= count_max:
            raise Refused("there are too many of these already", "limit")

    def _find(self, number: int) -> list[str]:
        """The digests of what bears this number."""
        found = [digest for digest, one in self._invitations.items() if one.id == number]
        return found + [digest for digest, one in self._keys.items() if one.id == number]

    # The fold.

    def _take(self, deed: Deed) -> None:
        self._number = deed.number
        number, did = deed.number, deed.did
        if deed.by or not isinstance(did, acts.Reported | acts.Admitted) or _makes_host(did):
            self.log.append(deed)
        match did:
            case acts.Mute(name=name):
                self._bar(deed, did, "mute", name).append(number)
            case acts.Out(name=name):
                if did.seconds:
                    self._bar(deed, did, "ban", name).append(number)
            case acts.Ban(name=name, address=address):
                self._bar(deed, did, "ban", name, address).append(number)
            case acts.Lift(id=lifted):
                self._unbar({lifted})
            case acts.Drain(then=then):
                self.drained = then
            case acts.Resume():
                self.drained = None
            case acts.Door():
                self._set_door(did)
            case acts.Invited(label=label, role=role, uses=uses, seconds=seconds, digest=digest):
                self._invitations[digest] = Invitation(number, label, role, uses, 0, _until(deed, seconds))
                self._forget_old(self._invitations, INVITATIONS_MAX, deed.at_ms)
            case acts.Admitted():
                self._admit(deed, did)
            case acts.Withdraw(id=withdrawn):
                for digest in self._find(withdrawn):
                    self._invitations.pop(digest, None)
                    self._keys.pop(digest, None)
            case acts.Settle(id=settled):
                self._reports.pop(settled, None)
            case acts.Reported(name=name, about=about, table=table, game=game, text=text, lines=lines):
                self._reports[number] = Report(number, deed.at_ms, name, about, table, game, text, lines)
            case acts.Say() | acts.Close() | acts.Backup() | acts.Verify() | acts.Prune():
                pass

    def _set_door(self, did: acts.Door) -> None:
        self.door = did.door or self.door
        self.guests = did.guests or self.guests
        if did.names is not None:
            self.names = did.names
            self._listed = frozenset(filter(None, map(fold, did.names)))
        if did.password is not None:
            self.password = did.password
            # Who knew the old one must know the new one.
            self._keys = {digest: key for digest, key in self._keys.items() if key.via}

    def _admit(self, deed: Deed, did: acts.Admitted) -> None:
        """`via` is the key's own number where a host gave it, 0 where it was given for the password."""
        via = did.via or (deed.number if deed.by else 0)
        for digest, one in self._invitations.items():
            if one.id == did.via:
                self._invitations[digest] = msgspec.structs.replace(one, used=one.used + 1)
        key = Key(deed.number, did.label, did.role, _until(deed, did.seconds), via)
        self._keys[did.digest] = key
        self._forget_old(self._keys, KEYS_MAX, deed.at_ms)

    def _forget_old(self, kept: dict[str, Invitation] | dict[str, Key], count_max: int, now_ms: int) -> None:
        """What has run out goes first, and then what is oldest: never the newest."""
        if len(kept) > count_max:
            for digest in [one for one, found in kept.items() if not _holds(found.until_ms, now_ms / 1000)]:
                del kept[digest]
        while len(kept) > count_max:
            del kept[next(iter(kept))]

    def _bar(
        self,
        deed: Deed,
        did: acts.Mute | acts.Out | acts.Ban,
        kind: Literal["ban", "mute"],
        name: str,
        address: str = "",
    ) -> list[int]:
        """Note a ban or mute; the numbers under which it will be looked for."""
        if len(self._barred) >= BARRED_MAX:
            now = deed.at_ms / 1000
            self._unbar({one.id for one in self._barred.values() if not _holds(one.until_ms, now)})
        until_ms = _until(deed, did.seconds)
        self._barred[deed.number] = Barred(deed.number, kind, name, address, until_ms, did.reason, deed.by)
        if name:
            called, said = _KINDS[kind]
            for came in did.came:
                self._found.setdefault((said, _way(came)), []).append(deed.number)
            return self._found.setdefault((called, fold(name)), [])
        network = network_of(address)
        if isinstance(network, IPv4Network) and network.prefixlen == 32:
            return self._found.setdefault(("address", str(network.network_address)), [])
        if isinstance(network, IPv6Network) and network.prefixlen == IPV6_PREFIX:
            return self._found.setdefault(("address", str(network)), [])
        return self._networks.setdefault(network, [])

    def _unbar(self, numbers: set[int]) -> None:
        for number in numbers:
            self._barred.pop(number, None)
        self._found = _without(self._found, numbers)
        self._networks = _without(self._networks, numbers)


def covers(text: str, address: str) -> bool:
    """Whether this address, as the doorman counts it, is in what is to be barred."""
    try:
        return _within(ip_network(address, strict=False), network_of(text))
    except ValueError:
        return False  # Nobody knows where from.


def _way(came: Came) -> str:
    return f"{came.protocol} {came.address} {fold(came.name)}"


def _without(found: dict[_Key, list[int]], numbers: set[int]) -> dict[_Key, list[int]]:
    """The same look-up without these numbers, and without what nothing is left of."""
    kept = ((key, [one for one in held if one not in numbers]) for key, held in found.items())
    return {key: held for key, held in kept if held}


def _within(own: _Network, network: _Network) -> bool:
    if isinstance(own, IPv4Network):
        return isinstance(network, IPv4Network) and own.subnet_of(network)
    return isinstance(network, IPv6Network) and own.subnet_of(network)


def _makes_host(did: Fact) -> bool:
    return isinstance(did, acts.Admitted) and did.role == "host"


def _until(deed: Deed, seconds: int) -> int:
    return deed.at_ms + seconds * 1000 if seconds else 0


def _holds(until_ms: int, now: float) -> bool:
    return not until_ms or now * 1000 < until_ms
