/* Preloaded into a process, records what it does to the files of one folder, and lets its k-th operation there fail.

   The harnesses call recorder_start and recorder_arm; before that everything passes unseen. A record is
   kind, length of the name, offset, length of the data (each 8 bytes), the name, the data. Kinds: C create, W write,
   T truncate to the offset, S sync (of the folder itself: the name "."), U unlink. -shm is memory and no file: SQLite
   makes it anew after a crash. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 4096
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096], names[FILES][256];
static int out = -1, error, forever, failed;
static long at, operations;

static const char *inside(const char *path) {
    size_t length = strlen(folder);
    if (!length || strncmp(path, folder, length)) return NULL;
    return path[length] == '/' ? path + length + 1 : path[length] ? NULL : ".";
}
static const char *known(int fd) { return fd >= 0 && fd < FILES && names[fd][0] ? names[fd] : NULL; }

static int fails(char kind) {
    pthread_mutex_lock(&lock);
    operations++;
    int now = at && (operations == at || (forever && operations > at));
    if (now) failed = kind;
    pthread_mutex_unlock(&lock);
    if (now) errno = error;
    return now;
}
/* O: a write over what is there already, which needs no space but where files are copied on write. */
static int extends(int fd, off_t end) {
    struct stat is;
    return fstat(fd, &is) || end > is.st_size ? 'W' : 'O';
}
static void record(char kind, const char *name, int64_t offset, const void *data, int64_t length) {
    int64_t head[4] = {kind, (int64_t)strlen(name), offset, length};
    REAL(ssize_t, "write", int, const void *, size_t);
    if (out < 0) return;
    pthread_mutex_lock(&lock);
    if (real(out, head, sizeof head) < 0 || real(out, name, head[1]) < 0 || (length && real(out, data, length) < 0))
        perror("recorder");
    pthread_mutex_unlock(&lock);
}
static int opened(const char *path, int flags, mode_t mode) {
    REAL(int, "open", const char *, int, ...);
    const char *name = inside(path);
    int creates = name && (flags & O_CREAT) && access(path, F_OK);
    if (creates && fails('C')) return -1;
    int fd = real(path, flags, mode);
    if (fd >= 0 && fd < FILES) snprintf(names[fd], sizeof names[fd], "%s", name ? name : "");
    if (fd >= 0 && creates) record('C', name, 0, NULL, 0);
    return fd;
}
static mode_t mode_of(int flags, va_list rest) { return flags & O_CREAT ? va_arg(rest, mode_t) : 0; }
#define OPEN { va_list rest; va_start(rest, flags); mode_t mode = mode_of(flags, rest); va_end(rest); \
    return opened(path, flags, mode); }

void recorder_start(const char *path, const char *log) {
    out = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    snprintf(folder, sizeof folder, "%s", path);
}
void recorder_arm(long k, int number, int lasting) { operations = 0; failed = 0; at = k; error = number; forever = lasting; }
long recorder_operations(void) { return operations; }
int recorder_failed(void) { return failed; }

int open(const char *path, int flags, ...) OPEN
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    if (known(fd) && fails(extends(fd, offset + length))) return -1;
    ssize_t done = real(fd, data, length, offset);
    if (done > 0 && known(fd)) record('W', known(fd), offset, data, done);
    return done;
}
ssize_t write(int fd, const void *data, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (known(fd) && fails(extends(fd, lseek(fd, 0, SEEK_CUR) + length))) return -1;
    ssize_t done = real(fd, data, length);
    if (done > 0 && known(fd)) record('W', known(fd), lseek(fd, 0, SEEK_CUR) - done, data, done);
    return done;
}
static int synced(int fd, int (*real)(int)) {
    if (known(fd) && fails('S')) return -1;
    int result = real(fd);
    if (!result && known(fd)) record('S', known(fd), 0, NULL, 0);
    return result;
}
int fsync(int fd) { REAL(int, "fsync", int); return synced(fd, real); }
int fdatasync(int fd) { REAL(int, "fdatasync", int); return synced(fd, real); }
int ftruncate(int fd, off_t length) {
    REAL(int, "ftruncate", int, off_t);
    if (known(fd) && fails('T')) return -1;
    int result = real(fd, length);
    if (!result && known(fd)) record('T', known(fd), length, NULL, 0);
    return result;
}
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    if (inside(path) && fails('U')) return -1;
    int result = real(path);
    if (!result && inside(path)) record('U', inside(path), 0, NULL, 0);
    return result;
}
int close(int fd) {
    REAL(int, "close", int);
    if (fd >= 0 && fd < FILES) names[fd][0] = 0;
    return real(fd);
}
#ifdef __GLIBC__ /* 64-bit systems: the same under other names */
int open64(const char *path, int flags, ...) OPEN
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }
#endif
