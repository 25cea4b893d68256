// cub::BlockShuffle.
#pragma once
#include "block_exchange.cuh"
