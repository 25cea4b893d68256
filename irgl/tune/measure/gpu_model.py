"""How long a run would take on a GPU that isn't there: a cost model over what the emulator counts in lockstep.

    time = launches + copies + grid barriers + work
    work = the largest of its parts + UNHIDDEN * all the others
    parts of the work: issue, the L2 cache, memory, atomics, one address, shared memory, the longest warp

Each is a count times a cost of the GPU (gpus/NAME.json); docs/tuning.md says what that leaves out.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irgl.source import IrglError
from irgl.tune.measure.gpu import Gpu

# Estimates that are no GPU's. The share of what overlaps with other work that shows all the same:
UNHIDDEN = 0.2
# Machine instructions of a step of the emulator, which is a basic block or an access of memory:
INSTRUCTIONS = 3.0
# Cycles that a warp takes for an instruction when nothing else runs, but for waiting for memory:
CYCLES = 4.0
# Loads of one thread that are under way at once:
LOADS_AT_ONCE = 2.0
# Bytes of a transaction:
SECTOR = 32.0


@dataclass(frozen=True, slots=True)
class Counters:
    """What the model reads, of one run: the emulator's counters (docs/emulate.md) under their names there.

    launches, transfers and transfer_bytes are those between the graph's first copy and the results' last one.
    global_atomics and shared_atomics are of all kinds. Where l2_sectors or dram_sectors is unknown (below 0), as of a
    larger graph than was emulated, all transactions are L2's, and memory's too where the graph is larger than L2.
    """

    launches: float
    graph_launches: float
    graph_kernels: float
    transfers: float
    transfer_bytes: float
    bytes_to_device: float
    grid_barriers: float
    block_barriers: float
    warp_steps: float
    transactions: float
    bank_conflicts: float
    global_atomics: float
    shared_atomics: float
    longest_warp_steps: float
    longest_warp_loads: float
    hottest_atomics: float
    l2_sectors: float = -1.0
    dram_sectors: float = -1.0

    @staticmethod
    def of(stats: Mapping[str, Any]) -> Counters:
        """Those of `Outcome.stats` of a run with mode="lockstep", or of a mapping with the names above."""
        own = stats.get("own", {})
        values = {f.name: own.get(f"timed_{f.name}", stats.get(f.name)) for f in dataclasses.fields(Counters)}
        values |= {name: -1.0 for name in ("l2_sectors", "dram_sectors") if values[name] is None}  # of an older record
        missing = sorted(name for name, value in values.items() if value is None)
        if missing:
            raise IrglError(f"the model of a GPU needs the counter `{missing[0]}`, which this run did not count",
                            hint="the emulator counts it in lockstep")
        return Counters(**{name: _number(value) for name, value in values.items()})

    def as_stats(self) -> dict[str, float]:
        """As a flat mapping, from which `of` makes the same again."""
        return dataclasses.asdict(self)


def _number(value: Any) -> float:
    return float(sum(value.values()) if isinstance(value, Mapping) else value)


@dataclass(frozen=True, slots=True)
class Part:
    """One term of the sum, or (`of_work`) one of those that overlap; `says`: the count and what one costs."""

    name: str
    ms: float
    of_work: bool
    says: str


@dataclass(frozen=True, slots=True)
class Explained:
    """The modelled time and its parts."""

    gpu: str
    parts: tuple[Part, ...]

    @property
    def work(self) -> float:
        times = [p.ms for p in self.parts if p.of_work]
        return max(times) + UNHIDDEN * (math.fsum(times) - max(times))

    @property
    def ms(self) -> float:
        return self.work + math.fsum(p.ms for p in self.parts if not p.of_work)

    @property
    def bound(self) -> str:
        """The part that takes most."""
        return max(self.parts, key=lambda p: p.ms).name

    def __str__(self) -> str:
        kinds = {True: "overlaps", False: "adds    "}
        told = [f"  {p.name:<13} {p.ms:12.6f} ms  {kinds[p.of_work]}  {p.says}" for p in self.parts]
        return "\n".join([f"modelled for {self.gpu}: {self.ms:.6f} ms, of which work {self.work:.6f} ms", *told])


def modelled_ms(counters: Mapping[str, Any] | Counters, gpu: Gpu) -> float:
    """Milliseconds that the run would take on the GPU; good for comparing plans, not as a time."""
    return explain(counters, gpu).ms


def explain(counters: Mapping[str, Any] | Counters, gpu: Gpu) -> Explained:
    """The modelled time, part by part."""
    c = counters if isinstance(counters, Counters) else Counters.of(counters)
    hertz, wide = gpu.clock_mhz * 1e6, gpu.multiprocessors
    l2 = c.l2_sectors if c.l2_sectors >= 0 else c.transactions
    beyond_l2 = c.bytes_to_device > gpu.l2_mb * 1e6
    memory = c.dram_sectors if c.dram_sectors >= 0 else l2 if beyond_l2 else 0.0
    latency = gpu.memory_ns if beyond_l2 else gpu.l2_ns
    started = c.launches * gpu.launch_us + c.graph_launches * gpu.graph_start_us + c.graph_kernels * gpu.graph_kernel_us
    copied = c.transfers * gpu.read_back_us * 1e-6 + c.transfer_bytes / gpu.pcie_gbs * 1e-9
    shared = (c.shared_atomics / gpu.shared_atomics + c.bank_conflicts) / hertz
    shared += c.block_barriers * gpu.block_barrier_ns * 1e-9
    chain = c.longest_warp_steps * INSTRUCTIONS * CYCLES / hertz + c.longest_warp_loads / LOADS_AT_ONCE * latency * 1e-9

    def adds(name: str, seconds: float, says: str) -> Part:
        return Part(name, seconds * 1e3, False, says)

    def overlaps(name: str, seconds: float, says: str) -> Part:
        return Part(name, seconds * 1e3, True, says)

    return Explained(gpu.name, (
        adds("launches", started * 1e-6, f"{c.launches:.0f} launches, {c.graph_kernels:.0f} kernels of graphs"),
        adds("copies", copied, f"{c.transfers:.0f} waits for {c.transfer_bytes:.0f} bytes"),
        adds("grid barriers", c.grid_barriers * gpu.grid_barrier_us * 1e-6, f"{c.grid_barriers:.0f}"),
        overlaps("issue", c.warp_steps * INSTRUCTIONS / (wide * gpu.schedulers * hertz),
                 f"{c.warp_steps:.0f} steps of warps"),
        overlaps("L2 cache", l2 * SECTOR / gpu.l2_gbs * 1e-9, f"{l2:.0f} sectors of 32 bytes"),
        overlaps("memory", memory * SECTOR / gpu.memory_gbs * 1e-9, f"{memory:.0f} of them, which it did not have"),
        overlaps("atomics", c.global_atomics / gpu.atomics_spread_gops * 1e-9,
                 f"{c.global_atomics:.0f} in global memory"),
        overlaps("one address", c.hottest_atomics / gpu.atomics_same_gops * 1e-9,
                 f"{c.hottest_atomics:.0f} atomics, of each phase's busiest address"),
        overlaps("shared memory", shared / wide, f"{c.shared_atomics:.0f} atomics, {c.bank_conflicts:.0f} conflicts, "
                                                 f"{c.block_barriers:.0f} block barriers"),
        overlaps("longest warp", chain, f"{c.longest_warp_steps:.0f} steps and {c.longest_warp_loads:.0f} loads, "
                                        "of each phase's longest warp")))


def grown(small: Counters, large: Counters, step: float, times: float) -> Counters:
    """The counters of a graph `times` as large as that of `large`, which is `step` times as large as that of `small`.

    Each counter is taken to grow as a power of the size - rounds on a grid as its root, edges as the size itself -
    that the two runs tell; at most as its square. What was 0 in one of them stays as it is. What caches hold of the
    larger one is unknown.
    """
    def one(a: float, b: float) -> float:
        if a <= 0 or b <= 0:
            return b
        power = min(max(math.log(b / a) / math.log(step), 0.0), 2.0)
        return float(b * times**power)

    a, b = small.as_stats(), large.as_stats()
    return replace(Counters(**{name: one(a[name], b[name]) for name in b}), dram_sectors=-1.0)


def rank(measured: Sequence[float], modelled: Sequence[float]) -> float:
    """Spearman's rank correlation: 1 where the model puts all plans in the measured order, 0 where it tells nothing."""
    assert len(measured) == len(modelled)
    if len(set(measured)) < 2 or len(set(modelled)) < 2:
        return math.nan
    from scipy.stats import spearmanr  # loaded only where it is used: it takes most of a second

    return float(spearmanr(measured, modelled).statistic)
