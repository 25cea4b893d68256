"""Whatever the Python text: a program or an error inside it, never another exception."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.diagnostics import cases
from support.mutate_python import mutant

from irgl.ast.check import verify
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference
from irgl.driver import checked_program
from irgl.frontends.load import load, source_of
from irgl.source import IrglError

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(__file__).resolve().parent / "diagnostics_python"
_PAGE = (ROOT / "docs" / "python.md").read_text()
TEXTS = [
    *(p.read_text() for p in sorted((ROOT / "programs" / "python").glob("*.py")) if p.stem != "dmr"),
    *(m[1] for m in re.finditer(r"^```python[^\n]*\n(.*?)^```", _PAGE, re.MULTILINE | re.DOTALL)),
    *(case.text for case in cases(FOLDER)),
]
BATCH = 200
#: What the verifier finds in programs that can be read, and the analysis tells their users.
FOR_THE_ANALYSIS = ("leaves no sequential loop", "stands in no loop", "has a label twice")


def complaint(text: str) -> str | None:
    """What is wrong with how a text is taken; None where nothing is."""
    source = source_of(FOLDER / "mutant.py", text)
    try:
        program = load(source)
        verify(program)
        again = load(source_of(FOLDER / "mutant.py", dump_python(checked_program(program, source).program)))
        if difference(program, again) is not None:
            return "it prints as something else"
    except IrglError as e:
        if e.span is None and e.file is None:
            return f"an error without a place: {e}"
        lines = text.split("\n")
        if e.span is not None and e.span.source is source and not (
            1 <= e.span.line <= len(lines) and 1 <= e.span.column <= len(lines[e.span.line - 1]) + 1
        ):
            return f"an error outside the text: {e}"
    except AssertionError as e:
        if not any(known in str(e) for known in FOR_THE_ANALYSIS):
            return repr(e)
    except Exception as e:
        return repr(e)
    return None


def failures(seeds: range) -> list[str]:
    return [f"mutant {seed}: {problem}" for seed in seeds if (problem := complaint(mutant(TEXTS, seed))) is not None]


@pytest.mark.parametrize("batch", range(5))
def test_a_broken_program_is_read_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []


@pytest.mark.matrix
@pytest.mark.parametrize("batch", range(5, 105))
def test_one_of_many_broken_programs_is_read_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []
