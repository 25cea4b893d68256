// cub::DivideAndRoundUp.
#pragma once
#include "util_macro.cuh"
