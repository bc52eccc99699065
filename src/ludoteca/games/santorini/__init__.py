"""Santorini, for two or three players."""
