// The version of CUB whose names these are.
#pragma once
#if __cplusplus < 201703L
#error CUB needs C++17, since CUDA 13: --std c++17
#endif

#define CUB_VERSION 300001
#define CUB_MAJOR_VERSION 3
#define CUB_MINOR_VERSION 0
#define CUB_SUBMINOR_VERSION 1
#define CUB_RUNTIME_FUNCTION
#define CUB_STDERR
