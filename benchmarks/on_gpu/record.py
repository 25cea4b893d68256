"""The result file of a GPU session, whole on disk after every step; and how the time is shared out among its parts."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class Record:
    """Rows by part, in one JSON file that a reader finds complete at any moment; without a path, in memory alone."""

    def __init__(self, path: Path | None, head: dict[str, Any]) -> None:
        self.path = path
        self.data: dict[str, Any] = {**head, "parts": {}}
        self._lock = threading.Lock()
        self.save()

    def begin(self, part: str) -> None:
        self.data["parts"][part] = {"rows": [], "left_out": [], "seconds": 0.0}
        self.save()

    def row(self, part: str, row: Row) -> None:
        with self._lock:
            self.data["parts"][part]["rows"].append(row)
        self.save()

    def leave_out(self, part: str, what: str) -> None:
        """Says that something was not measured, and why."""
        with self._lock:
            if what not in self.data["parts"][part]["left_out"]:
                self.data["parts"][part]["left_out"].append(what)
        self.save()

    def rows(self, part: str) -> list[Row]:
        found: list[Row] = self.data["parts"].get(part, {}).get("rows", [])
        return found

    def note(self, key: str, value: Any) -> None:
        with self._lock:
            self.data[key] = value
        self.save()

    def end(self, part: str, seconds: float) -> None:
        self.data["parts"][part]["seconds"] = round(seconds, 1)
        self.save()

    def save(self) -> None:
        if self.path is None:
            return
        with self._lock:
            scratch = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
            scratch.write_text(json.dumps(self.data), encoding="utf-8")
            scratch.replace(self.path)


#: Seconds that a part gets at least, where so many are left: something may have to be built, and a device to wake up.
FLOOR = 15.0


class Clock:
    """Shares `budget` seconds out: a part gets its share of what is left, so that what one saves others have."""

    def __init__(self, budget: float, shares: dict[str, float], parts: Sequence[str]) -> None:
        self.end = time.monotonic() + budget
        self._shares, self._waiting = shares, list(parts)

    def left(self) -> float:
        return max(0.0, self.end - time.monotonic())

    def deadline(self, part: str) -> float:
        """When `part`, which begins now, has to end (time.monotonic)."""
        whole = sum(self._shares[p] for p in self._waiting)
        self._waiting.remove(part)
        share = self.left() * self._shares[part] / whole
        return time.monotonic() + min(self.left(), max(share, FLOOR))
