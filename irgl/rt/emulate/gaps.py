"""What of CUDA the emulator does not cover, told by its name where a program uses it."""

from __future__ import annotations

import re

#: What g++ says of names and headers that it has not, and what of CUDA they are.
_GAPS = tuple((re.compile(pattern), name) for pattern, name in (
    (r"\bthrust/.*No such file|'(?:set_\w+_by_key|shuffle\w*|normal_distribution|ranlux\w+|taus88|\w+_engine|async|mr|"
     r"omp|tbb|future|event|allocate_unique\w*|device_make_unique|offset_iterator|\w+_input_output_iterator|"
     r"tabulate_output_iterator|retag|reinterpret_tag)' is not a member of 'thrust", "this part of Thrust is"),
    (r"\bcub\b", "this part of CUB is"),
    (r"\bcuda_fp[864]\.h|\b__nv_fp[864]", "floats of 8 bits and fewer are"),
    (r"\b(?:curand|cublas|cusparse|cufft|cusolver|cudnn|nccl|npp|nvrtc|nvtx|nvToolsExt)", "CUDA's other libraries are"),
    (r"\bw?mma\b", "tensor cores are"),
    (r"memcpy_async|\bcuda/(?:pipeline|barrier)\b|\bcuda_(?:pipeline|awbarrier)|__pipeline_",
     "asynchronous copies to shared memory are"),
    (r"\bcuda/|\bcuda::", "this part of libcu++ is"),
    (r"\b(?:cuda)?(?:[Tt]exture|[Ss]urface)(?:Object|Reference|_types|\b)|\btex[123]D|\bsurf[123]?D|"
     r"cudaArray|cuda\w*Array\b|ChannelFormat|ChannelDesc",
     "textures, surfaces and arrays are"),
    (r"__cluster|\bcluster_group\b|\bthis_cluster\b|\bcudaClusterS|\bclusterDim\b", "clusters are"),
    (r"MultiDevice|\bthis_multi_grid\b|\bmulti_grid_group\b", "grids of several devices are"),
    (r"\bcudaIpc", "sharing memory between processes is"),
    (r"\bcuda(?:Import|Destroy)?External|\bcudaGraphics|\bcudaGL", "memory of other interfaces is"),
    (r"\bcu(?:Init|Ctx|Module|Launch|Mem|Device)[A-Z]\w*", "the driver's API is"),
))
#: What CUDA itself no longer has, and what to write instead.
_GONE = (
    (re.compile(r"'__(shfl(?:_up|_down|_xor)?|ballot|any|all)' was not"),
     r"__\1 is gone since compute capability 7.0: write __\1_sync(mask, ...)"),
    (re.compile(r"'cuda(?:Configure|Setup)\w+' was not|'cudaLaunch' was not"),
     "this way to launch is gone from CUDA: write kernel<<<grid, block>>>(...)"),
)
#: An error of g++ at the beginning of a line: where it is, and what is said of it.
ERROR = re.compile(r"^([^:\s][^:]*:\d+)(?::\d+)?: (?:fatal )?error: (.*)", re.MULTILINE)


def name_of(stderr: str, place: str) -> str | None:
    """What a program wants at a line of which g++ complains, as a sentence; None: nothing that is known here."""
    said = [text for at, text in ERROR.findall(stderr) if at == place]
    gone = (m.expand(instead) for text in said for pattern, instead in _GONE if (m := pattern.search(text)) is not None)
    gaps = (f"{name} not covered" for text in said for pattern, name in _GAPS if pattern.search(text))
    return next(gone, None) or next(gaps, None)
