/*
 * wallclock: a wall clock under control, for one process.
 *
 * Loaded by LD_PRELOAD, it answers gettimeofday, time and clock_gettime(CLOCK_REALTIME) from a small file that the
 * process which controls the clock has mapped as well (realrun/server/clock.go; the layout is the same there):
 *
 *     offset  microseconds that are added to the machine's clock
 *     frozen  if not 0: the time that stands still, in microseconds since 1970; offset does not count then
 *     loaded  set to 1 here, so that the other side knows that this library is at work
 *
 * Monotonic clocks are left alone: timers of an event loop go on. While the time stands still, nanosleep moves it by the
 * duration instead of sleeping, backwards too: a command that sleeps is slow exactly as long as it says.
 *
 * It runs before, and inside, the memory allocator of the program, so it allocates nothing, looks up no symbols, and
 * makes its system calls itself. Each value is one aligned 8-byte word, read at once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct wallclock {
	int64_t offset, frozen, loaded;
};

/* What the clock says before the file is mapped, or without one: the machine's time. */
static struct wallclock nothing;

static struct wallclock *mapped;

static struct wallclock *map_file(void)
{
	const char *path = getenv("LOCKLAB_WALLCLOCK");
	if (!path)
		return &nothing;
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return &nothing;
	void *p = mmap(NULL, sizeof(struct wallclock), PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
	syscall(SYS_close, fd);
	return p == MAP_FAILED ? &nothing : p;
}

/* Two threads that come first at once map the file twice, which does no harm. */
static struct wallclock *the_clock(void)
{
	struct wallclock *c = __atomic_load_n(&mapped, __ATOMIC_ACQUIRE);
	if (!c) {
		int saved = errno;
		c = map_file();
		errno = saved;
		__atomic_store_n(&c->loaded, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&mapped, c, __ATOMIC_RELEASE);
	}
	return c;
}

__attribute__((constructor)) static void begin(void)
{
	the_clock();
}

/* The wall clock in nanoseconds since 1970. */
static int64_t now(void)
{
	struct wallclock *c = the_clock();
	int64_t frozen = __atomic_load_n(&c->frozen, __ATOMIC_RELAXED);
	if (frozen)
		return frozen * 1000;
	struct timespec real;
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
	return real.tv_sec * INT64_C(1000000000) + real.tv_nsec + __atomic_load_n(&c->offset, __ATOMIC_RELAXED) * 1000;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	if (zone)
		*(struct timezone *)zone = (struct timezone){0, 0};
	int64_t t = now();
	tv->tv_sec = t / 1000000000;
	tv->tv_usec = t % 1000000000 / 1000;
	return 0;
}

time_t time(time_t *where)
{
	time_t t = now() / 1000000000;
	if (where)
		*where = t;
	return t;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)
		return (int)syscall(SYS_clock_gettime, id, ts);
	int64_t t = now();
	ts->tv_sec = t / 1000000000;
	ts->tv_nsec = t % 1000000000;
	return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	struct wallclock *c = the_clock();
	if (!__atomic_load_n(&c->frozen, __ATOMIC_RELAXED))
		return (int)syscall(SYS_nanosleep, wanted, left);
	__atomic_add_fetch(&c->frozen, wanted->tv_sec * INT64_C(1000000) + wanted->tv_nsec / 1000, __ATOMIC_RELAXED);
	return 0;
}
