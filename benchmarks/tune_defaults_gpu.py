"""Plans for a GPU: modelled on a small graph of each class where there is none, or as a session on one timed them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tune_simt

from irgl.driver import ready
from irgl.plan import Plan
from irgl.rt.manifests.program import open_program
from irgl.tune.choose.standard import BY_THEMSELVES
from irgl.tune.measure import gpu as gpus
from irgl.tune.search.space import space_of

#: What is tried beside the defaults, one by one; then, together, all that helped on a class, and on all of them. How
#: loops are outlined isn't: on graphs small enough for the emulator one block runs rounds that the whole grid runs on
#: large ones, so that nobody can tell from them how many barriers there will be.
TRIED = ("np=serial", "np=fg", "np=tb+wp+fg", "np=cut", "np=cut stage=8", "np=wf", "np=even", "np=bins",
         "direction=hybrid", "frontier=bytemap", "frontier=either", "collect=bytemap", "dedup=auto", "cc=warp",
         "cc=off", "block=128")


def modelled_ratios(program: Path, gpu_name: str,
                    same_graphs: Callable[[Path, Plan], bool]) -> tuple[str, list[dict[str, Any]]]:
    """How they were found, and by class the ratios of plans to the built-in defaults; none of a program of meshes."""
    gpu = gpus.load(gpu_name)
    how = f"modelled for {gpu.name}"
    if open_program(program).mesh:
        return BY_THEMSELVES, []
    space = space_of(ready(program), "simt")
    default = space.default
    alone = {text: space.nearest(Plan.parse(text, "simt")) for text in TRIED}
    plans = [p for p in dict.fromkeys([default, *alone.values()]) if same_graphs(program, p)]
    found = {m.plan: m for m in tune_simt.modelled(program, plans, gpu)}
    if found[default].error:
        print(f"  {program.stem}: {found[default].error}", file=sys.stderr)
        return BY_THEMSELVES, []
    base = found[default].ms
    together = set()
    for classes in (list(base), *([c] for c in base)):
        helps = [t for t, p in alone.items() if p in found and not found[p].error
                 and all(found[p].ms[c] < 0.995 * base[c] for c in classes)]
        best: dict[str, str] = {}
        for text in sorted(helps, key=lambda t: sum(found[alone[t]].ms[c] / base[c] for c in classes)):
            best.setdefault(text.partition("=")[0], text)
        together.add(space.nearest(Plan.parse(" ".join(best.values()), "simt")))
    more = [p for p in sorted(together, key=str) if p not in found and same_graphs(program, p)]
    found |= {m.plan: m for m in tune_simt.modelled(program, more, gpu)}
    fine = [m for m in found.values() if not m.error]
    return how, [{"class": c, "graph": f"2^{tune_simt.MEANT} nodes", "noise": 0.0,
                  "ratios": {str(Plan.parse(str(m.plan), "cuda")): round(m.ms[c] / base[c], 4) for m in fine}}
                 for c in base]


def taken(programs: Sequence[Path], result: Path | None, same_graphs: Callable[[Path, Plan], bool],
          keep: Callable[[Path, str, str, list[dict[str, Any]]], None]) -> int:
    """Keeps the ratios that the part `schedules` of `make gpu` (docs/gpu.md) wrote, in place of modelled ones, of the
    programs that it timed as they are today; 1 where there are none."""
    if result is None or not result.is_file():
        raise SystemExit(f"take wants the result file of `make gpu`: {result or 'none is named'}")
    found = json.loads(result.read_text(encoding="utf-8"))
    tuned, how = found.get("tuned", {}), f"measured on {found.get('gpu', {}).get('name', 'a GPU')}"
    kept = 0
    for path in programs:
        mine = tuned.get(path.stem, {"fingerprint": ""})
        if mine["fingerprint"] != open_program(path).fingerprint or not mine["graphs"]:
            continue
        fit = {p for g in mine["graphs"] for p in g["ratios"] if same_graphs(path, Plan.parse(p, "cuda"))}
        keep(path, "cuda", how, [{**g, "ratios": {p: r for p, r in g["ratios"].items() if p in fit}}
                                 for g in mine["graphs"]])
        kept += 1
        print(f"{path.stem}: {len(mine['graphs'])} graphs, {how}", file=sys.stderr)
    return 0 if kept else 1
