"""What made the code that was measured: irgl's own files and headers, and the C++ compiler."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from irgl import __version__
from irgl.rt import nvcc, toolchain
from irgl.source import IrglError

#: What of the package has no say in what a plan's code is, and does.
_OUTSIDE = ("notebook", "nx_backend", "tune")


@cache
def compiler_of(target: str) -> str:
    """irgl's version with a digest of what generates and runs code for a target, and the first line of the C++
    compiler's own; without that where there is none.

    A mend of irgl's is another compiler: what was wrong under this one is tried again under that.
    """
    digest = hashlib.sha256()
    for path in _files(target):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return f"irgl {__version__}-{digest.hexdigest()[:12]}, {_builder(target)}"


def _files(target: str) -> Iterator[Path]:
    package = Path(__file__).parent.parent
    for path in sorted(package.rglob("*")):
        room = path.relative_to(package).parts[0]
        if path.suffix in (".py", ".j2", ".irgl") and room not in _OUTSIDE and not room.startswith("cli"):
            yield path
    headers = toolchain.headers()
    yield from sorted(headers.glob("*.hpp"))
    if target in ("cuda", "simt"):
        below = (p for p in sorted((headers.parent / "cuda_rt").rglob("*")) if p.is_file())
        yield from (p for p in below if p.suffix != ".pyc" and (target == "simt" or p.parent.name == "cuda_rt"))


def _builder(target: str) -> str:
    try:
        words = [nvcc.compiler()] if target == "cuda" else toolchain.gcc() if target == "simt" else toolchain.compiler()
        lines = toolchain.version(tuple(words)).strip().splitlines()
    except IrglError:
        return "no compiler"
    return next((line for line in lines if "release" in line), lines[0] if lines else words[0])
