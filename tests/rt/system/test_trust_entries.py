"""What lies in the cache is used where only its user could have written it (docs/security.md)."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from support.promises import keeps
from support.trust import (
    BIG,
    WAYS,
    linked,
    named_cache,
)

from irgl.rt.compile import build, toolchain
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.cache import load_prepared
from irgl.rt.graphs.prepare import Requirements
from irgl.rt.manifests import program


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return named_cache(tmp_path, monkeypatch)


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_unit_that_others_could_have_written_is_built_again(spoil: Callable[[Path], None], place: Path) -> None:
    del place

    def make(path: Path) -> None:
        path.write_text("whole")

    spoil(build.cached("key", ".so", make).path)
    assert build.known("key", ".so") is None
    made = build.cached("key", ".so", make)
    assert made.built and made.path.lstat().st_mode == stat.S_IFREG | 0o700


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_manifest_that_others_could_have_written_is_made_again(spoil: Callable[[Path], None], place: Path) -> None:
    before = program.open_program("p.irgl")
    entry = next((place / "build").glob("*.json"))
    spoil(entry)
    assert program._read(entry) is None and program.open_program("p.irgl") == before
    assert entry.lstat().st_mode == stat.S_IFREG | 0o600


@keeps("cache-entries")
@pytest.mark.parametrize("spoil", [*WAYS[:2], WAYS[3], linked])
def test_a_graph_that_others_could_have_written_is_made_again(spoil: Callable[[Path], None], place: Path) -> None:
    load_prepared(BIG, Requirements())
    for entry in list((place / "graphs").iterdir()):
        spoil(entry)
        assert graph_store.find(entry.stem) is None
    assert load_prepared(BIG, Requirements()).num_nodes == 6400


@keeps("cache-entries")
def test_copies_of_headers_that_others_could_have_written_are_made_again(place: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    installed = place.parent / "irgl_cpu_rt"
    shutil.copytree(toolchain.headers(), installed)
    monkeypatch.setattr(toolchain, "HEADER_ROOTS", (installed,))
    toolchain.headers.cache_clear()
    try:
        copy = toolchain.include_dir()
        header = copy / "cpu_rt" / "abi.hpp"
        good = header.read_text()
        header.write_text("#error theirs")
        copy.chmod(0o755)  # as older versions left it
        assert toolchain.include_dir() == copy and header.read_text() == good
        assert [f.name for f in copy.rglob("*") if f.lstat().st_mode & 0o077] == []
    finally:
        toolchain.headers.cache_clear()
