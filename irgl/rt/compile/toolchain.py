"""The C++ compiler, its flags, the headers for generated code, and where caches live."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import platformdirs

from irgl.rt.system.cache_folder import copy_folder, is_copy, ready
from irgl.rt.system.own_place import refuse, stand_in
from irgl.rt.system.refused import short_of_files
from irgl.source import IrglError

#: Where "cpu_rt/..." headers are found: this checkout, or the installed package's copy under its own name.
_ROOT = Path(__file__).resolve().parents[3]
HEADER_ROOTS = (_ROOT / "cpu_rt", _ROOT / "irgl_cpu_rt")
#: Integers wrap, and floats are rounded as written, as the language has it.
FLAGS = ("-O3", "-std=c++17", "-fopenmp", "-fwrapv", "-ffp-contract=off", "-fno-trapping-math",
         "-fno-loop-unroll-and-jam", "-march=native")  # jammed, rows of vectors are taken value by value
SHARED = ("-shared", "-fPIC")


def cache_dir() -> Path:
    """IRGL_CACHE_DIR or the user's cache folder, with all its folders: nobody else may write there (docs/security.md).

    Raises IrglError when it can't be made, and where the user named one to which others may write.
    """
    chosen = os.environ.get("IRGL_CACHE_DIR")
    path = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("irgl"))
    try:
        path = path.expanduser().absolute()
        fault = ready(path)
    except (OSError, RuntimeError) as e:  # ~NAME of nobody is the second
        raise IrglError(f"can't make the cache folder: {getattr(e, 'strerror', None) or e}", file=str(path),
                        hint="set IRGL_CACHE_DIR to a folder that you may write to") from None
    if fault is None:
        return path
    if chosen:
        raise refuse("the cache folder", path, fault)
    stand_in("the cache folder", path, "", fault, "IRGL_CACHE_DIR")
    return cache_dir()


@cache
def headers() -> Path:
    """The folder of the C++ headers that generated code includes."""
    for folder in HEADER_ROOTS:
        if (folder / "abi.hpp").is_file():
            return folder
    raise AssertionError("irgl is installed without its C++ headers")


def scratch_for(entry: Path) -> Path:
    """A name beside an entry of the cache, to write it under: nobody else's, in other threads and containers, too."""
    return entry.with_name(f".tmp-{os.getpid()}-{os.urandom(4).hex()}-{entry.name}")


def include_dir() -> Path:
    """The folder to give to -I, so that `#include "cpu_rt/abi.hpp"` finds its file."""
    folder = headers()
    if folder.name == "cpu_rt":
        return folder.parent
    # Installed, the headers stand under another name: the cache holds a copy under the one that units include.
    copy = cache_dir() / "include" / headers_digest()[:16]
    if not is_copy(copy):
        scratch = scratch_for(copy)
        copy_folder(folder, scratch / "cpu_rt")
        with contextlib.suppress(OSError):  # another process was faster
            scratch.rename(copy)
        shutil.rmtree(scratch, ignore_errors=True)
    return copy


@cache
def headers_digest() -> str:
    """A hash of the contents of all headers."""
    digest = hashlib.sha256()
    for path in sorted(headers().rglob("*.hpp")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compiler() -> list[str]:
    """The command of the C++ compiler: $CXX, or g++, or c++. Raises IrglError where there is none."""
    chosen = os.environ.get("CXX", "").strip()
    if chosen:
        try:
            words = shlex.split(chosen)
        except ValueError as e:
            raise IrglError(f"CXX is `{chosen}`: {e}", hint="unset CXX, or name a C++ compiler") from None
        if shutil.which(words[0]) is None:
            raise IrglError(f"CXX names `{words[0]}`, which can't be run", hint="unset CXX, or name a C++ compiler")
        return words
    for name in ("g++", "c++"):
        if shutil.which(name) is not None:
            return [name]
    raise IrglError("there is no C++ compiler", hint="install g++ (on Debian or Ubuntu: apt install g++), or set CXX")


def gcc() -> list[str]:
    """The command of GCC, on whose assembly the emulator works: $CXX, or g++. Raises IrglError where neither is GCC."""
    chosen = compiler()
    for words in (chosen, ["g++"]):
        if shutil.which(words[0]) is not None and is_gcc(words):
            return words
    raise IrglError(f"the emulator is built by GCC, and `{chosen[0]}` is another compiler",
                    hint="install g++ 12 or newer (Debian, Ubuntu: apt install g++), or let CXX name it")


def is_gcc(words: list[str]) -> bool:
    """Is a compiler GCC, whatever it is called?"""
    return "Free Software Foundation" in version(tuple(words))


def command(node_bits: int, edge_bits: int) -> list[str]:
    """The compiler and all flags but the names of the input and output files; further_flags() come behind irgl's own.
    """
    return [*compiler(), *FLAGS, *further_flags(), *SHARED, f"-I{include_dir()}", f"-DIRGL_NODE_BITS={node_bits}",
            f"-DIRGL_EDGE_BITS={edge_bits}"]


def further_flags() -> list[str]:
    """What $IRGL_CXXFLAGS says. Raises IrglError for a quote there that nothing closes."""
    chosen = os.environ.get("IRGL_CXXFLAGS", "")
    try:
        return shlex.split(chosen)
    except ValueError as e:
        raise IrglError(f"IRGL_CXXFLAGS is `{chosen}`: {e}",
                        hint="unset it, or name flags of the C++ compiler") from None


@cache
def version(words: tuple[str, ...]) -> str:
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except OSError as e:
        raise short_of_files(e) or _broken(words, str(e)) from None
    except subprocess.TimeoutExpired as e:
        raise _broken(words, str(e)) from None
    if done.returncode != 0:
        raise _broken(words, done.stderr.strip() or f"exit code {done.returncode}")
    return done.stdout


@cache
def cpu() -> str:
    """What -march=native depends on: the first processor's model and features."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            lines = []
            for line in file:
                if not line.strip():
                    break
                if line.startswith(("model", "vendor", "cpu family", "flags", "Features", "CPU ")):
                    lines.append(line)
            return "".join(lines)
    except OSError:
        return " ".join(os.uname())


def _broken(words: tuple[str, ...], reason: str) -> IrglError:
    return IrglError(f"`{' '.join(words)} --version` fails: {reason}", hint="set CXX to a C++ compiler that runs")
