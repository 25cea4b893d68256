"""Pictures of the analyses, as text in the language of Graphviz: outline trees, control flow, control dependence.

As in the paper's figure 6, uniform branches have round corners, focal points are filled, and edges on which a
collective of a block may stand are thick. Each kernel's graph is drawn with its outermost ForAlls made uniform, and,
where others are nested in them, once more with all.
"""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.explain.facts import Flow, flow, short
from irgl.analysis.flow.cfg import Vertex
from irgl.analysis.flow.outline import OutlineNode, outline_trees
from irgl.analysis.names.symbols import Checked

_TITLES = {"outer": "outermost loops uniform", "all": "all ForAlls uniform"}

def dot(checked: Checked) -> str:
    """The pictures of a whole program as one graph."""
    lines = ["digraph irgl {", '  node [shape=box fontname="monospace" fontsize=10];', "  edge [fontsize=9];"]
    if checked.entry is not None:
        lines += _cluster("outline", f"outline tree of {checked.entry.name}", _outline(checked))
    for kernel in checked.kernels.values():
        graph = flow(checked, kernel)
        nested = any(len(v.loops) > 0 for v in graph.cfg.vertices if v.kind == "forall")
        for how in ("outer", "all") if nested else ("outer",):
            key = f"flow_{kernel.name}_{how}"
            lines += _cluster(key, f"{kernel.name}: control flow, {_TITLES[how]}", _flow(graph, how, key))
        key = f"dependence_{kernel.name}"
        lines += _cluster(key, f"{kernel.name}: control dependence", _dependence(graph, key))
    return "\n".join([*lines, "}", ""])


def _cluster(key: str, title: str, body: Iterator[str]) -> list[str]:
    return [f"  subgraph cluster_{key} {{", f"    label={_quoted(title)};", *(f"    {b}" for b in body), "  }"]


def _outline(checked: Checked) -> Iterator[str]:
    def visit(n: OutlineNode, above: str) -> Iterator[str]:
        key = f"outline_{n.path.replace('.', '_')}"
        look = "" if n.legal else " style=dashed color=red"
        reasons = [str(r) for r in n.refusals] or ([] if n.legal else ["what is nested in it can't be outlined"])
        yield f"{key} [label={_quoted(n.path, n.word, *reasons)}{look}];"
        if above:
            yield f"{above} -> {key};"
        for c in n.children:
            yield from visit(c, key)

    for tree in outline_trees(checked):
        yield from visit(tree, "")


def _flow(graph: Flow, how: str, key: str) -> Iterator[str]:
    for v in graph.cfg.vertices:
        yield _vertex(v, graph, how, key)
    for e in graph.cfg.edges:
        looks = [f"label={_quoted(e.label)}"] if e.label else []
        if e in graph.focal[how].edges:
            looks.append("penwidth=3")
        yield f"{key}_{e.source.name} -> {key}_{e.target.name}{_looks(looks)};"


def _dependence(graph: Flow, key: str) -> Iterator[str]:
    for v in graph.cfg.vertices:
        yield _vertex(v, graph, "outer", key)
    for v in graph.cfg.vertices:
        for e in sorted(graph.dependences[v], key=lambda e: graph.cfg.edges.index(e)):
            yield f"{key}_{e.source.name} -> {key}_{v.name}{_looks([f'label={_quoted(e.label)}'])};"
        if v is not graph.cfg.start and all(e.source is v for e in graph.dependences[v]):
            yield f"{key}_{graph.cfg.start.name} -> {key}_{v.name};"


def _vertex(v: Vertex, graph: Flow, how: str, key: str) -> str:
    uniform = v in graph.uniform[how]
    styles = [*(["rounded"] if uniform else []), *(["filled"] if v in graph.focal[how].points else [])]
    label = _quoted(f"{v.name}{' (u)' if uniform else ''}", *([short(v)] if v.node is not None else []))
    looks = [f"label={label}", *([f'style="{",".join(styles)}"', "fillcolor=lightgrey"] if styles else [])]
    return f"{key}_{v.name}{_looks(looks)};"


def _looks(looks: list[str]) -> str:
    return f" [{' '.join(looks)}]" if looks else ""


def _quoted(*lines: str) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'
