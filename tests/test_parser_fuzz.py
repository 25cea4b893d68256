"""Whatever the text: a program or an error inside it, never another exception, and soon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.mutate import mutant

from irgl.ast.check import verify
from irgl.ast.dump import dump
from irgl.ast.visit import difference
from irgl.frontends.text import parse
from irgl.frontends.tokens import tokens
from irgl.source import IrglError, Span

ROOT = Path(__file__).resolve().parent.parent
TEXTS = [p.read_text() for p in sorted([*ROOT.glob("programs/*.irgl"), *ROOT.glob("irgl/lib/*.irgl")])]
BATCH = 100
#: What the verifier finds in programs that parse, and the analysis tells their users.
FOR_THE_ANALYSIS = ("leaves no sequential loop", "stands in no loop", "has a label twice")


def inside(span: Span | None, text: str) -> bool:
    """Does `span` begin in the text, or right behind one of its lines, and not end before it begins?"""
    if span is None:
        return False
    lines = text.split("\n")
    if not (1 <= span.line <= len(lines) and 1 <= span.column <= len(lines[span.line - 1]) + 1):
        return False
    return (span.line, span.column) < (span.end_line, span.end_column) and span.end_line <= len(lines)


def complaint(text: str) -> str | None:
    """What is wrong with how the parser takes `text`; None where nothing is."""
    started = time.process_time()
    try:
        program = parse(text, str(ROOT / "programs" / "mutant.irgl"))
        verify(program)
        if difference(program, parse(dump(program), str(ROOT / "programs" / "mutant.irgl"))) is not None:
            return "it prints as something else"
    except IrglError as e:
        if e.span is None or e.span.source.text != text:
            return f"an error without a place in the text: {e}"
        if not inside(e.span, text):
            return f"an error outside the text: {e}"
    except AssertionError as e:
        if not any(known in str(e) for known in FOR_THE_ANALYSIS):
            return repr(e)
    except Exception as e:
        return repr(e)
    if time.process_time() - started > 1:
        return "it took more than a second"
    return None


def failures(seeds: range) -> list[str]:
    found = []
    for seed in seeds:
        text = mutant(TEXTS, seed)
        problem = complaint(text)
        if problem is not None:
            found.append(f"mutant {seed}: {problem}")
    return found


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
