"""Where `irglc run --profile` writes, and what it has no meaning for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from irgl.cli.profiling.timeline import timeline
from irgl.rt.results.profile import Profile
from irgl.rt.results.profile_file import About, as_json
from irgl.rt.system.whole_file import check_other, check_place, write_whole
from irgl.source import IrglError

#: The value of --profile that is left out.
TABLE = "table"
#: Why a target has no times.
_NO_TIMES = {"simt": "the emulator counts", "ref": "the interpreter counts"}


def files_of(asked: Sequence[str]) -> list[str]:
    """The files among the values of --profile."""
    return [word for word in asked if word != TABLE]


def check(given: Mapping[str, Any]) -> None:
    """Raises IrglError for what can't be profiled, and for files that can't be written."""
    asked: Sequence[str] = given["profile"]
    if not asked:
        return
    if given["target"] == "cuda":
        raise IrglError("--profile has no meaning for --target cuda: nothing counts what a GPU's threads do",
                        hint="--stats=rounds takes the times of its rounds, --target simt --profile counts what its "
                             "code does")
    if given["repeat"] > 1:
        raise IrglError(f"--profile tells of one run, and --repeat asks for {given['repeat']}",
                        hint="leave one of them out")
    if given["stats"] == "rounds":
        raise IrglError("--profile and --stats=rounds each want the program built in a way of its own",
                        hint="run it once with each")
    for name in files_of(asked):
        if not name.endswith(".json"):
            raise IrglError(f"--profile={name}: it writes JSON, and the name doesn't say so",
                            hint=f"--profile={name}.json; alone, --profile shows a table")
        if _is_timeline(name) and given["target"] in _NO_TIMES:
            raise IrglError(f"--profile={name} has no meaning for --target {given['target']}: "
                            f"{_NO_TIMES[given['target']]}, and a timeline is of times",
                            hint="--target cpu takes them; --profile=FILE.json has what is counted")
        check_place(Path(name))
        check_other(Path(name), given["program"])


def write(asked: Sequence[str], about: About, profile: Profile) -> None:
    """The files that were asked for. Raises IrglError where one can't be written."""
    for name in files_of(asked):
        whole = json.dumps(timeline(about, profile) if _is_timeline(name) else as_json(about, profile), indent=1)
        write_whole(Path(name), f"{whole}\n")


def _is_timeline(name: str) -> bool:
    return name.endswith(".trace.json")
