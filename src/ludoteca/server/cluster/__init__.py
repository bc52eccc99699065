"""One house on several machines: its journal is a stream of NATS JetStream (docs/cluster.md, decision 30).

Nothing here is imported by a house that is on one machine.
"""
