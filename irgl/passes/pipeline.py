"""The passes of the CPU target, in order."""

from __future__ import annotations

from collections.abc import Callable

from irgl.ast import nodes as A
from irgl.passes import group_edges, name_items, unique_names

Pass = Callable[[A.Program], A.Program]

#: Each pass by name, with why it stands where it does.
PASSES: tuple[tuple[str, Pass], ...] = (
    # First: all others may go by names, and move text into the block around it.
    ("unique_names", unique_names.run),
    # Then: later analyses see items, which have owners, instead of positions.
    ("name_items", name_items.run),
    # Then: it makes nested loops of flat ones, which the schedules by degree want to see.
    ("group_edges", group_edges.run),
)
