"""What nvcc is told: the GPU that code is for, by which the cache finds it, and what the CPU's compiler is told."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.cli.main import exit_code
from irgl.rt.compile import nvcc, toolchain
from irgl.source import IrglError

#: A driver whose GPUs are those of the variable GPUS: `8.6 9.0`.
DRIVER = """#include <stdlib.h>
#include <string.h>
static const char* gpus(void) { const char* text = getenv("GPUS"); return text != 0 ? text : ""; }
int cuInit(unsigned flags) { return flags != 0 ? 1 : *gpus() == 0 ? 100 : 0; }
int cuDeviceGetCount(int* n) { *n = (int)(strlen(gpus()) + 1) / 4; return 0; }
int cuDeviceGet(int* device, int k) { *device = 1000 + k; return 0; }
int cuDeviceGetAttribute(int* value, int what, int device) {
  *value = gpus()[4 * (device - 1000) + (what == 75 ? 0 : 2)] - '0';
  return what == 75 || what == 76 ? 0 : 1;
}
"""
TOOL = """#!/bin/sh
case "$*" in *--version*) echo release 13.0; exit 0;; esac
echo "$@" >> "$(dirname "$0")/said"
while [ "$1" != -o ]; do shift; done
echo built > "$2"
"""
ASK = """import sys
from pathlib import Path
from irgl.rt.compile import nvcc
from irgl.source import IrglError
try:
    print(nvcc.build("a text", Path(sys.argv[1]), ["A=1"]).name, nvcc.architecture(int(sys.argv[2])))
except IrglError as e:
    print(e.message)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nvcc").write_text(TOOL)
    (tmp_path / "nvcc").chmod(0o755)
    command = ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(tmp_path / "libcuda.so.1")]
    subprocess.run(command, input=DRIVER, text=True, check=True)
    return tmp_path


def asked(folder: Path, gpus: str, device: int = 0, **more: str) -> str:
    environment = {"LD_LIBRARY_PATH": str(folder), "NVCC": str(folder / "nvcc"), "GPUS": gpus, "PATH": "/usr/bin:/bin",
                   "HOME": str(folder), "IRGL_CACHE_DIR": str(folder / "cache"), **more}
    done = subprocess.run([sys.executable, "-c", ASK, str(Path(nvcc.__file__).parents[3]), str(device)],
                          capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def architectures(folder: Path) -> list[str]:
    lines = (folder / "said").read_text().splitlines()
    return [word.removeprefix("-arch=") for line in lines for word in line.split() if word.startswith("-arch=")]


def test_code_is_built_once_for_each_kind_of_gpu(folder: Path) -> None:
    told = [asked(folder, gpus).split() for gpus in ("8.6 9.0", "9.0 8.6", "8.6", "9.0")]
    assert architectures(folder) == ["sm_86", "sm_90"]
    assert [name for _, name in told] == ["sm_86", "sm_90", "sm_86", "sm_90"]
    assert told[0][0] == told[2][0] != told[1][0] == told[3][0]
    assert asked(folder, "8.6 9.0", 1).split()[1] == "sm_90"


def test_code_is_built_once_for_each_choice_of_flags_in_the_environment(folder: Path) -> None:
    chosen: list[dict[str, str]] = [{}, {"NVCC_APPEND_FLAGS": "-G"}, {"NVCC_PREPEND_FLAGS": "-G"}]
    assert len({asked(folder, "9.0", **flags) for _ in range(2) for flags in chosen}) == 3


def test_nothing_is_built_for_a_gpu_that_is_not_there(folder: Path) -> None:
    assert asked(folder, "") == "no CUDA device can be used (the driver says 100)"
    assert asked(folder, "8.6", 1) == "no CUDA device can be used (the driver says 0)"
    assert architectures(folder) == ["sm_86"]


def test_the_hosts_code_is_compiled_as_for_the_cpu(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(["compile", "--target", "cuda", "--print-flags"])
    words = shlex.split(capsys.readouterr().out)
    passed = {flag for at, word in enumerate(words[:-1]) if word == "-Xcompiler" for flag in words[at + 1].split(",")}
    assert passed == {flag for flag in toolchain.FLAGS if flag.startswith("-f")}
    assert "-arch=native" in words or "-arch=sm_75" in words


def test_without_a_driver_there_is_no_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise OSError

    monkeypatch.setattr(nvcc.ctypes, "CDLL", missing)
    with pytest.raises(IrglError, match="there is no NVIDIA driver"):
        nvcc.architecture()
