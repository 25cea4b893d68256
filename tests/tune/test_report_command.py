"""irglc report: which results it takes from the database, where it writes, and what it says where there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.tune.report.load import load
from irgl.tune.results.store import Key, Store
from irgl.tune.results.trial import Status, Trial

PROGRAM = """graph Graph { node int far = 0; }
Kernel walk(Graph g) { ForAll (n In g.nodes) { n.far = 3; } }
Program walked(Graph g) { Invoke walk(g); }
"""
PLAIN, FAST = str(Plan.none()), str(Plan.parse("none grain=512"))


class Place:
    """A program and a database of results, some of which are of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "walk.irgl"
        self.program.write_text(PROGRAM)
        self.db = folder / "results.sqlite"
        self.page = folder / "out.html"

    def session(self, graphs: dict[str, float], *, target: str = "cpu", machine: str = "m", **outcome: Any) -> None:
        """A search that found the fast plan twice as fast, on graphs with the plain plan's times."""
        key = Key(open_program(self.program, Plan(target=target)).fingerprint, target, machine, 2)
        with Store(self.db) as store:
            digests = {name: f"digest of {name}" for name in graphs}
            session = store.begin(key, {"inputs": digests})
            for name, ms in graphs.items():
                store.add(key, digests[name], Trial(PLAIN, name, Status.OK, (ms, ms)), session=session)
                store.add(key, digests[name], Trial(FAST, name, Status.OK, (ms / 2, ms / 2)), session=session)
            store.end(session, "done", {"spent": 2.5, **outcome})

    def report(self, *more: str) -> int:
        return exit_code(["report", str(self.program), "--db", str(self.db), "--out", str(self.page), *more])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_page_is_written_and_its_size_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.session({"a.gr": 8})
    assert place.report() == 0
    assert "2.00×" in place.page.read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"{place.page}: {place.page.stat().st_size / 1e3:,.0f} kB\n"


