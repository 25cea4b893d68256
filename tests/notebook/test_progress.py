"""Progress bars of calls: tqdm's, or a line of text without it; none where nobody asked, or where work is soon done."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.places import PROGRAMS

import irgl
from irgl.notebook import progress as bars
from irgl.rt.call.callable import Program
from irgl.rt.call.telling import listener, usual_view
from irgl.rt.graphs.readers.text import Progress


@pytest.fixture(scope="module")
def search() -> Program:
    return irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")


class View:
    """What a call told it."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.told: list[tuple[str, float | None]] = []

    @contextmanager
    def __call__(self, title: str) -> Iterator[Progress]:
        self.titles.append(title)
        yield lambda what, part: self.told.append((what, part))


@pytest.fixture
def view() -> Iterator[View]:
    made = View()
    usual_view(made)
    yield made
    usual_view(None)


def test_the_usual_view_is_told_of_building_and_of_each_run(search: Program, view: View) -> None:
    search([(0, 1)], repeat=4)
    assert view.titles == ["bfs"]
    assert view.told == [("building", None), *(("running", k / 4) for k in range(4))]


def test_the_usual_view_is_told_of_loading_a_file(search: Program, view: View, tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n")
    search(str(tmp_path / "edges.txt"))
    assert {what for what, _ in view.told} >= {"open", "building", "running"}


def test_a_call_may_want_none(search: Program, view: View) -> None:
    search([(0, 1)], progress=False)
    assert view.titles == []


def test_nobody_is_told_after_the_call(search: Program, view: View) -> None:
    search([(0, 1)])
    count = len(view.told)
    listener()("something", None)
    assert len(view.told) == count


def test_a_parameter_named_progress_is_the_programs() -> None:
    text = "graph G { node int p = 0; } int x = 0; Program own(G g, int progress) { x = progress; }"
    assert irgl.compile("own.irgl", text=text, target="cpu")([(0, 1)], progress=7).x == 7


def test_a_call_that_asks_shows_tqdms_bar(search: Program, capsys: pytest.CaptureFixture[str]) -> None:
    search([(0, 1)], progress=True)
    assert "bfs" in capsys.readouterr().err


def test_without_tqdm_it_is_a_line_that_goes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with bars.progress("bfs") as tell:
        tell("running", 0.5)
        time.sleep(0.6)
    said = capsys.readouterr().err
    assert "bfs: running  50% 0 s" in said
    assert said.endswith("\r") and said.split("\r")[-2].strip() == ""


def test_what_is_done_in_time_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with bars.progress("bfs", patience=30):
        pass
    assert capsys.readouterr().err == ""


def test_a_failure_takes_the_bar_away_and_comes_through() -> None:
    with pytest.raises(irgl.IrglError), bars.progress("bfs"):
        raise irgl.IrglError("over")
    assert [t for t in threading.enumerate() if t.name == "irgl-progress"] == []


def test_calls_load_no_tqdm_unless_they_ask() -> None:
    file = str(PROGRAMS / "bfs.irgl")
    code = f"import irgl, sys; irgl.compile({file!r}, target='cpu')([(0, 1)]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"tqdm", "pygments", "IPython", "irgl.notebook"} & set(loaded) == set()
