"""What must be known of helper functions before code is written for them."""

from __future__ import annotations

from irgl.analysis.names.methods import effect_of, is_object
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk


def appending(checked: Checked) -> set[str]:
    """The helpers that push or append, and so must know the thread that runs them."""
    found: set[str] = set()
    calls = {f.name: list(walk(f)) for f in checked.functions.values()}
    while True:
        more = {
            name
            for name, nodes in calls.items()
            if name not in found
            and any(
                (isinstance(n, A.Call) and n.function in found)
                or (
                    isinstance(n, A.MethodCall)
                    and is_object(checked, checked.types[n.object])
                    and effect_of(checked, n) == "appends"
                )
                for n in nodes
            )
        }
        if not more:
            return found
        found |= more
