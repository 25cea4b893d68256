// Of two tiles the rows that both have are multiplied.
__global__ void sums(const float* in, float* out, int rows) {
  __shared__ float first[8 * 32];
  __shared__ float second[16 * 32];
  for (int r = 0; r < 8; r++) first[r * 32 + threadIdx.x] = in[r * 32 + threadIdx.x];
  for (int r = 0; r < 16; r++) second[r * 32 + threadIdx.x] = in[r * 32 + threadIdx.x];
  const float *a = first, *b = second;
  float sum = 0;
  for (int r = rows - 1; r >= 0; r--) sum += a[r * 32 + threadIdx.x] * b[r * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

int main() {
  float h[16 * 32], *in, *out;
  for (int i = 0; i < 16 * 32; i++) h[i] = i % 7;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sums<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
