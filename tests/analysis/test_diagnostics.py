"""What a wrong program is told: the whole message of each mistake, word for word."""

from __future__ import annotations

import re

import pytest
from support.diagnostics import FOLDER, PATH, Case, wrong_programs

from irgl.analysis.check import check
from irgl.frontends.text.load import load_text
from irgl.source import IrglError

CASES = wrong_programs()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_whole_message_of(case: Case) -> None:
    program = load_text(case.text, PATH)
    with pytest.raises(IrglError) as caught:
        check(program)
    assert str(caught.value).replace(f"{FOLDER}/", "") == case.message


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_carets_stand_under_words_of(case: Case) -> None:
    lines = case.message.split("\n")
    start, end = lines[2].index("^"), lines[2].rindex("^")
    assert lines[1][start] != " " and lines[1][end] != " "


def test_every_kind_of_mistake_is_there() -> None:
    kinds = {re.sub(r"'[^']*'|\d+", "_", case.message.split(" error: ")[1].split("\n")[0]) for case in CASES}
    assert len(kinds) >= 250


def test_names_of_cases_are_unique() -> None:
    names = [str(case) for case in CASES]
    assert len(names) == len(set(names))


def test_most_messages_name_a_remedy() -> None:
    with_hint = sum("\n  hint: " in case.message for case in CASES)
    assert with_hint / len(CASES) > 0.95
