"""What the house's log holds that nobody needs any more: old deeds without which all that is known about who
may do what is the same."""

from collections.abc import Iterable

import msgspec

from ludoteca.hall import acts
from ludoteca.hall.acts import Deed
from ludoteca.hall.keeping import Keeping


def needless(lines: Iterable[bytes], before_ms: int, now: float) -> set[int]:
    """The numbers of deeds from before then that the log can do without. Raises Damaged."""
    house, lines = Keeping(), list(lines)
    house.load(lines)
    standing, last = house.standing(now), dict[str, int]()
    invited = {one.id for one in house.invitations(now)}
    number = 0
    old = set()
    for deed in map(msgspec.json.Decoder(Deed).decode, lines):
        number = deed.number
        if deed.at_ms < before_ms:
            old.add(number)
        match deed.did:
            case acts.Admitted(via=via) if via in invited:
                # How often an invitation was used is counted from these.
                standing.add(number)
            case acts.Door() as door:
                last |= {name: number for name in door.__struct_fields__ if getattr(door, name) is not None}
            case acts.Drain() | acts.Resume():
                last["drained"] = number
    # The newest stays whatever it is: its number must not be given twice.
    return old - standing - set(last.values()) - {number}
