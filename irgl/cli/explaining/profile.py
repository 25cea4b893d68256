"""A profile beside the lines of its program, and what it says that could gain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from irgl.analysis.names.symbols import Checked
from irgl.cli.explaining.advice import Advice, Adviser
from irgl.frontends.load import closure
from irgl.plan import Plan
from irgl.rt.results.profile import Place, Profile
from irgl.rt.results.profile_file import About, as_json, digest, read
from irgl.source import IrglError, Source

_HEAD = ("ms", "share", "runs", "items", "did", "waiting")


def profile_of(path: str, source: Source, checked: Checked) -> tuple[About, Profile]:
    """The profile in a file, of the program. Raises IrglError where it is no profile, and where it is another's."""
    about, profile = read(path)
    name = checked.entry.name if checked.entry is not None else ""
    again = "run the program again with --profile=FILE.json"
    if about.program != name:
        raise IrglError(f"it is a profile of {about.program}, and {source.path} is {name or 'no program'}", file=path,
                        hint=f"irglc explain is to be given {about.program}, or a profile of {name}" if name else again)
    if about.text != digest(closure(source)):
        raise IrglError(f"it is a profile of another text of {name}: the program was changed since", file=path,
                        hint=again)
    return about, profile


def advice(about: About, profile: Profile, checked: Checked) -> list[Advice]:
    """What could gain."""
    target = "cpu" if about.target == "ref" else about.target
    return [*Adviser(checked, profile, Plan.parse(about.plan, target)).all()]


def profile_json(about: About, profile: Profile, found: list[Advice]) -> dict[str, Any]:
    """What --json has of it."""
    return {**as_json(about, profile), "advice": [asdict(a) for a in found]}


def profile_lines(about: About, profile: Profile, found: list[Advice], source: Source) -> Iterator[str]:
    """For people: the text with what was counted and measured in front of its loops, then what could gain."""
    graph = f" on {about.graph['file']}" if about.graph is not None else ""
    threads = f", {profile.threads} threads" if profile.threads > 1 else ""
    yield f"Profile of {about.program}{graph}, {about.target}{threads}" + (
        f": {profile.ms:,.3f} ms, {profile.elsewhere_ms():,.3f} of them in no kernel" if profile.ms is not None else "")
    by_file: dict[str, dict[int, list[Place]]] = {}
    for p in profile.places:
        if p.runs:
            by_file.setdefault(p.file, {}).setdefault(p.line, []).append(p)
    texts = {s.path: s.text for s in closure(source)}
    names = {Path(path).name: path for path in texts}  # it may have been run from another folder
    for file, by_line in by_file.items():
        text = texts.get(file, texts.get(names.get(Path(file).name, ""), ""))
        yield from _listing(profile, text.splitlines(), by_line)
    yield ""
    yield "What could gain" if found else "What could gain: nothing that a profile shows"
    for a in found:
        where = f"{a.place} (line {a.line}): " if a.place else ""
        yield f"  {where}{a.seen}"
        yield f"    {a.remedy}"


def _listing(profile: Profile, text: list[str], by_line: dict[int, list[Place]]) -> Iterator[str]:
    """The lines of a file from its first place on, to the end of the last block."""
    rows = {line: [_cells(profile, p) for p in places] for line, places in by_line.items()}
    every = [_HEAD, *(cells for each in rows.values() for cells in each)]
    widths = [max(len(cells[k]) for cells in every) for k in range(len(_HEAD))]
    yield ""
    yield _margin(_HEAD, widths) + "  line"
    for number in range(min(by_line), max(by_line) + 1):
        shown = text[number - 1] if number <= len(text) else ""
        each = rows.get(number, [("",) * len(_HEAD)])
        for k, cells in enumerate(each):
            yield f"{_margin(cells, widths)}  {number if k == 0 else '':>4}  {shown if k == 0 else ''}".rstrip()


def _margin(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _cells(profile: Profile, p: Place) -> tuple[str, ...]:
    waiting, share = profile.waiting(p), profile.share(p)
    return (
        "" if p.ms is None else f"{p.ms:,.3f}",
        "" if share is None else f"{share:.0%}",
        f"{p.runs:,}",
        "" if p.items is None else f"{p.items.sum:,}",
        "" if p.items is None or p.did is None or not p.items.sum else f"{p.did / p.items.sum:.0%}",
        "" if waiting is None else f"{waiting:.0%}",
    )
