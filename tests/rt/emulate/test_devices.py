"""Several devices: what belongs to which, what a kernel may touch, who waits for whom, and what the report says."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from irgl.cli.emulate import _print_counters
from irgl.cli.report import Report as Shown
from irgl.cli.report import print_report
from irgl.rt.emulate.emulate import Report, build, run
from irgl.rt.emulate.orders import Explored

PROGRAM = """
#include <cstdlib>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }  // here: fill
__global__ void sum(const int* p, int* out) { *out = p[0] + p[1]; }  // here: sum
int main(int, char** args) {
  int *a, *b, *shared, h[32], devices;
  cudaGetDeviceCount(&devices);
  cudaStream_t s[2], other;
  cudaEvent_t e;
  cudaMemPool_t pool;
  for (int d = 0; d < devices; d++) {
    cudaSetDevice(d);
    cudaStreamCreateWithFlags(&s[d], cudaStreamNonBlocking);
    if (devices > 1) cudaDeviceEnablePeerAccess(1 - d, 0);
    cudaMalloc(d == 0 ? &a : &b, sizeof h);
  }
  if (devices == 1) cudaMalloc(&b, sizeof h);
  const int last = devices - 1;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaMemset(b, 0, sizeof h);
  cudaSetDevice(0);
  cudaMemset(a, 0, sizeof h);
  cudaMallocManaged(&shared, sizeof h);
  cudaEventCreate(&e);
  switch (std::atoi(args[1])) {
    case 0:  // the counters
      fill<<<1, 32, 0, s[0]>>>(a);
      cudaMemcpyAsync(b, a, sizeof h, cudaMemcpyDefault, s[0]);
      cudaMemcpyAsync(a, b, 12, cudaMemcpyDefault, s[0]);
      cudaStreamSynchronize(s[0]);
      cudaSetDevice(last);
      sum<<<1, 1>>>(a, b);
      sum<<<1, 1>>>(a, b);
      break;
    case 1:
      fill<<<1, 32, 0, s[last]>>>(a);  // here: launch
      break;
    case 2:
      cudaFree(a);
      cudaSetDevice(last);
      sum<<<1, 1>>>(a, b);
      return cudaDeviceSynchronize() + cudaFree(b) + cudaFree(shared);
    case 3:  // a copy goes on beside a kernel that changes what it reads
      cudaMemcpyPeerAsync(b, last, a, 0, sizeof h, s[0]);
      cudaSetDevice(last);
      fill<<<1, 32, 0, other>>>(a);
      break;
    case 4:  // a kernel of one device reads what a copy brings to the other one
      cudaMemcpyPeerAsync(b, last, a, 0, sizeof h, s[0]);
      sum<<<1, 1, 0, s[0]>>>(b, a);
      cudaSetDevice(last);
      sum<<<1, 1, 0, other>>>(b, shared);
      break;
    case 5:  // waiting for one device is not waiting for the other one
      fill<<<1, 32>>>(shared);
      cudaSetDevice(last);
      cudaDeviceSynchronize();
      if (shared[0] != 0) return 1;  // here: host
      break;
    case 6:  // but for what its streams wait for
      fill<<<1, 32>>>(shared);
      cudaEventRecord(e);
      cudaSetDevice(last);
      cudaStreamWaitEvent(other, e);
      cudaDeviceSynchronize();
      if (shared[0] != 0) return 1;
      break;
    case 7:  // in the default stream a copy waits for all of both devices, and they for it
      fill<<<1, 32, 0, s[0]>>>(a);
      cudaMemcpyPeer(b, last, a, 0, sizeof h);
      cudaSetDevice(last);
      fill<<<1, 32, 0, other>>>(a);
      break;
    case 8: {  // read only
      int* p;
      cudaMallocAsync(&p, sizeof h, s[last]);
      cudaMemsetAsync(p, 0, sizeof h, s[last]);
      cudaStreamSynchronize(s[last]);
      cudaDeviceGetDefaultMemPool(&pool, last);
      cudaMemAccessDesc open = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtRead};
      cudaMemPoolSetAccess(pool, &open, 1);
      sum<<<1, 1>>>(p, a);
      fill<<<1, 32>>>(p);
      cudaDeviceSynchronize();
      cudaFreeAsync(p, s[last]);
      break;
    }
    case 9:
      cudaDeviceDisablePeerAccess(1);
      fill<<<1, 32>>>(b);
      break;
  }
  for (int d = 0; d < devices; d++) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(shared);
}
"""
#: By the program's case: what is told, where, and what of the sentence matters.
FAULTS = {
    1: ("launch", "launch", "this launch fails (cudaErrorInvalidResourceHandle), and nobody asks whether it did: its "
        "stream is of device 1, and device 0 is current; call cudaSetDevice(1) first"),
    2: ("use-after-free", "sum", "reads memory that was freed at"),
    3: ("race", "fill", "writes here what a copy in another stream reads at"),
    4: ("race", "sum", "reads here what a copy in another stream writes at"),
    5: ("race", "host", "the host reads what a kernel touches at"),
    8: ("peer", "fill", "runs on device 0 and writes memory of device 1"),
    9: ("peer", "fill", "call cudaDeviceEnablePeerAccess(1, 0) while device 0 is current, or copy"),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("devices") / "devices.cu"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def of_case(source: Path, case: int, devices: str = "2", mode: str = "check") -> Report:
    return run(build(source), [str(case)], source=source, mode=mode, environment={"IRGL_EMU_DEVICES": devices})


def run_report(outcome: Any) -> Shown:
    return Shown("p", {}, {}, "simt", "", "", [], [], 0.0, outcome, None, show_stats=True)


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_between_devices_is_told(case: int, source: Path) -> None:
    kind, place, sentence = FAULTS[case]
    report = of_case(source, case)
    line = next(n for n, text in enumerate(PROGRAM.splitlines(), 1) if text.endswith(f"// here: {place}"))
    assert [(m.kind, m.place) for m in report.errors] == [(kind, f"{source}:{line}")], report.stderr
    assert sentence in report.errors[0].text


@pytest.mark.parametrize("case", [6, 7])
def test_what_waits_for_the_other_device_is_in_order(case: int, source: Path) -> None:
    report = of_case(source, case)
    assert (report.code, report.stderr) == (0, "")


def test_counters_are_told_by_device(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = of_case(source, 0, mode="lockstep")
    first, second = report.counters["devices"]
    assert (first["launches"], first["peer_bytes"]) == (1, 12)
    assert (second["launches"], second["peer_bytes"]) == (2, 128)
    assert first["warp_steps"] + second["warp_steps"] == report.counters["warp_steps"]
    assert 0 < first["warp_steps"] < second["warp_steps"]
    _print_counters(Explored(report, 1, 0, False))
    assert "devices: 1: peer_bytes: 128\n" in capsys.readouterr().err


def test_irglc_run_shows_a_line_for_each_device() -> None:
    devices = [{"launches": 1, "peer_bytes": 1200}, {"launches": 2, "peer_bytes": 0}]
    outcome = SimpleNamespace(threads=1, build_ms=0, order_ms=0, forms=(), kernel_ms=(1.0,), rounds=None, profile=None,
                              result=SimpleNamespace(mesh=None, summary=dict), stats={"devices": devices})
    to = StringIO()
    print_report(run_report(outcome), to)
    assert to.getvalue().splitlines()[-2:] == ["device 0  launches 1, peer_bytes 1,200",
                                               "device 1  launches 2, peer_bytes 0"]


def test_one_device_has_no_counters_by_device(source: Path) -> None:
    plain, one = of_case(source, 0, ""), of_case(source, 0, "1")
    assert (plain.counters, plain.code) == (one.counters, 0) and "devices" not in one.counters


@pytest.mark.parametrize("number", ["0", "17", "-1", "two", "2x", " 2", "99999999999999999999"])
def test_a_number_of_devices_that_cannot_be_is_refused(number: str, source: Path) -> None:
    report = of_case(source, 0, number)
    said = f'irgl emulator: IRGL_EMU_DEVICES is "{number}"; it is a number of devices from 1 to 16\n'
    assert (report.code, report.stdout, report.stderr) == (2, "", said)


def test_sixteen_devices_can_be(tmp_path: Path) -> None:
    path = tmp_path / "many.cu"
    path.write_text("""
#include <cstdio>
__device__ int mine = 7;
__global__ void k(int* p) { *p = mine++; }
int main() {
  int n, *p[16], h, total = 0;
  cudaGetDeviceCount(&n);
  for (int i = 0; i < 2 * n; i++) {
    cudaSetDevice(i % n);
    if (i < n) cudaMalloc(&p[i], 4);
    k<<<1, 1>>>(p[i % n]);
  }
  for (int i = 0; i < n; i++) {
    cudaMemcpyPeer(p[0], 0, p[i], i, i == 0 ? 0 : 4);
    cudaMemcpy(&h, p[0], 4, cudaMemcpyDeviceToHost);
    total += h;
  }
  for (int i = 0; i < n; i++) cudaFree(p[i]);
  printf("%d %d", n, total);
}
""")
    report = run(build(path), source=path, environment={"IRGL_EMU_DEVICES": "16"})
    assert (report.stdout, report.stderr, report.code) == ("16 128", "", 0)
