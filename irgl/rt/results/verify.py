"""Is a result right? Asks the verifier that the program names, a file near it that knows nothing of the compiler."""

from __future__ import annotations

import contextlib
import difflib
import os
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from irgl.frontends.python_files import load_file
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests import formula as F
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh
from irgl.rt.results.result import Result, on_host
from irgl.source import IrglError

#: How far floats may be off where the program doesn't say `tolerance`.
TOLERANCE = 1e-6
FOLDER = "verifiers"
Verifier = Callable[[Any, dict[str, Any], float], str | None]


def tolerance_of(manifest: Manifest) -> float:
    return TOLERANCE if manifest.tolerance is None else manifest.tolerance


def verify(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], result: Result,
           mesh: Mesh | None = None) -> str | None:
    """None when the program's verifier finds the result right, else what is wrong. The program must name a verifier.

    It is shown the first graph, or the mesh as it was given; a role that is the mesh shows what became of it.
    Raises IrglError where the verifier can't be found or fails itself.
    """
    assert manifest.verifier is not None
    here = Path(manifest.path).parent
    beside, above = (folder / FOLDER / f"{manifest.verifier}.py" for folder in (here, here.absolute().parent))
    path = above if above.is_file() and not beside.is_file() else beside
    _check_owner(path, manifest.path)
    check = load_verifier(path)
    left = {manifest.mesh: result.mesh} if manifest.mesh else {}
    arrays = {n: on_host(v.array) for n, v in result.properties.items()}
    given_values = {n: on_host(v) if hasattr(v, "__cuda_array_interface__") else v for n, v in values.items()}
    scope = F.Scope(graphs, {**given_values, **left, **result.scalars, **arrays})
    claim = {role: F.value(f, scope, f"role `{role}`") for role, f in manifest.roles.items()}
    try:
        given: Any = graphs[manifest.graphs[0].name] if manifest.graphs else mesh
        wrong = check(given, claim, tolerance_of(manifest))
    except Exception as e:
        if os.environ.get("IRGL_DEBUG") == "1":
            traceback.print_exception(e)
        raise IrglError(f"the verifier fails: {type(e).__name__}: {e}", file=str(path),
                        hint="mend the verifier; IRGL_DEBUG=1 shows where it happened") from None
    if wrong is not None and not isinstance(wrong, str):
        raise IrglError(f"the verifier returns {wrong!r}", file=str(path), hint="it returns None, or what is wrong")
    return wrong


def _check_owner(path: Path, program: str) -> None:
    """A file that only its name brings here is the user's, root's, or the program's author's: else anybody who may put
    files near a program, as in /tmp, would have them run. Raises IrglError."""
    trusted = {0, os.geteuid()}
    with contextlib.suppress(OSError, ValueError):  # a program that is no file
        trusted.add(Path(program).stat().st_uid)
    for place in (path, path.parent):
        if place.exists() and place.stat().st_uid not in trusted:
            raise IrglError("the verifier is not run: neither you nor the owner of the program owns it",
                            file=str(place), hint="look at it, and copy it to where the program is")


def load_verifier(path: Path) -> Verifier:
    """The function `verify` of a file. Raises IrglError where there is none."""
    if not path.is_file():
        known = [p.stem for folder in (path.parent, path.absolute().parent.parent.parent / FOLDER)
                 for p in sorted(folder.glob("*.py"))]
        near = difflib.get_close_matches(path.stem, known, 1)
        raise IrglError(f"there is no verifier {path}", hint=f"did you mean {near[0]}?" if near else
                        "write it, or take the `verify` clause out of the program")
    found = getattr(load_file(path, "verifier"), "verify", None)
    if not callable(found):
        raise IrglError("the verifier has no function verify(graph, claim, tolerance)", file=str(path))
    check: Verifier = found
    return check
