"""The wheel and the source distribution hold all they should, and with them the README's commands work anywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from importlib import metadata
from pathlib import Path

import pytest
from support.places import ROOT
from support.programs import SHIPPED

import irgl

README = (ROOT / "README.md").read_text(encoding="utf-8")
#: What no distribution holds: environments, caches, what building leaves.
LEFT_BY_WORK = shutil.ignore_patterns(".git", ".venv*", "build", "dist", "site", "gpu-pack", "gpu.json", "*.egg-info",
                                      "__pycache__", "*.pyc", ".*_cache", ".hypothesis", "*.so")
#: The folders of a checkout that become packages, by the names of these.
PACKAGES = {"irgl": "irgl", "cpu_rt": "irgl_cpu_rt", "cuda_rt": "irgl_cuda_rt", "programs": "irgl_programs"}


def ran(*command: str | Path, **how: object) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=900,
                          stdin=subprocess.DEVNULL, **how)  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return str(done.stdout)


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout without what work leaves in it."""
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("checkout") / "irgl", ignore=LEFT_BY_WORK))


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source distribution; the former is built from the latter."""
    pytest.importorskip("build", reason="no `build` is installed, which the dev extra brings")
    out = tmp_path_factory.mktemp("dist")
    copy = shutil.copytree(checkout, tmp_path_factory.mktemp("building") / "irgl")
    ran(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, copy)
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips what installs where packages can't be had."""
    to = tmp_path_factory.mktemp("probe")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--retries", "1", "-d", str(to), "pycparser"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if tried.returncode != 0:
        pytest.skip("pip can't get packages here, which a bare environment needs")


