"""No program is special: the compiler and its runtime know none of their names, and none holds opaque C++."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from pathlib import Path

import networkx as nx
import pytest
from support.programs import PLACE, SHIPPED, path_of

from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.load import load, open_source

ROOT = PLACE.parent
#: The backend offers functions under NetworkX's names, one of which a program uses, too.
NETWORKX = set(nx.utils.backends._registered_algorithms)
HOUSE = [path for folder in ("irgl", "cpu_rt", "cuda_rt") for path in sorted((ROOT / folder).rglob("*"))
         if path.is_file() and "__pycache__" not in path.parts]


def _program(name: str) -> A.Program:
    return load(open_source(path_of(name)))


def _head(name: str) -> str:
    """What stands in front of the program's text: a comment, or the docstring."""
    text = path_of(name).read_text(encoding="utf-8")
    if path_of(name).suffix == ".py":
        return text.removeprefix('"""').partition('"""')[0]
    return "\n".join(line.removeprefix("//") for line in takewhile(lambda s: s.startswith("//"), text.splitlines()))


#: Words of the field that a plan or a title has, too.
FIELD = {"community", "clustering"}


@cache
def _words(path: Path) -> set[str]:
    words = set(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
    return words - NETWORKX if "nx_backend" in path.parts else words


def _own_names(name: str) -> set[str]:
    """The names of a program, its kernels and its properties."""
    found: set[str] = set()
    for decl in _program(name).decls:
        match decl:
            case A.Kernel() | A.Entry():
                found.add(decl.name)
            case A.GraphType():
                found |= {p.name for p in decl.properties}
            case _:
                pass
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_of_the_program_occurs_in_the_compiler_or_its_runtime(name: str) -> None:
    own = _own_names(name) - FIELD
    assert {(str(path.relative_to(ROOT)), word) for path in HOUSE for word in _words(path) & own} == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_program_is_written_in_the_language_alone(name: str) -> None:
    assert not any(isinstance(node, A.CBlock) for node in walk(_program(name)))


@pytest.mark.parametrize("name", SHIPPED)
def test_header_says_what_a_reader_must_know(name: str) -> None:
    header = _head(name)
    for word in ("Algorithm:", "Source:", "Complexity:", "Answer:", "Checked by"):
        assert word in header


@pytest.mark.parametrize("name", SHIPPED)
def test_header_names_the_verifier_of_the_program(name: str) -> None:
    clauses = [c for d in _program(name).decls if isinstance(d, A.Entry) for c in d.clauses]
    verifier = next(c.verifier for c in clauses if isinstance(c, A.Verify))
    assert f"Checked by {verifier}." in " ".join(line.strip() for line in _head(name).splitlines())
    places = (path_of(name).parent, PLACE)
    assert any((place / "verifiers" / f"{verifier}.py").is_file() for place in places)
