// cub::ThreadStore.
#pragma once
#include "thread_search.cuh"
