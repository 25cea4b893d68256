"""What a call of a small graph does not do again: it is counted, since times are the machine's."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.places import PROGRAMS

import irgl
from irgl.rt.call.callable import Program
from irgl.rt.system.interruptible import interruptible, still_running

EDGES = (np.array([0, 1, 2]), np.array([1, 2, 3]))
STUCK = """graph Graph { node long p = 0; }
Kernel spin(Graph g, long times) { ForAll (n In g.nodes) { for (long i = 0; i < times; i++) { n.p += i % 7; } } }
Program turn(Graph g, long times) { Invoke spin(g, times); }
"""
COUNTED = """
import builtins, ctypes, os, shutil, sys, threading
import numpy as np
import irgl
search = irgl.compile(sys.argv[1], target="cpu")
graph = irgl.as_graph((np.array([0, 1, 2]), np.array([1, 2, 3])))
seen = []
counting = False
def hook(event, args):
    if counting:
        seen.append(event)
sys.addaudithook(hook)
def counted(name, call):
    def wrapped(*args, **kwargs):
        if counting:
            seen.append(name)
        return call(*args, **kwargs)
    return wrapped
for place, name in ((shutil, "which"), (os, "stat"), (os, "lstat"), (os, "open"), (threading.Thread, "start"),
                    (builtins, "__build_class__"), (ctypes.CDLL, "__init__")):
    setattr(place, name, counted(name, getattr(place, name)))
counting = True
search(graph, src=0)
first, seen = sorted({"ctypes.dlopen", "which", "open", "start"} & set(seen)), []
found = [search(graph, src=k).hops.tolist() for k in (1, 2)]
counting = False
print(found, first, seen)
"""


@pytest.fixture(scope="module")
def search() -> Program:
    return irgl.compile(PROGRAMS / "bfs.irgl", target="cpu")


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("programs") / "turn.irgl"
    path.write_text(STUCK)
    return irgl.compile(path, target="cpu")


def python(code: str, *args: str) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout, done.stderr


def test_a_second_call_opens_no_file_loads_nothing_and_starts_no_thread() -> None:
    stdout, stderr = python(COUNTED, str(PROGRAMS / "bfs.irgl"))
    nothing = 2**31 - 1
    first = ["ctypes.dlopen", "open", "start", "which"]  # all of which the first did
    assert (stdout, stderr) == (f"{[[nothing, 0, 1, 2], [nothing, nothing, 0, 1]]} {first} []\n", "")


def test_results_of_two_calls_share_no_memory(search: Program) -> None:
    graph = irgl.as_graph(EDGES)
    first, second = search(graph, src=0), search(graph, src=2)
    assert not np.shares_memory(first.hops, second.hops)
    assert first.hops.tolist() == [0, 1, 2, 3]


def test_the_memory_of_a_result_goes_with_it(search: Program) -> None:
    graph = irgl.as_graph(EDGES)
    found = search(graph, src=0)
    held = weakref.ref(found.hops)
    del found
    search(graph, src=1)  # by when the thread that ran the first has let go
    gc.collect()
    assert held() is None


def test_calls_of_one_thread_run_on_one_thread() -> None:
    seen: list[int] = []
    for _ in range(3):
        interruptible(lambda: seen.append(threading.get_ident()), np.zeros(1, np.int32), None)
    assert len(set(seen)) == 1 and seen[0] != threading.get_ident()


def test_work_within_work_has_a_thread_of_its_own() -> None:
    """As that of a signal's handler that calls a program while another runs."""
    stop = np.zeros(1, np.int32)
    inner: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def outer() -> None:
        begun.set()
        assert go_on.wait(60)

    other = threading.Thread(target=lambda: interruptible(outer, stop, 60.0))
    other.start()
    assert begun.wait(60)
    interruptible(lambda: inner.append(1), stop, None)
    go_on.set()
    other.join()
    assert inner == [1]


def test_what_work_raises_is_raised_and_the_thread_goes_on() -> None:
    stop = np.zeros(1, np.int32)
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: print(1 // int(stop[0])), stop, None)
    seen: list[int] = []
    interruptible(lambda: seen.append(1), stop, None)
    assert seen == [1]


def test_work_beyond_its_time_is_told_and_told_to_stop() -> None:
    stop = np.zeros(1, np.int32)
    over = threading.Event()

    def work() -> None:
        while not stop[0]:
            over.wait(0.001)

    with pytest.raises(irgl.IrglError):
        interruptible(work, stop, 0.05)
    assert stop[0] == 1 and not still_running()


def test_work_that_does_not_stop_is_left_and_others_run() -> None:
    code = """
import threading, time
import numpy as np
from irgl.rt.system.interruptible import interruptible, still_running
from irgl.source import IrglError
stop, go_on = np.zeros(1, np.int32), threading.Event()
try:
    interruptible(go_on.wait, stop, 0.05)
except IrglError:
    found = [still_running()]
interruptible(lambda: found.append("ran"), stop, None)
go_on.set()
while still_running():
    time.sleep(0.001)
print(found)
"""
    assert python(code) == ("[True, 'ran']\n", "")


def test_a_forked_process_calls_programs(search: Program) -> None:
    del search  # compiled before
    code = """
import os, sys
import numpy as np
import irgl
search = irgl.compile(sys.argv[1], target="cpu")
graph = irgl.as_graph((np.array([0, 1]), np.array([1, 2])))
search(graph, src=0, threads=2)
child = os.fork()
found = search(graph, src=1, threads=2)
os.write(1, f"{found.hops.tolist()[1:]}\\n".encode())  # at once: both write
if child:
    assert os.waitpid(child, 0)[1] == 0
else:
    os._exit(0)
"""
    assert python(code, str(PROGRAMS / "bfs.irgl")) == ("[0, 1]\n" * 2, "")


def test_calls_of_several_threads_are_right(search: Program) -> None:
    graph = irgl.as_graph(EDGES)
    expected = {k: search(graph, src=k).hops.tolist() for k in range(4)}
    wrong: list[Any] = []

    def calls(k: int) -> None:
        for _ in range(100):
            found = search(graph, src=k).hops.tolist()
            if found != expected[k]:
                wrong.append((k, found))

    threads = [threading.Thread(target=calls, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    calls(0)
    for t in threads:
        t.join()
    assert wrong == []


def test_another_cache_folder_is_looked_at_anew(turn: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its checks are made where a unit is loaded: here a folder to which others may write is refused."""
    turn(EDGES, times=1)
    open_to_all = tmp_path / "cache"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setenv("IRGL_CACHE_DIR", str(open_to_all))
    with pytest.raises(irgl.IrglError, match="the cache folder"):
        turn(EDGES, times=1)
