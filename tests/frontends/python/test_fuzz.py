"""Whatever the Python text: a program or an error inside it, never another exception."""

from __future__ import annotations

import re

import pytest
from support import complaints as common
from support.diagnostics import cases
from support.mutate_python import mutant
from support.places import PROGRAMS, ROOT, TESTS

from irgl.ast.check import verify
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference
from irgl.driver import checked_program
from irgl.frontends.load import load, source_of
from irgl.source import IrglError

FOLDER = TESTS / "frontends" / "python" / "diagnostics"
_PAGE = (ROOT / "docs" / "python.md").read_text()
TEXTS = [
    *(p.read_text() for p in sorted((PROGRAMS / "python").glob("*.py")) if p.stem != "dmr"),
    *(m[1] for m in re.finditer(r"^```python[^\n]*\n(.*?)^```", _PAGE, re.MULTILINE | re.DOTALL)),
    *(case.text for case in cases(FOLDER)),
]
BATCH = 200


def complaint(text: str) -> str | None:
    """What is wrong with how a text is taken; None where nothing is."""
    source = source_of(FOLDER / "mutant.py", text)

    def reads() -> bool:
        program = load(source)
        verify(program)
        again = load(source_of(FOLDER / "mutant.py", dump_python(checked_program(program, source).program)))
        return difference(program, again) is None

    def misplaced(e: IrglError) -> bool:
        if e.span is None:
            return e.file is None
        lines = text.split("\n")
        return e.span.source is source and not (
            1 <= e.span.line <= len(lines) and 1 <= e.span.column <= len(lines[e.span.line - 1]) + 1
        )

    return common.complaint(reads, misplaced)


def failures(seeds: range) -> list[str]:
    return common.complaints(complaint, lambda seed: mutant(TEXTS, seed), seeds)


@pytest.mark.parametrize("batch", range(5))
def test_a_broken_program_is_read_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []


@pytest.mark.matrix
@pytest.mark.parametrize("batch", range(5, 105))
def test_one_of_many_broken_programs_is_read_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []
