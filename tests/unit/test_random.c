/* unit: POSIX only: it is about rlk_os_posix.c */
/*
 * Random bytes where the system has none. The file is compiled in here with its system call replaced.
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#if defined(__linux__) || defined(__APPLE__)
#include <sys/random.h>
#endif

static int test_getentropy(void *buf, size_t len)
{
	(void)buf;
	(void)len;
	errno = ENOSYS;
	return -1;
}

#define getentropy test_getentropy
#include "base/rlk_os_posix.c"
#undef getentropy

#include "unit.h"

static void says_so_when_there_is_nothing(void)
{
	unsigned char buf[300], zeros[300] = { 0 };

	memset(buf, 0xa5, sizeof(buf));
	CHECK(!rlk_random_bytes(buf, sizeof(buf)));
	CHECK(memcmp(buf, zeros, sizeof(buf)) == 0);
	CHECK_INT(rlk_random_spread(1000), 0);
}

int main(void)
{
	RUN(says_so_when_there_is_nothing);
	return unit_done();
}
