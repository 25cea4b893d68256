// Scans of what a function makes, with the others that come with any algorithm.
#pragma once
#include "detail/usual.h"
