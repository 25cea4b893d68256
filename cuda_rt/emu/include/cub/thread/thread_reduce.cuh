// cub::ThreadReduce.
#pragma once
#include "thread_search.cuh"
