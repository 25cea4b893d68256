"""The second-level caches of processors: how much is at hand between a core's own memory and that which all share."""

from __future__ import annotations

from pathlib import Path

#: Bytes of that of the GPU that is meant where none is named (tune/measure/gpus/h200.json), and of a core's where the
#: system doesn't tell.
OF_A_GPU, _OF_A_CORE = 60_000_000, 1 << 20

_CORE = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def of_a_core(folder: Path = _CORE) -> int:
    """The bytes of the first core's second-level cache."""
    for cache in sorted(folder.glob("index*")):
        level, kind, size = (_said(cache / word) for word in ("level", "type", "size"))
        number = size.rstrip("KMG")
        if level == "2" and kind in ("Data", "Unified") and number.isdigit() and int(number) > 0:
            return int(number) * _UNITS.get(size[len(number):], 1)
    return _OF_A_CORE


def _said(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
