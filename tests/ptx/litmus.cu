// A message through memory: how often the flag is seen and the data is not. 0: no fences; 1: fences; 2: none where it is
// read; 3: another thread of the block writes the flag, behind a barrier and its fence; 4: as 3 without the fence;
// 5: by release and acquire; 6: from a thread to itself, in words that each write changes.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

__global__ void message(int how, volatile int* data, volatile int* flag, int* missed, int rounds) {
  const auto all = cooperative_groups::this_grid();
  for (int r = 1; r <= rounds; ++r) {
    const int writer = threadIdx.x == 0 && blockIdx.x == 0, other = threadIdx.x == 33 && blockIdx.x == 0;
    if (writer) {
      *data = r;
      if (how == 1 || how == 2) __threadfence();
      if (how < 3) *flag = r;
      if (how == 5) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"((int*)flag), "r"(r) : "memory");
    }
    if ((how == 3 || how == 4) && blockIdx.x == 0) {
      __syncthreads();
      if (other && how == 3) __threadfence();
      if (other) *flag = r;
    }
    if (how == 6) {
      volatile int* const own = data + 256 + blockIdx.x * 64 + threadIdx.x;
      *own = r;
      if (*own != r) atomicAdd(missed, 1);
      *own = -r;
      for (int k = 0; k < 3; ++k)
        if (*own != -r) atomicAdd(missed, 1);
    }
    if (how != 6 && blockIdx.x == 1) {
      int seen = 0;
      for (int k = 0; k < 60 && seen != r; ++k) {
        if (how == 5) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"((int*)flag) : "memory");
        else seen = *flag;
      }
      if (how == 1 || how == 3 || how == 4) __threadfence();
      if (seen == r && *data != r) atomicAdd(missed, 1);
    }
    all.sync();
  }
}
int main(int argc, char** argv) {
  int how = argc > 1 ? atoi(argv[1]) : 0, rounds = 200, *words;
  cudaMalloc(&words, 4096), cudaMemset(words, 0, 4096);
  int *data = words, *flag = words + 64, *missed = words + 128;
  void* args[] = {&how, &data, &flag, &missed, &rounds};
  cudaLaunchCooperativeKernel((void*)message, dim3(2), dim3(64), args, 0, nullptr);
  int found = -1;
  cudaMemcpy(&found, missed, sizeof found, cudaMemcpyDeviceToHost);
  printf("%d\n", found);
}
