"""Whatever .irgl says, Python says, too: both give the same syntax."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.diagnostics import PATH, Case, right_programs
from support.programs import EVERY, PLACE, SHIPPED, path_of
from support.random_programs import RandomProgram, programs
from support.through_builder import rebuilt

from irgl.ast import nodes as A
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.visit import difference, walk
from irgl.frontends.load import load, open_source, source_of
from irgl.frontends.text.load import load_text

IN_PYTHON = sorted(path.stem for path in (PLACE / "python").glob("*.py"))
_DOC = (PLACE.parent / "docs" / "language.md").read_text()
EXAMPLES = [m[1] for m in re.finditer(r"^```irgl[^\n]*\n(.*?)^```", _DOC, re.MULTILINE | re.DOTALL)]


def same(a: A.Program, b: A.Program) -> None:
    found = difference(a, b)
    shown = None if found is None else [dump(x) if isinstance(x, A.Node) else x for x in found]
    assert shown is None


def through_python(program: A.Program, path: str) -> A.Program:
    """The program that the Python text of `program` says."""
    return load(source_of(f"{path}.py", dump_python(program)))


def test_five_programs_are_in_python() -> None:
    assert set(IN_PYTHON) >= {"bfs", "sssp_nf", "pr", "mst", "dmr"}


@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_program_in_python_is_the_one_in_irgl(name: str) -> None:
    same(load(open_source(PLACE / "python" / f"{name}.py")), load(open_source(PLACE / f"{name}.irgl")))


@pytest.mark.parametrize("name", IN_PYTHON)
def test_the_head_of_a_program_in_python_is_that_in_irgl(name: str) -> None:
    text = (PLACE / f"{name}.irgl").read_text()
    head = [line.removeprefix("//").removeprefix(" ") for line in text[: text.index("\n\n")].split("\n")]
    assert (PLACE / "python" / f"{name}.py").read_text().startswith('"""' + "\n".join(head) + '\n"""\n')


@pytest.mark.parametrize("name", SHIPPED)
def test_every_program_goes_through_python(name: str) -> None:
    program = load(open_source(path_of(name)))
    same(through_python(program, str(PLACE / name)), program)


@pytest.mark.parametrize("case", right_programs(), ids=str)
def test_every_accepted_program_goes_through_python(case: Case) -> None:
    program = load_text(case.text, PATH)
    same(through_python(program, PATH), program)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_of_the_language_goes_through_python(number: int) -> None:
    program = load_text(EXAMPLES[number], "example.irgl")
    same(through_python(program, "example"), program)


def test_every_kind_of_node_goes_through_python() -> None:
    texts = [*EXAMPLES, *(case.text for case in right_programs())]
    read = [load_text(text, PATH) for text in texts] + [load(open_source(PLACE / f"{name}.irgl")) for name in EVERY]
    seen = {type(node) for program in read for node in walk(through_python(program, PATH))}
    every = {n for n in vars(A).values() if isinstance(n, type) and issubclass(n, A.Node)} - {A.Node}
    assert every - seen == {A.Import}  # which is replaced by what it brings


@given(programs())
@settings(max_examples=60, deadline=None)
def test_random_programs_go_through_python(program: RandomProgram) -> None:
    syntax = load_text(program.text, "random.irgl")
    same(through_python(syntax, "random"), syntax)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_program_goes_through_the_builder(name: str) -> None:
    program = load(open_source(path_of(name)))
    same(rebuilt(program), program)


@given(programs())
@settings(max_examples=60, deadline=None)
def test_random_programs_go_through_the_builder(program: RandomProgram) -> None:
    syntax = load_text(program.text, "random.irgl")
    same(rebuilt(syntax), syntax)


def test_the_text_in_python_is_python_that_can_be_imported(tmp_path: Path) -> None:
    for name in EVERY:
        path = tmp_path / f"{name}.py"
        path.write_text(dump_python(load(open_source(PLACE / f"{name}.irgl"))))
        exec(compile(path.read_text(), str(path), "exec"), {})
