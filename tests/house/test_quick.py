"""Which tests `make test` leaves to `make test-all`: what the rules of tests/quick.txt mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.measured import long
from support.quick import QUICK, Rule, left_out, left_to_matrix, resting, rules, slow, some

NAMES = ["a.py::t[0-cpu]", "a.py::t[0-simt]", "a.py::t[10-cpu]", "a.py::u", "b.py::t[0-cpu]"]


@pytest.mark.parametrize(
    ("test", "stays", "out"),
    [
        ("a.py::t", "none", {"a.py::t[0-cpu]", "a.py::t[0-simt]", "a.py::t[10-cpu]"}),
        ("a.py::t", "every 2", {"a.py::t[0-simt]"}),
        ("a.py::t", "only 0", {"a.py::t[10-cpu]"}),
        ("a.py::t", "only 10; simt", {"a.py::t[0-cpu]"}),
        ("a.py::t[0-simt]", "none", {"a.py::t[0-simt]"}),
        ("a.py::u", "none", {"a.py::u"}),
    ],
)
def test_a_rule_leaves_out_what_it_names(test: str, stays: str, out: set[str]) -> None:
    assert left_out(NAMES, [Rule(test, stays, "")]) == (out, [])


@pytest.mark.parametrize(("test", "stays"), [("a.py::gone", "none"), ("a.py::t", "only gpu"), ("a.py::t", "every 1")])
def test_a_rule_that_leaves_out_nothing_or_all_is_told(test: str, stays: str) -> None:
    rule = Rule(test, stays, "")
    assert left_out(NAMES, [rule])[1] == [rule]


def test_every_rule_of_the_table_gives_its_reason() -> None:
    assert [rule.test for rule in rules() if not rule.reason] == []


def test_a_line_without_its_three_parts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("# a remark\n\na.py::t | none\n")
    with pytest.raises(ValueError, match="not enough values"):
        rules(tmp_path / "table.txt")


def test_of_what_waits_all_tests_together_run_every_tenth() -> None:
    names = [f"a.py::t[{k}]" for k in range(13)] + ["a.py::u"]
    rules = [Rule("a.py::t", "only 12", ""), Rule("a.py::u", "none", "")]
    assert left_to_matrix(names, rules) == {f"a.py::t[{k}]" for k in (*range(1, 10), 11)}


def test_a_rule_may_say_that_all_tests_together_run_the_whole() -> None:
    assert left_to_matrix(["a.py::t[0]", "a.py::t[1]"], [Rule("a.py::t", "none", "", whole=True)]) == set()


def test_a_fourth_part_of_a_line_is_one_word(tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("a.py::t | none | repeats | half\n")
    with pytest.raises(ValueError, match="not `whole`"):
        rules(tmp_path / "table.txt")


def test_what_is_quick_takes_one_value_and_another_beside_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(QUICK, raising=False)
    assert some("abc", "text") == "abc"
    monkeypatch.setenv(QUICK, "1")
    assert {some("abc", f"text {k}") for k in range(20)} == {"a", "b", "c"}


def test_of_the_tests_that_take_long_every_sixth_stays() -> None:
    assert resting([f"a.py::t{k}" for k in range(8)]) == {f"a.py::t{k}" for k in (1, 2, 3, 4, 5, 7)}


def test_remarks_are_no_tests_that_take_long(tmp_path: Path) -> None:
    (tmp_path / "slow.txt").write_text("# a remark\n\na.py::t\n")
    assert slow(tmp_path / "slow.txt") == ["a.py::t"]


def test_what_took_two_seconds_in_all_takes_long() -> None:
    told = ["1.50s call     tests/b.py::t[one 1]", "0.50s setup    tests/b.py::t[2]", "1.99s call     tests/a.py::u",
            "2.00s teardown tests/a.py::v", "4 passed in 2.00s"]
    assert long(told) == ["a.py::v", "b.py::t"]
