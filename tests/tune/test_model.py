"""The cost model of a GPU: what it asks of a GPU's file, what its sum is made of, and which plans it prefers."""

from __future__ import annotations

import dataclasses
import importlib
import json
import queue
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.places import BENCHMARKS, SHARED_GRAPHS

from irgl.rt.call.run import Options
from irgl.source import IrglError
from irgl.tune.measure.gpu import NUMBERS, load, names
from irgl.tune.measure.gpu_model import UNHIDDEN, Counters, explain, grown, modelled_ms, rank
from irgl.tune.measure.modelled import Modeller
from irgl.tune.measure.protocol import Run

sys.path.append(str(BENCHMARKS))
counting = importlib.import_module("counting")

H200 = load("h200")
FIELDS = [f.name for f in dataclasses.fields(Counters)]
ROAD = SHARED_GRAPHS / "road" / "rome99.gr.gz"
#: A run in which every part takes its time.
SOME = Counters(**dict.fromkeys(FIELDS, 1e5))
#: The same of a larger graph, of which nobody knows what caches hold.
UNKNOWN = dataclasses.replace(SOME, l2_sectors=-1.0, dram_sectors=-1.0)
GARBLED = '`l2_gbs` must be {"value": NUMBER, "source": TEXT} with a number above 0'


def counted(program: str, plan: str, spec: str) -> dict[str, Any]:
    return dict(counting.count(program, plan, spec, spec, mode="lockstep").stats)


def test_the_known_gpus() -> None:
    assert names() == ("a100", "h100", "h200", "rtx3090", "rtx4090", "t4", "vortex")


@pytest.mark.parametrize("name", names())
def test_each_number_of_a_gpu_has_a_source(name: str) -> None:
    gpu = load(name)
    assert [field for field, source in gpu.sources if source] == list(NUMBERS)
    assert gpu.memory_gbs < gpu.l2_gbs and gpu.memory_ns > gpu.l2_ns


def test_estimates_are_told_from_what_has_a_source() -> None:
    assert "block_barrier_ns" in H200.estimates
    assert "launch_us" not in H200.estimates


def test_an_unknown_gpu_is_refused_with_those_known() -> None:
    with pytest.raises(IrglError) as caught:
        load("h300")
    assert caught.value.message == "no GPU is called `h300`"
    assert caught.value.hint == ("known are a100, h100, h200, rtx3090, rtx4090, t4, vortex; a file of your own: "
                                 "--gpu FILE.json (docs/tuning.md)")


def own_file(tmp_path: Path, **changes: Any) -> str:
    folder = Path(sys.modules["irgl.tune.measure.gpu"].__file__ or "").parent
    raw = json.loads((folder / "gpus" / "t4.json").read_text())
    raw |= changes
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({k: v for k, v in raw.items() if v is not None}), encoding="utf-8")
    return str(path)


def test_a_gpu_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    gpu = load(own_file(tmp_path, name="mine", multiprocessors={"value": 7, "source": "estimate: a guess"}))
    assert (gpu.name, gpu.multiprocessors, gpu.clock_mhz) == ("mine", 7, load("t4").clock_mhz)


