"""Draws docs/house.svg, the picture in ARCHITECTURE.md, from the imports: `python docs/make_house.py`.

The order of the rooms stands here (FLOORS); tests/house/test_import_order.py holds the imports to it, and the picture
to the imports. Files are read, none is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "house.svg"
#: The rooms from the ground up: each may use those of lower floors, and itself; not its neighbours.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("source", "notation"),
    ("ast",),
    ("forms", "switches"),
    ("options",),
    ("option_values",),
    ("plan",),
    ("frontends", "analysis"),
    ("passes", "interpret"),
    ("codegen",),
    ("space",),
    ("placing",),
    ("driver", "scheduling"),
    ("standalone",),
    ("builder",),
    ("rt",),
    ("tune", "nx_backend"),
    ("api",),
    ("programs",),
    ("notebook",),
    ("cli",),
    ("editor",),
)
#: Modules that are part of a room of another name.
PART_OF = {"reference": "interpret", "__main__": "cli"}
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Mapping[str, Path] = {_name(p): p for p in sorted((ROOT / "irgl").rglob("*.py"))}


def room(name: str) -> str:
    """`irgl.rt.graphs.graph` is in room rt."""
    top = name.split(".")[1]
    return PART_OF.get(top, top)


def inner(name: str) -> str:
    """The room within a room: `graphs` of `irgl.rt.graphs.readers.text`; a file outside of any is one by itself."""
    return name.split(".")[2]


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything of the package that a text imports, wherever the import stands."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] == "irgl")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides which room it goes to"
            if node.module is not None and node.module.split(".")[0] == "irgl":
                yield from ((node.lineno, f"{node.module}.{a.name}") for a in node.names)


def target(name: str) -> str:
    """The module that an imported name is, or belongs to."""
    return name if name in MODULES else name.rpartition(".")[0]


@cache
def uses() -> dict[str, set[str]]:
    """Which modules each module imports."""
    return {name: {target(used) for _, used in imports(path.read_text(encoding="utf-8"))} - {"irgl", name}
            for name, path in MODULES.items() if name != "irgl"}


def between_rooms() -> dict[str, set[str]]:
    """Which rooms each room imports."""
    found: dict[str, set[str]] = {r: set() for r in FLOOR}
    for name, used in uses().items():
        found[room(name)] |= {room(u) for u in used} - {room(name)}
    return found


def within(top: str) -> dict[str, set[str]]:
    """Which inner rooms of a room each of its inner rooms imports, files outside of any among them."""
    mine = {n: used for n, used in uses().items() if n.startswith(f"irgl.{top}.")}
    found: dict[str, set[str]] = {inner(n): set() for n in mine}
    for name, used in mine.items():
        found[inner(name)] |= {inner(u) for u in used if u in mine} - {inner(name)}
    return found


def _upwards(graph: Mapping[str, set[str]]) -> list[str]:
    """The rooms, each behind those that it needs, in the same order every time."""
    return list(TopologicalSorter({name: sorted(graph[name]) for name in sorted(graph)}).static_order())


def _reduced(graph: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """The pairs that no longer way implies."""
    below: dict[str, set[str]] = {}
    for node in _upwards(graph):
        below[node] = graph[node].union(*(below[n] for n in graph[node]))
    return [(a, b) for a in sorted(graph) for b in sorted(graph[a]) if not any(b in below[c] for c in graph[a])]


def _files(prefix: str) -> int:
    return sum(n.startswith(f"irgl.{prefix}.") and p.name != "__init__.py" for n, p in MODULES.items())


def _has_rooms(top: str) -> bool:
    return any((ROOT / "irgl" / top / i).is_dir() for i in within(top))


PILL, LINE, GAP, MARGIN, WIDE = 24, 17, 26, 24, 1040


def _pills(top: str, wide: float) -> list[list[tuple[str, int]]]:
    """The inner rooms of a room as lines of pills with their widths, those that others use first."""
    folders = [i for i in _upwards(within(top)) if (ROOT / "irgl" / top / i).is_dir()]
    lines: list[list[tuple[str, int]]] = [[]]
    for name in folders:
        pill = 9 * len(f"{name} {_files(f'{top}.{name}')}") + 18
        if sum(w + 8 for _, w in lines[-1]) + pill > wide - 12:
            lines.append([])
        lines[-1].append((name, pill))
    return lines


def svg() -> str:
    """The picture: rooms on their floors, rooms within them in the order of their imports, an arrow for each need."""
    boxes: dict[str, tuple[float, float, float, float]] = {}
    drawn: list[str] = []
    y = float(MARGIN)
    for floor in reversed(FLOORS):
        each = (WIDE - 2 * MARGIN - (len(floor) - 1) * MARGIN) / len(floor)
        pills = {r: _pills(r, each) if _has_rooms(r) else [] for r in floor}
        tall = max(30 + (PILL + 6) * len(p) + (4 if p else 0) for p in pills.values())
        for k, r in enumerate(floor):
            wide = each if pills[r] or len(floor) > 1 else 200.0
            x = MARGIN + k * (each + MARGIN) + (each - wide) / 2
            boxes[r] = (x, y, wide, tall)
            count = _files(r) + (_files("reference") if r == "interpret" else 0)
            label = f"{r} <tspan class='n'>{count} files</tspan>" if count else r
            drawn.append(f"<rect class='room' x='{x:g}' y='{y:g}' width='{wide:g}' height='{tall}' rx='6'/>"
                         f"<text x='{x + 10:g}' y='{y + 20:g}'>{label}</text>")
            for row, line in enumerate(pills[r]):
                at, down = x + 10, y + 30 + row * (PILL + 6)
                for name, w in line:
                    drawn.append(f"<rect class='pill' x='{at:g}' y='{down:g}' width='{w}' height='{PILL}' rx='12'/>"
                                 f"<text class='p' x='{at + 10:g}' y='{down + LINE - 1:g}'>{escape(name)} "
                                 f"<tspan class='n'>{_files(f'{r}.{name}')}</tspan></text>")
                    at += w + 8
        y += tall + GAP
    arrows = []
    for a, b in _reduced(between_rooms()):
        (ax, ay, aw, ah), (bx, by, bw, _) = boxes[a], boxes[b]
        x1, y1, x2, y2 = ax + aw / 2, ay + ah, bx + bw / 2, by
        bend = 0.0 if y2 - y1 <= GAP + 1 else (170.0 if x2 >= WIDE / 2 else -170.0)
        arrows.append(f"<path class='need' d='M{x1:g} {y1:g} C{x1 + bend:g} {y1 + 20:g} {x2 + bend:g} {y2 - 20:g} "
                      f"{x2:g} {y2:g}'><title>{a} imports {b}</title></path>")
    return "\n".join([
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDE} {y:g}' font-family='sans-serif' font-size='15'>",
        "<title>The rooms of irgl: each imports only from rooms below it</title>",
        "<style>.room{fill:#f6f8fa;stroke:#57606a}.pill{fill:#ddf4ff;stroke:#54aeff}.p{font-size:13px}"
        ".n{fill:#57606a;font-size:12px}.need{fill:none;stroke:#8c959f;stroke-width:1.4;marker-end:url(#to)}</style>",
        "<defs><marker id='to' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        "<path d='M0 0 L8 4 L0 8 z' fill='#8c959f'/></marker></defs>",
        f"<rect width='{WIDE}' height='{y:g}' fill='#ffffff'/>", *arrows, *drawn, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
