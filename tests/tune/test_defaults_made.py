"""How benchmarks/tune_defaults.py chooses a default from what was measured."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support.places import BENCHMARKS

from irgl.driver import ready
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.tune.inputs.features import CLASSES
from irgl.tune.search.space import space_of

sys.path.append(str(BENCHMARKS))
made = importlib.import_module("tune_defaults")
rows = importlib.import_module("tune_rows")

ONE, OTHER = (str(Plan.parse(text)) for text in ("grain=512", "grain=1024"))
BUILT_IN = str(Plan())


def graph(one: float, other: float, *, noise: float = 0.0, of: str = "road") -> dict[str, Any]:
    return {"class": of, "graph": "g", "noise": noise, "ratios": {BUILT_IN: 1.0, ONE: one, OTHER: other}}


def chosen(*graphs: dict[str, Any], target: str = "cpu") -> str:
    return str(made.entries(list(graphs), target, "measured")["road"]["plan"])


def test_the_fastest_on_average_is_adopted() -> None:
    assert chosen(graph(0.8, 0.7), graph(0.8, 0.7)) == OTHER


def test_what_is_slower_on_one_graph_is_not_adopted() -> None:
    assert chosen(graph(0.8, 0.5), graph(0.8, 1.02)) == ONE


def test_what_is_slower_within_the_noise_is_adopted() -> None:
    assert chosen(graph(0.8, 0.5, noise=0.02), graph(0.8, 1.02, noise=0.02)) == OTHER


def test_noise_excuses_three_per_cent_at_most() -> None:
    assert chosen(graph(0.8, 0.5, noise=0.05), graph(0.8, 1.04, noise=0.05)) == ONE


def test_what_is_slower_on_the_large_graph_of_the_class_is_not_adopted() -> None:
    def large(other: float) -> dict[str, Any]:
        return {"class": "road", "graph": "l", "noise": 0.0, "large": True, "ratios": {OTHER: other}}

    assert chosen(graph(0.8, 0.7), graph(0.8, 0.7), large(1.1)) == ONE
    assert chosen(graph(0.8, 0.7), graph(0.8, 0.7), large(0.99)) == OTHER
    assert chosen(graph(0.8, 0.7), large(0.5)) == BUILT_IN  # it stands for no small one


def test_what_saves_less_than_five_per_cent_is_not_adopted() -> None:
    assert chosen(graph(0.96, 1.0), graph(0.96, 1.0)) == BUILT_IN


def test_a_graph_with_too_much_noise_does_not_count() -> None:
    assert chosen(graph(0.8, 0.5), graph(0.8, 0.9), graph(0.8, 9.0, noise=0.3)) == OTHER
    assert chosen(graph(0.8, 0.5), graph(0.8, 1.1), graph(0.8, 0.1, noise=0.3)) == ONE


def test_what_noise_may_have_given_does_not_count() -> None:
    assert chosen(graph(0.9, 1.0, noise=0.1), graph(0.9, 1.0, noise=0.1)) == BUILT_IN
    assert chosen(graph(0.8, 1.0, noise=0.1), graph(0.8, 1.0, noise=0.1)) == ONE


def test_a_graph_measured_beside_other_work_does_not_count() -> None:
    assert chosen(graph(0.8, 0.5), graph(0.8, 1.1), {**graph(0.8, 0.1), "others": 1.2}) == ONE


def test_one_graph_is_too_few() -> None:
    assert chosen(graph(0.5, 0.5)) == BUILT_IN


def test_a_plan_that_was_not_measured_on_all_graphs_is_not_adopted() -> None:
    without = graph(0.8, 0.5)
    del without["ratios"][OTHER]
    assert chosen(graph(0.8, 0.5), without) == ONE


def test_a_class_without_graphs_has_no_entry_and_there_is_none_for_all() -> None:
    found = made.entries([graph(0.5, 0.6), graph(0.5, 0.6)], "cpu", "measured")
    assert set(found) == {"all", "road"}
    assert (found["all"]["plan"], found["all"]["how"]) == (BUILT_IN, "not tuned")


def test_with_graphs_of_every_class_there_is_one_plan_for_all() -> None:
    graphs = [graph(0.5 if of == "road" else 0.9, 0.7, of=of) for of in CLASSES for _ in range(2)]
    found = made.entries(graphs, "cpu", "measured")
    assert (found["all"]["plan"], found["road"]["plan"]) == (OTHER, ONE)


def test_a_program_of_meshes_has_one_plan_for_all() -> None:
    found = made.entries([graph(0.5, 0.6, of=""), graph(0.5, 0.6, of="")], "cpu", "measured")
    assert {of: entry["plan"] for of, entry in found.items()} == {"all": ONE}


@pytest.mark.parametrize(("plan", "target"), [("order=degree", "cpu"), ("direction=pull", "cuda")])
def test_a_plan_that_wants_another_graph_is_no_default(plan: str, target: str) -> None:
    path = next(p for p in made.PROGRAMS if p.stem == "bfs")
    assert made.same_graphs(path, Plan(target=target))
    assert not made.same_graphs(path, Plan.parse(plan, target))


@pytest.mark.parametrize("plan", ["direction=pull", "direction=hybrid", "format=sell"])
def test_on_cpus_in_edges_and_forms_of_edges_may_be_asked_for(plan: str) -> None:
    path = next(p for p in made.PROGRAMS if p.stem == "bfs_topo")
    assert made.same_graphs(path, Plan.parse(plan))


def test_the_tuners_table_counts_but_for_plans_that_want_another_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = next(p for p in made.PROGRAMS if p.stem == "bfs")
    space = space_of(ready(path))
    plans = [space.default, space.nearest(Plan.parse("serial=off")), space.nearest(Plan.parse("order=degree"))]
    row = {"program": "bfs", "class": "web", "graph": "w", "target": "cpu", "plans": [str(p) for p in plans],
           "dimensions": rows.dimensions_as_json(space), "rounds": [{"ms": [4.0, 3.0, 1.0], "others": 0.1}],
           "failed": [], "wrong": [], "limit_ms": 100.0, "noise": {"spread": 0.02}}
    rows.write_table(tmp_path / "table.json.gz", {"rows": [row]})
    monkeypatch.setattr(made, "TABLE", tmp_path / "table.json.gz")
    assert made.from_table(path) == [{"class": "skewed", "graph": "w", "noise": 0.02, "others": 0.1,
                                      "ratios": {str(plans[0]): 1.0, str(plans[1]): 0.75}}]


def test_what_a_session_on_a_gpu_timed_is_kept_but_for_other_programs_and_other_graphs(tmp_path: Path) -> None:
    bfs, cc = (next(p for p in made.PROGRAMS if p.stem == stem) for stem in ("bfs", "cc"))
    default, serial, pull = (str(Plan.parse(text, "cuda")) for text in ("default", "np=serial", "direction=pull"))
    timed = {"class": "road", "graph": "NY", "noise": 0.01, "ratios": {default: 1.0, serial: 0.5, pull: 0.1}}
    tuned = {"bfs": {"fingerprint": open_program(bfs).fingerprint, "graphs": [timed]},
             "cc": {"fingerprint": "of another program", "graphs": [timed]}}
    (tmp_path / "gpu.json").write_text(json.dumps({"gpu": {"name": "NVIDIA X"}, "tuned": tuned}))
    kept: list[Any] = []
    code = made.taken([bfs, cc], tmp_path / "gpu.json", made.same_graphs, lambda *all: kept.append(all))
    assert (code, kept) == (0, [(bfs, "cuda", "measured on NVIDIA X",
                                 [{**timed, "ratios": {default: 1.0, serial: 0.5}}])])
    found = made.entries(kept[0][3], "cuda", kept[0][2])
    assert (found["road"]["plan"], found["road"]["how"]) == (serial, "measured on NVIDIA X")
