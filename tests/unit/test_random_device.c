/* unit: POSIX only: it is about rlk_os_posix.c */
/*
 * Random bytes where getrandom() is missing, interrupted or scant, and where the device is too.
 *
 * The file is compiled in here with its system calls replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	bool interrupts; /* every other call ends in EINTR */
	ssize_t gives;   /* bytes a call gives at most, -1: ENOSYS */
	ssize_t device_gives;
	const char *device; /* what is opened for it */
	int opened, closed;
} script;

static bool is_interrupted(void)
{
	static bool last;

	last = script.interrupts && !last;
	if (last)
		errno = EINTR;
	return last;
}

static ssize_t test_getrandom(void *buf, size_t len, unsigned flags)
{
	if (is_interrupted())
		return -1;
	if (script.gives < 0) {
		errno = ENOSYS;
		return -1;
	}
	return getrandom(buf, len < (size_t)script.gives ? len : (size_t)script.gives, flags);
}

static int test_open(const char *path, int flags)
{
	if (is_interrupted())
		return -1;
	(void)path;
	script.opened++;
	return open(script.device, flags);
}

static ssize_t test_read(int fd, void *buf, size_t len)
{
	if (is_interrupted())
		return -1;
	return read(fd, buf, len < (size_t)script.device_gives ? len : (size_t)script.device_gives);
}

static int test_close(int fd)
{
	script.closed++;
	return close(fd);
}

#define getrandom test_getrandom
#define open test_open
#define read test_read
#define close test_close
#include "base/rlk_os_posix.c"
#undef getrandom
#undef open
#undef read
#undef close

#include "unit.h"

/* All of it was written, as far as chance can leave 64 zeros in a row. */
static bool is_filled(const unsigned char *buf, size_t len)
{
	size_t zeros = 0;

	for (size_t i = 0; i < len; i++) {
		zeros = buf[i] == 0 ? zeros + 1 : 0;
		if (zeros == 64)
			return false;
	}
	return true;
}

static bool is_zero(const unsigned char *buf, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (buf[i] != 0)
			return false;
	}
	return true;
}

static void goes_on_until_all_is_there(void)
{
	unsigned char buf[512] = { 0 };

	script = (__typeof__(script)){ true, 7, 0, "/nowhere", 0, 0 };
	CHECK(rlk_random_bytes(buf, sizeof(buf)));
	CHECK(is_filled(buf, sizeof(buf)));
	CHECK_INT(script.opened, 0);
}

static void falls_back_to_the_device(void)
{
	unsigned char buf[512] = { 0 };

	script = (__typeof__(script)){ true, -1, 9, "/dev/urandom", 0, 0 };
	CHECK(rlk_random_bytes(buf, sizeof(buf)));
	CHECK(is_filled(buf, sizeof(buf)));
	CHECK_INT(script.opened, 1);
	CHECK_INT(script.closed, 1);
}

static void says_so_when_there_is_nothing(void)
{
	/* Missing; not a device; a device that ends. */
	static const char *const devices[] = { "/nowhere/urandom", "/proc/self/exe", "/dev/null" };
	unsigned char buf[32];

	for (size_t i = 0; i < 3; i++) {
		script = (__typeof__(script)){ false, -1, 9, devices[i], 0, 0 };
		memset(buf, 0xa5, sizeof(buf));
		CHECK(!rlk_random_bytes(buf, sizeof(buf)));
		CHECK(is_zero(buf, sizeof(buf)));
		CHECK_INT(script.opened, 1);
		CHECK_INT(script.closed, i > 0);
	}
}

static void spreads_by_the_clock_then(void)
{
	int seen[2] = { 0 };

	script = (__typeof__(script)){ false, -1, 9, "/nowhere/urandom", 0, 0 };
	for (int i = 0; i < 1000; i++)
		seen[rlk_random_spread(2)]++;
	CHECK_INT(script.opened, 1);
	CHECK(seen[0] > 100 && seen[1] > 100);
}

int main(void)
{
	RUN(goes_on_until_all_is_there);
	RUN(falls_back_to_the_device);
	RUN(says_so_when_there_is_nothing);
	RUN(spreads_by_the_clock_then);
	return unit_done();
}
