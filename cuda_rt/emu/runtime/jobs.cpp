// Many runs from one start: IRGL_EMU_JOBS names a file of jobs, blocks of lines with an empty one behind each:
//
//     e NAME=VALUE    for the run's environment
//     a ARGUMENT      the next of the program's arguments; the program is started with as many, whatever they are
//
// Each run is a child of a process that has mapped its memory and read its symbols, so that it costs a fork instead of
// a start. What exit code it had (128 + the signal's number where it was killed) goes to the file's name with `.codes`.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "state.hpp"

namespace emu {

namespace {

char** arguments = nullptr;
int argument_count = 0;

void keep_arguments(int count, char** all, char**) { argument_count = count, arguments = all; }
__attribute__((section(".preinit_array"), used)) void (*keeper)(int, char**, char**) = keep_arguments;

std::vector<std::string> lines_of(const char* path) {
  std::vector<std::string> lines;
  FILE* file = fopen(path, "r");
  if (file == nullptr) {
    fprintf(stderr, "irgl emulator: can't read the jobs in %s\n", path);
    _exit(2);
  }
  char* line = nullptr;
  std::size_t room = 0;
  for (ssize_t n; (n = getline(&line, &room, file)) > 0;) lines.emplace_back(line, n - (line[n - 1] == '\n'));
  std::free(line);
  fclose(file);
  return lines;
}

void become(const std::vector<std::string>& job) {
  int next = 1;
  for (const std::string& line : job) {
    char* text = strdup(line.c_str() + 2);
    if (line[0] == 'e') {
      putenv(text);
    } else if (next < argument_count) {
      arguments[next++] = text;
    }
  }
}

}  // namespace

// Comes back once for each job, in a process of its own.
void run_jobs(const char* path) {
  FILE* codes = fopen((std::string(path) + ".codes").c_str(), "w");
  std::vector<std::string> job;
  for (const std::string& line : lines_of(path)) {
    if (!line.empty()) {
      job.push_back(line);
      continue;
    }
    const pid_t child = fork();
    if (child == 0) {
      become(job);
      return;
    }
    int status = 0;
    if (child < 0 || codes == nullptr || waitpid(child, &status, 0) != child) _exit(2);
    fprintf(codes, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(codes);
    job.clear();
  }
  _exit(0);
}

}  // namespace emu
