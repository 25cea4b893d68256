"""The .irgl text front end: a file, with what it imports, as one program."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from irgl.ast import nodes as A
from irgl.frontends.grammar import Grammar
from irgl.frontends.imports import LIBRARY, find, import_lines, read_source
from irgl.source import IrglError, Source


def parse(text: str, path: str = "<text>") -> A.Program:
    """The syntax of one source. Imports are looked up beside `path`, then in the library, for the types they declare.

    Raises IrglError at the first mistake.
    """
    return _Loader().parse(Source(path, text))


def load(path: str | Path) -> A.Program:
    """The program in a file with its imports put in their places: no Import is left.

    An imported Program entry is left out: it belongs to the other file.
    """
    source = read_source(path)
    loader = _Loader()
    return loader.link(loader.parse(source), set())


def load_text(text: str, path: str = "<text>") -> A.Program:
    """As `load`, from a text in memory."""
    loader = _Loader()
    return loader.link(loader.parse(Source(path, text)), set())


class _Loader:
    def __init__(self) -> None:
        self._programs: dict[Path, A.Program] = {}
        self._open: list[Path] = []

    def parse(self, source: Source) -> A.Program:
        known: set[str] = set()
        generics: set[str] = set()
        for line in import_lines(source):
            for decl in self._all_decls(line, source):
                if isinstance(decl, A.Library):
                    (generics if decl.params else known).add(decl.name)
                elif isinstance(decl, A.Struct | A.GraphType):
                    known.add(decl.name)
        generics |= set(_own_generics(source))
        return Grammar(source, known, generics).program()

    def link(self, program: A.Program, seen: set[Path]) -> A.Program:
        decls: list[A.Decl] = []
        for decl in program.decls:
            if not isinstance(decl, A.Import):
                decls.append(decl)
                continue
            assert decl.span is not None
            path = find(decl.path, decl.span.source)
            if path is None:
                self._missing(decl)
            if path in seen:
                continue
            seen.add(path)
            inner = self.link(self._load(path), seen)
            decls.extend(d for d in inner.decls if not isinstance(d, A.Entry))
        return A.Program(tuple(decls), span=program.span)

    def _missing(self, decl: A.Import) -> NoReturn:
        raise IrglError(f'nothing to import at "{decl.path}"', decl.span,
                        "it is looked up beside this file, then in irgl's library: "
                        + ", ".join(sorted(p.name for p in LIBRARY.glob("*.irgl"))))

    def _load(self, path: Path) -> A.Program:
        if path not in self._programs:
            self._open.append(path)
            self._programs[path] = self.parse(read_source(path))
            self._open.pop()
        return self._programs[path]

    def _all_decls(self, name: str, source: Source) -> list[A.Decl]:
        path = find(name, source)
        if path is None or path in self._open:
            return []
        program = self._load(path)
        imports = [d.path for d in program.decls if isinstance(d, A.Import)]
        inner = [d for name in imports for d in self._all_decls(name, read_source(path))]
        return inner + list(program.decls)


def _own_generics(source: Source) -> list[str]:
    found = []
    for line in source.text.split("\n"):
        words = line.strip()
        if words.startswith("library ") and "<" in words:
            found.append(words.removeprefix("library ").partition("<")[0].strip())
    return found
