// cub::BlockAdjacentDifference.
#pragma once
#include "block_discontinuity.cuh"
