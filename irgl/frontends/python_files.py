"""Python files that belong to a program: its verifier, the twins of its library types."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from irgl.source import IrglError


def load_file(path: Path, what: str) -> ModuleType:
    """The module of a file, run now. Raises IrglError where that fails; `what` is what the message calls it."""
    spec = importlib.util.spec_from_file_location(f"irgl_file_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as e:
        raise IrglError(f"the {what} can't be loaded: {type(e).__name__}: {e}", file=str(path)) from None
    return module
