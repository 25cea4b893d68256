// Everything a generated unit needs. A stand-alone program also includes main.hpp. Read executor.hpp first.
#pragma once
#include "arith.hpp"
#include "atomics.hpp"
#include "buckets.hpp"
#include "dense.hpp"
#include "executor.hpp"
#include "locks.hpp"
#include "pipe.hpp"
#include "runtime.hpp"
#include "scratch.hpp"
#include "set.hpp"
#include "types.hpp"
#include "worklist.hpp"
