"""The help of a command on a program lists the options of the program's plan on the target that is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irgl import plan
from irgl.cli.main import exit_code
from irgl.options import OPTIONS, WHOLE_SCHEDULERS, Option
from irgl.passes.sweep_edges import OPTIONS as OF_FORMS

FLAT = """graph Graph { node int a = 0; }
Kernel k(Graph g) { ForAll (n In g.nodes) { n.a += 1; } }
Program flat(Graph g) { Invoke k(g); }
"""
NESTED = """graph Graph { node int a = INF; edge int w; }
Kernel k(Graph g) WL list<node> {
  ForAll (n In WL.items) { ForAll (e In n.edges) { if (e.dst.a min= n.a + e.w) { WL.push(e.dst); } } }
}
Program nested(Graph g, int times = auto(4)) { Pipe Initial (g.nodes) { Invoke k(g); if (times < 2) { break; } } }
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flat.irgl").write_text(FLAT, encoding="utf-8")
    Path("nested.irgl").write_text(NESTED, encoding="utf-8")


def helped(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert exit_code([*args, "--help"]) == 0
    return capsys.readouterr().out


def listed(text: str) -> tuple[set[str], set[str]]:
    """The options that are listed, and those that are said to mean nothing here."""
    section = text[text.index("Plan options for"):]
    idle = re.search(r"Without effect on this program: ([^.]*)\.", section)
    return (set(re.findall(r"^  ([a-z]+) +\S", section.partition("  Without")[0], re.MULTILINE)),
            set(re.split(r",\s+", idle[1])) if idle is not None else set())


@pytest.mark.parametrize("target", ["cpu", "cuda", "simt"])
@pytest.mark.parametrize("name", ["flat", "nested"])
def test_each_option_of_the_target_is_listed_or_said_to_mean_nothing(
    name: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    legal, idle = listed(helped(capsys, "run", f"{name}.irgl", "--target", target))
    assert legal & idle == set()
    assert legal | idle == {o.name for o in OPTIONS[target]}


def test_what_means_something_depends_on_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(helped(capsys, "run", "flat.irgl")) == (
        {"grain", "serial", "share", "threads", "order"},
        {"giant", "prefetch", "direction", "switch", "member", "fuse", "frontier", "buffer", "collect", "dedup", "pack",
         "sync", "auto", "lanes", "np", "priority", "buckets", "intersect", "drive",
         *OF_FORMS})
    legal, _ = listed(helped(capsys, "run", "nested.irgl"))
    assert legal >= {"grain", "giant", "prefetch", "frontier", "buffer", "auto"}
    assert listed(helped(capsys, "run", "flat.irgl", "--target=simt"))[0] == {"block", "bounds", "regs", "order"}
    assert listed(helped(capsys, "run", "--target", "simt", "nested.irgl"))[0] >= {"np", "cc", "outline", "block"}


def test_values_are_those_that_are_legal_there(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(helped(capsys, "run", "nested.irgl").split())
    assert "bytes else (either). list, queue [default: list]" in text
    assert "work, in edges, that a thread takes at a time. 1 or more [default: 4096]" in text
    assert "4 to 64, or off [default: off]" in text
    on_gpu = " ".join(helped(capsys, "run", "nested.irgl", "--target", "simt").split())
    words = ", ".join(["serial", "tb", "wp", "fg", *WHOLE_SCHEDULERS])
    assert f"{words}; tb, wp, fg may be joined by + [default: tb+wp+fg]" in on_gpu
    assert "threads of a block. 32 to 1024 in steps of 32 [default: 256]" in on_gpu


def test_its_example_of_a_plan_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    for target in ("cpu", "simt"):
        found = re.search(r'as in --plan "([^"]*)":', helped(capsys, "run", "nested.irgl", "--target", target))
        assert found is not None
        assert exit_code(["run", "nested.irgl", "--target", target, "--plan", found[1], "--help"]) == 0
        assert str(plan.Plan.parse(found[1], target)) != str(plan.Plan(target=target))
        capsys.readouterr()


def test_a_new_option_is_listed_without_a_word_here(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    new = Option("shade", "how dark it is in a loop", "light", "light", words=("light", "dark"))
    monkeypatch.setitem(OPTIONS, "cpu", (*OPTIONS["cpu"], new))
    text = helped(capsys, "run", "flat.irgl")
    assert re.search(r"^  shade +how dark it is in a loop. light, dark \[default: light\]$", text, re.MULTILINE)


def test_the_tuners_help_lists_what_it_chooses_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(helped(capsys, "tune", "flat.irgl"))[0] == {"grain", "serial", "share", "threads", "order"}


def test_lines_are_short(capsys: pytest.CaptureFixture[str]) -> None:
    text = helped(capsys, "run", "nested.irgl")
    section = text[text.index("Plan options for"):].splitlines()
    assert len(section) < 55 and max(map(len, section)) <= 80


def test_without_a_program_the_help_says_where_options_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(helped(capsys, "run").split())
    assert "--help after PROGRAM lists them, and the options of its plan" in text
    assert "docs/cpu.md and docs/cuda.md" in text
    assert "Plan options for" not in text
    assert "irglc run PROGRAM --help" in " ".join(helped(capsys, "compile").split())
