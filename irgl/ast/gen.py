"""Makes nodes.py from irgl.asdl, and trees of other notations from theirs: `python -m irgl.ast.gen` rewrites them,
`source()` returns a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
#: The trees of notations, which never leave their rooms: each beside its .asdl file.
TREES = (HERE.parent / "frontends" / "falcon" / "falcon.asdl",)

_BUILTIN = {"identifier": "str", "string": "str", "int": "int", "bool": "bool", "type": "T.Type"}
_TOKEN = re.compile(r"\s*(?:--[^\n]*\n\s*)*([A-Za-z_]\w*|[={}()|,*?])")

_HEADER = '''"""The nodes of the abstract syntax. Made from irgl.asdl by irgl/ast/gen.py: do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field

from irgl.ast import types as T
from irgl.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Any node: compared by identity, never changed; `span` is where it stands in the source."""

    span: Span | None = field(default=None, kw_only=True, repr=False)
'''

_TREE_HEADER = '''"""The syntax of a .{name} file. Made from {file} by irgl/ast/gen.py: do not edit."""

from __future__ import annotations

from dataclasses import dataclass

from irgl.source import Span


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """Any node: compared by identity; `span` is where it stands in the source."""

    span: Span
'''


@dataclass(frozen=True)
class _Field:
    type: str
    mark: str
    name: str


@dataclass(frozen=True)
class _Constructor:
    name: str
    fields: list[_Field]


def parse(text: str) -> dict[str, list[_Constructor]]:
    """The sum types of an ASDL module: name -> its constructors, in the file's order."""
    body = text[text.index("{") + 1 : text.rindex("}")]
    # A trailing newline lets a comment on the last line end.
    tokens = _TOKEN.findall(re.sub(r"--[^\n]*", "", body) + "\n")
    at = 0

    def take(expected: str | None = None) -> str:
        nonlocal at
        token: str = tokens[at]
        if expected is not None and token != expected:
            raise ValueError(f"irgl.asdl: expected {expected!r}, found {token!r}")
        at += 1
        return token

    sums: dict[str, list[_Constructor]] = {}
    while at < len(tokens):
        name = take()
        take("=")
        constructors = []
        while True:
            constructor = take()
            fields = []
            take("(")
            while tokens[at] != ")":
                kind = take()
                mark = take() if tokens[at] in "*?" else ""
                fields.append(_Field(kind, mark, take()))
                if tokens[at] == ",":
                    take()
            take(")")
            constructors.append(_Constructor(constructor, fields))
            if at >= len(tokens) or tokens[at] != "|":
                break
            take("|")
        sums[name] = constructors
    return sums


def _union(name: str, constructors: list[_Constructor]) -> str:
    line = f"{name} = " + " | ".join(c.name for c in constructors)
    if len(line) <= 120:
        return line
    return f"{name} = (\n    " + "\n    | ".join(c.name for c in constructors) + "\n)"


def source(asdl: Path = HERE / "irgl.asdl") -> str:
    """The text of nodes.py; of another notation's tree, whose .asdl file is named after the notation."""
    sums = parse(asdl.read_text())
    names = {s: _BUILTIN.get(s) or (c[0].name if len(c) == 1 else s.capitalize()) for s, c in sums.items()}
    names.update(_BUILTIN)
    out = [_TREE_HEADER.format(name=asdl.stem[:3], file=asdl.name) if asdl in TREES else _HEADER]
    for constructors in sums.values():
        for c in constructors:
            out.append(f"\n\n@dataclass(frozen=True, slots=True, eq=False)\nclass {c.name}(Node):\n")
            for f in c.fields:
                kind = names[f.type]
                kind = {"*": f"tuple[{kind}, ...]", "?": f"{kind} | None", "": kind}[f.mark]
                out.append(f"    {f.name}: {kind}\n")
            if not c.fields:
                out.append("    pass\n")
    out.append("\n\n")
    out.extend(_union(names[s], c) + "\n" for s, c in sums.items() if len(c) > 1)
    return "".join(out)


if __name__ == "__main__":
    (HERE / "nodes.py").write_text(source())
    for tree in TREES:
        tree.with_name("tree.py").write_text(source(tree))
