"""Programs of decorated functions in memory: what names mean is asked of Python, what they do is read from their text.

So a program may use kernels of other modules, of earlier cells of a notebook, and numbers that Python has computed.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import linecache
import types
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irgl.ast import nodes as A
from irgl.frontends.depth import too_deep
from irgl.frontends.imports import find
from irgl.frontends.python.declarations import declaration
from irgl.frontends.python.load import finished, include
from irgl.frontends.python.names import Names
from irgl.frontends.python.places import Places, PythonSource, module
from irgl.frontends.scalars import plain
from irgl.notation import MISSING, TYPES, Constant, Definition, Include, Scalar
from irgl.source import IrglError, Source, Span


def load_definition(program: Definition) -> tuple[A.Program, list[Source]]:
    """The program of a function with @irgl.program, and the texts that it comes from, its own first.

    Raises IrglError at the first mistake, and where a text is not at hand.
    """
    reader = _Reader()
    try:
        own = reader.source(program.file, program.globals, program.__name__)
        decls = reader.all(program)
    except RecursionError:
        raise too_deep(file=program.file) from None
    used = {d.span.source.path: d.span.source for d in decls if d.span is not None}
    sources = [own, *(s for s in used.values() if s.path != own.path)]
    return finished(A.Program(tuple(decls), span=Span(own, 1, 1, 1, 1))), sources


@dataclass(slots=True)
class _Text:
    """A text, its syntax, and what its names are at the top."""

    source: Source
    tree: ast.Module
    globals: dict[str, Any]


@dataclass(slots=True)
class _Reader:
    """texts: by file. order: every declaration found, by object, with the place that it stands at."""

    texts: dict[str, _Text] = field(default_factory=dict)
    included: dict[Path, Any] = field(default_factory=dict)
    order: dict[int, tuple[tuple[int, int], list[A.Decl]]] = field(default_factory=dict)
    scalars: dict[int, str] = field(default_factory=dict)

    def source(self, file: str, namespace: dict[str, Any], name: str) -> Source:
        """The text in which `name` stands. IrglError where it is not at hand."""
        if file not in self.texts:
            text = "".join(linecache.getlines(file, namespace))
            if not text:
                raise IrglError(
                    f"the text of '{name}' is not at hand",
                    hint="programs are read from their text: write "
                    "them in a file or a notebook, or build them with irgl.builder",
                    file=file,
                )
            source = PythonSource(file, text)
            self.texts[file] = _Text(source, module(source), namespace)
        return self.texts[file].source

    def all(self, program: Definition) -> list[A.Decl]:
        """The declarations that a program reaches, in the order of their texts, the program last."""
        self.add(program)
        mine = self.order.pop(id(program))
        found = sorted(self.order.values(), key=lambda entry: entry[0])
        return [d for _, decls in [*found, mine] for d in decls]

    def add(self, definition: Definition) -> None:
        """Puts a definition in, and all that it uses."""
        self.source(definition.file, definition.globals, definition.__name__)
        text = self.texts[definition.file]
        node = _place(text.tree, definition.__name__, definition.line)
        if node is None:
            raise IrglError(
                f"the text of '{definition.__name__}' is not at hand: its file has changed",
                file=definition.file,
                hint="import it again",
            )
        place = (list(self.texts).index(definition.file), node.lineno)
        self.order[id(definition)] = (place, [])
        names = self.names(node, definition.find, text.source)
        made = declaration(node, names)
        assert made is not None, definition
        self.order[id(definition)] = (place, [made])

    def names(self, node: ast.stmt, find_name: Any, source: Source) -> Names:
        """What the names in a definition mean."""
        names = Names(Places(source))
        for name in sorted(_mentioned(node)):
            value = find_name(name)
            if value is MISSING and keyword.iskeyword(name):
                value = find_name(f"{name}_")
            if value is MISSING:
                value = getattr(builtins, name, MISSING)
            self.classify(name, value, names)
        return names

    def classify(self, name: str, value: Any, names: Names) -> None:
        """Enters what an object means under a name, and puts in what it declares."""
        match value:
            case types.ModuleType(__name__="irgl"):
                names.packages.add(name)
            case Definition():
                names.declared[name] = (value.irgl_kind, value.__name__)
                if id(value) not in self.order and value.irgl_kind != "program":
                    self.add(value)
            case Scalar() | Constant():
                names.declared[name] = (value.irgl_word, self.scalar(name, value))
            case Include():
                names.includes.add(name)
            case bool() | int() | float():
                names.constants[name] = value
            case _ if hasattr(value, "irgl_word"):
                names.words[name] = value.irgl_word
            case _ if plain(value) is not value:
                names.constants[name] = plain(value)
            case _ if value is MISSING or getattr(builtins, name, MISSING) is value or name in TYPES:
                pass
            case types.ModuleType():
                names.foreign[name] = "a Python module"
            case types.FunctionType():
                names.foreign[name] = "a Python function, without a decorator of irgl's"
            case _:
                names.foreign[name] = f"a Python {type(value).__name__}"
        if isinstance(value, Include):
            self.include(names, value)

    def include(self, names: Names, value: Include) -> None:
        """The declarations of an included file."""
        path = find(value.path, Source(value.file, ""))
        if path is None:
            raise IrglError(
                f'nothing to include at "{value.path}"',
                file=value.file,
                hint="it is looked up beside this file, then in irgl's library",
            )
        theirs, decls = include(path, self.included)
        if theirs is not None:
            names.declared.update({n: d for n, d in theirs.declared.items() if n not in names.declared})
        if decls:
            self.order[id(value)] = ((-1, len(self.order)), decls)

    def scalar(self, name: str, value: Scalar | Constant) -> str:
        """The name of a scalar or constant in the program: that by which it was first met."""
        if id(value) not in self.scalars:
            self.scalars[id(value)] = name
            self.source(value.file, value.globals, name)
            text = self.texts[value.file]
            node = next((s for s in ast.walk(text.tree) if _assigns(s, value.line)), None)
            if node is None:
                raise IrglError(
                    f"the text of '{name}' is not at hand: its file has changed",
                    file=value.file,
                    hint="import it again",
                )
            assert isinstance(node, ast.stmt)
            names = self.names(node, lambda n: value.globals.get(n, MISSING), text.source)
            made = declaration(node, names)
            assert isinstance(made, A.Global | A.Constant), node
            place = (list(self.texts).index(value.file), node.lineno)
            self.order[id(value)] = (place, [replace(made, name=name)])
        return self.scalars[id(value)]


def _mentioned(node: ast.stmt) -> Iterator[str]:
    """The names in a definition, those in quoted types too."""
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            yield n.id
        elif isinstance(n, ast.Global):
            yield from n.names
        elif isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value.isidentifier():
            yield n.value


def _place(tree: ast.Module, name: str, line: int) -> ast.FunctionDef | ast.ClassDef | None:
    """The definition of that name whose decorators begin on a line."""
    for n in ast.walk(tree):
        if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == name:
            first = min([n.lineno, *(d.lineno for d in n.decorator_list)])
            if first <= line <= n.lineno:
                return n
    return None


def _assigns(node: ast.AST, line: int) -> bool:
    """Does an assignment stand on a line?"""
    return isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno <= line <= (node.end_lineno or node.lineno)
