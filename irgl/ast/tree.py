"""Trees as indented S-expressions: what `dump ast` shows."""

from __future__ import annotations

from irgl.ast import nodes as A
from irgl.ast.visit import field_names

WIDTH = 100


def tree(node: A.Node) -> str:
    """`(Kind field=... ...)`: one line where it fits, otherwise one field per line, two spaces deeper."""
    return "\n".join(_lines(node, ""))


def _lines(value: object, label: str) -> list[str]:
    flat = label + _flat(value)
    if len(flat) <= WIDTH:
        return [flat]
    if isinstance(value, A.Node):
        head, parts = f"{label}({type(value).__name__}", [
            _lines(getattr(value, name), f"{name}=") for name in field_names(type(value))
        ]
        close = ")"
    elif isinstance(value, tuple):
        head, parts, close = f"{label}[", [_lines(v, "") for v in value], "]"
    else:
        return [flat]
    lines = [head, *("  " + line for part in parts for line in part)]
    lines[-1] += close
    return lines


def _flat(value: object) -> str:
    if isinstance(value, A.Node):
        parts = [f"{name}={_flat(getattr(value, name))}" for name in field_names(type(value))]
        return f"({' '.join([type(value).__name__, *parts])})"
    if isinstance(value, tuple):
        return f"[{' '.join(map(_flat, value))}]"
    if value is None:
        return "-"
    if isinstance(value, str | bool | int):
        return repr(value)
    return f"<{value}>"
