/* Preloaded into programs: makes calls of the system fail, and keeps a journal of what reaches the disk. Built by the
   fixture `faults` of tests/conftest.py.

   FAULT_CALL, one of the names below, fails from call FAULT_AT on, FAULT_RUN times in a row, with the number
   FAULT_ERRNO (0: all processes of its group are killed instead); FAULT_BELOW counts only files
   below a folder.
   FAULT_COUNTERS is a file of one 64-bit counter a name, which all processes share. Calls on standard input and
   output never fail.

   JOURNAL is a file that gets a record of every change below JOURNAL_BELOW, once it is made: a line of its kind,
   inode, offset, count, path and second path, parted by tabs, and then `count` bytes. */

#define _GNU_SOURCE
#undef _FORTIFY_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READ, WRITE, PWRITE, FSYNC, CLOSE, RENAME, OPEN, MKDIR, UNLINK, FLOCK, FORK, THREAD, CALLS };

static const char* const kNames[CALLS] = {"read",  "write",  "pwrite", "fsync", "close", "rename",
                                          "open",   "mkdir", "unlink", "flock",  "fork",  "thread"};

static atomic_long own[CALLS];
static atomic_long* counters = own;
static int started, chosen = CALLS, cause = EIO, journal = -1;
static long first, run = 1;
static const char *below, *journal_below;

static long Number(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text ? atol(text) : otherwise;
}

/* A descriptor, of a number that programs do not meet, of the file that the environment names; -1: it names none. */
static int OpenToAppend(const char* name, int least_number) {
  const char* path = getenv(name);
  if (path == NULL) return -1;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
  const int high = fcntl(file, F_DUPFD_CLOEXEC, least_number);
  if (high < 0) _exit(99);
  syscall(SYS_close, file);
  return high;
}

__attribute__((constructor)) static void Start(void) {
  const char* name = getenv("FAULT_CALL");
  for (int call = 0; name && call < CALLS; ++call)
    if (strcmp(name, kNames[call]) == 0) chosen = call;
  first = Number("FAULT_AT", 0);
  run = Number("FAULT_RUN", 1);
  cause = (int)Number("FAULT_ERRNO", EIO);
  below = getenv("FAULT_BELOW");
  journal_below = getenv("JOURNAL_BELOW");
  const char* shared = getenv("FAULT_COUNTERS");
  if (shared != NULL) {
    const int file = (int)syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC);
    void* map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) _exit(99);
    syscall(SYS_close, file);
    counters = map;
  }
  if (journal_below != NULL) journal = OpenToAppend("JOURNAL", 200);
  started = 1;
}

/* Counts a call; whether it has to fail, with errno set. */
static int Fails(int call) {
  if (!started) return 0;
  const long now = atomic_fetch_add(&counters[call], 1) + 1;
  if (call != chosen || first == 0 || now < first || now - first >= run) return 0;
  if (cause == 0) kill(0, SIGKILL);
  errno = cause;
  return 1;
}

static int Within(const char* path, const char* folder) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path that a descriptor has; empty: none. */
static void PathOf(int file, char out[PATH_MAX]) {
  const int kept = errno;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, out, PATH_MAX - 1);
  out[length > 0 ? length : 0] = 0;
  errno = kept;
}

static void Whole(int folder, const char* path, char out[PATH_MAX]) {
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
    return;
  }
  char base[PATH_MAX] = "";
  if (folder != AT_FDCWD)
    PathOf(folder, base);
  else if (getcwd(base, sizeof base) == NULL)
    base[0] = 0;
  if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) out[0] = 0;
}

static int FileFails(int call, int file) {
  if (file >= 0 && file <= STDERR_FILENO) return 0;
  if (below != NULL) {
    char path[PATH_MAX];
    PathOf(file, path);
    if (!Within(path, below)) return 0;
  }
  return Fails(call);
}

static int NameFails(int call, int folder, const char* name) {
  if (below != NULL) {
    char path[PATH_MAX];
    Whole(folder, name, path);
    if (!Within(path, below)) return 0;
  }
  return Fails(call);
}

