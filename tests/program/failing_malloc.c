/* Preloaded into the program: makes allocations fail. FAIL_AT: the first allocation of at least FAIL_LEAST bytes that
   fails, counted from 1; FAIL_RUN: how many in a row do. At the end the count goes to the file FAIL_COUNT. Built by
   test_memory.py. */

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static atomic_long seen;
static long first, run = 1, least = 1;

static long number(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void start(void) {
  least = number("FAIL_LEAST", 1);
  run = number("FAIL_RUN", 1);
  first = number("FAIL_AT", 0);
  atomic_store(&seen, 0);
}

__attribute__((destructor)) static void finish(void) {
  const char* path = getenv("FAIL_COUNT");
  if (path == NULL) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld", atomic_load(&seen));
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || write(file, text, (size_t)length) != length) _exit(99);
  close(file);
}

static int fails(size_t size) {
  if ((long)size < least) return 0;
  const long now = atomic_fetch_add(&seen, 1) + 1;
  if (first == 0 || now < first || now >= first + run) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(count * size) ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return fails(size) ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return fails(size) ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** out, size_t alignment, size_t size) {
  if (fails(size)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
