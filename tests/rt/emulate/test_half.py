"""irglc emulate: floats of 16 bits. Each function is held to an oracle of NumPy and exact fractions, and to CUDA's own
headers where a toolkit is there; how programs use them is in tests/emulated."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support.places import TESTS
from support.ptx import toolkit
from support.small_floats import (
    BFLOAT16,
    DOWN,
    HALF,
    NEAREST,
    NO_NUMBER,
    UP,
    ZERO,
    Codes,
    Format,
    Reals,
    Whole,
    given,
    same,
    whole,
    words,
)

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
needs_toolkit = pytest.mark.skipif(toolkit() is None, reason="no nvcc of CUDA 13")

HERE = TESTS
SOURCE = HERE / "support" / "small_floats.cu"
FORMATS = pytest.mark.parametrize("kind", [HALF, BFLOAT16], ids=lambda kind: kind.name)
MODES = (NEAREST, ZERO, UP, DOWN)  # as the program has them
WHOLE = (np.rint, np.trunc, np.ceil, np.floor)
#: The types of whole numbers that a number becomes by itself, and by functions.
TYPES: tuple[Whole, ...] = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


def results(executable: Path, kind: Format, folder: Path) -> list[Codes]:
    """The blocks that the program writes: of single numbers, doubles, whole numbers, pairs and triples, two of each."""
    with (folder / "in").open("wb") as file:
        for values in given(kind):
            file.write(words([values.size]).tobytes() + values.tobytes())
    arguments = [str(folder / "in"), str(folder / "out")]
    if executable.suffix == ".emu":
        report = emulate.run(executable, arguments, mode="fast")
        assert (report.code, report.stderr) == (0, "")
    else:
        subprocess.run([str(executable), *arguments], check=True)
    data, blocks, at = np.fromfile(folder / "out", np.uint64), [], 0
    for _ in range(10):
        blocks.append(data[at + 1:at + 1 + int(data[at])])
        at += 1 + int(data[at])
    return blocks


@cache
def built(kind: Format) -> Path:
    return emulate.build(SOURCE, defines=["BF16"] if kind is BFLOAT16 else [])


@FORMATS
def test_every_number_becomes_what_it_should(kind: Format, tmp_path: Path) -> None:
    host, device, *_ = results(built(kind), kind, tmp_path)
    x = kind.all
    columns = host.reshape(65536, -1).T
    as_float = np.arange(65536, dtype=np.uint64) << np.uint64(16)
    if kind is HALF:
        as_float = x.astype(np.float32).view(np.uint32).astype(np.uint64)
        as_float[np.isnan(x)] = 0x7FFFFFFF
    same(columns[0], as_float, "float")
    for i, to in enumerate(TYPES):
        same(columns[1 + i], whole(x, to), to.__name__)
    infinite = np.where(np.isinf(x), np.sign(x), 0).astype(np.int64).view(np.uint64)
    for column, wanted, what in zip(columns[9:], (x != 0, np.isnan(x), infinite, kind.rounded(-x),
                                                  kind.rounded(np.abs(x))), ("bool", "nan", "inf", "-", "abs"),
                                    strict=True):
        same(column, wanted, what)
    columns = device.reshape(65536, -1).T
    for i, (mode, to) in enumerate(product(range(4), TYPES[2:])):
        same(columns[i], whole(WHOLE[mode](x), to), f"{to.__name__}, {mode}")
    functions: tuple[tuple[str, Callable[[Reals], Reals]], ...] = (
        ("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc), ("rint", np.rint), ("sqrt", np.sqrt),
        ("rsqrt", lambda x: 1 / np.sqrt(x)), ("rcp", lambda x: 1 / x), ("exp", np.exp), ("exp2", np.exp2),
        ("exp10", lambda x: np.power(10.0, x)), ("log", np.log), ("log2", np.log2), ("log10", np.log10),
        ("sin", np.sin), ("cos", np.cos), ("tanh", np.tanh))
    with np.errstate(all="ignore"):
        for column, (name, function) in zip(columns[24:], functions, strict=True):
            same(column, kind.rounded(function(x)), name)


@FORMATS
def test_numbers_are_rounded_right(kind: Format, tmp_path: Path) -> None:
    reals, wholes, _, _ = given(kind)
    blocks = results(built(kind), kind, tmp_path)
    columns = blocks[2].reshape(len(reals), -1).T
    with np.errstate(over="ignore"):
        floats = reals.astype(np.float32)
        if kind is HALF:
            numpys = reals.astype(np.float16)
            same(columns[0], np.where(np.isnan(reals), NO_NUMBER, numpys.view(np.uint16)), "double, by NumPy")
    for column in columns[:2]:
        same(column, kind.rounded(reals), "double")
    for column, mode in zip(columns[2:], (NEAREST, NEAREST, *MODES), strict=True):
        same(column, kind.rounded(floats.astype(np.float64), mode), f"float, {mode}")

    def rounded(to: Whole, mode: int) -> Codes:
        return words([exact(kind, int(v), mode) for v in wholes.astype(to)])

    by_type = {to: [rounded(to, mode) for mode in MODES] for to in TYPES[2:]}
    order: tuple[Whole, ...] = (np.int32, np.uint32, np.int16, np.uint16, np.int64, np.uint64)
    for column, to in zip(blocks[4].reshape(len(wholes), -1).T, order, strict=True):
        same(column, by_type[to][NEAREST], f"from {to.__name__}")
    for column, (mode, to) in zip(blocks[5].reshape(len(wholes), -1).T, product(MODES, order), strict=True):
        same(column, by_type[to][mode], f"from {to.__name__}, {mode}")


@cache
def exact(kind: Format, value: int, mode: int) -> int:
    return kind.rounded_once(Fraction(value), mode)


@FORMATS
def test_arithmetic_is_rounded_once(kind: Format, tmp_path: Path) -> None:
    _, _, pairs, triples = given(kind)
    blocks = results(built(kind), kind, tmp_path)
    columns = iter(blocks[6].reshape(len(pairs), -1).T)
    a, b = (pairs[:, i].astype(np.uint16) for i in (0, 1))
    x, y = kind.all[a], kind.all[b]
    one = np.uint64(kind.one)

    def saturated(codes: Codes) -> Codes:
        v = kind.all[codes.astype(np.uint16)]
        return np.where(v > 0, np.minimum(codes, one), 0).astype(np.uint64)

    def largest(u: Reals, v: Reals, sign: int, keep: bool) -> Codes:
        u, v = sign * u, sign * v
        found = np.where((u > v) | ((u == v) & ~np.signbit(u)), u, v)
        found = np.where(np.isnan(u), v, np.where(np.isnan(v), u, found))
        return kind.rounded(sign * np.where(keep & (np.isnan(u) | np.isnan(v)), np.nan, found))

    sums, differences, products, quotients = (
        words([kind.result(sign, int(i), int(j)) for i, j in zip(a, b, strict=True)]) for sign in "+-*/")
    with np.errstate(all="ignore"):
        doubled, none, squares, ones = (kind.rounded(v) for v in (y + y, y - y, y * y, y / y))
    most, least = largest(x, y, 1, False), largest(x, y, -1, False)
    for wanted in (sums, differences, products, quotients, most, least, largest(x, y, 1, True),
                   largest(x, y, -1, True), saturated(sums), saturated(differences), saturated(products)):
        same(next(columns), wanted, "arithmetic")
    nan = np.isnan(x) | np.isnan(y)
    eq, lt, gt = x == y, x < y, x > y
    ordered = (eq, lt | gt, lt, lt | eq, gt, gt | eq)
    for wanted in (*ordered, *(v | nan for v in ordered), eq, ~eq, lt, lt | eq, gt, gt | eq):
        same(next(columns), wanted, "comparison")
    twice = kind.rounded(y)
    for of_x, of_y in ((sums, doubled), (differences, none), (products, squares), (quotients, ones), (most, twice),
                       (least, twice), (kind.rounded(-x), kind.rounded(-y)),
                       (kind.rounded(np.abs(x)), kind.rounded(np.abs(y))), (eq * one, (y == y) * one),
                       ((lt | gt) * one, 0 * one * eq), ((lt | nan) * one, (y != y) * one),
                       ((x != x) * one, (y != y) * one)):
        same(next(columns), of_x, "low of a pair")
        same(next(columns), of_y, "high of a pair")
    same(next(columns), (lt | eq) * np.uint64(0xFFFF) + (y == y) * np.uint64(0xFFFF0000), "mask")
    for wanted in (eq, 0 * eq, eq, ~eq & (y != y), 0 * eq):
        same(next(columns), wanted, "both of a pair")
    same(next(columns), saturated(sums), "low of a saturated pair")
    same(next(columns), saturated(doubled), "high of a saturated pair")
    assert next(columns, None) is None

    columns = iter(blocks[9].reshape(len(triples), -1).T)
    fma = words([kind.sum_of_product(*(int(v) for v in row)) for row in triples])
    same(next(columns), fma, "fma")
    same(next(columns), saturated(fma), "fma_sat")
    same(next(columns), np.where(fma == NO_NUMBER, fma, np.where(fma >> np.uint64(15) == 1, 0, fma)), "fma_relu")


@needs_toolkit
@FORMATS
def test_cudas_own_headers_agree_where_they_compute_on_the_host(kind: Format, tmp_path: Path) -> None:
    home = toolkit()
    assert home is not None
    flags = ["-DBF16"] if kind is BFLOAT16 else []
    made = tmp_path / "program"
    done = subprocess.run([str(home / "bin" / "nvcc"), "-std=c++17", "-arch=sm_90", *flags, str(SOURCE), "-o",
                           str(made)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs = results(made, kind, tmp_path)[::2]
    for found, wanted in zip(results(built(kind), kind, tmp_path)[::2], theirs, strict=True):
        if kind is BFLOAT16:  # where -0 is less than 0 for a GPU, it is not always for the host's __hmax_nan
            found, wanted = (np.where(v == 0x8000, 0, v) for v in (found, wanted))
        same(found, wanted, kind.name)


@needs_toolkit
@pytest.mark.parametrize("name", ["half", "bfloat16"])
def test_the_programs_are_cuda_programs(name: str, tmp_path: Path) -> None:
    home = toolkit()
    assert home is not None
    done = subprocess.run([str(home / "bin" / "nvcc"), "-std=c++17", "-arch=sm_90", "-c",
                           str(HERE / "rt" / "emulate" / "programs" / f"{name}.cu"), "-o", str(tmp_path / "program.o")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_toolkit
def test_every_function_of_cudas_headers_is_there(tmp_path: Path) -> None:
    home = toolkit()
    assert home is not None
    lines = ["#include <cuda_bf16.h>"]
    for file in ("cuda_fp16.h", "cuda_bf16.h"):
        text = (home / "include" / file).read_text(encoding="utf-8")
        for m in re.finditer(r"^__CUDA_(?:HOSTDEVICE_)?(?:FP|BF)16_DECL__\s+([\w ]+?)\s*\b(\w+)\(([^()]*)\);", text,
                             re.MULTILINE):
            kinds = ", ".join(re.sub(r"\s*=.*|\b\w+\s*(?==|$)", "", p.strip()) for p in m[3].split(","))
            lines.append(f"{m[1]} (*const f{len(lines)})({kinds}) = {m[2]};")
    assert len(lines) > 450
    source = tmp_path / "program.cu"
    source.write_text("\n".join([*lines, "int main() { return 0; }\n"]))
    assert emulate.run(emulate.build(source)).code == 0


KERNELS = """#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_HALF_OPERATORS__
#include <cuda_fp16.h>
__half2 operator+(const __half2&, __half);
__half operator+(__half a, __half b) { return __hsub(a, b); }
__global__ void beyond(half2* p) {
  p[threadIdx.x] =
      __hadd2(p[threadIdx.x + 1], p[0]);
}
__global__ void crooked(half* p) {
  *reinterpret_cast<half2*>(p + 1) = __float2half2_rn(1);
}
__global__ void mixed(half2* p) {
  atomicAdd(p, __float2half2_rn(1));
  if (threadIdx.x == 3) p[0].y = __float2half(2);
}
int main(int count, char**) {
  half2* p;
  cudaMalloc(&p, 32 * sizeof *p);
  cudaMemset(p, 0, 32 * sizeof *p);
  if (count == 1) beyond<<<1, 32>>>(p);
  if (count == 2) crooked<<<1, 1>>>(reinterpret_cast<half*>(p));
  if (count == 3) mixed<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  return __half2float(__float2half(3) + __float2half(1)) != 2;
}
"""


def test_faults_are_told_at_the_users_line(tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(KERNELS)
    made = emulate.build(source)
    for count, (kind, line) in enumerate([("out-of-bounds", 8), ("misaligned", 11), ("race", 15)]):
        report = emulate.run(made, ["x"] * count, source=source)
        assert (kind, f"{source}:{line}") in {(m.kind, m.place) for m in report.errors}, report.errors
