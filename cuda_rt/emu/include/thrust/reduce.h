// reduce and reduce_by_key, with the others that come with any algorithm.
#pragma once
#include "detail/usual.h"
