"""Runs a compiled program on graphs in memory: memory for its results, the call, faults and interrupts."""

from __future__ import annotations

import ctypes
import operator
import os
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.call import Call, span_at
from irgl.rt.call.dtypes import dtype_of
from irgl.rt.call.renumber import Order
from irgl.rt.call.telling import listener
from irgl.rt.compile.build import open_library
from irgl.rt.forms.placed import Told
from irgl.rt.graphs.device_graph import lying
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.profile import Profile, of_threads
from irgl.rt.results.result import Result
from irgl.rt.results.rounds import Rounds, of_cpu
from irgl.rt.system.interruptible import interruptible
from irgl.source import IrglError

MAX_THREADS = 1024
#: As many as a word of the call has bits for, but its sign.
MAX_DEVICES = 63
#: Variables of the environment that choose the compiler and the cache.
_CHOOSE = ("CXX", "IRGL_CACHE_DIR")
_RANGES = {"threads": (1, MAX_THREADS), "repeat": (1, 2**31 - 1), "worklist_capacity": (0, 2**63 - 1),
           "seed": (0, 2**63 - 1), "gpu_cache": (0, 2**63 - 1), "gpu_l1": (0, 2**63 - 1)}  # fmt: skip


#: A unit's profile is of one run at a time.
_PROFILED = threading.Lock()


@dataclass(frozen=True, slots=True)
class Options:
    """How to run. threads None: every core that this process may use. worklist_capacity 0: the program decides.

    time_limit: seconds that all repetitions may take together, None: as many as they need. gpu_cache: bytes of the
    second-level cache of the GPU that forms of edges are made for, 0: of the usual one; gpu_l1: of a multiprocessor's
    own. The emulator pretends to have both, 0: what it has by itself, and SparseWeaver's unit: gpu_weaver. devices: the
    numbers of the GPUs, of which Sections have one each and all else the first; none: the current one. Raises IrglError
    for what is no number or out of reason.
    """

    threads: int | None = None
    repeat: int = 1
    worklist_capacity: int = 0
    seed: int = 0
    time_limit: float | None = None
    gpu_cache: int = 0
    gpu_l1: int = 0
    gpu_weaver: bool = False
    devices: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value: Any = getattr(self, name)
            if value is None and name == "threads":
                continue
            if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
                raise IrglError(f"{name}={value!r}: it takes a whole number from {low} to {high}")
            object.__setattr__(self, name, int(value))  # one of NumPy's is none of C's
        if not isinstance(self.gpu_weaver, bool):
            raise IrglError(f"gpu_weaver={self.gpu_weaver!r}: it takes True or False")
        object.__setattr__(self, "devices", _devices(self.devices))
        if self.time_limit is not None and not 0 < self.time_limit <= threading.TIMEOUT_MAX:
            raise IrglError(f"a time limit of {self.time_limit} seconds: it takes a number from 0 to "
                            f"{threading.TIMEOUT_MAX:.0f}")  # fmt: skip

    def thread_count(self) -> int:
        """The number of threads, at least 1."""
        return min(cores(), MAX_THREADS) if self.threads is None else self.threads


