"""Arrays on a GPU with as much of CuPy's face as irgl looks at, over CUDA's own library: for machines without CuPy.

What CuPy works out on the GPU these fetch and work out on the host.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from irgl.rt.compile import nvcc
from irgl.source import IrglError

_TO_DEVICE, _TO_HOST = 1, 2


#: Where toolkits are, besides where nvcc is: it may be a script that calls another.
TOOLKITS = "/usr/local"
_FOLDERS = ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib")


def library() -> str:
    """CUDA's run-time library: beside nvcc, in a toolkit's usual folder, or of NVIDIA's wheels.

    Raises IrglError where there is none.
    """
    roots = [Path(nvcc.compiler()).resolve().parent.parent, *sorted(Path(TOOLKITS).glob("cuda*"), reverse=True)]
    folders = [root / name for root in roots for name in _FOLDERS]
    folders += [path for place in sys.path for path in sorted(Path(place).glob("nvidia/*/lib"), reverse=True)]
    for folder in folders:
        for path in sorted(folder.glob("libcudart.so*")):
            return str(path)
    raise IrglError("there is no libcudart.so, CUDA's run-time library: neither beside nvcc, nor in "
                    f"{TOOLKITS}/cuda*, nor in a wheel of NVIDIA's",
                    hint="install the CUDA toolkit, nvidia-cuda-runtime, or CuPy")


class Memory:
    """Some bytes of the device, until nobody has them any more."""

    def __init__(self, cuda: Any, size: int) -> None:
        self.cuda, self.place = cuda, ctypes.c_void_p()
        if cuda.cudaMalloc(ctypes.byref(self.place), ctypes.c_size_t(max(1, size))) != 0:
            raise MemoryError(f"no {size} bytes on the device")

    def __del__(self) -> None:
        self.cuda.cudaFree(self.place)

    def copy(self, at: int, host: Any, way: int) -> None:
        there = ctypes.c_void_p(at)
        ends = (there, ctypes.c_void_p(host.ctypes.data))
        to, source = ends if way == _TO_DEVICE else ends[::-1]
        if self.cuda.cudaMemcpy(to, source, ctypes.c_size_t(host.nbytes), way) != 0:
            raise RuntimeError("cudaMemcpy fails")


class Array:
    """Items of a type in some memory, one after the other."""

    def __init__(self, memory: Memory, at: int, count: int, dtype: Any) -> None:
        self.memory, self.dtype, self.shape = memory, np.dtype(dtype), (count,)
        self.data, self.nbytes = SimpleNamespace(ptr=at), count * self.dtype.itemsize
        self.device, self.flags = _Device(), SimpleNamespace(c_contiguous=True)
        self.__cuda_array_interface__ = {"shape": self.shape, "typestr": self.dtype.str, "data": (at, False),
                                         "version": 3}

    def get(self) -> Any:
        host = np.empty(self.shape, self.dtype)
        if host.nbytes:
            self.memory.copy(self.data.ptr, host, _TO_HOST)
        return host

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, slice):
            return self.get()[at]
        start, stop, step = at.indices(len(self))
        assert step == 1
        return Array(self.memory, self.data.ptr + start * self.dtype.itemsize, max(0, stop - start), self.dtype)

    def __lt__(self, other: Array) -> Any:
        return self.get() < other.get()

    def max(self) -> Any:
        return self.get().max()

    def view(self, dtype: Any) -> Array:
        return Array(self.memory, self.data.ptr, len(self), dtype)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        assert not copy and self.dtype == dtype, "the matrices of this suite have floats"
        return self


class _Device(AbstractContextManager[None]):
    """The only device that is used."""

    id = 0

    def __init__(self, number: int = 0) -> None:
        assert number == 0

    def __exit__(self, *_: object) -> None:
        pass


Array.__module__ = "cupy.arrays"  # by which irgl knows them


def install() -> Any:
    """The module, which is from then on what `import cupy` gives, with `csr_matrix` as cupyx.scipy.sparse has it."""
    cuda = ctypes.CDLL(library())
    cupy: Any = ModuleType("cupy")

    def empty(count: int, dtype: Any) -> Array:
        memory = Memory(cuda, count * np.dtype(dtype).itemsize)
        return Array(memory, int(memory.place.value or 0), count, dtype)

    def asarray(host: Any) -> Array:
        made = empty(len(host), host.dtype)
        if host.nbytes:
            made.memory.copy(made.data.ptr, np.ascontiguousarray(host), _TO_DEVICE)
        return made

    def wait() -> None:
        cuda.cudaDeviceSynchronize()

    class Matrix:
        format, has_sorted_indices = "csr", False

        def __init__(self, of: Any) -> None:
            self.shape = of.shape
            self.data, self.indices, self.indptr = asarray(of.data), asarray(of.indices), asarray(of.indptr)

    Matrix.__module__ = "cupyx.scipy.sparse"
    cupy.ndarray, cupy.empty, cupy.asarray = Array, empty, asarray
    cupy.zeros = lambda count, dtype: asarray(np.zeros(count, dtype))
    cupy.cuda = SimpleNamespace(Device=_Device, get_current_stream=lambda: SimpleNamespace(synchronize=wait))
    sparse: Any = ModuleType("cupyx.scipy.sparse")
    sparse.csr_matrix = Matrix
    sys.modules["cupy"], sys.modules["cupyx.scipy.sparse"] = cupy, sparse
    return cupy
