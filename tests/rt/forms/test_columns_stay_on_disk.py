"""A run whose loops take all far ends from forms of the cache leaves the columns of its graph's rows where they are."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.places import PROGRAMS

from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import verify
from irgl.rt.system import arrays_file
from irgl.tune.choose.auto import Given, resolve

GRAPH = "rmat:12,seed=3"
COLUMNS = {"dst", "in_src", "in_edge"}
#: Bytes of what a run of a GPU is told besides: scalars and counters.
SCALARS = 4096
#: Programs, plans, and how many arrays of row offsets they read.
RUNS = [("pr_pull", "format=delta", 2), ("pr_pull", "format=blocks", 2), ("pr_pull", "format=split split=8", 2),
        ("pr_pull", "format=delta order=degree", 3), ("bfs", "format=delta", 1), ("sssp_bf", "format=sell", 1)]


class Maps:
    """What was mapped of files of arrays: names, and bytes."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.bytes = 0


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Maps]:
    """A cache of its own, and what is mapped of it."""
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    found = Maps()
    array, mapped = arrays_file.ArraysFile.array, mmap.mmap

    def asked(file: arrays_file.ArraysFile, name: str) -> Any:
        found.names.append(name)
        return array(file, name)

    def counted(handle: int, length: int, **how: Any) -> mmap.mmap:
        found.bytes += length
        return mapped(handle, length, **how)

    monkeypatch.setattr(arrays_file.ArraysFile, "array", asked)
    monkeypatch.setattr(arrays_file.mmap, "mmap", counted)
    yield found


def opened(program: str, plan: str, target: str = "cpu") -> tuple[Manifest, dict[str, Graph]]:
    manifest = open_program(PROGRAMS / f"{program}.irgl", Plan.parse(plan, target))
    return manifest, {g.name: load(GRAPH, g, Loading()) for g in manifest.graphs}


def ran(program: str, plan: str) -> Outcome:
    manifest, graphs = opened(program, plan)
    return run(manifest, graphs, bind(manifest, graphs, {}), Plan.parse(plan), Options(threads=2))


def emulated(program: str, plan: str) -> Outcome:
    """The same in the emulator."""
    manifest, graphs = opened(program, plan, "simt")
    return device.run(manifest, graphs, bind(manifest, graphs, {}), Plan.parse(plan, "simt"), Options())


def scores(outcome: Outcome) -> dict[str, Any]:
    return {name: v.array for name, v in outcome.result.properties.items() if v.owner == "node"}


@pytest.mark.parametrize(("program", "plan", "rows"), RUNS)
def test_only_row_offsets_and_forms_are_mapped(program: str, plan: str, rows: int, maps: Maps) -> None:
    first = ran(program, plan)
    maps.names, maps.bytes = [], 0
    second = ran(program, plan)
    assert COLUMNS.isdisjoint(maps.names)
    (graph,) = opened(program, plan)[1].values()
    weights = 4 * graph.num_edges * ("weight" in maps.names)
    numbers = 4 * graph.num_edges * ("edge" in maps.names) + 8 * graph.num_nodes * ("node_ids" in maps.names)
    of_forms = sum(f.bytes for f in second.forms)
    assert maps.bytes <= of_forms + 4 * rows * (graph.num_nodes + 1) + weights + numbers + 8 * mmap.PAGESIZE
    for name, array in scores(first).items():
        np.testing.assert_allclose(scores(second)[name], array, rtol=1e-5)


@pytest.mark.parametrize(("plan", "rows"), [("format=delta np=fg", 2), ("format=blocks outline=all", 2),
                                            ("format=split np=fg order=degree", 2)])
def test_a_gpu_is_sent_row_offsets_and_forms_alone(plan: str, rows: int, maps: Maps) -> None:
    first = emulated("pr_pull", plan)
    maps.names = []
    second = emulated("pr_pull", plan)
    assert COLUMNS.isdisjoint(maps.names)
    (graph,) = opened("pr_pull", plan, "simt")[1].values()
    of_forms = sum(f.bytes for f in second.forms)
    assert second.stats["bytes_to_device"] <= of_forms + 4 * rows * (graph.num_nodes + 1) + SCALARS
    np.testing.assert_allclose(scores(second)["pagerank"], scores(first)["pagerank"], rtol=1e-5)


def test_a_gpu_is_sent_the_columns_of_one_direction_where_loops_take_rows(maps: Maps) -> None:
    emulated("pr_pull", "format=csr")
    maps.names = []
    second = emulated("pr_pull", "format=csr")
    (graph,) = opened("pr_pull", "format=csr", "simt")[1].values()
    assert COLUMNS & set(maps.names) == {"in_src"}
    assert second.stats["bytes_to_device"] <= 4 * graph.num_edges + 8 * (graph.num_nodes + 1) + SCALARS


def test_columns_that_are_spoiled_do_a_run_no_harm_that_needs_none(maps: Maps) -> None:
    del maps
    first = ran("pr_pull", "format=delta")
    (graph,) = opened("pr_pull", "format=delta")[1].values()
    place = graph_store.folder()
    assert place is not None
    entry = place / f"{graph.entry}.irglg"
    data = bytearray(entry.read_bytes())
    for ends in (graph.dst, graph.transpose().in_src):
        at = data.index(ends.tobytes())
        data[at : at + ends.nbytes] = bytes(ends.nbytes)
    entry.write_bytes(data)
    second = ran("pr_pull", "format=delta")
    np.testing.assert_allclose(scores(second)["pagerank"], scores(first)["pagerank"], rtol=1e-5)
    assert entry.read_bytes() == data


def test_rows_need_the_columns_of_their_direction_alone(maps: Maps) -> None:
    ran("pr_pull", "format=csr")
    maps.names = []
    ran("pr_pull", "format=csr")
    assert COLUMNS & set(maps.names) == {"in_src"}


@pytest.mark.parametrize(("graph", "form"), [("grid:300x300", "dia"), ("uniform:14", "blocks")])
def test_the_default_is_chosen_without_columns(graph: str, form: str, maps: Maps) -> None:
    path = PROGRAMS / "pr_pull.irgl"
    for _ in range(2):
        maps.names = []
        manifest = open_program(path, Plan())
        graphs = {"g": load(graph, manifest.graphs[0], Loading())}
        found = resolve("default", manifest, Given(graphs, dict), "cpu", lambda plan: open_program(path, plan))
        run(found.manifest, graphs, bind(found.manifest, graphs, {}), found.plan, Options(threads=2))
    assert f"format={form}" in str(found.plan)
    assert COLUMNS.isdisjoint(maps.names)


def test_a_verifier_loads_the_edges_that_the_run_left(maps: Maps) -> None:
    ran("pr_pull", "format=delta")
    manifest, graphs = opened("pr_pull", "format=delta")
    values = bind(manifest, graphs, {})
    outcome = run(manifest, graphs, values, Plan.parse("format=delta"), Options(threads=2))
    assert COLUMNS.isdisjoint(maps.names)
    assert verify(manifest, graphs, values, outcome.result) is None
    assert "dst" in maps.names
