// Bytes and halfwords of every value in memory that was just allocated, each read back at once; one that nobody wrote.
#include <cstdio>
#include <cstdlib>
template <class T>
__attribute__((noinline)) void set(T* p, T v) { *p = v; }
template <class T>
__attribute__((noinline)) T get(const T* p) { return *p; }
template <class T>
int back(int n) {
  int wrong = 0;
  for (int k = 0; k < n; k++) {
    T* p = (T*)malloc(4096);
    for (int i = 0; i < int(4096 / sizeof(T)); i++) {
      set(p + i, T(k + i * 7919));
      wrong += get(p + i) != T(k + i * 7919);
    }
    free(p);
  }
  return wrong;
}
struct Padded {
  signed char c;
  int i;
};
int padded() {  // whose padding nobody writes
  int wrong = 0;
  Padded* p = (Padded*)malloc(1024 * sizeof(Padded));
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 1024; i++) {
      set(&p[i].c, (signed char)(i * round));
      set(&p[i].i, i);
    }
    for (int i = 0; i < 1024; i++) wrong += get(p + i).c != (signed char)(i * round) || get(&p[i].c) != get(p + i).c;
  }
  free(p);
  return wrong;
}
int main(int argc, char** argv) {
  int wrong = back<unsigned char>(256) + back<unsigned short>(2000) + padded();
  char* p = (char*)malloc(16);
  set(p + 1, 'a');
  if (argc > 1) printf("%d\n", get(p + 8));
  free(p);
  printf("%d wrong\n", wrong);
}
