"""What a wrong program in Python is told: the whole message, at the user's own file and line."""

from __future__ import annotations

import re

import pytest
from support.diagnostics import PATH, Case, cases, wrong_programs
from support.places import TESTS

from irgl.ast.dump_python import dump_python
from irgl.driver import checked_program, front
from irgl.frontends.load import load, source_of
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

FOLDER = TESTS / "frontends" / "python" / "diagnostics"
CASES = list(cases(FOLDER))
#: One message is about the whole file: it names no line.
PLACED = [case for case in CASES if case.name != "two programs"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_whole_message_of(case: Case) -> None:
    with pytest.raises(IrglError) as caught:
        front(source_of(FOLDER / "user.py", case.text))
    assert str(caught.value).replace(f"{FOLDER}/", "") == case.message


@pytest.mark.parametrize("case", PLACED, ids=str)
def test_the_carets_stand_under_words_of_the_line_that_is_named(case: Case) -> None:
    head, quoted, carets = case.message.split("\n")[:3]
    place = re.match(r"user\.py:(\d+):(\d+): error: ", head)
    assert place is not None
    assert quoted[4:] == case.text.split("\n")[int(place[1]) - 1]
    assert carets.index("^") == 4 + int(place[2]) - 1
    assert quoted[carets.rindex("^")] != " "


#: Words and signs of IrGL that no author of a Python program should be told.
FOREIGN = re.compile(r"ForAll|Invoke|NONE|Pipe|Iterate|\w<\w+>|min=|max=|xchg=|\{ \.\.\. \}|\bWL\b|Initial|"
                     r"Kernel|Program|\bIn\b|auto |&&|\|\||Atomic|Exclusive|Retry|Respawn|\w;$")


def test_no_message_speaks_of_the_other_notation() -> None:
    assert [case.name for case in CASES if FOREIGN.search(case.message)] == []


#: What is wrong in IrGL, and in Python cannot be said or is right: a call says what it calls, a loop where it stands.
NO_TWIN = ("struct lit not struct", "invoke function", "forall program")
TWINS = [case for case in wrong_programs() if case.name not in NO_TWIN]


@pytest.mark.parametrize("case", TWINS, ids=str)
def test_a_mistake_in_irgl_is_one_in_python_and_told_in_its_words(case: Case) -> None:
    text = dump_python(load_text(case.text, PATH))
    source = source_of(PATH.replace(".irgl", ".py"), text)
    with pytest.raises(IrglError) as caught:
        checked_program(load(source), source)
    assert caught.value.file or (caught.value.span is not None and caught.value.span.source is source)
    assert FOREIGN.search(f"{caught.value.message}\n{caught.value.hint}") is None
