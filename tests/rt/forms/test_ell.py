"""ell: how many places a node has, where its other edges stand, and widths that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgl.cli.main import exit_code
from irgl.forms.ell import FORM
from irgl.forms.form import Built, Rows
from irgl.rt.forms.native import native
from irgl.source import IrglError


def rows_of(*degrees: int) -> Rows:
    row = np.cumsum([0, *degrees]).astype(np.int32)
    return Rows(row, np.arange(row[-1], dtype=np.int32) % max(1, len(degrees)))


def built(rows: Rows, width: str = "auto") -> Built:
    return FORM.build(rows, {"width": width}, native(32, 32))


@pytest.mark.parametrize(("degrees", "width"), [
    ([3, 3, 3], 3),
    ([9, 1, 1], 9),  # a third of the nodes have that many
    ([9, 1, 1, 1], 1),
    ([90, 90, 1], 64),
    ([0, 0, 0], 1),
    ([], 1),
])
def test_auto_is_the_largest_width_that_a_third_of_the_nodes_fill(degrees: list[int], width: int) -> None:
    assert built(rows_of(*degrees)).numbers[0] == width


def test_the_kth_edges_of_a_slabs_nodes_stand_side_by_side() -> None:
    found = built(rows_of(2, 2, 2), "2")
    assert found.edge is not None
    assert found.edge.reshape(2, 32)[:, :4].tolist() == [[0, 2, 4, -1], [1, 3, 5, -1]]


def test_edges_beyond_the_width_stand_behind_all_places_in_the_order_of_rows() -> None:
    found = built(rows_of(1, 3, *[0] * 40, 2), "1")
    assert found.edge is not None
    assert found.edge[64:].tolist() == [2, 3, 5]
    assert found.arrays[0].tolist() == [0, 2, 3]


def test_a_width_whose_places_take_four_times_the_bytes_of_rows_is_refused_with_the_number() -> None:
    with pytest.raises(IrglError) as refused:
        FORM.size(rows_of(*[1] * 100), {"width": "32"})
    assert refused.value.message == ("format=ell with width=32 takes 12,800 bytes for its places alone, more than 4 "
                                     "times the 804 of rows")
    assert refused.value.hint == "take width=auto, or format=sell"


def test_a_run_with_such_a_width_ends_with_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "path.el"
    path.write_text("".join(f"{v} {v + 1}\n" for v in range(50)))
    assert exit_code(["run", "pr_pull", "--graph", str(path), "--plan", "format=ell width=64"]) == 2
    assert "format=ell with width=64 takes" in capsys.readouterr().err


def test_auto_never_takes_more_than_four_times_the_bytes_of_rows() -> None:
    for degrees in ([0] * 90 + [64] * 45, [0] * 100 + [1], [64] * 33):
        rows = rows_of(*degrees)
        assert FORM.size(rows, {"width": "auto"}) <= 4 * (rows.row.nbytes + rows.cols.nbytes) + 32 * 64 * 4
