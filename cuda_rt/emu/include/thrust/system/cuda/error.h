// The category of errors of CUDA.
#pragma once
#include "../../system_error.h"
