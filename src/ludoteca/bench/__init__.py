"""Benchmarks: what a move, a connection, a table and a random game cost, as ratios inside one run.

Servers run in processes of their own on the loopback interface; this process is the load. What counts is the
server's own processor time, because it changes little when the machine is busy with other things.
"""