def _devices(given: Any) -> tuple[int, ...]:
    try:
        found = tuple(operator.index(d) for d in given)
    except TypeError:
        found = (-1,)
    if len(set(found)) < len(found) or not all(0 <= d < MAX_DEVICES for d in found):
        raise IrglError(f"devices={given!r}: it takes different numbers of GPUs, from 0 to {MAX_DEVICES - 1}",
                        hint="devices=[0, 1] are the first two")
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gives. kernel_ms: one time per repetition, in milliseconds; the result is the last one's. build_ms:
    what building took. stats: what was counted (docs/counters.md). printed: what the interpreter's print() calls said
    in all repetitions (a compiled program prints by itself). order_ms: what laying the graphs out in the plan's order
    took.
    forms: those that the graphs' edges were in. rounds: what was counted by round, of a unit that notes it. profile:
    what its loops did and how long they took, of one that notes that."""

    result: Result
    build_ms: float
    kernel_ms: tuple[float, ...]
    threads: int
    stats: dict[str, int]
    printed: tuple[str, ...] = ()
    order_ms: float = 0.0
    forms: tuple[Told, ...] = ()
    rounds: Rounds | None = None
    profile: Profile | None = None


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan,
        options: Options, mesh: Mesh | None = None) -> Outcome:
    """Runs a program on prepared graphs (by parameter) with all values bound (see irgl.rt.call.bind).

    Raises IrglError where the program faults (at its line), can't be built for ids as wide as the graphs', takes longer
    than it may, or memory is short; KeyboardInterrupt when the user interrupts, once the program has stopped at the end
    of its round. A round that takes longer than a second, or for ever, goes on by itself after that, on its
    threads and its own copies of the results: still_running() tells so. The graphs that it reads stay as they are;
    another program may be run meanwhile.
    """
    if manifest.mesh and mesh is None:
        raise IrglError(f"{manifest.program} needs a mesh for `{manifest.mesh}`")
    threads = options.thread_count()
    node_bits, edge_bits = widths_for(manifest, graphs.values())
    tell = listener()
    tell("building", None)
    begin = time.perf_counter()
    library = _library(manifest.text, node_bits, edge_bits, *(os.environ.get(name) for name in _CHOOSE))
    entry = library.irgl_run
    build_ms = (time.perf_counter() - begin) * 1e3
    order = Order(manifest, graphs, values, plan)
    call = Call(manifest, order.graphs, order.values, (node_bits, edge_bits), mesh)
    call.set_knobs(plan, threads, options.worklist_capacity, options.seed)
    times: list[float] = []

    def work() -> None:
        for k in range(options.repeat):
            tell("running", k / options.repeat if options.repeat > 1 else None)
            call.clear()
            start = time.perf_counter()
            code = entry(ctypes.byref(call.args))
            times.append((time.perf_counter() - start) * 1e3)
            if code != 0:
                break

    with _PROFILED if manifest.sites is not None else nullcontext():
        interruptible(work, call.stop, options.time_limit)
        words = [] if manifest.sites is None else _noted(library.irgl_profile)
    flush()  # what the program printed
    call.check(manifest)
    stats = {name: int(call.stats[i]) for i, name in enumerate(abi.STATS)}
    result = order.back(call.result(manifest, graphs))
    rounds = None if manifest.rounds is None else of_cpu(_noted(library.irgl_rounds), manifest.rounds, times[-1])
    profile = None
    if manifest.sites is not None:
        profile = of_threads(words, manifest.sites, times[-1], threads, tuple(g.num_edges for g in graphs.values()))
    return Outcome(result, build_ms, tuple(times), threads, stats, order_ms=order.ms, forms=call.told(), rounds=rounds,
                   profile=profile)


@lru_cache(maxsize=256)
def _library(text: str, node_bits: int, edge_bits: int, *chosen: str | None) -> ctypes.CDLL:
    """A unit, which was found in the cache or built, checked and loaded once in this process."""
    del chosen
    return open_library(text, node_bits=node_bits, edge_bits=edge_bits)[0]


def _noted(ask: Any) -> list[int]:
    """What a unit noted of its last run, which is asked for how much that is."""
    ask.restype = ctypes.c_int64
    count = ask(None, ctypes.c_int64(0))
    words = (ctypes.c_int64 * count)()
    ask(words, ctypes.c_int64(count))
    return list(words)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def flush() -> None:
    """Writes what compiled code has printed."""
    _libc().fflush(None)


def widths(graphs: Iterable[Graph]) -> tuple[int, int]:
    """The bits of a node and of an edge that hold for all of some graphs."""
    found = list(graphs)
    node = (8 * g.node_type.itemsize for g in found)
    edge = (8 * lying(g, "row").dtype.itemsize for g in found)
    return max(node, default=32), max(edge, default=32)


def widths_for(manifest: Manifest, graphs: Iterable[Graph]) -> tuple[int, int]:
    """As `widths`. Raises IrglError where they make a struct too wide that the program touches as one atomic unit."""
    bits = widths(graphs)
    for struct, source, line, column, width in manifest.units:
        size = dtype_of(struct, manifest.structs, *bits).itemsize
        if size > 8:
            raise IrglError(
                f"{struct} is one atomic unit here, and has {size} bytes where nodes have {bits[0]} bits and edges "
                f"{bits[1]}: 8 bytes at most can be",
                span_at(manifest.sources[source], line, column, width),
                "load the graph with ids of 32 bits (--index-bits 32), which hold for less than 2^31 nodes and edges",
            )
    return bits
