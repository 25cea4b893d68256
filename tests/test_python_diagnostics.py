"""What a wrong program in Python is told: the whole message, at the user's own file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irgl.driver import front
from irgl.frontends.load import source_of
from irgl.source import IrglError
from tests.support.diagnostics import Case, cases

FOLDER = Path(__file__).resolve().parent / "diagnostics_python"
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


def test_no_message_speaks_of_the_other_notation() -> None:
    foreign = re.compile(r"ForAll|Invoke|NONE|\bPipe\b|\bIterate\b|\w<\w+>|min=|\{ \.\.\. \}")
    assert [case.name for case in CASES if foreign.search(case.message)] == []
