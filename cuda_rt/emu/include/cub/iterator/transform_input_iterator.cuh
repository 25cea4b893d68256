// One of CUB's iterators.
#pragma once
#include "counting_input_iterator.cuh"
