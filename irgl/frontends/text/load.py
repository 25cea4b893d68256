"""The .irgl text front end: a file, with what it imports, as one program."""

from __future__ import annotations

import re
from pathlib import Path

from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.frontends.imports import LIBRARY, closure, find, imports, read_source
from irgl.frontends.kept import kept
from irgl.frontends.raw import blank_comments
from irgl.frontends.text import parts
from irgl.frontends.text.base import own_types
from irgl.frontends.text.grammar import Grammar
from irgl.source import IrglError, Source


def parse(text: str, path: str = "<text>") -> A.Program:
    """The syntax of one source. Imports are looked up beside `path`, then in the library, for the types they declare.

    Raises IrglError at the first mistake.
    """
    return _parse(Source(path, text))


def load(path: str | Path) -> A.Program:
    """The program in a file with its imports put in their places: no Import is left.

    An imported Program entry is left out: it belongs to the other file. Each file is put in once, where it is first
    imported; files may import each other in a circle. Raises IrglError at the first mistake.
    """
    return _linked(read_source(path))


def load_text(text: str, path: str = "<text>") -> A.Program:
    """As `load`, from a text in memory."""
    return _linked(Source(path, text))


def _parse(source: Source) -> A.Program:
    known: set[str] = set()
    generics: set[str] = set()
    for each in closure(source)[1:]:
        plain, generic = own_types(blank_comments(each))
        known |= plain
        generics |= generic
    held = kept()
    return Grammar(source, known, generics).program() if held is None else parts.parse(source, known, generics, held)


#: The first line of a graph's file, as no program begins.
_GRAPH = re.compile(r"\s*(?:%%MatrixMarket\b|(?:c\b[^\n]*\n+)*p (?:sp|tw|aux) |\d+[ \t,]+\d+[ \t\d.,]*(?:\n|$))")


def _linked(source: Source) -> A.Program:
    if _GRAPH.match(source.text) is not None:
        raise IrglError("this is a graph, not a program", file=source.path,
                        hint=f"the program comes first: irglc run PROGRAM --graph {source.path}")
    program, imported = link(source, {Path(source.path).resolve()})
    return with_arrays(A.Program(tuple(imported), span=program.span))


def with_arrays(program: A.Program) -> A.Program:
    """The program with what a parameter of several values is made of, where it has one and doesn't import that."""
    wanted = any(isinstance(n, A.Param) and isinstance(n.type, T.Vector) for d in program.decls for n in walk(d))
    if not wanted or any(not isinstance(d, A.Import) and d.name == "array" for d in program.decls):
        return program
    return A.Program((*_parse(read_source(LIBRARY / "array.irgl")).decls, *program.decls), span=program.span)


def link(source: Source, seen: set[Path]) -> tuple[A.Program, list[A.Decl]]:
    """The syntax of a source as it stands, and all its declarations with those of its imports in their places.

    seen: the files that are in already; those that come in join it.
    """
    for name, span in imports(source):
        if find(name, source) is None:
            raise IrglError(f'nothing to import at "{name}"', span,
                            "it is looked up beside this file, then in irgl's library: "
                            + ", ".join(sorted(p.name for p in LIBRARY.glob("*.irgl"))))
    program = _parse(source)
    decls: list[A.Decl] = []
    for decl in program.decls:
        if not isinstance(decl, A.Import):
            decls.append(decl)
            continue
        path = find(decl.path, source)
        assert path is not None, decl
        if path not in seen:
            seen.add(path)
            _, inner = link(read_source(path), seen)
            decls.extend(d for d in inner if not isinstance(d, A.Entry))
    return program, decls
