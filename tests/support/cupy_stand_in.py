"""A stand-in for CuPy: arrays over the machine's memory that are fetched before NumPy may look at them; and for nvcc,
CPU units that take such arrays for those of a device."""

from __future__ import annotations

import ctypes
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from irgl.plan import Plan
from irgl.rt.call import on_device
from irgl.rt.compile import build, nvcc
from irgl.rt.manifests.program import open_program

_here = threading.local()


class Device:
    """cupy.cuda.Device: the current one of this thread, which `with` changes."""

    def __init__(self, number: int | None = None) -> None:
        self.id = getattr(_here, "device", 0) if number is None else number

    def __enter__(self) -> None:
        self._before = getattr(_here, "device", 0)
        _here.device = self.id

    def __exit__(self, *_: object) -> None:
        _here.device = self._before


class ndarray:
    """cupy.ndarray, as far as irgl uses it. `traffic` counts what is fetched and brought."""

    traffic: ClassVar[dict[str, int]] = {"brought": 0, "fetched": 0, "waits": 0}

    def __init__(self, values: Any, device: int | None = None) -> None:
        self.values = values
        self.device = Device(device)

    dtype = property(lambda self: self.values.dtype)
    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)
    itemsize = property(lambda self: self.values.itemsize)
    nbytes = property(lambda self: self.values.nbytes)
    data = property(lambda self: SimpleNamespace(ptr=self.values.ctypes.data))
    flags = property(lambda self: SimpleNamespace(c_contiguous=self.values.flags.c_contiguous))
    __cuda_array_interface__ = property(lambda self: {
        "shape": self.shape, "typestr": self.dtype.str, "data": (self.data.ptr, False), "version": 3})

    def get(self) -> Any:
        self.traffic["fetched"] += self.values.nbytes
        return self.values.copy()

    def tolist(self) -> Any:
        return self.get().tolist()

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    __array_ufunc__ = None

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, at: Any) -> ndarray:
        return ndarray(np.asarray(self.values[at]), self.device.id)

    def __lt__(self, other: ndarray) -> ndarray:
        return ndarray(self.values < other.values, self.device.id)

    def __int__(self) -> int:
        return int(self.values)

    def __bool__(self) -> bool:
        return bool(self.values)

    def any(self) -> ndarray:
        return ndarray(np.asarray(self.values.any()), self.device.id)

    def max(self) -> ndarray:
        return ndarray(np.asarray(self.values.max()), self.device.id)

    def reshape(self, *shape: Any) -> ndarray:
        return ndarray(self.values.reshape(*shape), self.device.id)

    def view(self, dtype: Any) -> ndarray:
        return ndarray(self.values.view(dtype), self.device.id)

    def astype(self, dtype: Any, copy: bool = True) -> ndarray:
        return ndarray(self.values.astype(dtype, copy=copy), self.device.id)


class csr_matrix:
    """cupyx.scipy.sparse.csr_matrix."""

    format = "csr"

    def __init__(self, of: Any, device: int = 0) -> None:
        self.shape = of.shape
        self.data, self.indices, self.indptr = (ndarray(a, device) for a in (of.data, of.indices, of.indptr))
        self.has_sorted_indices = bool(of.has_sorted_indices)


ndarray.__module__ = "cupy._core.core"
csr_matrix.__module__ = "cupyx.scipy.sparse._csr"


