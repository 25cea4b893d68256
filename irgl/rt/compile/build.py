"""From the text of a C++ unit to a shared library, through a cache on disk that many processes may use at once.

An entry is one file, named by a hash of all that it depends on, which only its user could have written
(docs/security.md). It appears by a rename, so that a process killed at any
moment leaves at most a temporary file, which a later clean-up removes. It carries a seal: one that was damaged is made
again. Processes that want the same entry wait for the one that builds it. The entries used longest ago go when the
cache outgrows its limit.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib
import os
import shlex
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock

from irgl.rt.compile.blame import own_fault
from irgl.rt.compile.compiling import compile_with, refuse_broken
from irgl.rt.compile.toolchain import cache_dir, command, compiler, cpu, headers_digest, scratch_for, version
from irgl.rt.system.endings import RefusedCodeError
from irgl.rt.system.own_files import shut, write_text
from irgl.rt.system.refused import FOREIGN, NOEXEC, cache_refused
from irgl.rt.system.seal import seal, sealed
from irgl.source import IrglError

LIMIT_MB = 512
#: What is run; the rest is only read.
_RUN = (".so", ".emu", ".cuda")
_STALE_SECONDS = 3600.0
#: The word of a unit that takes as many rows at once as pay on this machine (cpu_rt/lanes.hpp).
_LANES = "irgl::lanes_here"


@dataclass(frozen=True, slots=True)
class Library:
    """A built unit: its file, and whether it had to be built just now."""

    path: Path
    built: bool


def build(text: str, *, node_bits: int = 32, edge_bits: int = 32) -> Library:
    """The library of a unit's text, from the cache or built now.

    Raises IrglError when there is no compiler, when the cache can't be written, or when the compiler refuses C++ of the
    program's own; RefusedCodeError when it refuses irgl's (then a copy of the text is kept for a report).
    """
    words = command(node_bits, edge_bits)
    if _LANES in text:  # what that is has to be built and run once, with what stands here
        words.append(f"-DIRGL_LANES={importlib.import_module('irgl.rt.compile.lanes').lanes_here()}")
    key = _key(text, words)
    kept = cache_dir() / "build" / f"{key}.cpp"
    return cached(key, ".so", lambda output: _compile(text, words, output, kept))


def cached(key: str, suffix: str, make: Callable[[Path], None]) -> Library:
    """The cache's entry of that key, made now by `make` where there is none: it writes the file that it is given.

    What it is given lies in a folder of its own, into which nobody else can look. It wants nothing else of the cache:
    two entries may share a lock. Raises IrglError when the cache can't be written, and what `make` raises.
    """
    folder = cache_dir() / "build"
    path = folder / f"{key}{suffix}"
    try:
        if _touch(path):
            return Library(path, False)
        with _lock(folder, key):
            if _touch(path):
                return Library(path, False)
            scratch = scratch_for(folder / key[:16])
            scratch.mkdir(0o700)
            try:
                made = scratch / f"unit{suffix}"
                make(made)
                shut(made, 0o700 if suffix in _RUN else 0o600)  # compilers go by the umask
                seal(made)
                made.replace(path)
            finally:
                _remove(scratch)
            _evict(folder, keep=path)
    except OSError as e:
        raise cache_refused(e, folder) from None
    return Library(path, True)


def known(key: str, suffix: str) -> Path | None:
    """The cache's entry of that key, if there is one."""
    path = cache_dir() / "build" / f"{key}{suffix}"
    return path if _touch(path) else None


def open_library(text: str, *, node_bits: int = 32, edge_bits: int = 32) -> tuple[ctypes.CDLL, bool]:
    """The loaded library of a unit, and whether it had to be built. A damaged cache entry is built once more."""
    _wait_briefly()
    built = []

    def make() -> Path:
        built.append(build(text, node_bits=node_bits, edge_bits=edge_bits))
        return built[-1].path

    return loaded(make, FOREIGN), built[-1].built


