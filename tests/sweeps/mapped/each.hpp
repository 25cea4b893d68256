// Gives each file of a container to `read` in a process of its own, and says what became of them:
//     ./harness CONTAINER SCRATCH       prints "REFUSED ACCEPTED", or the number of the first bad one and how it ended
// The container: for each file its length (64 bits) and its bytes. `read` ends with 0 (accepted) or 2 (refused).
#pragma once
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

// Where the file is mapped; what is used must lie there.
struct Mapped {
  const char* base;
  size_t bytes;
  long sum = 0;

  void use(const void* array, size_t count, size_t size) {
    const char* at = static_cast<const char*>(array);
    if (count == 0) return;
    if (at < base || size_t(at - base) > bytes || count > (bytes - size_t(at - base)) / size) _exit(99);
    for (size_t k = 0; k < count * size; ++k) sum += static_cast<const volatile char*>(at)[k];
  }
};

template <class Read>
int each(char** argv, Read read) {
  const char* path = argv[2];
  std::vector<char> all;
  {
    FILE* container = fopen(argv[1], "rb");  // closed before any child ends, which would move its place in the file
    if (container == nullptr) return 1;
    char piece[1 << 16];
    for (size_t got; (got = fread(piece, 1, sizeof piece, container)) > 0;) all.insert(all.end(), piece, piece + got);
    fclose(container);
  }
  // The file is memory: a disk's would be written at the end of each child.
  const int file = memfd_create("mapped", 0);
  char there[40];
  snprintf(there, sizeof there, "/proc/self/fd/%d", file);
  if (file < 0 || symlink(there, path) != 0) return 1;
  int out = dup(1), null = open("/dev/null", O_WRONLY);
  dup2(null, 1), dup2(null, 2);
  long ended[2] = {}, number = 0;
  uint64_t size;
  for (size_t at = 0; at + 8 <= all.size(); at += 8 + size, ++number) {
    memcpy(&size, &all[at], 8);
    if (ftruncate(file, 0) != 0 || pwrite(file, &all[at + 8], size, 0) != ssize_t(size)) return 1;
    int status = 0;
    const pid_t child = fork();
    if (child == 0) alarm(20), _exit(read(path));
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2))
      return dprintf(out, "number %ld: status %#x\n", number, unsigned(status)), 3;
    ++ended[WEXITSTATUS(status) == 0];
  }
  return dprintf(out, "%ld %ld\n", ended[0], ended[1]), 0;
}
