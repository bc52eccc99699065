"""Bounds for the numbers that clients send: nothing huge gets past decoding, whatever it is meant for."""

from typing import Annotated

from msgspec import Meta

# In an action: a place, a column, a number of steps.
Small = Annotated[int, Meta(ge=0, le=1023)]
# In a message of a game's own protocol, which answers wrong numbers in its own words: what the originals'
# int can hold.
Given = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