@pytest.fixture(scope="module")
def bare(registry: None, built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """A fresh environment that holds the wheel and what it depends on."""
    place = tmp_path_factory.mktemp("bare")
    ran(sys.executable, "-m", "venv", place)
    ran(place / "bin" / "python", "-m", "pip", "install", "-q", built[0])
    return place


@pytest.fixture
def clean(bare: Path, tmp_path: Path) -> dict[str, object]:
    """How a command is run: in an empty folder, with an empty home, without anything of this process's environment."""
    for name in ("home", "here"):
        (tmp_path / name).mkdir()
    env = {"PATH": f"{bare / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path / "home"), "LANG": "C.UTF-8"}
    return {"env": env, "cwd": tmp_path / "here"}


def demo_lines() -> list[str]:
    """What the README says that the demo ends with, but for what differs between machines."""
    blocks = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    block = next(block for block in blocks if block.startswith("program "))
    found = [line for line in block.splitlines() if line.split()[0] not in ("program", "graph", "plan", "time")]
    assert len(found) == 4 and found[-1] == "verified  yes"
    return found


def start_commands() -> list[str]:
    """The commands of the README's Start that follow `pip install .`."""
    start = README.split("\n## Start\n")[1].split("\n## ")[0].split("`pip install .`")[1]
    return [line.split("#")[0].strip() for line in start.splitlines() if line.startswith("    ")]


def test_the_version_stands_in_one_place() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["metadata"]["version"] == "attr: irgl.__version__"
    assert metadata.version("irgl") == irgl.__version__


def test_the_changelog_has_the_version_and_begins_with_what_is_not_released() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert any(re.fullmatch(rf"\[{re.escape(irgl.__version__)}\] - \d{{4}}-\d\d-\d\d", h) for h in headings[1:])


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(checkout: Path, built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == {f"{package}/{name}" for folder, package in PACKAGES.items() for name in files_of(checkout / folder)}


def test_the_source_distribution_holds_every_file_of_the_repository(checkout: Path, built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as source:
        held = {name.partition("/")[2] for name in source.getnames()}
    assert files_of(checkout) - held <= {".gitignore"}


def test_files_that_are_distributed_have_the_version_in_their_names(built: tuple[Path, Path]) -> None:
    stem = f"irgl-{irgl.__version__}"
    assert [path.name for path in built] == [f"{stem}-py3-none-any.whl", f"{stem}.tar.gz"]


def test_the_commands_of_the_readme_run_in_a_bare_environment(clean: dict[str, object], bare: Path) -> None:
    here = Path(str(clean["cwd"]))
    folder = Path(ran("irglc", "programs", "--folder", **clean).strip())
    assert bare in folder.parents
    shutil.copy(folder / "data" / "rome99.gr.gz", here / "roads.gr.gz")
    commands = start_commands()
    assert [c.split()[1] for c in commands[:3]] == ["programs", "run", "new"]
    printed = {command: ran("bash", "-c", command, **clean) for command in commands}
    assert printed[commands[1]].splitlines()[-4:] == demo_lines()
    assert [line.split()[0] for line in printed["irglc programs"].splitlines()] == SHIPPED
    assert (here / "reach.irgl").is_file()
    ran("irglc", "run", "reach.irgl", "--graph", "grid:20x20", "--verify", **clean)


def test_every_program_is_right_in_a_bare_environment(clean: dict[str, object]) -> None:
    listed = json.loads(ran("irglc", "programs", "--json", **clean))
    assert ran("irglc", "check", *(program["name"] for program in listed["programs"]), **clean) == ""
    folder = Path(listed["folder"])
    files = [Path(program["file"]) for program in listed["programs"]]
    assert {file.parent for file in files} == {folder, folder / "more"}
    assert all(any((place / "verifiers" / f"{program['verifier']}.py").is_file() for place in (file.parent, folder))
               for file, program in zip(files, listed["programs"], strict=True))
    notations = ran("irglc", "check", *sorted((folder / "python").glob("*.py")), **clean)
    assert notations == ""


def test_python_has_the_programs_in_a_bare_environment(clean: dict[str, object], bare: Path) -> None:
    code = ("import irgl, networkx as nx\n"
            "print(irgl.programs.bfs(nx.path_graph(30), src=0).deepest, irgl.compile('bfs')('path:30').deepest)")
    assert ran(bare / "bin" / "python", "-I", "-c", code, **clean) == "29 29\n"


def test_completion_and_code_for_gpus_are_there_in_a_bare_environment(clean: dict[str, object]) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_irglc_completion" in ran("irglc", "completion", shell, **clean)
    ran("irglc", "compile", "bfs", "--target", "cuda", "--headers", **clean)
    assert (Path(str(clean["cwd"])) / "cuda_rt" / "nested.cuh").is_file()


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_the_printed_command_builds_in_a_bare_environment(clean: dict[str, object], target: str) -> None:
    tool = "nvcc" if target == "cuda" else "g++"
    if shutil.which(tool, path=clean["env"]["PATH"]) is None:  # type: ignore[index]
        pytest.skip(f"no {tool} is installed")
    done = subprocess.run(["irglc", "compile", "bfs", "--target", target], capture_output=True, text=True, check=True,
                          **clean)  # type: ignore[call-overload]
    lines = done.stderr.splitlines()
    assert lines[0].endswith("build it with")
    ran("bash", "-c", lines[1], **clean)
    assert os.access(Path(str(clean["cwd"])) / "bfs", os.X_OK)


def test_the_demo_runs_from_the_source_distribution(registry: None, built: tuple[Path, Path],  # noqa: ARG001
                                                    tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("no make is installed")
    ran("tar", "-xzf", built[1], "-C", tmp_path)
    place = tmp_path / f"irgl-{irgl.__version__}"
    env = {name: value for name, value in os.environ.items()  # what a make around these tests hands on is none of its
           if name not in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    printed = ran("make", "demo", f"PYTHON={sys.executable}", cwd=place,
                  env={**env, "IRGL_CACHE_DIR": str(tmp_path / "cache")})
    assert printed.splitlines()[-4:] == demo_lines()
