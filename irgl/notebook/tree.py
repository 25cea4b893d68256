"""The outline tree of a program, drawn: which loops may run on a GPU as a whole, and why not the others."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.flow.outline import OutlineNode
from irgl.notebook.html import Html, tag

_ROW, _STEP, _HEIGHT, _CHARACTER = 34, 28, 24, 7.3


def drawn(trees: list[OutlineNode]) -> Html:
    """The trees as SVG, a row for each node; those that can't be outlined dashed, with the reasons beside them."""
    parts: list[Html] = []
    width = row = 0

    def place(node: OutlineNode, depth: int) -> int:
        nonlocal row, width
        at, x = row, depth * _STEP + 1
        row += 1
        box = int((len(node.path) + len(node.word) + 3) * _CHARACTER) + 16
        reasons = "; ".join(_reasons(node))
        look = "" if node.legal else "bad"
        parts.append(tag("rect", x=f"{x}", y=f"{at * _ROW + 1}", width=f"{box}", height=f"{_HEIGHT}",
                         rx="6", class_=look))  # fmt: skip
        label = tag("tspan", node.path, font_weight="bold")
        parts.append(tag("text", label, f"   {node.word}", x=f"{x + 8}", y=_base(at), xml_space="preserve"))
        if reasons:
            parts.append(tag("text", reasons, x=f"{x + box + 10}", y=_base(at), class_=look))
        width = max(width, x + box + 12 + int(len(reasons) * _CHARACTER))
        for child in node.children:
            below = row
            corner = x + _STEP // 2
            parts.append(tag("path", d=f"M{corner} {at * _ROW + _HEIGHT + 1}V{below * _ROW + 13}H{x + _STEP}"))
            place(child, depth + 1)
        return at

    for tree in trees:
        place(tree, 0)
    size = {"width": f"{width}", "height": f"{row * _ROW}", "view_box": f"0 0 {width} {row * _ROW}"}
    return tag("svg", tag("title", "outline tree"), *parts, role="img", **size)


def _base(row: int) -> str:
    return f"{row * _ROW + 17}"


def _reasons(node: OutlineNode) -> Iterator[str]:
    yield from (str(r) for r in node.refusals)
    if not node.legal and not node.refusals:
        yield "what is nested in it can't be outlined"
