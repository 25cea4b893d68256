"""irglc cache, and the cache of programs used by many processes at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.manifests import manifest as M
from irgl.rt.system.seal import unsealed

PROGRAM = """graph Graph { node int p = 0; }
Kernel k(Graph g, int by) { ForAll (n In g.nodes) { n.p += by; } }
Program adding%d(Graph g, int by = %d) { Invoke k(g, by); }
"""
RUN = """import sys, irgl, numpy as np
for turn in range(%d):
    for path in sys.argv[1:]:
        found = irgl.compile(path, target="cpu")((np.array([0]), np.array([1])), threads=1)
        assert found.p.tolist() == [int(path[-6])] * 2, found.p
print("done")
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


def programs(count: int) -> list[str]:
    for i in range(count):
        Path(f"p{i}.irgl").write_text(PROGRAM % (i, i))
    return [str(Path(f"p{i}.irgl").resolve()) for i in range(count)]


def start(paths: list[str], turns: int = 1) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", RUN % turns, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, start_new_session=True)  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    return process.communicate(timeout=300)


def sound(place: Path, libraries: int) -> None:
    """Every entry is whole, and nothing half-made is left."""
    kept = list((place / "build").glob("*"))
    assert sorted(p.suffix for p in kept if p.is_file()) == [".json"] * libraries + [".so"] * libraries
    for path in kept:
        if path.suffix == ".json":
            M.from_json(json.loads(bytes(unsealed(path) or b"")))


def test_many_processes_leave_one_good_entry_for_each_program(place: Path) -> None:
    paths = programs(2)
    running = [start(paths if i % 2 else paths[::-1], turns=13) for i in range(8)]  # 208 compilations and runs
    assert [ended(p) for p in running] == [("done\n", "")] * 8
    sound(place, 2)


def test_a_killed_compilation_harms_no_later_one(place: Path) -> None:
    paths = programs(1)
    for wait in (0.2, 0.5, 0.8, 1.1):
        process = start(paths)
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert ended(start(paths)) == ("done\n", "")
    # What the killed ones had half written keeps the name of scratch, which nobody reads.
    assert len([p for p in (place / "build").glob("*.so") if not p.name.startswith(".tmp-")]) == 1


def test_info_tells_what_is_kept(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "build").mkdir(parents=True)
    (place / "build" / "x.so").write_bytes(bytes(2**20))
    assert exit_code(["cache", "info"]) == 0
    assert capsys.readouterr().out.split("\n")[:3] == [
        str(place), "  compiled programs: 1 file, 1.0 MB of 512.0 MB", "  graphs: 0 files, 0.0 MB of 8,192.0 MB"]


def test_info_as_json(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["cache", "info", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["folder"], found["graphs"]) == (str(place), {"files": 0, "bytes": 0, "limit_bytes": 8 << 30})


@pytest.mark.parametrize(("options", "left"), [([], set()), (["--programs"], {"graphs"}), (["--graphs"], {"build"})])
def test_clear_takes_away_what_it_is_told_to(options: list[str], left: set[str], place: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("build", "graphs"):
        (place / kind).mkdir(parents=True)
        (place / kind / "entry").write_text("x")
    assert exit_code(["cache", "clear", *options]) == 0
    assert capsys.readouterr().out.startswith(f"removed {2 - len(left)} file")
    assert {kind for kind in ("build", "graphs") if (place / kind / "entry").exists()} == left
