"""The CPU target under ThreadSanitizer: a few programs here, the tests of whatever runs on the CPU in `make races`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.races import flags, library, sanitized

from irgl.rt.compile import toolchain


@pytest.fixture(autouse=True)
def _libtsan() -> None:
    if library() is None:
        pytest.skip("no libtsan that works here")


#: How iterations count together, and whether that is a race.
WAYS = {"total += 1": True, "irgl::atomic_add(total, 1)": False}
UNIT = """#include "cpu_rt/irgl.hpp"
int main() {{
  irgl::Runtime c(4);
  c.serial_work = 0;
  c.chunk_work = 1;
  int64_t total = 0;
  irgl::for_each(c, irgl::range<int32_t>(0, 512), [&](irgl::Thread&, auto&, int32_t) {{ {way}; }});
  return total == 0;
}}
"""

#: Iterations that ask for the size of one list, which brings its items together, while others let another list grow.
GROWING = """
graph Graph { node int unused = 0; }
long asked = 0;
long grown = 0;
Kernel fill(Graph g, list<node> a) { ForAll (n In g.nodes) { a.push(n); } }
Kernel grow(Graph g, list<node> a, list<node> b) {
  ForAll (n In g.nodes) {
    if (n.id < 200) { asked += a.size; }
    else { For (i In range(400)) { b.push(n); } }
  }
}
Program main(Graph g) { list<node> a; list<node> b; Invoke fill(g, a); Invoke grow(g, a, b); grown = b.size; }
"""
RUNS = """
from support import races
races.arm()
from support.awkward_graphs import awkward, random_arcs
from support.programs import run_program
from support.running import outcome
for name in ("cc_afforest", "mis"):
    assert run_program(name, awkward()["middling"], plan="none frontier=queue").wrong() is None
found = outcome({growing!r}, "none frontier=queue", "cpu", random_arcs(5, 400, 1600)).result.scalars
assert found == {{"asked": 80000, "grown": 80000}}, found
print("done" + races.news())
"""


@pytest.mark.parametrize(("way", "races"), WAYS.items())
def test_a_plain_update_of_what_all_share_is_reported(way: str, races: bool, tmp_path: Path) -> None:
    unit = tmp_path / "unit.cpp"
    unit.write_text(UNIT.format(way=way))
    subprocess.run([*toolchain.compiler(), *flags(tmp_path), f"-I{toolchain.include_dir()}", str(unit), "-o",
                    str(tmp_path / "unit")], check=True)
    done = subprocess.run([tmp_path / "unit"], capture_output=True, text=True)
    assert ("data race" in done.stderr, done.returncode) == ((True, 66) if races else (False, 0)), done.stderr


def test_programs_have_no_data_race(tmp_path: Path) -> None:
    done = sanitized(["-c", RUNS.format(growing=GROWING)], tmp_path)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stdout + done.stderr
