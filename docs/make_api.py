"""Makes docs/api.md from the docstrings: `python docs/make_api.py`. It reads the files, and imports none of them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
#: A section: its title, what its names are called by, the files, and the names wanted (none: every public one).
SECTIONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("irgl", "irgl.", ("api",), ()),
    ("Compiled programs", "", ("rt/call/callable",), ("Program",)),
    ("Functions that .gt files export", "", ("rt/call/library",), ()),
    ("Answers", "", ("rt/call/answer",), ()),
    ("Graphs in memory", "", ("rt/graphs/in_memory",), ("InMemory",)),
    ("Graphs", "", ("rt/graphs/graph",), ()),
    ("Loading", "", ("rt/graphs/loading",), ("Loading",)),
    ("Meshes", "", ("rt/meshes/meshes",), ("Mesh", "load_mesh", "save_mesh", "subsegments")),
    ("What a compiled program is called with", "", ("rt/manifests/manifest",),
     ("Property", "GraphParam", "Param", "Scheduled", "Manifest")),
    ("Runs", "", ("rt/call/run", "rt/results/result"), ("Options", "Outcome", "Values", "Result")),
    ("Plans", "", ("options", "plan"), ()),
    ("Mistakes", "", ("source",), ()),
    ("The notation", "", ("notation",), ("Definition", "Word", "Scalar", "Include", "word")),
    ("irgl.builder: programs", "builder.", ("builder",), ()),
    ("irgl.builder: declarations", "builder.", ("frontends/calls/declarations",), ()),
    ("irgl.builder: expressions and types", "builder.", ("frontends/calls/expressions",), ()),
    ("irgl.builder: statements", "builder.", ("frontends/calls/statements",), ()),
)
HEAD = """# API

Every public function, class and method of irgl, from its docstring; `python docs/make_api.py` makes this page.
How they are used: the [tutorial](tutorial.md), and [programs in Python](python.md), where the words of the notation are
(`irgl.kernel`, `irgl.node`, `irgl.pipe` and the others). n is the number of nodes, m that of edges; times end in `_ms`
(milliseconds) or `_ns`. `IrglError` is what any mistake of the caller's raises.
"""


class Entry(NamedTuple):
    """A function, class or method: where it is, its name as users write it, its signature and its docstring."""

    file: str
    title: str
    node: Function | ast.ClassDef
    doc: str
    member: bool = False


def entries(prefix: str, files: tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[Entry]:
    """The entries of a section, in the files' order."""
    for file in files:
        for node in ast.parse((ROOT / "irgl" / f"{file}.py").read_text()).body:
            if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
                continue
            if wanted and node.name not in wanted:
                continue
            if isinstance(node, Function):
                yield Entry(file, prefix + _call(node), node, _doc(node))
                continue
            yield Entry(file, prefix + node.name, node, _doc(node))
            for inner in node.body:
                if isinstance(inner, Function) and (not inner.name.startswith("_") or inner.name == "__call__"):
                    yield Entry(file, _member(node.name, inner), inner, _doc(inner), member=True)


def _doc(node: Function | ast.ClassDef) -> str:
    return inspect.cleandoc(ast.get_docstring(node, clean=False) or "")


def _decorators(node: Function) -> set[str]:
    return {ast.unparse(d) for d in node.decorator_list}


def _member(owner: str, node: Function) -> str:
    if "property" in _decorators(node):
        return f"{owner}.{node.name}" + (f": {ast.unparse(node.returns)}" if node.returns else "")
    called = _call(node, bound="staticmethod" not in _decorators(node))
    return owner.lower() + called.removeprefix("__call__") if node.name == "__call__" else f"{owner}.{called}"


def _call(node: Function, bound: bool = False) -> str:
    """NAME(arguments) -> result, the bound first argument left out."""
    arguments = ast.unparse(node.args)
    if bound:
        arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    return f"{node.name}({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def definitions() -> dict[str, str]:
    """What irgl.kernel and the others of their kind do, as irgl/notation.py says."""
    for node in ast.parse((ROOT / "irgl" / "notation.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DEFINES":
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    raise AssertionError("irgl/notation.py has no DEFINES")


def page() -> str:
    """The text of docs/api.md."""
    parts = [HEAD]
    parts.append("## What begins a definition\n\nThe other words are in [programs in Python](python.md).\n")
    parts += [f"### `irgl.{name}`\n\n{text}\n" for name, text in definitions().items()]
    shipped = ast.get_docstring(ast.parse((ROOT / "irgl" / "programs.py").read_text()))
    parts.append(f"## irgl.programs\n\n{shipped}\n")
    for title, prefix, files, wanted in SECTIONS:
        module = " and ".join(f"`irgl.{f.replace('/', '.')}`" for f in files)
        parts.append(f"## {title}\n\nIn {module}.\n")
        parts += [_entry(e) for e in entries(prefix, files, wanted)]
    return "\n".join(parts)


def _entry(e: Entry) -> str:
    """A heading with the name alone, the signature, the docstring."""
    name = re.match(r"[\w.]+", e.title)
    assert name is not None
    head = f"{'####' if e.member else '###'} `{name[0]}`\n\n"
    signature = "" if name[0] == e.title else f"```python\n{e.title}\n```\n\n"
    return f"{head}{signature}{e.doc}\n"


if __name__ == "__main__":
    PAGE.write_text(page())
