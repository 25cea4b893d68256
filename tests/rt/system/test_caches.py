"""What the system says of a core's second-level cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from irgl.rt.system.caches import OF_A_GPU, of_a_core
from irgl.tune.measure import gpu
from irgl.tune.session.task import Task


def caches(folder: Path, *said: tuple[str, str, str]) -> Path:
    for k, words in enumerate(said):
        (folder / f"index{k}").mkdir()
        for file, word in zip(("level", "type", "size"), words, strict=True):
            (folder / f"index{k}" / file).write_text(f"{word}\n")
    return folder


@pytest.mark.parametrize(("size", "count"), [("2048K", 2 << 20), ("1M", 1 << 20), ("262144", 262144)])
def test_it_is_that_of_data_on_the_second_level(size: str, count: int, tmp_path: Path) -> None:
    said = [("1", "Data", "48K"), ("2", "Instruction", "64K"), ("2", "Unified", size), ("3", "Unified", "480M")]
    assert of_a_core(caches(tmp_path, *said)) == count


@pytest.mark.parametrize("said", [[], [("1", "Data", "48K")], [("2", "Unified", "")], [("2", "Unified", "0K")]])
def test_it_is_a_usual_one_where_the_system_does_not_tell(said: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert of_a_core(caches(tmp_path, *said)) == 1 << 20


def test_that_of_a_gpu_is_the_one_that_is_modelled_by_default() -> None:
    assert gpu.load(Task("p.irgl", ()).gpu).l2_mb * 1e6 == OF_A_GPU
