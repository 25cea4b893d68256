"""The libraries that irgl is measured beside, each a peers.peer.Peer in a process of its own (benchmarks/worker.py)."""
