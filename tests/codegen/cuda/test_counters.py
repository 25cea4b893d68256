"""What the optimizations of the CUDA target are for, counted in the emulator on small graphs (docs/counters.md)."""

from __future__ import annotations

import importlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from support.places import BENCHMARKS

sys.path.append(str(BENCHMARKS))
counting = importlib.import_module("counting")
counters = importlib.import_module("counters")

BLOCK = 256
SKEWED, SMALL, LARGE = "rmat:12", "grid:8x8", "grid:16x48"
RUNS = {
    **{cc: ("traverse", f"np=fg cc={cc} outline=off", SKEWED, "lockstep") for cc in ("off", "thread", "warp", "block")},
    "serial": ("traverse", "np=serial cc=thread outline=off", SKEWED, "lockstep"),
    "expanding": ("bfs_cx", "np=fg cc=block outline=off", SKEWED, "check"),
    "expanding, off": ("bfs_cx", "np=fg cc=off outline=off", SKEWED, "check"),
    "host": ("bfs", "outline=off", LARGE, "check"),
    "host, small": ("bfs", "outline=off", SMALL, "check"),
    "device": ("bfs", "outline=all", LARGE, "check"),
    "device, small": ("bfs", "outline=all", SMALL, "check"),
}


@pytest.fixture(scope="module")
def ran() -> dict[str, Any]:
    def run(key: str) -> Any:
        program, plan, graph, mode = RUNS[key]
        return counting.count(program, plan, graph, graph, mode=mode)

    first = [key for key in RUNS if not key.endswith("small")]  # which builds what the others use
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(first, pool.map(run, first), strict=True))
        rest = [key for key in RUNS if key not in found]
        return found | dict(zip(rest, pool.map(run, rest), strict=True))


def test_without_cooperative_conversion_each_append_is_an_atomic(ran: dict[str, Any]) -> None:
    assert ran["off"].appends == ran["off"].edges


def test_a_thread_takes_room_for_its_item_at_once(ran: dict[str, Any]) -> None:
    assert 0 < ran["thread"].appends <= ran["thread"].nodes


def test_a_warp_takes_room_for_its_items_at_once(ran: dict[str, Any]) -> None:
    assert 0 < ran["warp"].appends <= ceil(ran["warp"].nodes / 32)


def test_a_block_takes_room_for_its_items_at_once(ran: dict[str, Any]) -> None:
    assert 0 < ran["block"].appends <= ceil(ran["block"].nodes / BLOCK)


def test_a_search_that_asks_nothing_before_it_pushes_takes_room_once_for_a_block_of_items(ran: dict[str, Any]) -> None:
    items = ran["expanding, off"].appends + 1  # the source is there before
    assert 0 < ran["expanding"].appends <= items // BLOCK + ran["expanding"]["rounds"]


def test_the_fine_grained_scheduler_has_three_times_the_lanes_of_the_serial_one_in_use(ran: dict[str, Any]) -> None:
    assert ran["thread"]["utilisation"] >= 3 * ran["serial"]["utilisation"]


def test_the_fine_grained_scheduler_has_nearly_all_lanes_in_use(ran: dict[str, Any]) -> None:
    assert ran["thread"]["utilisation"] > 0.9


@pytest.fixture(scope="module")
def reduced() -> dict[tuple[str, str], int]:
    """Atomics of a reduction over 1024 nodes, by kind and level, without those that are there anyway."""
    def run(cc: str, which: int) -> int:
        ran = counting.count("reductions", f"cc={cc}", "grid", "grid:32x32", mode="lockstep", values={"which": which},
                             folder=Path(counters.__file__).parent)
        return int(ran.atomics)

    idle = run("off", 4)
    return {(kind, cc): run(cc, which) - idle for cc in ("off", "thread", "warp", "block")
            for which, kind in enumerate(("sum", "most", "Any", "All"))}


@pytest.mark.parametrize(("cc", "atomics"), [("off", 1024), ("thread", 1024), ("warp", 1024 // 32),
                                             ("block", 1024 // BLOCK)])
def test_a_sum_takes_an_atomic_for_each_unit_that_combines_it(reduced: dict[tuple[str, str], int], cc: str,
                                                              atomics: int) -> None:
    assert reduced["sum", cc] == atomics


@pytest.mark.parametrize("kind", ["Any", "All"])
def test_what_a_kernel_returns_takes_an_atomic_for_each_unit_that_is_first(reduced: dict[tuple[str, str], int],
                                                                         kind: str) -> None:
    # One tells that there were items; the lanes of the first warp all find that they change the value.
    assert [reduced[kind, cc] for cc in ("off", "thread", "warp", "block")] == [33, 33, 2, 2]


def test_a_loop_of_the_host_launches_in_each_round(ran: dict[str, Any]) -> None:
    launches = {key: ran[key]["launches"] - ran[key]["rounds"] for key in ("host", "host, small")}
    assert launches["host"] == launches["host, small"]


def test_an_outlined_loop_is_one_launch(ran: dict[str, Any]) -> None:
    outside = ran["host"]["launches"] - ran["host"]["rounds"]
    assert [ran[key]["launches"] for key in ("device", "device, small")] == [outside + 1, outside + 1]


def test_an_outlined_loop_copies_nothing_inside(ran: dict[str, Any]) -> None:
    assert ran["device"]["rounds"] > ran["device, small"]["rounds"]
    assert ran["device"]["transfers"] == ran["device, small"]["transfers"]


def test_a_round_of_the_host_moves_at_most_16_bytes(ran: dict[str, Any]) -> None:
    # The copies outside of the loop are those of the outlined one, and its state, there and back.
    assert ran["host"]["transfer_bytes"] - ran["device"]["transfer_bytes"] <= 16 * ran["host"]["rounds"]


def test_a_round_of_the_host_is_one_copy(ran: dict[str, Any]) -> None:
    outside = {key: ran[key]["transfers"] - ran[key]["rounds"] for key in ("host", "host, small")}
    assert outside["host"] == outside["host, small"]


SAID = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN4unit11walk_kernelEN4irgl6DeviceE' for 'sm_90'
ptxas info    : Function properties for _ZN4unit11walk_kernelEN4irgl6DeviceE
    24 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 41 registers, used 1 barriers, 24 bytes cumulative stack size, 6352 bytes smem
ptxas info    : Compiling entry function '_ZN4irgl11fill_kernelIjEEvPT_mS1_' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers
"""


def test_what_the_assembler_says_of_kernels_is_read() -> None:
    read = [(r.kernel, r.registers, r.spilled, r.shared) for r in counting.told("p", SAID)]
    assert read == [("walk_kernel", 41, 20, 6352), ("fill_kernel", 12, 0, 0)]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_a_default_plan_spills_no_register() -> None:
    told = counting.registers("bfs")
    assert [r for r in told if r.spilled] == []
    assert max(r.registers for r in told) > 32


def test_a_table_has_a_column_of_words_on_the_left_and_numbers_on_the_right() -> None:
    assert counters.head("program", "launches") == ["| program | launches |", "| --- | ---: |"]
