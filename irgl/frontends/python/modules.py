"""What the names of a Python file mean, read from its text: nothing of it is executed."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

from irgl.frontends.imports import closure as closure_of_text
from irgl.frontends.imports import find, read_source
from irgl.frontends.python.names import Names
from irgl.frontends.python.places import Places, PythonSource, module
from irgl.notation import WORDS
from irgl.source import IrglError, Source

_KINDS = {ast.FunctionDef: "function", ast.AsyncFunctionDef: "function", ast.ClassDef: "class"}


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements outside all functions and classes, those under `if` too."""
    stack: list[ast.stmt] = tree.body[::-1]
    while stack:
        s = stack.pop()
        yield s
        if isinstance(s, ast.If):
            stack.extend(reversed([*s.body, *s.orelse]))


def module_file(node: ast.ImportFrom, source: Source) -> Path | None:
    """The Python file beside `source` that an import takes names from; None where it means an installed module."""
    folder = Path(source.path).parent
    for _ in range(node.level - 1):
        folder = folder.parent
    with contextlib.suppress(OSError, ValueError):
        path = folder.joinpath(*(node.module or "__init__").split(".")).with_suffix(".py")
        if node.module != "irgl" and path.is_file() and "irgl" in path.read_text(encoding="utf-8", errors="ignore"):
            return path.resolve()
    return None


def closure(source: Source) -> list[Source]:
    """`source` and all Python and .irgl files that it takes declarations from, each once."""
    found: list[Source] = [source]
    seen = {Path(source.path).resolve()}
    for each in found:
        more = _mentioned(each) if isinstance(each, PythonSource) else closure_of_text(each)[1:]
        for other in more:
            path = Path(other.path).resolve()
            if path not in seen:
                seen.add(path)
                found.append(other)
    return found


def _mentioned(source: Source) -> list[Source]:
    found = []
    for s in statements(module(source)):
        match s:
            case ast.ImportFrom():
                path = module_file(s, source)
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Assign(value=ast.Call() as call)
                | ast.AnnAssign(value=ast.Call() as call)
            ):
                path = _included(call, source)
            case _:
                continue
        if path is not None:
            found.append(open_file(path))
    return found


def _included(call: ast.Call, source: Source) -> Path | None:
    match call:
        case ast.Call(
            func=ast.Attribute(attr="include") | ast.Name(id="include"), args=[ast.Constant(value=str(name))]
        ):
            return find(name, source)
    return None


def open_file(path: str | Path) -> Source:
    """The text of a file: a PythonSource where it is Python."""
    source = read_source(path)
    return PythonSource(source.path, source.text) if source.path.endswith(".py") else source


def names_of(tree: ast.Module, source: Source) -> Names:
    """The names that a file gives by itself: what it includes or takes from beside it comes to that later."""
    names = Names(Places(source))
    for s in statements(tree):
        match s:
            case ast.Import():
                for a in s.names:
                    if a.name == "irgl":
                        names.packages.add(a.asname or a.name)
                    else:
                        names.foreign[a.asname or a.name.split(".")[0]] = "a Python module"
            case ast.ImportFrom(module="irgl", level=0):
                _words(s, names)
            case ast.ImportFrom() if s.module != "__future__" and module_file(s, source) is None:
                names.foreign.update({a.asname or a.name: f"Python's, from {s.module}" for a in s.names})
    for s in statements(tree):
        _own(s, names)
    return names


def _words(node: ast.ImportFrom, names: Names) -> None:
    for a in node.names:
        if a.name in WORDS:
            names.words[a.asname or a.name] = a.name
        elif a.name != "*":
            names.foreign[a.asname or a.name] = "no word of the notation"


def _own(node: ast.stmt, names: Names) -> None:
    match node:
        case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
            kind = None if isinstance(node, ast.AsyncFunctionDef) else names.decorator(node)
            if kind is not None:
                _declare(node.name, kind[0], node, names)
            else:
                names.foreign[node.name] = f"a Python {_KINDS[type(node)]}, without a decorator of irgl's"
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            number = literal(value)
            word = names.word(value.func) if isinstance(value, ast.Call) else None
            if word in ("scalar", "constant"):
                _declare(name, str(word), node, names)
            elif word == "include":
                names.includes.add(name)
            elif number is not None:
                names.constants[name] = number
            else:
                names.foreign[name] = "a value of the Python text"


def _declare(name: str, kind: str, node: ast.stmt, names: Names) -> None:
    if name in names.declared:
        where = names.places.name(node) if isinstance(node, ast.FunctionDef | ast.ClassDef) else names.places.head(node)
        raise IrglError(f"'{name}' is declared twice", where, "choose another name")
    names.declared[name] = (kind, name)


def literal(node: ast.expr | None) -> int | float | bool | None:
    """The number that an expression is, plain or with a sign; None for any other."""
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None
