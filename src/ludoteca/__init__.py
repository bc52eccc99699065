"""Ludoteca: a house for five networked board games."""

from importlib.metadata import version

__version__ = version("ludoteca")
