// Another name of the same.
#pragma once
#include "cuda_runtime.h"
