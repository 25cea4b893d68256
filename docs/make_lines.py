"""Counts the lines of code of programs/gt with their schedules, and writes the table of docs/graphit.md."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "graphit.md"
PROGRAMS = ROOT / "programs"
BEGIN, END = "<!-- lines of code: docs/make_lines.py -->\n", "<!-- end -->\n"
#: The figures of the thesis, algorithm and schedule together (its sssp steps by delta).
THESIS = {"bfs": 66, "pr": 61, "sssp_delta": 50, "cc": 62, "bc": 128}
#: Where the program of the same algorithm in irgl's own language has another name.
OWN = {"sssp": "sssp_bf", "tc": "tri", "cc_pjump": "", "pr_delta": "", "cf": "", "ppsp": "more/ppsp"}


def lines_of_code(file: Path) -> int:
    """The lines of a program or a schedule that are neither blank nor a comment."""
    begins = ("//",) if file.suffix == ".irgl" else ("%",)
    return sum(bool(line.strip()) and not line.strip().startswith(begins)
               for line in file.read_text(encoding="utf-8").splitlines())


def table() -> str:
    rows = ["| program | algorithm | schedule for roads | for webs | algorithm in .irgl | the thesis |",
            "|---|---|---|---|---|---|"]
    for file in sorted((PROGRAMS / "gt").glob("*.gt")):
        name = file.stem
        schedules = [lines_of_code(PROGRAMS / "gt" / "schedules" / f"{name}.{kind}.schedule")
                     for kind in ("roads", "webs")]
        own = OWN.get(name, name)
        irgl = lines_of_code(PROGRAMS / f"{own}.irgl") if own else ""
        cells = [f"`{name}`", lines_of_code(file), *schedules, irgl, THESIS.get(name, "")]
        rows.append(f"| {' | '.join(map(str, cells))} |".replace("  ", " "))
    return "\n".join(rows) + "\n"


def page() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
