// Names that CUB's headers share.
#pragma once
#include "util_debug.cuh"
#include "version.cuh"
