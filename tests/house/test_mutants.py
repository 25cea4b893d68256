"""The planted faults of tests/mutants can be planted in the house as it stands."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from support.places import ROOT, TESTS

sys.path.append(str(TESTS / "mutants"))  # as for the script itself
from faults import ROOMS, Fault, by_room, faults
from run import SURVIVED, Outcome, environment_of, first_failure, refuse_another_irgl

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


FAILING = """import pytest
def test_right(): pass
@pytest.mark.parametrize("x", ["a b[0] - 1"])
def test_wrong(x): assert not x
def test_wrong_too(): assert False
"""


def test_the_first_test_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(FAILING)
    environment = environment_of(tmp_path, tmp_path / "cache")
    assert first_failure(tmp_path, ["test_some.py"], environment) == "test_some.py::test_wrong[a b[0] - 1]"
    assert first_failure(tmp_path, ["test_some.py", "-k", "right"], environment) is None


def test_a_copy_without_its_own_irgl_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "irgl", copy / "irgl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "cpu_rt", copy / "cpu_rt")
    refuse_another_irgl(copy, environment_of(copy, tmp_path / "cache"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError, match="the tests would not see the fault"):
        refuse_another_irgl(tmp_path / "empty", environment_of(ROOT, tmp_path / "other"))


def test_what_comes_of_a_fault_says_who_noticed() -> None:
    assert str(Outcome(FAULTS[0], None, 3.0, expected=False)).split()[1:] == ["3", "s", SURVIVED]
    assert str(Outcome(FAULTS[0], "a.py::t", 3.0, expected=True)).endswith(" 3 s  a.py::t")
    assert str(Outcome(FAULTS[0], "a.py::t", 3.0, expected=False)).endswith(" a.py::t (not where it was expected)")
