"""A profile as a table for people."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.rt.results.profile import Place, Profile

#: The counters of the emulator that have a column, with its heading.
_COUNTED = {"launches": "launches", "atomics": "atomics", "warp_steps": "warp steps", "transactions": "transactions"}


def table(profile: Profile) -> list[str]:
    """A line for each loop of the Program, kernel and loop: its line in the text, its time and share, how often it ran,
    its iterations by run, how many of them did something, and for what part of the time threads waited."""
    timed = profile.ms is not None
    counted = [c for c in _COUNTED if any(c in (p.counted or {}) for p in profile.places)]
    head = ["profile", "line", *(["ms"] if timed else []), *(["share"] if timed or counted else []),
            "runs", "least", "median", "largest", "sum",
            *(["did something"] if any(p.did is not None for p in profile.places) else []),
            *(["waiting"] if timed else []), *(_COUNTED[c] for c in counted)]
    rows = [head, *(_row(profile, p, head, counted) for p in profile.places if p.runs), *_sums(profile, head)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
    return ["  ".join(f"{cell:{'<' if k == 0 else '>'}{widths[k]}}" for k, cell in enumerate(row)).rstrip()
            for row in rows]


def _row(profile: Profile, p: Place, head: list[str], counted: list[str]) -> list[str]:
    cells = {"profile": "  " * (p.kind == "inner") + p.place + f" ({p.over})" * bool(p.over), "line": str(p.line),
             "runs": f"{p.runs:,}"}
    share = profile.share(p)
    if p.ms is not None:
        cells["ms"] = f"{p.ms:,.3f}"
    if share is not None:
        cells["share"] = _part(share, 1)
    if p.items is not None:
        cells |= {"least": f"{p.items.least:,}", "median": f"{p.items.median:,}", "largest": f"{p.items.largest:,}",
                  "sum": f"{p.items.sum:,}"}
    if p.did is not None and p.items is not None:
        cells["did something"] = f"{p.did:,} {f'({_part(p.did, p.items.sum)})':>6}" if p.items.sum else "0"
    waiting = profile.waiting(p)
    if waiting is not None:
        cells["waiting"] = _part(waiting, 1)
    cells |= {_COUNTED[c]: f"{p.counted[c]:,}" for c in counted if p.counted is not None}
    return [cells.get(word, "") for word in head]


def _sums(profile: Profile, head: list[str]) -> Iterator[list[str]]:
    elsewhere = profile.elsewhere_ms()
    if elsewhere is not None and profile.ms is not None:
        for word, ms in (("elsewhere", elsewhere), ("all", profile.ms)):
            cells = {"profile": word, "ms": f"{ms:,.3f}", "share": _part(ms, profile.ms)}
            yield [cells.get(c, "") for c in head]
    if profile.outside is not None:
        cells = {"profile": "elsewhere", **{_COUNTED[c]: f"{n:,}" for c, n in profile.outside.items() if c in _COUNTED}}
        yield [cells.get(c, "") for c in head]


def _part(of: float, whole: float | None) -> str:
    return f"{of / whole:.0%}" if whole else ""
