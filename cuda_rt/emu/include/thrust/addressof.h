// thrust::addressof.
#pragma once
#include <memory>

#include "detail/config.h"

namespace thrust {
using std::addressof;
}