static void Record(const char* kind, unsigned long inode, long offset, const char* path, const char* other,
                   const void* bytes, size_t count) {
  char line[2 * PATH_MAX + 100];
  const int length =
      snprintf(line, sizeof line, "%s\t%lu\t%ld\t%zu\t%s\t%s\n", kind, inode, offset, count, path, other);
  const struct iovec parts[] = {{line, (size_t)length}, {(void*)bytes, count}};
  if (syscall(SYS_writev, journal, parts, 2) != (long)((size_t)length + count)) _exit(99);
}

/* A change of an open file, once it is made. */
static void RecordFile(const char* kind, int file, long offset, const void* bytes, size_t count) {
  if (journal < 0) return;
  const int kept = errno;
  char path[PATH_MAX];
  PathOf(file, path);
  struct stat status;
  if (Within(path, journal_below) && fstat(file, &status) == 0)
    Record(S_ISDIR(status.st_mode) ? "folder" : kind, status.st_ino, offset, path, "", bytes, count);
  errno = kept;
}

static void RecordName(const char* kind, int folder, const char* name, int to_folder, const char* to) {
  if (journal < 0) return;
  const int kept = errno;
  char path[PATH_MAX], other[PATH_MAX] = "";
  Whole(folder, name, path);
  if (to != NULL) Whole(to_folder, to, other);
  if (Within(path, journal_below)) Record(kind, 0, 0, path, other, "", 0);
  errno = kept;
}

static long Offset(int file, long count) { return syscall(SYS_lseek, file, 0L, SEEK_CUR) - count; }

/* Of open files. */

ssize_t read(int file, void* bytes, size_t count) {
  return FileFails(READ, file) ? -1 : syscall(SYS_read, file, bytes, count);
}
ssize_t readv(int file, const struct iovec* parts, int count) {
  return FileFails(READ, file) ? -1 : syscall(SYS_readv, file, parts, count);
}
ssize_t pread(int file, void* bytes, size_t count, off_t offset) {
  return FileFails(READ, file) ? -1 : syscall(SYS_pread64, file, bytes, count, offset);
}
ssize_t pread64(int file, void* bytes, size_t count, off_t offset) {
  return pread(file, bytes, count, offset);
}
ssize_t __read_chk(int file, void* bytes, size_t count, size_t capacity) {
  (void)capacity;
  return read(file, bytes, count);
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (FileFails(WRITE, file)) return -1;
  const ssize_t done = syscall(SYS_write, file, bytes, count);
  if (done > 0 && journal >= 0) RecordFile("write", file, Offset(file, done), bytes, (size_t)done);
  return done;
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  if (FileFails(WRITE, file)) return -1;
  const ssize_t done = syscall(SYS_writev, file, parts, count);
  long offset = journal >= 0 ? Offset(file, done) : 0;
  for (ssize_t i = 0, left = done; left > 0; ++i) {
    const size_t part = (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
    RecordFile("write", file, offset, parts[i].iov_base, part);
    offset += (long)part;
    left -= (ssize_t)part;
  }
  return done;
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  if (FileFails(PWRITE, file)) return -1;
  const ssize_t done = syscall(SYS_pwrite64, file, bytes, count, offset);
  if (done > 0) RecordFile("write", file, offset, bytes, (size_t)done);
  return done;
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off_t offset) {
  return pwrite(file, bytes, count, offset);
}
int ftruncate(int file, off_t size) {
  const int done = (int)syscall(SYS_ftruncate, file, size);
  if (done == 0) RecordFile("truncate", file, size, "", 0);
  return done;
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

static int Synced(int file, long call) {
  if (FileFails(FSYNC, file)) return -1;
  const int done = (int)syscall(call, file);
  if (done == 0) RecordFile("sync", file, 0, "", 0);
  return done;
}
int fsync(int file) { return Synced(file, SYS_fsync); }
int fdatasync(int file) { return Synced(file, SYS_fdatasync); }

/* The descriptor is gone, as it is where the system tells of an error. */
int close(int file) {
  const int fails = FileFails(CLOSE, file);
  const int done = (int)syscall(SYS_close, file);
  if (fails) errno = cause;
  return fails ? -1 : done;
}
int flock(int file, int how) { return FileFails(FLOCK, file) ? -1 : (int)syscall(SYS_flock, file, how); }

/* Of names. */

static int Exists(int folder, const char* path) {
  struct stat status;
  const int kept = errno;
  const int exists = journal < 0 || fstatat(folder, path, &status, 0) == 0;
  errno = kept;
  return exists;
}

static void RecordOpened(int file, int was, int cut) {
  if (!was || cut) RecordFile(was ? "truncate" : "create", file, 0, "", 0);
}

static int Open(int folder, const char* path, int flags, unsigned mode) {
  if (NameFails(OPEN, folder, path)) return -1;
  const int was = Exists(folder, path);
  const int file = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (file >= 0) RecordOpened(file, was, flags & O_TRUNC);
  return file;
}

#define MODE(flags)                        \
  unsigned mode = 0;                       \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, unsigned);         \
    va_end(rest);                          \
  }