@pytest.mark.parametrize(("changes", "message"), [
    ({"l2_gbs": None}, "`l2_gbs` is missing"),
    ({"l2_gbs": 4}, GARBLED),
    ({"l2_gbs": {"value": 0, "source": "x"}}, GARBLED),
    ({"l2_gbs": {"value": "4", "source": "x"}}, GARBLED),
    ({"l2_gbs": {"value": 4}}, "`l2_gbs` has no `source`: name one, or say `estimate: why`"),
    ({"l2_gbs": {"value": 10**400, "source": "x"}}, GARBLED),
    ({"l1_kb": {"value": 1e6, "source": "x"}}, "`l1_kb` is 1000000.0: the emulator's caches have at most 16384"),
    ({"l2_mb": {"value": 5000, "source": "x"}}, "`l2_mb` is 5000: the emulator's caches have at most 4096"),
    ({"weaver": "yes"}, "`weaver` must be true or false"),
    ({"l3_gbs": {"value": 4, "source": "x"}}, "`l3_gbs` is no number of a GPU"),
    ({"name": None}, "the GPU's file has no `name`"),
])
def test_a_broken_file_names_the_field(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = own_file(tmp_path, **changes)
    with pytest.raises(IrglError) as caught:
        load(path)
    assert (caught.value.message, caught.value.file) == (message, path)


def test_a_file_of_ones_own_may_leave_out_the_l1_cache_and_have_the_unit(tmp_path: Path) -> None:
    gpu = load(own_file(tmp_path, l1_kb=None, weaver=True))
    assert gpu.emulated == (128 * 1024, 4_000_000, True)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(IrglError, match="the GPU's file is no JSON: "):
        load(str(path))


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(IrglError, match="the GPU's file can't be read: No such file or directory"):
        load("not/there.json")


def test_the_time_is_what_adds_and_the_largest_of_what_overlaps_and_a_share_of_the_rest() -> None:
    parts = explain(SOME, H200).parts
    adding, work = [p.ms for p in parts if not p.of_work], [p.ms for p in parts if p.of_work]
    assert modelled_ms(SOME, H200) == pytest.approx(sum(adding) + max(work) + UNHIDDEN * (sum(work) - max(work)))


def test_one_launch_costs_what_the_file_says() -> None:
    more = dataclasses.replace(SOME, launches=SOME.launches + 1)
    assert modelled_ms(more, H200) - modelled_ms(SOME, H200) == pytest.approx(H200.launch_us * 1e-3, rel=1e-3)


@pytest.mark.parametrize("name", FIELDS)
def test_more_of_a_counter_never_takes_less_time(name: str) -> None:
    of = UNKNOWN if name == "transactions" else SOME
    times = [modelled_ms(dataclasses.replace(of, **{name: value}), H200) for value in (0.0, 1e5, 1e7, 1e9)]
    assert times == sorted(times)
    assert times[0] < times[-1]


def parts(counters: Counters) -> dict[str, float]:
    return {p.name: p.ms for p in explain(counters, H200).parts}


def test_what_the_l2_cache_is_asked_for_and_what_it_lacks_are_parts_of_their_own() -> None:
    told = parts(dataclasses.replace(SOME, l2_sectors=4e6, dram_sectors=1e6))
    assert told["L2 cache"] == pytest.approx(4e6 * 32 / H200.l2_gbs * 1e-6)
    assert told["memory"] == pytest.approx(1e6 * 32 / H200.memory_gbs * 1e-6)


def test_where_nobody_knows_what_caches_hold_a_graph_beyond_l2_has_all_its_sectors_from_memory() -> None:
    small = dataclasses.replace(UNKNOWN, bytes_to_device=H200.l2_mb * 1e6)
    large = dataclasses.replace(small, bytes_to_device=small.bytes_to_device + 1)
    assert (parts(small)["memory"], parts(small)["L2 cache"]) == (0.0, parts(large)["L2 cache"])
    assert parts(large)["memory"] / parts(large)["L2 cache"] == pytest.approx(H200.l2_gbs / H200.memory_gbs)


def test_a_counter_that_was_not_counted_is_named() -> None:
    stats = {name: 1 for name in FIELDS if name != "transactions"}
    with pytest.raises(IrglError) as caught:
        modelled_ms(stats, H200)
    assert caught.value.message == "the model of a GPU needs the counter `transactions`, which this run did not count"
    assert caught.value.hint == "the emulator counts it in lockstep"


def test_counters_as_a_flat_mapping_are_the_same_counters() -> None:
    assert Counters.of(SOME.as_stats()) == SOME


def test_counters_grow_by_the_power_that_two_sizes_tell() -> None:
    base = dict.fromkeys(FIELDS, 8.0)
    small = Counters(**base)
    large = Counters(**base | {"launches": 16.0, "warp_steps": 32.0, "transfers": 4.0, "transactions": 8e9})
    found = grown(small, large, 4, 16)
    assert (found.launches, found.warp_steps, found.transfers) == (16 * 4, 32 * 16, 4)
    assert found.transactions == 8e9 * 16**2


def test_rank_is_spearmans() -> None:
    assert rank([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert rank([1, 2, 3, 4], [40, 30, 20, 10]) == -1
    assert rank([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)


def test_rank_of_equal_times_is_no_number() -> None:
    assert str(rank([1, 1], [1, 2])) == "nan"


def test_only_what_is_timed_counts_as_launches_and_copies() -> None:
    stats = counted("bfs", "outline=off", "grid:6x6")
    c = Counters.of(stats)
    assert 0 < c.transfers < stats["transfers"]
    assert 0 < c.transfer_bytes < stats["transfer_bytes"]
    assert 0 < c.launches <= stats["launches"]


def test_on_a_road_network_loops_on_the_gpu_beat_loops_on_the_host() -> None:
    if not ROAD.is_file():
        pytest.skip("../shared/graphs/road/rome99.gr.gz is not there")
    off, outlined = (counted("bfs", f"outline={o}", str(ROAD)) for o in ("off", "all"))
    for name in names():
        assert modelled_ms(outlined, load(name)) < modelled_ms(off, load(name)), name


def test_on_a_skewed_graph_sharing_edges_beats_one_thread_for_each_node() -> None:
    serial, shared = (counted("bfs", f"np={np} outline=off", "rmat:12") for np in ("serial", "fg"))
    for name in names():
        assert modelled_ms(shared, load(name)) < modelled_ms(serial, load(name)), name


def test_where_many_items_are_appended_a_block_together_beats_each_alone() -> None:
    alone, together = (counted("traverse", f"np=fg cc={cc} outline=off", "rmat:12") for cc in ("off", "block"))
    for name in names():
        assert modelled_ms(together, load(name)) < modelled_ms(alone, load(name)), name


def test_forms_are_made_for_the_caches_of_the_gpu_that_is_modelled_and_emulated_with_them() -> None:
    asked = []
    modeller = Modeller.__new__(Modeller)  # without its workers
    modeller._gpu, modeller._idle = load("t4"), queue.SimpleQueue()
    modeller._idle.put(SimpleNamespace(run=lambda run: asked.append(run.options)))
    modeller._ask(Run(None, None, "", "simt", Options()))  # type: ignore[arg-type]
    assert [(o.gpu_l1, o.gpu_cache, o.gpu_weaver) for o in asked] == [load("t4").emulated]
