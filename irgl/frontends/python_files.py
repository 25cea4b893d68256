"""Python files that belong to a program: its verifier, the twins of its library types."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import ModuleType

from irgl.source import IrglError


def load_file(path: Path, what: str) -> ModuleType:
    """The module of a file, run now, as it stands there. Raises IrglError where that fails; `what` is what the message
    calls it."""
    name = f"irgl_file_{hashlib.sha256(str(path.resolve()).encode(errors='surrogateescape')).hexdigest()[:16]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look there
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as e:
        del sys.modules[name]
        raise IrglError(f"the {what} can't be loaded: {type(e).__name__}: {e}", file=str(path)) from None
    return module
