"""Bots."""

from collections.abc import Mapping

from ludoteca.core import Bot

BOTS: Mapping[str, Bot] = {}
