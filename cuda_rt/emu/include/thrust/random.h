// Random numbers.
#pragma once
#include "random/linear_congruential_engine.h"
#include "random/uniform_int_distribution.h"
#include "random/uniform_real_distribution.h"
