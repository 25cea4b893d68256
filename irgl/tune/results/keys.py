"""Under what results of a tuner are comparable: the program, the target, the machine, the threads, the compiler."""

from __future__ import annotations

import ctypes
import hashlib

from irgl.rt.call.run import Options, cores
from irgl.rt.compile import toolchain
from irgl.rt.manifests.manifest import Manifest
from irgl.tune.results.compiler import compiler_of
from irgl.tune.results.store import Key


def key_of(manifest: Manifest, target: str, threads: int | None, gpu: str = "") -> Key:
    """The key of a run. threads: as Options has it, on the CPU; gpu: whose times are modelled, on simt."""
    if target == "cpu":
        return Key(manifest.fingerprint, target, processor(), Options(threads).thread_count(), compiler_of(target))
    machine = device() if target == "cuda" else f"model of {gpu}"
    return Key(manifest.fingerprint, target, machine, compiler=compiler_of(target))


def processor() -> str:
    """What makes times of the CPU: the processor's model, how many cores may be used, a compiler other than GCC, and a
    digest of what code can use of the processor. Raises IrglError where there is no compiler."""
    lines = dict(line.split(":", 1) for line in toolchain.cpu().splitlines() if ":" in line)
    named = {key.strip(): value.strip() for key, value in lines.items()}
    model = named.get("model name", named.get("CPU part", "processor"))
    compiler = toolchain.compiler()
    built = "" if toolchain.is_gcc(compiler) else f", {toolchain.version(tuple(compiler)).partition(chr(10))[0]}"
    built += "".join(f", {flag}" for flag in toolchain.further_flags())
    return f"{model}, {cores()} cores{built}, {hashlib.sha256(toolchain.cpu().encode()).hexdigest()[:8]}"


def device() -> str:
    """The first GPU's name; `GPU` where the driver doesn't tell."""
    name = ctypes.create_string_buffer(256)
    handle = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "GPU"
    failed = driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(handle), 0)
    failed = failed or driver.cuDeviceGetName(name, len(name), handle)
    return "GPU" if failed else name.value.decode(errors="replace")
