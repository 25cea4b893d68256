"""What of CUDA the emulator does not cover, told by its name where a program uses it."""

from __future__ import annotations

import re

#: What g++ says of names and headers that it has not, and what of CUDA they are.
_GAPS = tuple((re.compile(pattern), name) for pattern, name in (
    (r"\bthrust\b", "Thrust is"),
    (r"\bcub\b", "CUB is"),
    (r"\bcuda_(?:fp16|fp8|fp6|fp4|bf16)\.h|\b__(?:half|nv_bfloat16|nv_fp8)", "floats of 16 and 8 bits are"),
    (r"\b(?:curand|cublas|cusparse|cufft|cusolver|cudnn|nccl|npp|nvrtc|nvtx|nvToolsExt)", "CUDA's other libraries are"),
    (r"\bw?mma\b", "tensor cores are"),
    (r"memcpy_async|\bcuda/(?:pipeline|barrier)\b|__pipeline_", "asynchronous copies to shared memory are"),
    (r"\bcuda/(?!atomic)|\bcuda::std\b", "libcu++, <cuda/atomic> apart, is"),
    (r"[Tt]exture|\btex[123]D|\bsurf[123]?D|cudaArray|cuda\w*Array\b|ChannelFormat|ChannelDesc",
     "textures, surfaces and arrays are"),
    (r"\bcluster|__cluster_dims__", "clusters are"),
    (r"\bcuda(?:Memcpy|DeviceCanAccess|DeviceEnable|DeviceDisable)\w*Peer", "several devices are"),
    (r"\bcudaHostRegister\b", "page-locking of memory that is there is"),
    (r"\bcu(?:Init|Ctx|Module|Launch|Mem|Device)[A-Z]\w*", "the driver's API is"),
))
_ERROR = re.compile(r"^([^:\s][^:]*:\d+)(?::\d+)?: (?:fatal )?error: (.*)", re.MULTILINE)


def name_of(stderr: str, place: str) -> str | None:
    """What a program wants at a line of which g++ complains, as a sentence; None: nothing that is known here."""
    said = [text for at, text in _ERROR.findall(stderr) if at == place]
    return next((f"{name} not covered" for text in said for pattern, name in _GAPS if pattern.search(text)), None)
