"""Whatever a .gt file holds: a checked program that prints as itself, or an error with a place in the file, and never
another exception, and soon.

300 broken programs in CI, 5,000 in `make matrix`.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from support.choices import Seeded
from support.complaints import complaint, complaints, inside
from support.mutate_gt import mutant
from support.places import PROGRAMS
from support.random_gt_programs import program

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.driver import front
from irgl.frontends.load import open_source
from irgl.frontends.text.load import load_text
from irgl.source import IrglError, Source

TEXTS = [p.read_text() for p in sorted((PROGRAMS / "gt").glob("*.gt"))] + [program(Seeded(k)).text for k in range(20)]
BATCH = 100
EMPTY = "the file is empty"


def reads(text: str) -> bool:
    checked = front(Source("m.gt", text))
    return difference(checked.program, _again(checked.program)) is None


def _again(found: A.Program) -> A.Program:
    return load_text(dump(found)) if found.decls else found


def complaint_of(text: str) -> str | None:
    started = time.process_time()
    found = complaint(lambda: reads(text), lambda e: EMPTY not in e.message and not inside(e.span, text))
    return "it takes seconds" if found is None and time.process_time() - started > 2 else found


@pytest.mark.parametrize("batch", [*range(3), *(pytest.param(k, marks=pytest.mark.matrix) for k in range(3, 50))])
def test_a_broken_program_is_read_or_refused_with_a_place(batch: int) -> None:
    assert complaints(complaint_of, lambda k: mutant(TEXTS, k), range(batch * BATCH, (batch + 1) * BATCH)) == []


def test_a_program_that_ends_anywhere_is_refused_with_a_place() -> None:
    text = TEXTS[0]
    assert [found for k in range(0, len(text), 17) if (found := complaint_of(text[:k])) is not None] == []


def test_a_character_anywhere_is_read_or_refused_with_a_place() -> None:
    rng, text = random.Random(1), TEXTS[1]
    for sign in "\0\x1a\x7f\xa0\xe9\u2028\ufeff\U0001f600":
        at = rng.randrange(len(text))
        assert complaint_of(text[:at] + sign + text[at:]) is None, repr(sign)


def test_bytes_of_any_kind_are_refused(tmp_path: Path) -> None:
    rng, file = random.Random(2), tmp_path / "m.gt"
    for length in (1, 2, 7, 100, 5000):
        file.write_bytes(rng.randbytes(length))
        with pytest.raises(IrglError) as caught:
            front(open_source(file))
        assert str(caught.value).startswith(f"{file}")


@pytest.mark.parametrize("shape", ["(", "((((1", "[", "{", "not ", "-", "a(", "a[", "1 + (", "a.b("])
def test_a_million_signs_are_refused_where_they_are_too_many(shape: str) -> None:
    text = "func main() x = " + shape * (1_000_000 // len(shape))
    assert complaint_of(text) is None
