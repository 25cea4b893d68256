"""Loops of the Program over rounds: what drives them, and whether rounds wait, as a plan says."""
