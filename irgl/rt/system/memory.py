"""How much memory there is for something large that is about to be made."""

from __future__ import annotations

import resource
from pathlib import Path


def free_bytes() -> int | None:
    """The bytes that this process may still take: what the system has, and what a limit on its size leaves.

    None where the system doesn't tell.
    """
    known = [n for n in (_available(), _left_by_the_limit()) if n is not None]
    return min(known, default=None)


def _available() -> int | None:
    return _kilobytes(Path("/proc/meminfo"), "MemAvailable:")


def _left_by_the_limit() -> int | None:
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    taken = _kilobytes(Path("/proc/self/status"), "VmSize:")
    return None if soft == resource.RLIM_INFINITY or taken is None else max(0, soft - taken)


def _kilobytes(file: Path, word: str) -> int | None:
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    found = next((line.split()[1] for line in lines if line.startswith(word)), None)
    return None if found is None else int(found) << 10
