"""Bots against each other, many times: who is how strong, and how sure is that."""
