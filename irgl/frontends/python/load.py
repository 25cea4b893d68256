"""The Python front end: decorated functions and classes of a file as one program.

The file is read, not run. docs/python.md describes the notation; live.py does the same for objects in memory.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from irgl.ast import nodes as A
from irgl.ast.visit import deepest
from irgl.frontends.depth import check_depth, too_deep
from irgl.frontends.imports import LIBRARY, find
from irgl.frontends.python.declarations import declaration, included
from irgl.frontends.python.modules import module_file, names_of, open_file, statements
from irgl.frontends.python.names import Names, of_decls
from irgl.frontends.python.places import Places, PythonSource, module
from irgl.frontends.text.load import link, with_arrays
from irgl.source import IrglError, Source, Span


def programs(source: Source) -> list[str]:
    """The names of the programs in a Python text, in order."""
    tree = module(source)
    names = names_of(tree, source)
    return [
        s.name
        for s in statements(tree)
        if isinstance(s, ast.FunctionDef) and (names.decorator(s) or ("",))[0] == "program"
    ]


def load(source: PythonSource) -> A.Program:
    """The program in a Python text with all that it takes from other files; of several the chosen one.

    Raises IrglError at the first mistake.
    """
    chosen = _chosen(source)
    try:
        decls = _read(source, {}).decls
    except RecursionError:
        raise too_deep(file=source.path) from None
    if not decls:
        raise IrglError("there is nothing of irgl's in it", file=source.path,
                        hint="a program needs a function with @irgl.program, a library one with @irgl.kernel")
    kept = tuple(d for d in decls if not isinstance(d, A.Entry) or d.name == chosen)
    return finished(A.Program(kept, span=Span(source, 1, 1, 1, 1)))


def finished(program: A.Program) -> A.Program:
    """`program`, if it is not nested too deeply for what comes after."""
    node, depth = deepest(program)
    check_depth(node.span, depth)
    return with_arrays(program)


def _chosen(source: PythonSource) -> str:
    found = programs(source)
    listed = ", ".join(found)
    if source.chosen and source.chosen not in found:
        raise IrglError(
            f"there is no program '{source.chosen}'",
            file=source.path,
            hint=f"its programs: {listed}" if found else "mark a function with @irgl.program",
        )
    if len(found) > 1 and not source.chosen:
        raise IrglError(
            f"there are several programs: {listed}", file=source.path, hint=f"choose one: {source.path}:{found[0]}"
        )
    return source.chosen or (found[0] if found else "")


@dataclass(frozen=True, slots=True)
class _Module:
    names: Names
    decls: list[A.Decl]


def _read(source: Source, seen: dict[Path, _Module | None]) -> _Module:
    """A file's declarations, with those it takes from others in their places, each file once."""
    tree = module(source)
    names = names_of(tree, source)
    seen[Path(source.path).resolve()] = None
    taken: dict[ast.stmt, list[A.Decl]] = {}
    for s in statements(tree):
        if isinstance(s, ast.ImportFrom):
            taken[s] = _imported(s, source, names, seen)
        elif (path := included(s, names)) is not None:
            taken[s] = _include(path, source, names, seen)
    decls: list[A.Decl] = []
    for s in statements(tree):
        decls.extend(taken.get(s, ()))
        own = declaration(s, names) if s not in taken else None
        if own is not None:
            decls.append(own)
    found = seen[Path(source.path).resolve()] = _Module(names, decls)
    return found


def include(path: Path, seen: dict[Path, _Module | None]) -> tuple[Names | None, list[A.Decl]]:
    """What a file declares but for its programs, where it was not read before, and its names if it is Python."""
    source = open_file(path)
    if path in seen:
        known = seen[path]
        if known is None and not isinstance(source, PythonSource):  # another .irgl file brought it in
            known = _Module(Names(Places(source)), [])
            known.names.declared.update(of_decls(link(source, {path})[1]))
        return (known.names if known is not None else None), []
    if isinstance(source, PythonSource):
        found = _read(source, seen)
        return found.names, [d for d in found.decls if not isinstance(d, A.Entry)]
    reached = set(seen) | {path}
    decls: list[A.Decl] = [d for d in link(source, reached)[1] if not isinstance(d, A.Entry)]
    names = Names(Places(source))
    names.declared.update(of_decls(decls))
    seen.update(dict.fromkeys(reached - set(seen)))
    seen[path] = _Module(names, decls)
    return names, decls


def _include(path: ast.Constant, source: Source, names: Names, seen: dict[Path, _Module | None]) -> list[A.Decl]:
    wanted = str(path.value)
    file = find(wanted, source)
    if file is None:
        raise names.places.refused(
            f'nothing to include at "{wanted}"',
            path,
            "it is looked up beside this file, then in irgl's library: "
            + ", ".join(sorted(p.name for p in LIBRARY.glob("*.irgl"))),
        )
    theirs, decls = include(file, seen)
    if theirs is not None:
        names.declared.update(theirs.declared)
    return decls


def _imported(node: ast.ImportFrom, source: Source, names: Names, seen: dict[Path, _Module | None]) -> list[A.Decl]:
    file = module_file(node, source)
    if file is None:
        return []
    theirs, decls = include(file, seen)
    if theirs is None:  # it imports this file in turn, and is being read
        return decls
    for a in node.names:
        for name in list(theirs.declared) if a.name == "*" else [a.name]:
            here = (a.asname or name) if a.name != "*" else name
            if name in theirs.declared:
                names.declared[here] = theirs.declared[name]
            elif name in theirs.constants:
                names.constants[here] = theirs.constants[name]
            elif name in theirs.words:
                names.words[here] = theirs.words[name]
            else:
                names.foreign[here] = f"Python's, from {node.module}"
    return decls
