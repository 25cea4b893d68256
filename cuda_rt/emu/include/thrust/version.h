// The version of Thrust that these headers follow.
#pragma once
#if __cplusplus < 201703L
#error Thrust needs C++17, since CUDA 13: --std c++17
#endif
#define THRUST_VERSION 300001
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)
#define THRUST_PATCH_NUMBER 0
