// cub::LaneId, RowMajorTid.
#pragma once
#include "util_type.cuh"
