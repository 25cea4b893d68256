// find, find_if and find_if_not, with the others that come with any algorithm.
#pragma once
#include "detail/usual.h"
