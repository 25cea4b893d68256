"""What is kept of a checked program: its tables when it is checked again, and what analyses have found."""

from __future__ import annotations

import pytest

from irgl.analysis.check import check
from irgl.analysis.effects.effects import kernel_effects
from irgl.analysis.names.once import once
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.frontends.text.load import load_text
from irgl.passes import turn_continues
from irgl.source import IrglError

TEXT = """
graph Graph { node int p = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.p = 1; } }
Program main(Graph g) { Invoke k(g); }
"""
#: A form of push that passes write, and users can't.
AGGREGATED = """
graph Graph { node int p = 0; }
Kernel k(Graph g, list<node> found) { ForAll (n In g.nodes) { long at = found.reserve_warp(1); n.p = 1; } }
Program main(Graph g) { list<node> found; Invoke k(g, found); }
"""


def loaded(text: str = TEXT) -> A.Program:
    return load_text(text, "p.irgl")


def test_what_was_checked_has_the_same_tables_when_it_is_checked_again() -> None:
    first = check(loaded())
    assert check(first.program).types is first.types


def test_what_is_noted_beside_the_tables_is_not_there_when_a_program_is_checked_again() -> None:
    first = check(loaded())
    first.dedup, first.buffer = "bits", 64
    again = check(first.program)
    assert (again.dedup, again.buffer) == ("flags", 0)


def test_what_a_pass_may_write_is_refused_of_users_though_it_has_been_checked() -> None:
    program = loaded(AGGREGATED)
    check(program, lowered=True)
    with pytest.raises(IrglError):
        check(program)


def test_what_users_may_write_is_checked_for_passes_too() -> None:
    first = check(loaded())
    assert check(first.program, lowered=True).lowered


def test_another_program_of_the_same_parts_is_checked_by_itself() -> None:
    first = check(loaded())
    other = A.Program(first.program.decls, span=first.program.span)
    assert check(other).types is not first.types


def test_effects_are_found_once() -> None:
    checked = check(loaded())
    kernel = checked.kernels["k"]
    assert kernel_effects(checked, kernel) is kernel_effects(checked, kernel)


def test_nothing_is_kept_while_the_tables_are_being_made() -> None:
    checked = check(loaded())
    unfinished = Checked(checked.program)
    found = once(lambda c: len(c.types))
    assert found(unfinished) == 0
    unfinished.types = checked.types
    assert found(unfinished) == len(checked.types) > 0


def test_what_is_found_depends_on_what_is_asked() -> None:
    checked = check(loaded())
    double = once(lambda _, x: 2 * x)
    assert (double(checked, 1), double(checked, 2)) == (2, 4)


def test_a_program_without_continues_is_the_same_when_they_have_been_turned() -> None:
    program = loaded()
    assert turn_continues.run(program) is program


def test_a_program_with_one_is_not() -> None:
    program = loaded(TEXT.replace("n.p = 1;", "if (n.p > 2) { continue; } n.p = 1;"))
    assert not any(isinstance(n, A.Continue) for n in walk(turn_continues.run(program)))
