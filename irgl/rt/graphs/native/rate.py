"""How fast work goes, for those who watch it."""

from __future__ import annotations

import time
from collections.abc import Callable


def with_rate(progress: Callable[[str, float | None], None] | None, what: str, total: float, unit: str
              ) -> Callable[[float], None]:
    """Tells `progress` which part of so many units is done, and how many have been done in a second."""
    begin = time.perf_counter()

    def tell(part: float) -> None:
        if progress is not None:
            rate = part * total / max(1e-9, time.perf_counter() - begin)
            progress(f"{what}, {rate:,.0f} {unit}/s", part)

    return tell
