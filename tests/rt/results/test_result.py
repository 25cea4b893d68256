"""Statistics of results, and the file of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgl.rt.graphs.graph import Graph
from irgl.rt.results.result import Result, Values, exact_sum
from irgl.source import IrglError

GRAPH = Graph(np.zeros(4, np.int32), np.zeros(0, np.int32), node_ids=np.array([10, 20, 40], np.int64))


def result(type_name: str, array: Any, inf: float | None = None, name: str = "p") -> Result:
    return Result({}, {name: Values("node", type_name, array, inf)}, {"g": GRAPH}, {name: "g"})


def statistics(type_name: str, array: Any, inf: float | None = None) -> Any:
    return result(type_name, array, inf).summary()["p"]


@pytest.mark.parametrize(("dtype", "values"), [
    ("int64", [2**63 - 1] * 3),
    ("int64", [-(2**63)] * 3),
    ("int64", [2**63 - 1, -(2**63), -1]),
    ("uint64", [2**64 - 1] * 3),
    ("int32", [2**31 - 1] * 3),
    ("bool", [True, False, True]),
    ("int8", []),
])
def test_sums_of_integers_are_exact(dtype: str, values: list[int]) -> None:
    assert exact_sum(np.array(values, dtype)) == sum(values)


def test_a_declared_inf_is_not_finite() -> None:
    assert statistics("int", np.array([3, 2**31 - 1, 5], np.int32), 2**31 - 1) == {
        "dtype": "int32", "min": 3, "max": 5, "sum": 8, "count": 2}


def test_without_a_declared_inf_the_largest_value_counts() -> None:
    assert statistics("uint8", np.array([255, 1, 1], np.uint8))["max"] == 255


def test_nan_and_infinity_are_not_finite() -> None:
    assert statistics("double", np.array([np.nan, -np.inf, 0.5])) == {
        "dtype": "float64", "min": 0.5, "max": 0.5, "sum": 0.5, "count": 1}


def test_nothing_finite_has_no_least_value() -> None:
    assert statistics("float", np.array([np.inf] * 3, np.float32)) == {
        "dtype": "float32", "min": None, "max": None, "sum": 0.0, "count": 0}


def test_a_sum_that_overflows_double_is_text() -> None:
    assert statistics("double", np.array([1e308, 1e308, 1e308]))["sum"] == "inf"


def test_nodes_are_shown_by_the_ids_of_the_file_and_none_is_left_out() -> None:
    assert statistics("node", np.array([2, -1, 1], np.int32)) == {
        "dtype": "int64", "min": 20, "max": 40, "sum": 60, "count": 2}


def test_a_struct_is_told_field_by_field() -> None:
    array = np.array([(1, 2.5)] * 3, np.dtype([("a", "i4"), ("b", "f4")]))
    fields = statistics("Pair", array)["fields"]
    assert {name: f["sum"] for name, f in fields.items()} == {"a": 3, "b": 7.5}


def test_scalars_that_json_cant_hold_are_text() -> None:
    found = Result({"a": float("inf"), "b": float("-inf"), "c": float("nan")}, {}, {}, {}).summary()
    assert found == {"a": "inf", "b": "-inf", "c": "nan"}


@pytest.mark.parametrize("name", ["file", "allow_pickle", "args"])
def test_a_property_of_any_name_can_be_saved(name: str, tmp_path: Path) -> None:
    result("int", np.array([1, 2, 3], np.int32), name=name).save(tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz") as file:
        assert file[name].tolist() == [1, 2, 3]


def test_a_failed_save_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "out.npz").mkdir()
    with pytest.raises(IrglError, match="can't write it"):
        result("int", np.array([1, 2, 3], np.int32)).save(tmp_path / "out.npz")
    assert [p.name for p in tmp_path.iterdir()] == ["out.npz"]
