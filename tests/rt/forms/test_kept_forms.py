"""Forms are kept with the graph and in the cache on disk, told of, and refused where they don't fit into memory."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.awkward_graphs import random_arcs

from irgl.forms.find import form, names
from irgl.forms.form import Built, Rows
from irgl.rt.forms import placed, store
from irgl.rt.forms.native import native
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.store import folder
from irgl.rt.manifests.manifest import FormNeed
from irgl.rt.system import arrays_file
from irgl.source import IrglError

NEED = FormNeed("in", "coo", (("segments", "off"),), "int32", True)

#: Forms that are smaller or larger by which edges they hold.
BY_CONTENT = ("delta",)
#: What their options say; of others: auto.
CHOSEN = {"tile": "13", "inside": "column", "chunk": "16", "sigma": "256", "split": "8", "cluster": "8", "expand": "on"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    found = folder()
    assert found is not None
    yield found


def graph() -> Graph:
    made = random_arcs(1, 50, 200)
    made.entry = "of-this-test"
    return made


def ask(of: Graph, need: FormNeed = NEED) -> placed.Placed:
    assert of.weight is not None
    return placed.placed(of, [need], lambda _: of.weight)[0]  # type: ignore[arg-type,return-value]


def same(a: Built, b: Built) -> bool:
    pairs = zip((*a.arrays, a.edge), (*b.arrays, b.edge), strict=True)
    return a.numbers == b.numbers and all(np.array_equal(x, y) for x, y in pairs if x is not None or y is not None)


@pytest.mark.usefixtures("cache")
def test_a_graph_keeps_its_form() -> None:
    one = graph()
    assert ask(one).built is ask(one).built


@pytest.mark.usefixtures("cache")
def test_a_later_process_finds_it_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(graph())
    monkeypatch.setattr(placed, "native", lambda *_: pytest.fail("it is built anew"))
    second = ask(graph())
    assert same(first.built, second.built)
    assert second.built_ms == first.built_ms


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "of others"])
def test_a_damaged_one_is_made_anew(cache: Path, damage: str) -> None:
    first = ask(graph())
    path = next(cache.glob("*.irglf"))
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes({"flipped": bytes(data), "cut": bytes(data[:-64]), "empty": b"", "of others": b"x" * 9000}[damage])
    assert same(ask(graph()).built, first.built)
    kept = store.find("of-this-test", "in coo 0 segments=off", placed._digest("coo"))
    assert kept is not None and same(kept.built, first.built)


@pytest.mark.usefixtures("cache")
def test_one_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placed, "free_bytes", lambda: 1000)
    with pytest.raises(IrglError) as e:
        ask(graph())
    assert str(e.value) == ("error: format=coo of the graph's in-edges takes 4,016 bytes, of which 1,000 are free\n"
                            "  hint: take format=csr, or a machine with more memory")


@pytest.mark.usefixtures("cache")
def test_one_for_which_there_is_no_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    ask(graph())
    monkeypatch.setattr(arrays_file.mmap, "mmap", full)
    with pytest.raises(IrglError) as e:
        ask(graph())
    assert str(e.value) == ("error: there is not enough memory for format=coo of the graph's in-edges\n"
                            "  hint: take a machine with more memory")


@pytest.mark.usefixtures("cache")
def test_edges_of_places_are_found_once_a_loop_wants_them() -> None:
    plain = FormNeed("in", "blocks", (("tile", "16"), ("inside", "column")), "", False)
    first = ask(graph(), replace(plain, numbered=True))
    one = graph()
    assert ask(one, plain).edge is None
    numbered = ask(one, replace(plain, numbered=True))
    assert numbered.edge is not None and first.edge is not None and numbered.edge.tolist() == first.edge.tolist()


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", ["coo", "blocks"])
def test_one_that_does_not_say_which_edges_it_holds_is_made_anew_when_that_is_asked(name: str) -> None:
    options = {"coo": (("segments", "7n"),), "blocks": (("tile", "16"), ("inside", "column"))}[name]
    plain = FormNeed("in", name, options, "", False)
    left_out, one = ask(graph(), plain), graph()
    assert left_out.built.edge is None
    asked = ask(one, replace(plain, numbered=True))
    assert asked.edge is not None and asked.edge.tolist() != list(range(len(asked.edge)))
    assert same(asked.built._replace(edge=None), left_out.built)
    assert ask(graph(), replace(plain, weights="int32")).built.edge is not None  # of the entry made anew


@pytest.mark.parametrize("name", names())
def test_a_form_is_the_same_whether_or_not_it_says_which_edges_it_holds(name: str) -> None:
    of = random_arcs(2, 300, 4000)
    options = {o: CHOSEN.get(o, "50n" if o == "segments" else "auto") for o in form(name).options}
    both = [form(name).build(Rows(of.row, of.dst, 0, numbered), options, native(32, 32)) for numbered in (True, False)]
    assert same(*(built._replace(edge=None) for built in both))


def told_and_built(name: str) -> tuple[int, int]:
    """The bytes of a form as they are told before it is built, and as they are."""
    of = random_arcs(2, 300, 4000)
    options = {o: CHOSEN.get(o, "auto") for o in form(name).options}
    rows = Rows(of.row, of.dst)
    built = form(name).build(rows, options, native(32, 32))
    return form(name).size(rows, options), sum(a.nbytes for a in built.arrays)


@pytest.mark.parametrize("name", [name for name in names() if name not in BY_CONTENT])
def test_the_size_that_is_told_before_is_the_size_that_it_has(name: str) -> None:
    told, is_so = told_and_built(name)
    assert told == is_so


@pytest.mark.parametrize("name", BY_CONTENT)
def test_a_form_whose_size_the_edges_tell_has_no_more_than_is_told_before(name: str) -> None:
    told, is_so = told_and_built(name)
    assert is_so <= told <= 2 * is_so


def run(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "irgl", "run", "sssp_bf", "--graph", "rmat:8,seed=1", "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_run_tells_of_its_forms() -> None:
    found = run("--plan", "format=coo")
    of = found["forms"][0]
    assert (of["graph"], of["edges"], of["format"]) == ("g", "out", "coo")
    assert of["bytes"] == 2 * 4 * 4096 + 16 + 8 * 4096  # both ends, two parts' bounds, the weights as double
    assert found["format_ms"] == of["ms"] > 0


def test_a_run_over_rows_tells_of_none() -> None:
    assert {"forms", "format_ms"}.isdisjoint(run())
