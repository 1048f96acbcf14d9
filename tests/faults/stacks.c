#define _GNU_SOURCE

#include "stacks.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

/* Innermost frames that tell where an allocation is made; hashes that a process keeps. */
enum { kDepth = 4, kRoom = 1 << 16 };

static uint64_t chosen;
static void *loader, *own;
static int told = -1;
static _Atomic uint64_t seen[kRoom];
static __thread int walking;

void StartStacks(int file) {
  loader = (void*)getauxval(AT_BASE);
  struct dl_find_object module;
  if (_dl_find_object(&chosen, &module) == 0) own = module.dlfo_map_start;
  const char* stack = getenv("FAULT_STACK");
  if (stack != NULL) chosen = strtoull(stack, NULL, 10);
  told = file;
}

struct Walk {
  uint64_t hash;
  int frames, through_loader;
};

static _Unwind_Reason_Code Step(struct _Unwind_Context* context, void* given) {
  struct Walk* walk = given;
  const uintptr_t at = _Unwind_GetIP(context);
  struct dl_find_object module;
  if (_dl_find_object((void*)at, &module) != 0) return _URC_END_OF_STACK;
  if (module.dlfo_map_start == own) return _URC_NO_REASON;
  if (module.dlfo_map_start == loader) walk->through_loader = 1;
  if (walk->frames++ >= kDepth) return _URC_NO_REASON;
  /* Where a module lies differs from process to process. */
  walk->hash = (walk->hash ^ (at - (uintptr_t)module.dlfo_map_start)) * 0x9E3779B97F4A7C15u;
  walk->hash ^= walk->hash >> 32;
  return _URC_NO_REASON;
}

static void Tell(uint64_t hash) {
  for (uint64_t i = 0; i < kRoom; ++i) {
    uint64_t was = 0;
    if (atomic_compare_exchange_strong(&seen[(hash + i) % kRoom], &was, hash)) break;
    if (was == hash) return;
  }
  if (syscall(SYS_write, told, &hash, sizeof hash) != (long)sizeof hash) _exit(99);
}

int StackCounts(long counted) {
  if ((chosen == 0 && told < 0) || (chosen != 0 && counted > 0)) return 1;
  if (walking) return chosen == 0;
  const int kept = errno;
  walking = 1;
  struct Walk walk = {1, 0, 0};
  _Unwind_Backtrace(Step, &walk);
  walking = 0;
  const uint64_t stack = walk.hash >> 1 | (uint64_t)walk.through_loader << 63;
  if (told >= 0) Tell(stack);
  errno = kept;
  return chosen == 0 || stack == chosen;
}
