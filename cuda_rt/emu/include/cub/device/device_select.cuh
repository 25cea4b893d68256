// cub::DeviceSelect and DevicePartition: the items that are chosen, in their order.
#pragma once
#include "../util_device.cuh"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Num, class Count,
            class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Num num_selected,
                                             Count num_items, cudaStream_t stream = 0) {
    return chosen(temp, bytes, in, out, num_selected, num_items, stream,
                  [=](Count i) -> bool { return flags[i]; });
  }
  template <class Data, class Flags, class Num, class Count, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t Flagged(void* temp, size_t& bytes, Data data, Flags flags, Num num_selected,
                                             Count num_items, cudaStream_t stream = 0) {
    return Flagged(temp, bytes, data, flags, data, num_selected, num_items, stream);
  }
  template <class In, class Out, class Num, class Count, class Op,
            class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t If(void* temp, size_t& bytes, In in, Out out, Num num_selected, Count num_items,
                                        Op op, cudaStream_t stream = 0) {
    return chosen(temp, bytes, in, out, num_selected, num_items, stream,
                  [=](Count i) mutable -> bool { return op(in[i]); });
  }
  template <class Data, class Num, class Count, class Op, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t If(void* temp, size_t& bytes, Data data, Num num_selected, Count num_items, Op op,
                                        cudaStream_t stream = 0) {
    return If(temp, bytes, data, data, num_selected, num_items, op, stream);
  }
  template <class In, class Flags, class Out, class Num, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t FlaggedIf(void* temp, size_t& bytes, In in, Flags flags, Out out, Num num_selected,
                                               Count num_items, Op op, cudaStream_t stream = 0) {
    return chosen(temp, bytes, in, out, num_selected, num_items, stream,
                  [=](Count i) mutable -> bool { return op(flags[i]); });
  }

  // The first of each run of equal items.
  template <class In, class Out, class Num, class Count>
  IRGL_EMU_MEMBER static cudaError_t Unique(void* temp, size_t& bytes, In in, Out out, Num num_selected,
                                            Count num_items, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceSelect::Unique", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0;
      for (Count i = 0; i < num_items;) {
        const IrglEmuValue<In> item = in[i];
        while (++i < num_items && in[i] == item) continue;
        out[n++] = item;
      }
      *num_selected = n;
    });
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Num, class Count,
            class Equal = irgl_emu::Equal>
  IRGL_EMU_MEMBER static cudaError_t UniqueByKey(void* temp, size_t& bytes, Keys keys, Values values, KeysOut keys_out,
                                                 ValuesOut values_out, Num num_selected, Count num_items,
                                                 Equal equal = {}, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceSelect::UniqueByKey", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0;
      for (Count i = 0; i < num_items; n++) {
        const IrglEmuValue<Keys> key = keys[i];
        const IrglEmuValue<Values> value = values[i];
        while (++i < num_items && equal(key, keys[i])) continue;
        keys_out[n] = key;
        values_out[n] = value;
      }
      *num_selected = n;
    });
  }

 private:
  template <class In, class Out, class Num, class Count, class Chosen>
  IRGL_EMU_MEMBER static cudaError_t chosen(void* temp, size_t& bytes, In in, Out out, Num num_selected,
                                            Count num_items, cudaStream_t stream, Chosen is_chosen) {
    return irgl_emu_whole("cub::DeviceSelect", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0;
      for (Count i = 0; i < num_items; i++) {
        if (!is_chosen(i)) continue;
        const IrglEmuValue<In> item = in[i];
        out[n++] = item;
      }
      *num_selected = n;
    });
  }
};

struct DevicePartition {
  // Those that are chosen, then the others from the end on.
  template <class In, class Flags, class Out, class Num, class Count>
  IRGL_EMU_MEMBER static cudaError_t Flagged(void* temp, size_t& bytes, In in, Flags flags, Out out, Num num_selected,
                                             Count num_items, cudaStream_t stream = 0) {
    return parted(temp, bytes, in, out, num_selected, num_items, stream,
                  [=](Count i) -> bool { return flags[i]; });
  }
  template <class In, class Out, class Num, class Count, class Op>
  IRGL_EMU_MEMBER static cudaError_t If(void* temp, size_t& bytes, In in, Out out, Num num_selected, Count num_items,
                                        Op op, cudaStream_t stream = 0) {
    return parted(temp, bytes, in, out, num_selected, num_items, stream,
                  [=](Count i) mutable -> bool { return op(in[i]); });
  }
  // Three parts, each with its own output, in their order.
  template <class In, class First, class Second, class Third, class Num, class Count, class IsFirst, class IsSecond>
  IRGL_EMU_MEMBER static cudaError_t If(void* temp, size_t& bytes, In in, First first, Second second, Third third,
                                        Num num_selected, Count num_items, IsFirst is_first, IsSecond is_second,
                                        cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DevicePartition", temp, bytes, 0, stream, [=]() mutable {
      Count n[3] = {};
      for (Count i = 0; i < num_items; i++) {
        const IrglEmuValue<In> item = in[i];
        if (is_first(item)) {
          first[n[0]++] = item;
        } else if (is_second(item)) {
          second[n[1]++] = item;
        } else {
          third[n[2]++] = item;
        }
      }
      num_selected[0] = n[0];
      num_selected[1] = n[1];
    });
  }

 private:
  template <class In, class Out, class Num, class Count, class Chosen>
  IRGL_EMU_MEMBER static cudaError_t parted(void* temp, size_t& bytes, In in, Out out, Num num_selected,
                                            Count num_items, cudaStream_t stream, Chosen is_chosen) {
    return irgl_emu_whole("cub::DevicePartition", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0, others = 0;
      for (Count i = 0; i < num_items; i++) {
        const IrglEmuValue<In> item = in[i];
        out[is_chosen(i) ? n++ : num_items - ++others] = item;
      }
      *num_selected = n;
    });
  }
};

}  // namespace cub
