// replace and its forms, with the others that come with any algorithm.
#pragma once
#include "detail/usual.h"
