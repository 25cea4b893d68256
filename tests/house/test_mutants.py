"""The planted faults of tests/mutants can be planted in the house as it stands."""

from __future__ import annotations

import pytest
from mutants.faults import ROOMS, Fault, by_room, faults
from support.places import ROOT

FAULTS = faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_its_text_stands_in_its_file_once_and_its_tests_exist(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    planted = fault.planted(text)
    assert planted != text
    # Headers have at most 200 lines: a longer one would be found by its length.
    assert len(planted.splitlines()) == len(text.splitlines())
    assert fault.wrong and fault.shows
    assert fault.tests and [test for test in fault.tests if not (ROOT / test).exists()] == []


def test_there_are_forty_spread_over_all_rooms() -> None:
    found = by_room(FAULTS)
    assert sum(found.values()) >= 40
    assert min(found[room] for room in ROOMS) >= 8


def test_a_text_that_no_longer_stands_in_its_file_is_refused() -> None:
    fault = Fault("gone", "a.py", "x = 1", "x = 2", "", "", ())
    with pytest.raises(ValueError, match=r"gone: its text stands in .* 0 times, and not once"):
        fault.planted("y = 1")
    with pytest.raises(ValueError, match="2 times"):
        fault.planted("x = 1; x = 1")
