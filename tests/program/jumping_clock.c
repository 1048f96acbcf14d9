/* Preloaded into the program: the wall clock jumps ten years back and forth between calls. The monotonic clock is
   unchanged. Built by test_environments.py. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const time_t TEN_YEARS = 315360000;
static atomic_long calls;

static time_t jump(void) { return atomic_fetch_add(&calls, 1) % 2 ? TEN_YEARS : -TEN_YEARS; }

int clock_gettime(clockid_t clock, struct timespec* out) {
  const int status = (int)syscall(SYS_clock_gettime, clock, out);
  if (status == 0 && clock == CLOCK_REALTIME) out->tv_sec += jump();
  return status;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  const int status = clock_gettime(CLOCK_REALTIME, &now);
  *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return status;
}