def test_the_page_is_named_after_the_program(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.session({"a.gr": 8})
    monkeypatch.chdir(place.folder)
    assert exit_code(["report", "walk.irgl", "--db", "results.sqlite"]) == 0
    assert Path("walk-report.html").is_file()


def test_without_a_database_it_says_how_to_make_one(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert place.report() == 2
    assert capsys.readouterr().err == (f"{place.db}: error: there is no such database\n"
                                       f"  hint: irglc tune {place.program} --graph FILE makes results\n")  # fmt: skip
    assert not place.db.exists()


def test_without_results_it_says_how_to_make_some(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    Store(place.db).close()
    assert place.report() == 2
    assert capsys.readouterr().err == (f"{place.program}: error: there are no results of it in {place.db}\n"
                                       f"  hint: irglc tune {place.program} --graph FILE\n")  # fmt: skip
    assert not place.page.exists()


def test_without_results_for_a_target_it_says_so(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.session({"a.gr": 8})
    assert place.report("--target", "simt") == 2
    assert capsys.readouterr().err == (
        f"{place.program}: error: there are no results of it on simt in {place.db}\n"
        f"  hint: irglc tune {place.program} --target simt --graph FILE\n")  # fmt: skip


def test_a_graph_without_results_is_an_error_that_names_those_with(place: Place,
                                                                    capsys: pytest.CaptureFixture[str]) -> None:
    place.session({"a.gr": 8, "b.gr": 8})
    assert place.report("--graph", "c.gr") == 2
    assert capsys.readouterr().err == (f"{place.program}: error: there are no results on the graph `c.gr`\n"
                                       "  hint: there are results on a.gr, b.gr\n")  # fmt: skip


def test_a_page_that_can_t_be_written_leaves_nothing(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.session({"a.gr": 8})
    place.page.mkdir()
    assert place.report() == 2
    assert capsys.readouterr().err == f"{place.page}: error: can't write it: Is a directory\n"
    assert sorted(p.name for p in place.folder.iterdir() if p.suffix != ".sqlite") == ["out.html", "walk.irgl"]


def test_a_mistake_in_the_program_is_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.session({"a.gr": 8})
    place.program.write_text(PROGRAM.replace("= 3", "= x"))
    assert place.report() == 2
    assert "walk.irgl:2:56: error: 'x' is not declared" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", ["b.gr", "some/folder/b.gr"])
def test_a_graph_may_be_chosen_by_its_file(place: Place, wanted: str) -> None:
    place.session({"a.gr": 8, "graphs/b.gr": 4})
    with Store(place.db) as store:
        found = load(str(place.program), store, None, [wanted])
    assert {t.input for t in found.trials} == {"graphs/b.gr"}


def test_results_of_several_searches_come_together(place: Place) -> None:
    place.session({"a.gr": 8})
    place.session({"b.gr": 4})
    with Store(place.db) as store:
        found = load(str(place.program), store, None, [])
    assert ({t.input for t in found.trials}, found.seconds, found.space is not None) == ({"a.gr", "b.gr"}, 5.0, True)


def test_results_of_another_machine_stay_apart(place: Place) -> None:
    place.session({"a.gr": 8}, machine="old")
    place.session({"b.gr": 4}, machine="new")
    with Store(place.db) as store:
        found = load(str(place.program), store, None, [])
    assert (found.machine, {t.input for t in found.trials}) == ("new", {"b.gr"})


def test_the_target_is_that_of_the_last_search(place: Place) -> None:
    place.session({"a.gr": 8}, target="simt")
    place.session({"a.gr": 8})
    with Store(place.db) as store:
        assert [load(str(place.program), store, t, []).target for t in (None, "simt")] == ["cpu", "simt"]


def test_two_graphs_of_one_name_are_told_apart(place: Place) -> None:
    place.session({"a.gr": 8})
    with Store(place.db) as store:
        last = store.sessions()[0]
        session = store.begin(last.key, {"inputs": {"a.gr": "another"}})
        store.add(last.key, "another", Trial(PLAIN, "a.gr", Status.OK, (1.0,)), session=session)
        found = load(str(place.program), store, None, [])
    assert [(t.input, t.times[0]) for t in found.trials if t.plan == PLAIN] == [("a.gr", 8.0), ("a.gr (2)", 1.0)]


def test_what_a_search_concluded_is_taken_over(place: Place) -> None:
    said = {"group": "all", "inputs": ["a.gr"], "plan": FAST, "per_input": {"a.gr": {"default_plan": PLAIN}}}
    wrong = {"plan": FAST, "input": "a.gr", "why": "no", "reproducer": "mistakes/1"}
    place.session({"a.gr": 8}, found=[said], mistakes=[wrong])
    with Store(place.db) as store:
        found = load(str(place.program), store, None, [])
    assert (found.won, found.defaults, found.reproducers) == (
        {"a.gr": FAST}, {"a.gr": PLAIN}, {(FAST, "a.gr"): "mistakes/1"})  # fmt: skip


def test_rounds_are_those_of_the_plan_that_won_last(place: Place) -> None:
    said = {"group": "all", "inputs": ["a.gr"], "plan": FAST, "per_input": {"a.gr": {"rounds": [{"round": 1}]}}}
    found = []
    for outcome in (said, {**said, "per_input": {"a.gr": {}}}):
        place.session({"a.gr": 8}, found=[outcome])
        with Store(place.db) as store:
            found.append(load(str(place.program), store, None, []).rounds)
    assert found == [{"a.gr": [{"round": 1}]}, {"a.gr": ()}]


def test_a_plan_of_an_option_that_is_gone_has_no_code(place: Place) -> None:
    place.session({"a.gr": 8})
    with Store(place.db) as store:
        found = load(str(place.program), store, None, [])
    assert found.compiled("gone=1") is None
    assert found.compiled(FAST) is not None
