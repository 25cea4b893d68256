"""What is said about each mistake in a schedule, to the letter: schedule_errors.txt; and about whole texts."""

from __future__ import annotations

import pytest
from support.diagnostics import cases_in
from support.gt_schedules import LABELS, said
from support.places import TESTS

from irgl.frontends.gt.schedules.labels import Labelled
from irgl.source import IrglError

CASES = [*cases_in(TESTS / "frontends" / "gt" / "schedule_errors.txt")]
BLOCKS = {c.name: c for c in CASES}
ONE = 'program->configApplyDirection("s1", "DensePull");'


def message(text: str, labels: Labelled = LABELS) -> str:
    with pytest.raises(IrglError) as caught:
        said(text, labels=labels)
    assert caught.value.span is not None
    return str(caught.value)


def test_each_case_has_a_name_of_its_own() -> None:
    assert len(BLOCKS) == len(CASES)


@pytest.mark.parametrize("what", BLOCKS)
def test_the_message_about(what: str) -> None:
    assert message(BLOCKS[what].text) == BLOCKS[what].message


def test_a_program_without_labels_is_told_so() -> None:
    assert message(ONE, Labelled({})).splitlines()[0] == (
        "x.gt:1:31: error: there is no label s1: the program has none")


def test_a_mistake_behind_a_program_s_text_has_its_place_in_the_file() -> None:
    text = f'func main()\nend\n  schedule:  {ONE}\nprogram->oops("s0");'
    assert message(text).startswith("x.gt:3:44: error: there is no label s1;")


@pytest.mark.parametrize("text", [
    "(" * 200_000, "program->fuseFields(" + "{" * 100_000, "program" + "->a" * 100_000, "\0", "élan",
    "program->a(1e999);", f"program->a(1{'0' * 5_000});"],
    ids=["parentheses", "lists", "arrows", "binary", "letters", "exponent", "digits"])
def test_what_is_no_schedule_is_refused_where_it_begins_not_to_be(text: str) -> None:
    assert message(text).startswith("x.gt:1:")
