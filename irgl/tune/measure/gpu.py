"""A GPU as the cost model sees it: numbers from one file per GPU in gpus/, each with its source."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irgl.source import IrglError

_FOLDER = Path(__file__).resolve().parent / "gpus"


@dataclass(frozen=True, slots=True)
class Gpu:
    """What the model asks of a GPU. A file gives each number as {"value": ..., "source": ...}.

    multiprocessors, clock_mhz, schedulers (warp instructions that a multiprocessor issues in a cycle). memory_gbs,
    l2_gbs (GB/s, as a kernel reaches them), l2_mb, l1_kb (of a multiprocessor; a file may leave it out: 128);
    memory_ns, l2_ns: what a load waits. launch_us: one of many launches in a row; read_back_us: a small copy that the
    host waits for, with the gap that it leaves on the GPU. graph_start_us: making, instantiating and launching a CUDA
    graph; graph_kernel_us: a kernel of it. grid_barrier_us, block_barrier_ns. atomics_same_gops, atomics_spread_gops:
    10^9 atomics a second on one global address and on many; shared_atomics: lanes a cycle, of one multiprocessor.
    pcie_gbs: one way. weaver: blocks have SparseWeaver's unit (docs/weaver.md); a file says `true`, or nothing.
    """

    multiprocessors: float
    clock_mhz: float
    schedulers: float
    memory_gbs: float
    l2_mb: float
    l2_gbs: float
    memory_ns: float
    l2_ns: float
    launch_us: float
    read_back_us: float
    graph_start_us: float
    graph_kernel_us: float
    grid_barrier_us: float
    block_barrier_ns: float
    atomics_same_gops: float
    atomics_spread_gops: float
    shared_atomics: float
    pcie_gbs: float
    l1_kb: float = 128.0
    weaver: bool = False
    name: str = ""
    sources: tuple[tuple[str, str], ...] = ()

    @property
    def emulated(self) -> tuple[int, int, bool]:
        """What the emulator pretends: bytes of a multiprocessor's cache and of the one that all share, SparseWeaver's
        unit."""
        return max(1, round(self.l1_kb * 1024)), max(1, round(self.l2_mb * 1e6)), self.weaver

    @property
    def estimates(self) -> tuple[str, ...]:
        """The numbers that nobody measured or stated."""
        return tuple(field for field, source in self.sources if source.startswith("estimate"))


#: No number of a GPU is so large.
_LARGEST = 1e15
#: What the emulator has room for.
_MOST = {"l1_kb": 16384, "l2_mb": 4096}
#: The numbers of a GPU.
NUMBERS = tuple(f.name for f in dataclasses.fields(Gpu) if f.name not in ("name", "sources", "weaver"))


def names() -> tuple[str, ...]:
    """The GPUs that the model knows."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def load(name: str) -> Gpu:
    """The GPU of that name, or that a file of the user's own describes (`.json` at its end).

    Raises IrglError for an unknown name and for a file that lacks or garbles a number.
    """
    if name.endswith(".json"):
        return _read(Path(name))
    if name.lower() not in names():
        raise IrglError(f"no GPU is called `{name}`",
                        hint=f"known are {', '.join(names())}; a file of your own: --gpu FILE.json (docs/tuning.md)")
    return _known(name.lower())


@cache
def _known(name: str) -> Gpu:
    return _read(_FOLDER / f"{name}.json")


def _read(path: Path) -> Gpu:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise IrglError(f"the GPU's file can't be read: {e.strerror}", file=str(path)) from None
    except ValueError as e:
        raise IrglError(f"the GPU's file is no JSON: {e}", file=str(path)) from None
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        raise IrglError("the GPU's file has no `name`", file=str(path))
    unknown = sorted(set(raw) - {"name", "weaver", *NUMBERS})
    if unknown:
        raise IrglError(f"`{unknown[0]}` is no number of a GPU", file=str(path),
                        hint=f"they are {', '.join(NUMBERS)}; beside them stand `name` and `weaver`")
    given = [field for field in NUMBERS if field != "l1_kb" or field in raw]
    values = {field: _number(path, field, raw.get(field)) for field in given}
    sources = tuple((field, str(raw[field]["source"])) for field in given)
    if not isinstance(raw.get("weaver", False), bool):
        raise IrglError("`weaver` must be true or false", file=str(path), hint="true: blocks have SparseWeaver's unit")
    return Gpu(**values, name=raw["name"], sources=sources, weaver=raw.get("weaver", False))


def _number(path: Path, field: str, given: Any) -> float:
    if given is None:
        raise IrglError(f"`{field}` is missing", file=str(path))
    value = given.get("value") if isinstance(given, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _LARGEST:
        raise IrglError(f'`{field}` must be {{"value": NUMBER, "source": TEXT}} with a number above 0', file=str(path))
    if value > _MOST.get(field, _LARGEST):
        raise IrglError(f"`{field}` is {value}: the emulator's caches have at most {_MOST[field]}", file=str(path))
    if not isinstance(given.get("source"), str) or not given["source"]:
        raise IrglError(f"`{field}` has no `source`: name one, or say `estimate: why`", file=str(path))
    return float(value)
