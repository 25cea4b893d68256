"""Whatever the text: a program or an error inside it, never another exception, and soon."""

from __future__ import annotations

import time

import pytest
from support import complaints as common
from support.complaints import inside
from support.mutate import mutant
from support.places import PROGRAMS, ROOT

from irgl.ast.check import verify
from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.frontends.text.load import parse
from irgl.frontends.text.tokens import tokens
from irgl.source import IrglError

TEXTS = [p.read_text() for p in sorted([*ROOT.glob("programs/*.irgl"), *ROOT.glob("irgl/lib/*.irgl")])]
BATCH = 100


def complaint(text: str) -> str | None:
    """What is wrong with how the parser takes `text`; None where nothing is."""
    path = str(PROGRAMS / "mutant.irgl")
    started = time.process_time()

    def reads() -> bool:
        program = parse(text, path)
        verify(program)
        return difference(program, parse(dump(program), path)) is None

    found = common.complaint(reads, lambda e: e.span is None or e.span.source.text != text or not inside(e.span, text))
    slow = time.process_time() - started > 1
    return "it took more than a second" if found is None and slow else found


def failures(seeds: range) -> list[str]:
    return common.complaints(complaint, lambda seed: mutant(TEXTS, seed), seeds)


@pytest.mark.parametrize("batch", range(5))
def test_a_broken_program_is_parsed_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []


@pytest.mark.matrix
@pytest.mark.parametrize("batch", range(5, 105))
def test_one_of_many_broken_programs_is_parsed_or_refused_with_a_place(batch: int) -> None:
    assert failures(range(batch * BATCH, (batch + 1) * BATCH)) == []


def test_the_tokens_of_a_broken_program_are_listed_or_refused_with_a_place() -> None:
    for seed in range(300):
        text = mutant(TEXTS, seed)
        try:
            tokens(text)
        except IrglError as e:
            assert inside(e.span, text), seed
