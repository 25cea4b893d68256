"""The promises of docs/security.md about data: graphs, plans, databases and what notebooks show are read, never run."""

from __future__ import annotations

import io
import pickle
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.promises import keeps
from support.ran import PROGRAM, Harm, Ran, given

import irgl
from irgl.plan import Plan
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.load import load
from irgl.rt.graphs.writers import write
from irgl.source import IrglError
from irgl.tune.results.store import Key, Store


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    return given(tmp_path, monkeypatch)


@keeps("graph-is-data")
def test_a_matrix_with_pickled_objects_is_refused_unread(ran: Ran) -> None:
    for name in ("data", "indices", "format", "extra"):
        arrays = {"format": np.array(b"csr"), "shape": np.array([2, 2]), "indptr": np.array([0, 1, 1]),
                  "indices": np.array([1]), "data": np.array([5])}
        arrays[name] = np.array([Harm(ran.mark)], object)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        Path("g.npz").write_bytes(buffer.getvalue())
        with pytest.raises(IrglError, match=r"the .npz file is damaged"):
            load("g.npz", use_cache=False)
    assert not ran


@keeps("graph-is-data")
def test_a_graph_file_that_is_a_pickle_or_a_script_is_refused_unrun(ran: Ran) -> None:
    for content in (pickle.dumps(Harm(ran.mark)), ran.code.encode(), b"#!/bin/sh\ntouch ran\n", b"\x7fELF" + bytes(60)):
        for name in (None, "el", "npz", "irglg", "galois", "mtx"):
            Path("g").write_bytes(content)
            with pytest.raises(IrglError):
                load("g", format=name, use_cache=False)
    assert not ran


@keeps("graph-is-data")
@pytest.mark.parametrize("mode", [0o600, 0o666])
def test_a_graph_that_others_may_write_to_is_copied_before_it_is_checked(mode: int, tmp_path: Path) -> None:
    write(load("path:1000", use_cache=False), str(tmp_path / "g.irglg"))
    (tmp_path / "g.irglg").chmod(mode)
    graph = load(str(tmp_path / "g.irglg"), use_cache=False)
    before = graph.dst.tolist()
    with (tmp_path / "g.irglg").open("r+b") as file:
        file.seek(192)
        file.write(b"\xff" * 20_000)
    assert (graph.dst.tolist() == before) == (mode == 0o666)


@keeps("plan-is-data")
def test_what_is_no_plan_is_refused_and_runs_nothing(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    def harm(*_: object, **__: object) -> None:
        ran.mark.touch()

    for name in ("eval", "exec", "compile", "__import__"):
        monkeypatch.setattr(f"builtins.{name}", harm)
    rng = random.Random(7)
    words = [*str(Plan()).split(), "__import__('os').system('touch ran')", "$(touch ran)", "`touch ran`", ";", "=", "@",
             "np=tb+wp", "outline=all", "block=256", "grain=-1", "grain=99999999999999999999", "\0", "\n", "k.1.2:",
             "auto", "ü", "grain=1e3", "x" * 5000]
    parsed = refused = 0
    for _ in range(3000):
        text = " ".join(rng.choice(words) for _ in range(rng.randrange(5)))
        if rng.random() < 0.5 and text:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice("=+:.@ \0'\"()${}") + text[at + 1:]
        for target in ("cpu", "cuda"):
            try:
                assert Plan.parse(str(Plan.parse(text, target)), target) is not None
                parsed += 1
            except IrglError:
                refused += 1
    assert parsed > 100 and refused > 1000 and not ran


@keeps("database-is-data")
def test_what_a_database_holds_is_parsed_and_never_run(ran: Ran) -> None:
    key = Key("program", "cpu", "machine")
    with Store() as store:
        store._db.execute(
            "INSERT INTO trials (program, target, machine, threads, digest, plan, round, input, status, times, "
            "reference, build_ms, why, by, stats, at) VALUES ('program', 'cpu', 'machine', 0, 'd', 'p', 0, 'i', 'ok', "
            "?, '[]', 0, '', '', '{}', 0)", (ran.code,))
        with pytest.raises(IrglError, match="the tuner's database is damaged"):
            store.trials(key)
    assert not ran


@keeps("cache-is-checked")
def test_a_cached_graph_with_ends_outside_is_not_used(ran: Ran) -> None:
    load("grid:80x80")
    entry = next(Path("cache/graphs").iterdir())
    graph = graph_store.find(entry.stem)
    assert graph is not None
    spoiled = graph.dst.copy()
    spoiled[0] = 6400
    entry.unlink()
    graph_store.keep(entry.stem, replace(graph, dst=spoiled))  # with a checksum that fits
    found = graph_store.find(entry.stem)
    assert found is not None
    with pytest.raises(IrglError, match="array dst of the cached graph is damaged"):
        _ = found.dst
    assert not entry.exists() and not ran


@keeps("notebook-shows-text")
def test_what_stands_in_a_program_is_text_in_a_notebook(ran: Ran) -> None:
    Path("given/p.irgl").write_text(f"// <img src=x onerror=alert(1)>\n{PROGRAM}")
    shown = irgl.compile("given/p.irgl", target="cpu")._repr_html_()
    assert "&lt;img src=x" in shown and "<img" not in shown and not ran
