// Everything a generated unit needs. Read thread.cuh, schedulers.cuh, nested.cuh and worklist.cuh first.
#pragma once
#include "backoff.cuh"
#include "buckets.cuh"
#include "even.cuh"
#include "locks.cuh"
#include "nested.cuh"
#include "none.cuh"
#include "orchestrate.cuh"
#include "pipe.cuh"
#include "scratch.cuh"
#include "sequence.cuh"
#include "set.cuh"
#include "transform.cuh"
