"""What Nsight Compute counts is read, whatever form it has, and what it says instead is kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import BENCHMARKS, ROOT

sys.path.insert(0, str(BENCHMARKS))

from on_gpu.parts.counters import METRICS, read

STEPS, LANES = METRICS[:2]
WIDE = f"""==PROF== Connected to process 7
"ID","Process ID","Kernel Name","Block Size","{STEPS}","{LANES}"
"","","","","inst","inst"
"0","7","one","(256, 1, 1)","1,200","9600"
"1","7","two","(256, 1, 1)","3","n/a"
"""
LONG = f""""ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"
"0","7","one","{STEPS}","inst","1,200"
"0","7","one","{LANES}","inst","9600"
"1","7","two","{STEPS}","inst","3"
"""
#: Refuses one metric as an older tool does, and counts the others.
NCU = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --metrics) metrics=$2; shift 2;; --page|--print-units|--clock-control) shift 2;; --log-file) log=$2; shift 2;;
    --csv) shift;; *) break;;
  esac
done
case "$metrics" in *lts__t_sectors_op_red*)
  echo "==ERROR== Failed to find metric lts__t_sectors_op_red.sum" > "$log"; exit 1;; esac
"$@"; code=$?
head=$(echo "$metrics" | sed 's/,/","/g')
values=$(echo "$metrics" | sed 's/[^,]*/64/g; s/,/","/g')
printf '"ID","Kernel Name","%s"\n"0","one","%s"\n"1","one","%s"\n' "$head" "$values" "$values" > "$log"
exit $code
"""


@pytest.mark.parametrize("text", [WIDE, LONG])
def test_launches_are_read_by_lines_and_by_metrics(text: str) -> None:
    assert read(text) == [{"kernel": "one", "metrics": {STEPS: 1200.0, LANES: 9600.0}},
                          {"kernel": "two", "metrics": {STEPS: 3.0}}]


def test_what_is_no_table_counts_nothing() -> None:
    assert read("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n") == []


def counted(tmp_path: Path, tool: str) -> tuple[list[dict[str, object]], list[str], str]:
    """The rows of the part under such a tool, what it left out, and the tables."""
    ncu = tmp_path / "ncu"
    ncu.write_text(tool)
    ncu.chmod(0o755)
    command = [sys.executable, str(BENCHMARKS / "gpu.py"), "--target", "simt", "--quick", "--parts", "counters",
               "--ncu", str(ncu), "--json", str(tmp_path / "gpu.json")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT,
                         env={**os.environ, "IRGL_EMU_SMS": "1", "IRGL_GPU_PACK_SITE": ""})
    assert run.returncode == 0, run.stderr
    part = json.loads((tmp_path / "gpu.json").read_text())["parts"]["counters"]
    return part["rows"], part["left_out"], run.stdout


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_kernels_are_added_up_without_the_metrics_that_the_tool_lacks(tmp_path: Path) -> None:
    rows, left_out, shown = counted(tmp_path, NCU)
    known = [m for m in METRICS if m != "lts__t_sectors_op_red.sum"]
    assert left_out == ["lts__t_sectors_op_red.sum: the tool does not tell it"]
    assert [(r["graph"], r["launches"], r["metrics"]) for r in rows] == [
        ("rmat:16", 2, dict.fromkeys(known, 128.0))] * 2
    assert "| bfs | rmat:16 | np=serial cc=off outline=off | 2 | 128 | 0.031 |" in shown


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_tool_that_may_not_count_says_why(tmp_path: Path) -> None:
    refusal = "#!/bin/sh\nfor w; do case $before in --log-file) log=$w;; esac; before=$w; done\n" \
              "echo '==ERROR== ERR_NVGPUCTRPERM' > $log; exit 1\n"
    assert counted(tmp_path, refusal)[:2] == (
        [], ["everything: it fails with a tiny program: ERROR== ERR_NVGPUCTRPERM"])
