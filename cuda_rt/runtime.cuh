// HostBase: the host's side of a run that does not depend on the program: faults, counters, and what stream.cuh has.
//
// An error of CUDA ends the run: halted() is true and finish returns IRGL_FAULT_DEVICE (or MEMORY). So no operation has
// to be checked by generated code. Counters of lists stand together in pages of device memory, the first of which
// begins with Control: one copy of a few words brings all that the host asks for between two launches.
#pragma once
#include <time.h>

#include "stream.cuh"
#include "table.cuh"

namespace irgl {

class HostBase : public StreamBase {
 public:
  int64_t rounds = 0, worklist_growths = 0;

  explicit HostBase(irgl_run_args* args, int device = -1) : StreamBase(args, device), seed_(uint64_t(args->seed)) {
    add_page(sizeof(Control) / sizeof(counter_t));
  }
  HostBase(const HostBase&) = delete;
  HostBase& operator=(const HostBase&) = delete;

  // Faults
  void fault(int64_t place) { if (fault_ == 0) fault_ = place | any_fault; }
  bool halted() {
    if (failed() || fault_ != 0 || is_stopped()) return true;
    if (part_before_ended()) return true;
    if (launches_ - heard_ > 64) {
      copy_out(pages_[0].host, pages_[0].device, sizeof(Control::fault));
      heard_ = launches_;
    }
    return control().fault != 0;
  }
  // Seconds since the run began; what was launched is done then.
  double clock() {
    if (!failed()) synchronize();
    return now() - began_;
  }
  int64_t random(int64_t k) { return k <= 0 ? 0 : int64_t(hash(seed_ + drawn_++) % uint64_t(k)); }

  // Counters
  counter_t* take_counter() {  // zero
    for (Page& page : pages_)
      for (size_t i = 0; i < page_size; ++i)
        if (!page.taken[i]) return take(page, i);
    return take(add_page(0), 0);
  }
  counter_t* take_counters(size_t count) {  // side by side, of one page at most
    for (Page& page : pages_)
      for (size_t i = 0, free = 0; i < page_size; ++i)
        if ((free = page.taken[i] ? 0 : free + 1) == count) return take(page, i + 1 - count, count);
    return take(add_page(0), 0, count);
  }
  // One that the host seldom reads: from the page's end, so that those it reads stay side by side.
  counter_t* take_spare() {
    for (Page& page : pages_)
      for (size_t i = page_size; i-- != 0;)
        if (!page.taken[i]) return page.spares = i < page.spares ? i : page.spares, take(page, i);
    return take_counter();
  }
  void give_counter(counter_t* counter) {
    if (Page* page = page_of(counter)) page->taken[counter - page->device] = false;
  }
  counter_t read(const counter_t* counter) {
    Page* page = page_of(counter);
    if (page == nullptr) return 0;
    const size_t i = size_t(counter - page->device);
    if (page->stamp[i] != launches_) bring(*page, i);
    return failed() ? 0 : page->host[i];
  }
  void write(counter_t* counter, counter_t value) {
    Page* page = page_of(counter);
    if (page == nullptr) return;
    page->host[counter - page->device] = value;
    page->stamp[counter - page->device] = launches_;
    if (value == 0) zero(counter, sizeof(counter_t));
    else copy_in(counter, &value, sizeof(counter_t));
  }
  DeviceRuntime device_runtime() {
    DeviceRuntime d;
    d.control = device_control();
    return d;
  }
  uint64_t launches() const { return launches_; }
  size_t first_capacity(size_t universe) const {
    if (args_->worklist_capacity > 0) return size_t(args_->worklist_capacity);
    return universe > 1024 ? universe : 1024;
  }

 protected:
  static constexpr size_t page_size = 128;
  struct Page {
    counter_t* device;
    counter_t host[page_size];
    bool taken[page_size];
    uint64_t stamp[page_size];   // how many launches there were when the host's copy of a word was made
    size_t first, last, spares;  // the host has read counters from first to before last; at spares the spare ones begin
  };

  Page& add_page(size_t reserved) {
    Page page{};
    for (size_t i = 0; i < reserved; ++i) page.taken[i] = true;
    page.device = allocate_array<counter_t>(page_size);
    page.first = page.spares = page_size;
    zero(page.device, page_size * sizeof(counter_t));
    return pages_.add(page);
  }
  static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }
  counter_t* take(Page& page, size_t i, size_t count = 1) {
    for (size_t k = i; k < i + count; ++k) {
      page.taken[k] = true;
      if (page.device != nullptr) write(page.device + k, 0);
    }
    return page.device + i;
  }
  Page* page_of(const counter_t* counter) {
    for (Page& page : pages_)
      if (counter >= page.device && counter < page.device + page_size) return &page;
    return nullptr;
  }
  // A counter, with all that were read before: they will be again.
  void bring(Page& page, size_t i) {
    size_t first = i, last = i + 1;
    if (i < page.spares) {
      first = page.first = i < page.first ? i : page.first;
      last = page.last = i < page.last ? page.last : i + 1;
    }
    copy_out(page.host + first, page.device + first, (last - first) * sizeof(counter_t));
    for (size_t k = first; k < last; ++k) page.stamp[k] = launches_;
  }
  bool is_stopped() const { return args_->stop != nullptr && *args_->stop != 0; }  // by the user
  bool is_known_to_end() {
    return failed() || fault_ != 0 || control().fault != 0 || part_before_ended();
  }
  bool part_before_ended() { return before_ != nullptr && before_->is_known_to_end(); }
  int told(irgl_run_args* a, int64_t fault) {
    if (failed()) {
      a->fault[0] = failed_;
    } else if ((fault & stop_fault) == memory_fault) {
      a->fault[0] = IRGL_FAULT_MEMORY;
    } else if (fault != 0) {
      const bool access = (fault & access_fault) != 0, stop = (fault & stop_fault) == stop_fault;
      a->fault[0] = stop ? IRGL_FAULT_STOP : access ? IRGL_FAULT_ACCESS : IRGL_FAULT_DIVISION;
      a->fault[1] = fault >> 28 & 0xffffff;
      a->fault[2] = fault >> 14 & 0x3fff;
      a->fault[3] = fault >> 52 & 0xff;
      a->fault[4] = fault & 0x3fff;
    } else if (a->stop != nullptr && *a->stop != 0) {
      a->fault[0] = IRGL_FAULT_STOPPED;
    } else {
      return 0;
    }
    return 1;
  }
  void refresh(Page& page) { copy_out(page.host, page.device, sizeof(Control)); }
  const Control& control() { return *reinterpret_cast<const Control*>(pages_[0].host); }
  Control* device_control() { return reinterpret_cast<Control*>(pages_[0].device); }

  int64_t fault_ = 0;
  HostBase* before_ = nullptr;  // the part before this one (beside.cuh)
  uint64_t seed_, drawn_ = 0, launches_ = 0, heard_ = 0;
  double began_ = now();
  Table<Page> pages_;
};

template <class T>
T param(const irgl_run_args* a, int index) { return *static_cast<const T*>(a->params[index]); }

}  // namespace irgl