def module() -> ModuleType:
    """The module `cupy`; its `traffic` says how many bytes were brought and fetched, and how often a stream was waited
    for; `made` holds the arrays that were made here, `calls` the calls of units."""
    cupy: Any = ModuleType("cupy")
    cupy.traffic = ndarray.traffic = {"brought": 0, "fetched": 0, "waits": 0}
    cupy.made, cupy.calls = [], []

    def made(values: Any) -> ndarray:
        cupy.made.append(ndarray(values))
        return cupy.made[-1]

    def asarray(values: Any) -> ndarray:
        if isinstance(values, ndarray):
            return values
        assert isinstance(values, np.ndarray)
        cupy.traffic["brought"] += values.nbytes
        return made(values.copy())

    def wait() -> None:
        cupy.traffic["waits"] += 1

    def contiguous(array: ndarray, dtype: Any) -> ndarray:
        fits = array.dtype == dtype and array.flags.c_contiguous
        return array if fits else made(np.ascontiguousarray(array.values, dtype))

    cupy.ndarray, cupy.asarray, cupy.ascontiguousarray = ndarray, asarray, contiguous
    cupy.empty = lambda count, dtype: made(np.full(np.dtype(dtype).itemsize * count, 0xAA, np.uint8).view(dtype))
    cupy.zeros = lambda count, dtype: made(np.zeros(count, dtype))
    cupy.cuda = SimpleNamespace(Device=Device, get_current_stream=lambda: SimpleNamespace(synchronize=wait))
    found: ModuleType = cupy
    return found


#: In the place of a unit's entry: takes graphs on a device alone, and gives them to the CPU's code.
_ENTRY = """
extern "C" { int planted_fault = 0; }
extern "C" int irgl_run(irgl_run_args* args) {
  irgl_graph graphs[4];
  for (int64_t k = 0; k < args->num_graphs; ++k) {
    if ((args->graphs[k].flags & IRGL_GRAPH_ON_DEVICE) == 0 || planted_fault != 0)
      return args->fault[0] = planted_fault != 0 ? planted_fault : IRGL_FAULT_ACCESS, 1;
    graphs[k] = args->graphs[k];
    graphs[k].flags &= ~int64_t(IRGL_GRAPH_ON_DEVICE);
  }
  irgl_run_args mine = *args;
  mine.graphs = graphs, mine.threads = 2, mine.grain = 4096, mine.serial = 2048, mine.giant = 32768;
  const int code = cpu_run(&mine);
  args->stats[IRGL_STAT_RUN_NS] = 2000000;
  return code;
}
"""


#: Of the device that there is not.
ARCHITECTURE = "sm_90"


def _build(text: str, root: Path, defines: Any, target: str, *, shared: bool = False) -> Path:
    """As nvcc.build: the program that the CUDA text's lines name, over the same forms, for the CPU."""
    del root
    assert shared and target == ARCHITECTURE
    named = next(path for path in re.findall(r'^#line \d+ "(.*)"', text, re.MULTILINE) if "/lib/" not in path)
    laid = re.search(r"^// Plan:.* (format=\w+)", text, re.MULTILINE)
    plan = Plan.parse("default" if laid is None else laid[1], "cpu")
    unit = open_program(named, plan).text.replace('extern "C" int irgl_run(', "static int cpu_run(")
    bits = {name: int(value) for name, value in (d.split("=") for d in defines)}
    return build.build(unit + _ENTRY, node_bits=bits["IRGL_NODE_BITS"], edge_bits=bits["IRGL_EDGE_BITS"]).path


@contextmanager
def installed() -> Iterator[Any]:
    """Inside, CuPy is this, and nvcc, the driver and the device are there."""
    with pytest.MonkeyPatch.context() as patch:
        cupy: Any = module()

        class Noted(on_device.DeviceCall):
            def __init__(self, *of: Any) -> None:
                super().__init__(*of)
                cupy.calls.append(self)

        patch.setattr(on_device, "DeviceCall", Noted)
        patch.setitem(sys.modules, "cupy", cupy)
        patch.setattr(nvcc, "require_device", lambda: None)
        patch.setattr(nvcc, "architecture", lambda _=0: ARCHITECTURE)
        patch.setattr(nvcc, "build", _build)
        on_device.opened.cache_clear()
        yield cupy
    on_device.opened.cache_clear()


def unit_of(program: Any, bits: tuple[int, int] = (32, 32)) -> ctypes.CDLL:
    """The library that ran the program."""
    return on_device.opened(program.manifest.text, bits, ARCHITECTURE)
