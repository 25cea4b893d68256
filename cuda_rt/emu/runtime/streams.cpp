// Streams, events and capture. Streams are queues that are always empty: what they are given is done at once. Who only
// asks whether it is done hears no at first, as from a GPU that is busy.
#include <time.h>

#include <algorithm>
#include <vector>

#include "../include/irgl_emu/graph_api.h"
#include "api.hpp"
#include "devices.hpp"
#include "memory.hpp"
#include "order.hpp"

using namespace emu;

struct CUstream_st {
  int device;
  cudaGraph_t capture = nullptr;
  bool blocking = true;
  u32 asked = 0, asked_of = 0;  // how often, whether the work of that stamp is done
};
struct CUevent_st {
  int device;
  double at = -1;
  cudaGraph_t capture = nullptr;
  Moment moment{};
};

namespace {

std::vector<cudaStream_t>& streams() {
  static auto* all = new std::vector<cudaStream_t>;
  return *all;
}

double seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

constexpr u32 BUSY = 4;  // answers that it isn't done

bool is_own(cudaStream_t s) { return reinterpret_cast<u64>(s) > 2; }  // not the default stream's names

// What a call gives that waits for a stream.
cudaError_t waited(cudaStream_t s) {
  host_waits(moment_of(s));
  arrive();
  return done();
}

}  // namespace

namespace emu {
bool is_blocking(cudaStream_t s) {
  return std::find(streams().begin(), streams().end(), s) == streams().end() || s->blocking;
}
int device_of(cudaStream_t s) { return is_own(s) ? s->device : current_device(); }
int device_of_key(u64 key) {
  if (key < 2 * MOST_DEVICES) return static_cast<int>(key % MOST_DEVICES);
  const auto found = std::find(streams().begin(), streams().end(), reinterpret_cast<cudaStream_t>(key));
  return found == streams().end() ? -1 : (*found)->device;
}
cudaGraph_t capture_of(cudaStream_t s) { return is_own(s) ? s->capture : nullptr; }
}  // namespace emu

extern "C" {

cudaError_t irgl_emu_stream_create(cudaStream_t* s, unsigned flags) {
  *s = new CUstream_st{current_device()};
  (*s)->blocking = (flags & cudaStreamNonBlocking) == 0;
  streams().push_back(*s);
  return done();
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  if (!is_own(s)) return done(cudaErrorInvalidResourceHandle);
  std::vector<cudaStream_t>& all = streams();
  all.erase(std::remove(all.begin(), all.end(), s), all.end());
  delete s;
  return done();
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  if (capture_of(s) != nullptr) return done(cudaErrorStreamCaptureUnsupported);
  pool_of(device_of(s)).trim();
  return waited(s);
}
cudaError_t cudaStreamQuery(cudaStream_t s) {
  const u32 last = last_work_of(s);
  if (is_own(s) && last != 0) {
    if (s->asked_of != last) s->asked_of = last, s->asked = 0;
    if (s->asked++ < BUSY) return cudaErrorNotReady;
  }
  return waited(s);
}
cudaError_t cudaDeviceSynchronize() {
  host_waits_for(current_device());
  arrive();
  pool_of(current_device()).trim();
  return done();
}
cudaError_t cudaStreamGetDevice(cudaStream_t s, int* device) { return *device = device_of(s), done(); }
cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = new CUevent_st{current_device()}, done(); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete e, done(); }
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  host_waits(e->moment);
  arrive();
  return done();
}
cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }
cudaError_t irgl_emu_event_record(cudaEvent_t e, cudaStream_t s) {
  if (e->device != device_of(s)) return done(cudaErrorInvalidResourceHandle);
  e->at = seconds();
  e->capture = capture_of(s);
  e->moment = moment_of(s);
  return done();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  if (is_own(s) && e->capture != nullptr) s->capture = e->capture;
  wait_for(s, e->moment);
  return done();
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (from->at < 0 || to->at < 0 || from->device != to->device) return done(cudaErrorInvalidResourceHandle);
  *ms = static_cast<float>(1e3 * (to->at - from->at));
  return done();
}

cudaError_t irgl_emu_capture(cudaStream_t s, cudaGraph_t into) {
  if (!is_own(s) || s->capture != nullptr) return done(cudaErrorStreamCaptureUnsupported);
  if (into == nullptr) cudaGraphCreate(&into, 0);
  s->capture = into;
  return done();
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
  cudaGraph_t mine = capture_of(s);
  if (mine == nullptr) return done(cudaErrorInvalidValue);
  for (cudaStream_t o : streams()) {
    if (o->capture == mine) o->capture = nullptr;
  }
  if (g != nullptr) *g = mine;
  return done();
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  *status = capture_of(s) != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return done();
}

}  // extern "C"
