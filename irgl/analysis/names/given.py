"""Lists of nodes and arrays of numbers that a Program's caller gives."""

from __future__ import annotations

from irgl.analysis.names.symbols import Checked
from irgl.ast import types as T

#: Worklists that nodes can be given for; the rest count, or go by priorities that nobody gives.
KINDS = ("list", "set", "bitmap", "bytemap")
#: The library type that numbers can be given for (irgl/lib/array.irgl): its class and its twin can take them.
ARRAY = "array"


def given_item(checked: Checked, t: T.Type) -> T.Type | None:
    """What a list or array holds that a caller can give; None for any other type."""
    match t:
        case T.Worklist() if t.kind in KINDS and isinstance(t.item, T.NodeT):
            return t.item
        case T.Named(args=(item,)) if t.name == ARRAY and ARRAY in checked.libraries:
            return item if isinstance(item, T.Int | T.Float | T.Bool) else None
        case _:
            return None
