// Runtime: what a generated unit's Context derives from. It owns the thread records, the limits and the counters; there
// are no mutable globals but for the time at which other programs wanted the processors (team.hpp), so two programs can run
// at once.
//
//     struct Context : irgl::Runtime { using Runtime::Runtime; Graph g; int32_t LEVEL; ... };
//     Context c(threads);  c.worklist_capacity = 0;             0: a default first size
// Knobs (all may be set before a run): serial_work (a loop with less estimated work, in edges, runs on the calling
// thread, and no other is asked), chunk_work (work of one dynamic chunk), giant (an item with more edges is kept for
// all threads together), fuse_limit (items a thread may work off by itself in its own bucket or retry list).
// Counters in c.stats. c.fault(place) keeps the first place that faulted; c.faulted() tells it (0: none; see Fault).
// A Thread is handed to every operator: id, its runtime and its scratch memory. c.host() is the record of the calling
// thread: host code uses it to push, list.push(c.host(), item). Kernels are called from one host thread at a time.
#pragma once
#include "habit.hpp"
#include "kept.hpp"
#include "share.hpp"
#include "team.hpp"

namespace irgl {

struct Stats {
  int64_t worklist_growths = 0;  // a list outgrew the space it had
  int64_t parallel_loops = 0;    // loops run by all threads
  int64_t serial_loops = 0;      // loops run by the calling thread: few items and few edges
  int64_t giants = 0;            // items run by all threads together
  int64_t fused = 0;             // items executed by the thread that pushed them, without a round
};

// An owned array: freed at the end of its scope, movable, not copyable, elements not initialised unless asked.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(size_t count, bool zero = false) : data_(allocate_array<T>(count, zero)), size_(count) {}
  Array(Array&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr, other.size_ = 0; }
  Array& operator=(Array&& other) noexcept { return swap(other), *this; }
  ~Array() { free(data_); }
  void swap(Array& other) {
    T* d = data_; data_ = other.data_; other.data_ = d;
    size_t s = size_; size_ = other.size_; other.size_ = s;
  }
  void lend(T* memory, size_t count) { data_ = memory, size_ = count; }  // to an empty one, until it forgets it
  void forget() { data_ = nullptr, size_ = 0; }
  T* data() const { return data_; }
  size_t size() const { return size_; }
  IRGL_INLINE T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// A place in the user's text, as one number: irgl::at(line, column, width, source), source being the index of its file.
// Width 0: up to the end of the line; column 0: the whole line. What does not fit becomes 0.
constexpr int64_t at(int64_t line, int64_t column, int64_t width, int64_t source = 0) {
  const bool narrow = width < 1 << 14, near = column < 1 << 14;
  return source << 52 | (line & 0xffffff) << 28 | (near ? column : 0) << 14 | (near && narrow ? width : 0);
}
// What c.faulted() holds: a place, the kind of the fault, and a bit that is always set.
constexpr int64_t access_fault = int64_t(1) << 60;  // outside of its bounds or through NONE; else a division by zero
constexpr int64_t any_fault = int64_t(1) << 61;
constexpr int64_t stop_fault = int64_t(1) << 62;    // the program itself said stop
struct Fault {
  int64_t line, column, width, source;
  bool access, stop;
  constexpr explicit Fault(int64_t f)
      : line(f >> 28 & 0xffffff), column(f >> 14 & 0x3fff), width(f & 0x3fff), source(f >> 52 & 0xff),
        access((f & access_fault) != 0), stop((f & stop_fault) != 0) {}
};

class Runtime;

// A growable array that one thread at a time writes. push never writes out of bounds, and loses an item only by throwing
// std::bad_alloc.
template <class T>
struct Segment {
  static_assert(std::is_trivially_copyable_v<T>);
  T* data = nullptr;
  size_t size = 0;
  size_t capacity = 0;

