"""Loops of the Program over rounds that are driven by data or by the topology, as a plan says."""
