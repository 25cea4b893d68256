"""Where else a name stands that means the same, and texts in which all of these are written otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from irgl.driver import checked_program
from irgl.editor.analysis import Document, Workspace
from irgl.editor.bindings import Bindings, Meaning, Place
from irgl.frontends.kept import keeping
from irgl.frontends.load import load
from irgl.frontends.python.places import PythonSource
from irgl.source import IrglError, Source, Span

_NAME = re.compile(r"[^\W\d]\w*")


def references(workspace: Workspace, document: Document, line: int, column: int) -> list[Span]:
    """Each place of the texts that are open, and of those that they import, where a name means what it means here.

    line: from 1, column: from 0. Empty where nothing is meant that a text declares, and in notations other than .irgl.
    """
    meaning = _meant(document, line, column)
    if meaning is None:
        return []
    return [_span(b, place, meaning.name) for b in _files(workspace, document) for place in b.places(meaning)]


def highlights(document: Document, line: int, column: int) -> list[Span]:
    """Those of the references that stand in this text: an editor asks wherever the cursor goes."""
    own = _own(document)
    meaning = own.at(line, column) if own is not None else None
    return [] if own is None or meaning is None else [_span(own, place, meaning.name) for place in own.places(meaning)]


def span_of_name(document: Document, line: int, column: int) -> Span | None:
    """The name at a place, if it can be changed; else None."""
    own = _own(document)
    place = own.place_of(line, column) if own is not None else None
    meaning = own.meaning.get(place) if own is not None and place is not None else None
    return _span(own, place, meaning.name) if own is not None and place is not None and meaning is not None else None


def renamed(workspace: Workspace, document: Document, line: int, column: int, name: str) -> list[Span]:
    """The places where a name has to be written otherwise, for it to be called `name`.

    Raises IrglError where it is no name, where the program would then have a mistake or mean something else, and
    where the name stands in a raw block, whose words nobody here understands.
    """
    meaning = _meant(document, line, column)
    if meaning is None:
        raise IrglError("there is no name here that a text declares")
    if not _NAME.fullmatch(name):
        raise IrglError(f"'{name}' is not a name", None, "a name is made of letters, digits and _")
    found = [(b, b.places(meaning)) for b in _files(workspace, document)]
    changed = {str(Path(b.path).resolve()): _rewritten(b, places, name) for b, places in found}
    for b, places in found:
        if meaning.name in b.raw and places:
            raise IrglError(f"'{meaning.name}' also stands in a raw block of {b.path}", None, "rename it by hand")
        if name in b.words.values() or places:
            _compare(workspace, b, changed, meaning, name)
    return [_span(b, place, meaning.name) for b, places in found for place in places]


def _own(document: Document) -> Bindings | None:
    good, checked = document.good, document.checked
    if good is None or checked is None or isinstance(good, PythonSource) or good.text != document.text:
        return None
    return Bindings(checked, good) if good.path.endswith(".irgl") else None


def _meant(document: Document, line: int, column: int) -> Meaning | None:
    own = _own(document)
    return own.at(line, column) if own is not None else None


def _files(workspace: Workspace, document: Document) -> Iterator[Bindings]:
    """The open texts and what they import, each once, this one first."""
    seen: set[Path] = set()
    for d in [document, *workspace.open.values()]:
        own = _own(d)
        if own is None or d.checked is None:
            continue
        for source in [own.source, *(s.span.source for s in d.checked.program.decls if s.span is not None)]:
            path = Path(source.path).resolve()
            if path not in seen and source.path.endswith(".irgl"):
                seen.add(path)
                yield own if source.path == own.path else Bindings(d.checked, source)


def _span(b: Bindings, place: Place, name: str) -> Span:
    return Span(b.source, place[0], place[1], place[0], place[1] + len(name))


def _rewritten(b: Bindings, places: list[Place], name: str) -> str:
    lines = b.source.text.split("\n")
    for line, column in reversed(places):
        text = lines[line - 1]
        lines[line - 1] = text[: column - 1] + name + text[column - 1 + len(b.words[line, column]) :]
    return "\n".join(lines)


def _compare(workspace: Workspace, b: Bindings, changed: dict[str, str], meaning: Meaning, name: str) -> None:
    """IrglError unless each name of a file means afterwards what it means now."""
    path = str(Path(b.path).resolve())
    source = Source(b.path, changed[path])
    before = dict(workspace.kept.texts)
    try:
        workspace.kept.texts.update({Path(p): text for p, text in changed.items()})
        with keeping(workspace.kept):
            program = load(source)
            mistakes = list(workspace.kept.mistakes)
            after = Bindings(checked_program(program, source), source) if not mistakes else None
    except IrglError as e:
        mistakes, after = [e], None
    finally:
        workspace.kept.texts.clear()
        workspace.kept.texts.update(before)
    if after is None:
        raise IrglError(f"with '{name}' for '{meaning.name}' the program would be wrong: {mistakes[0].message}",
                        None, mistakes[0].hint)
    if _shape(b, meaning, name) != _shape(after, meaning, name):
        raise IrglError(f"'{name}' already means something else where '{meaning.name}' is used", None,
                        "choose another name")


def _shape(b: Bindings, meaning: Meaning, name: str) -> list[object]:
    """What each name of a file means, told by the count of the name that declares it: names and places may differ."""
    count = {place: k for k, place in enumerate(sorted(b.words))}
    first: dict[Meaning, int] = {}
    shape: list[object] = []
    for place in sorted(b.words):
        found = b.meaning.get(place)
        if found is None:
            shape.append(None)
        elif found.path == b.path:
            shape.append(first.setdefault(found, count[place]))
        else:
            shape.append(found._replace(name=name) if found == meaning else found)
    return shape
