// SPDX-License-Identifier: Apache-2.0

extension FaultShim {
    static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <unistd.h>
        enum { WRITE, SYNC, NAME, CUT, CLOSE, KINDS };
        struct counts { unsigned operations[KINDS], failures; };
        static struct counts own, *counts = &own;
        static char folder[PATH_MAX];
        static size_t length;
        static int kind = -1, lasts, isShort, error = EIO, pending;
        static unsigned at;
        static int number(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }
        __attribute__((constructor)) static void begin(void) {
          const char *place = getenv("FAULT_FOLDER"), *log = getenv("FAULT_LOG");
          if (!place || !log || strlen(place) >= sizeof folder) return;
          int file = open(log, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
          if (file < 0 || posix_fallocate(file, 0, sizeof own)) return;
          void *map = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
          if (map != MAP_FAILED) counts = map;
          kind = number("FAULT_KIND"), lasts = number("FAULT_LASTS"), isShort = number("FAULT_SHORT");
          at = number("FAULT_AT"), error = number("FAULT_ERROR");
          strcpy(folder, place);
          length = strlen(folder);
        }
        static int isBelow(const char *path) {
          return length && !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
        }
        static int leadsBelow(const char *link) {
          char path[PATH_MAX];
          ssize_t count = readlink(link, path, sizeof path - 1);
          if (count < 0) return 0;
          path[count] = 0;
          return isBelow(path);
        }
        static int isOpenBelow(int file) {
          char link[64];
          if (file == AT_FDCWD) return leadsBelow("/proc/self/cwd");
          snprintf(link, sizeof link, "/proc/self/fd/%d", file);
          return leadsBelow(link);
        }
        static int isNamedBelow(int place, const char *path) {
          return path[0] == '/' ? isBelow(path) : isOpenBelow(place);
        }
        /* Counts an operation of a file that is watched, and says whether it fails. */
        static int fails(int operation, int isWatched, int before) {
          errno = before;
          if (!isWatched) return 0;
          unsigned now = __atomic_add_fetch(&counts->operations[operation], 1, __ATOMIC_SEQ_CST);
          if (operation != kind || (lasts ? now < at : now != at)) return 0;
          __atomic_add_fetch(&counts->failures, 1, __ATOMIC_SEQ_CST);
          errno = error;
          return 1;
        }
        #define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
        /* A write that fails takes nothing, or half before the next one takes nothing. */
        static size_t part(int file, size_t count) {
          int isWatched = isOpenBelow(file);
          if (isWatched && __atomic_exchange_n(&pending, 0, __ATOMIC_SEQ_CST)) { errno = error; return 0; }
          if (!fails(WRITE, isWatched, errno)) return count;
          if (!isShort || count < 2) return 0;
          pending = 1;
          return count / 2;
        }
        ssize_t write(int file, const void *bytes, size_t count) {
          REAL(write);
          size_t some = part(file, count);
          return some || !count ? real(file, bytes, some) : -1;
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
          REAL(pwrite);
          size_t some = part(file, count);
          return some || !count ? real(file, bytes, some, place) : -1;
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
          REAL(pwrite64);
          size_t some = part(file, count);
          return some || !count ? real(file, bytes, some, place) : -1;
        }
        int fsync(int file) {
          REAL(fsync);
          int before = errno;
          return fails(SYNC, isOpenBelow(file), before) ? -1 : real(file);
        }
        int fdatasync(int file) {
          REAL(fdatasync);
          int before = errno;
          return fails(SYNC, isOpenBelow(file), before) ? -1 : real(file);
        }
        int rename(const char *old, const char *new) {
          REAL(rename);
          int before = errno;
          return fails(NAME, isNamedBelow(AT_FDCWD, new), before) ? -1 : real(old, new);
        }
        int renameat(int from, const char *old, int to, const char *new) {
          REAL(renameat);
          int before = errno;
          return fails(NAME, isNamedBelow(to, new), before) ? -1 : real(from, old, to, new);
        }
        int link(const char *old, const char *new) {
          REAL(link);
          int before = errno;
          return fails(NAME, isNamedBelow(AT_FDCWD, new), before) ? -1 : real(old, new);
        }
        int linkat(int from, const char *old, int to, const char *new, int flags) {
          REAL(linkat);
          int before = errno;
          return fails(NAME, isNamedBelow(to, new), before) ? -1 : real(from, old, to, new, flags);
        }
        int ftruncate(int file, off_t size) {
          REAL(ftruncate);
          int before = errno;
          return fails(CUT, isOpenBelow(file), before) ? -1 : real(file, size);
        }
        int ftruncate64(int file, off64_t size) {
          REAL(ftruncate64);
          int before = errno;
          return fails(CUT, isOpenBelow(file), before) ? -1 : real(file, size);
        }
        /* The file is closed all the same, as Linux does it. */
        int close(int file) {
          REAL(close);
          int before = errno, isFailing = fails(CLOSE, isOpenBelow(file), before);
          int result = real(file);
          if (isFailing) errno = error;
          return isFailing ? -1 : result;
        }
        """#
}