def loaded(make: Callable[[], Path], hint: str | None = None) -> ctypes.CDLL:
    """The library that `make` finds in the cache or builds; what can't be loaded is made once more."""
    for last in (False, True):
        path = make()
        try:
            return ctypes.CDLL(str(path))
        except OSError as e:
            path.unlink(missing_ok=True)
            if last:
                barred = "failed to map segment" in str(e)  # as a mount's noexec does
                raise IrglError(f"can't load the compiled program: {e}", file=str(path),
                                hint=NOEXEC if barred else hint) from None
    raise AssertionError("unreachable")


def _wait_briefly() -> None:
    """Lets threads that wait for each other sleep after some 0.1 ms instead of some 10, unless the user says otherwise.

    libgomp reads this when it is loaded. Its own choice spins for so long that a run slows down a hundredfold where
    other programs keep the cores busy.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def _key(text: str, words: list[str]) -> str:
    digest = hashlib.sha256()
    flags = [w for w in words if not w.startswith("-I")]
    for part in (text, headers_digest(), *flags, version(tuple(compiler())), cpu()):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


@contextlib.contextmanager
def _lock(folder: Path, key: str) -> Iterator[None]:
    # One lock per first byte of the key, so that lock files don't pile up.
    with filelock.FileLock(str(folder / "locks" / f"{key[:2]}.lock"), mode=0o600):
        yield


def _touch(path: Path) -> bool:
    """Is there such an entry, as it was made? Marks it as used now."""
    if not sealed(path):
        return False
    with contextlib.suppress(OSError):  # a cache that may only be read
        os.utime(path)
    return True


def _compile(text: str, words: list[str], output: Path, kept: Path) -> None:
    source = output.with_suffix(".cpp")
    try:
        source.write_text(text, encoding="utf-8")
        done = compile_with([*words, "-o", str(output), str(source)])
        if done.returncode != 0:
            refuse_broken(words)
            raise own_fault(text, source, done.stderr) or refused(text, words, kept, done.stderr)
    finally:
        source.unlink(missing_ok=True)


def refused(text: str, words: Sequence[str], kept: Path, said: str, compiler: str = "the C++") -> RefusedCodeError:
    """What to raise where a compiler called by `words` refuses a unit of irgl's own making; `kept` then holds it."""
    scratch = scratch_for(kept)
    write_text(scratch, text)
    scratch.replace(kept)
    lines = [line for line in said.splitlines() if "error" in line]
    first = lines[0].strip() if lines else (said.strip().splitlines() or ["it gives no reason"])[-1]
    command = shlex.join([*words, "-o", "unit.so" if "-shared" in words else "unit", str(kept)])
    return RefusedCodeError(f"{compiler} compiler refuses the code that irgl made: {first}", file=str(kept),
                            hint=f"please report it with that file and what this prints: {command}")


def limit_bytes() -> int:
    """The most that the cache of compiled units may hold; IRGL_BUILD_CACHE_MB sets it."""
    text = os.environ.get("IRGL_BUILD_CACHE_MB", "").strip()
    if not text:
        return LIMIT_MB << 20
    if not text.isascii() or not text.isdigit():
        raise IrglError(f"IRGL_BUILD_CACHE_MB is `{text}`", hint="it takes a whole number of megabytes")
    return int(text) << 20


def _remove(path: Path) -> None:
    """Takes away what a build that was killed has left: a file, or a folder that it worked in."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _evict(folder: Path, keep: Path) -> None:
    limit = limit_bytes()
    now = time.time()
    entries = []
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):
            stat = path.lstat()
            if path.name.startswith(".tmp-"):
                if now - stat.st_mtime > _STALE_SECONDS:
                    _remove(path)
            elif path.suffix in (".so", ".cpp", ".json", ".o", ".emu", ".cu", ".cuda"):
                entries.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit:
            break
        if path != keep:
            path.unlink(missing_ok=True)
            total -= size