int open(const char* path, int flags, ...) {
  MODE(flags)
  return Open(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE(flags)
  return Open(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return Open(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE(flags)
  return Open(folder, path, flags, mode);
}
int __open_2(const char* path, int flags) { return Open(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return Open(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char* path, int flags) { return Open(folder, path, flags, 0); }
int __openat64_2(int folder, const char* path, int flags) { return Open(folder, path, flags, 0); }
int creat(const char* path, mode_t mode) { return Open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* The library's own functions, of which parts call the system without passing by here. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Processes and threads. */

pid_t fork(void) { return Fails(FORK) ? -1 : NEXT(fork)(); }
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return Fails(FORK) ? cause : NEXT(posix_spawn)(process, path, actions, attributes, words, environment);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* given) {
  return Fails(THREAD) ? cause : NEXT(pthread_create)(thread, attributes, work, given);
}

/* Streams. */

typedef FILE* Opener(const char* path, const char* how);

static FILE* OpenStream(Opener* opener, const char* path, const char* how) {
  if (NameFails(OPEN, AT_FDCWD, path)) return NULL;
  const int was = Exists(AT_FDCWD, path);
  FILE* stream = opener(path, how);
  if (stream != NULL) RecordOpened(fileno(stream), was, how[0] == 'w');
  return stream;
}
FILE* fopen(const char* path, const char* how) { return OpenStream(NEXT(fopen), path, how); }
FILE* fopen64(const char* path, const char* how) { return OpenStream(NEXT(fopen64), path, how); }
DIR* opendir(const char* path) { return NameFails(OPEN, AT_FDCWD, path) ? NULL : NEXT(opendir)(path); }
int fclose(FILE* stream) {
  const int fails = FileFails(CLOSE, fileno(stream));
  const int done = NEXT(fclose)(stream);
  if (fails) errno = cause;
  return fails ? EOF : done;
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* stream) {
  if (journal >= 0 && (stream == stderr || stream == stdout))
    Record("tell", 0, 0, "", "", bytes, size * count);
  return NEXT(fwrite)(bytes, size, count, stream);
}

static int Rename(int from, const char* old, int to, const char* name, unsigned flags) {
  if (NameFails(RENAME, to, name)) return -1;
  const int done = (int)syscall(SYS_renameat2, from, old, to, name, flags);
  if (done == 0) RecordName("rename", from, old, to, name);
  return done;
}
int rename(const char* old, const char* name) { return Rename(AT_FDCWD, old, AT_FDCWD, name, 0); }
int renameat(int from, const char* old, int to, const char* name) { return Rename(from, old, to, name, 0); }
int renameat2(int from, const char* old, int to, const char* name, unsigned flags) {
  return Rename(from, old, to, name, flags);
}

int mkdirat(int folder, const char* path, mode_t mode) {
  if (NameFails(MKDIR, folder, path)) return -1;
  const int done = (int)syscall(SYS_mkdirat, folder, path, mode);
  if (done == 0) RecordName("mkdir", folder, path, AT_FDCWD, NULL);
  return done;
}
int mkdir(const char* path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int folder, const char* path, int flags) {
  if (NameFails(UNLINK, folder, path)) return -1;
  const int done = (int)syscall(SYS_unlinkat, folder, path, flags);
  if (done == 0) RecordName("unlink", folder, path, AT_FDCWD, NULL);
  return done;
}
int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char* path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) {
  const int done = unlink(path);
  return done < 0 && errno == EISDIR ? rmdir(path) : done;
}