  IRGL_INLINE void push(Runtime& rt, T item) {
    if (__builtin_expect(size == capacity, 0)) grow(rt, 1);
    data[size++] = item;
  }
  IRGL_INLINE T* reserve(Runtime& rt, size_t count) {  // count slots at the end, to be filled by the caller
    if (__builtin_expect(capacity - size < count, 0)) grow(rt, count);
    size += count;
    return data + (size - count);
  }
  void grow(Runtime& rt, size_t more);
};

// A segment alone on its cache line: one per thread.
template <class T>
struct alignas(64) Lane : Segment<T> {};

struct Scratch {               // a byte per id, all zero between uses (scratch.hpp)
  uint8_t* marks = nullptr;
  size_t size = 0;
  bool taken = false;
  Segment<node_t> marked;
};

struct MarkedRow {             // the row that common() is asked of again and again: a byte per id (common.hpp)
  uint8_t* marks = nullptr;
  size_t size = 0;
  const node_t *begin = nullptr, *end = nullptr;          // where it lies
  const node_t *before = nullptr, *beside = nullptr;      // and the two rows of the call before
  Segment<node_t> marked;
};

struct alignas(64) Thread {
  alignas(64) Share share;     // of the running loop's chunks
  alignas(64) int id = 0;
  Runtime* rt = nullptr;
  Scratch scratch[4];
  MarkedRow near;
  Segment<uint32_t> held;      // elements locked by the Exclusives that this thread is in (locks.hpp)
  KeptMemory kept;             // of the loop that it runs (sweep.hpp)
};

struct Limits {  // the knobs that a plan may set for a single loop, too (knobs.hpp)
  size_t serial_work = 2048;
  bool large = false;  // are the graphs too large for the caches near a processor?
  size_t chunk_work = 4096;
  size_t giant = 32768;
  size_t most_threads = SIZE_MAX;
  bool evenly = false;
};

class Runtime : public Limits {
 public:
  explicit Runtime(int threads = 0) : threads_(threads > 0 ? threads : omp_get_max_threads()) {
    records_ = static_cast<Thread*>(aligned_alloc(64, sizeof(Thread) * size_t(threads_)));
    if (records_ == nullptr) throw std::bad_alloc();
    for (int i = 0; i < threads_; ++i) {
      new (&records_[i]) Thread();
      records_[i].id = i;
      records_[i].rt = this;
    }
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() {
    for (int i = 0; i < threads_; ++i) {
      for (Scratch& s : records_[i].scratch) free(s.marks), free(s.marked.data);
      free(records_[i].near.marks), free(records_[i].near.marked.data);
      free(records_[i].held.data);
      records_[i].~Thread();
    }
    free(records_);
  }
  int threads() const { return threads_; }
  Thread& thread(int id) { return records_[id]; }
  Thread& host() { return records_[0]; }
  void forget_rows() {  // a new graph may lie where one was
    for (int i = 0; i < threads_; ++i) records_[i].near.begin = records_[i].near.end = nullptr;
  }
  IRGL_NOINLINE void fault(int64_t place) { atomic_cas(fault_, 0, place | any_fault); }
  int64_t faulted() const { return load(fault_); }
  void clear_fault() { fault_ = 0; }
  bool by_all() const { return serial_work == 0; }  // serial=off: every loop by all threads (team.hpp)
  // Is so much work worth having helpers (10 us), and waking those that sleep (30 us)? Is there help, or is it time for it?
  bool worth_helpers(size_t work) const { return work > larger(serial_work * 4, 8192) || by_all(); }
  bool worth_waking(size_t work) const { return work > larger(serial_work * 16, 32768) || by_all(); }
  IRGL_NOINLINE bool helped(size_t work) {
    if (team.awake() || worth_waking(unhelped_ += work)) return unhelped_ = 0, true;
    return false;
  }
  size_t most() const { const size_t dealt = load(share); return dealt < most_threads ? dealt : most_threads; }
  // In a large graph less than serial_work is worth sharing: the helpers keep what their caches hold.
  size_t least_shared() const { return large ? serial_work / Habit::parts : serial_work; }

  size_t worklist_capacity = 0, fuse_limit = 1000, share = SIZE_MAX;
  Stats stats;
  Team team;
  Habits habits;

 private:
  int threads_;
  int64_t fault_ = 0;
  static constexpr size_t larger(size_t a, size_t b) { return a < b ? b : a; }
  size_t unhelped_ = 0;
  Thread* records_;
};

template <class T>
IRGL_NOINLINE void Segment<T>::grow(Runtime& rt, size_t more) {
  if (capacity != 0) atomic_add(rt.stats.worklist_growths, 1);
  size_t wanted = capacity != 0 ? capacity * 2 : rt.worklist_capacity != 0 ? rt.worklist_capacity : 1024;
  if (wanted < size + more) wanted = size + more;
  if (wanted > size_t(PTRDIFF_MAX) / sizeof(T)) throw std::bad_alloc();
  T* bigger = static_cast<T*>(realloc(static_cast<void*>(data), wanted * sizeof(T)));
  if (bigger == nullptr) throw std::bad_alloc();
  data = bigger;
  capacity = wanted;
}

}  // namespace irgl
