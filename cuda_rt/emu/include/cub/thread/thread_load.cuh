// cub::ThreadLoad.
#pragma once
#include "thread_search.cuh"
