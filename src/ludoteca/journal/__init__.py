"""The record of a table: its format, and re-executing it. Where it is kept is the server's business."""

from ludoteca.journal.match import Match
from ludoteca.journal.records import Record, damage, decode, encode
from ludoteca.journal.replay import Replay, Step, replay, verify

__all__ = ["Match", "Record", "Replay", "Step", "damage", "decode", "encode", "replay", "verify"]
