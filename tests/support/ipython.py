"""An IPython of a test's own, which leaves nothing in the user's folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


def new_shell(folder: Path) -> Any:
    """A shell that keeps its files in a folder, and its history nowhere."""
    config = Config()
    config.HistoryManager.enabled = False
    return InteractiveShell(ipython_dir=str(folder), config=config)
