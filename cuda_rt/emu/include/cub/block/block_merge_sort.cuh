// cub::BlockMergeSort.
#pragma once
#include "block_radix_sort.cuh"
