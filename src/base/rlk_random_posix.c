/*
 * rlk_random on POSIX systems: getrandom() where there is one, else the device.
 *
 * No descriptor is kept open: daemons close what they do not know, and another
 * file could then sit at our number.
 */
#include "base/rlk_random.h"

#include "base/rlk_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__) || defined(__FreeBSD__)
#define HAVE_RLK_GETRANDOM
#include <sys/random.h>
#endif

#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

static bool read_all(int fd, unsigned char *to, size_t len)
{
	ssize_t got;

	while (len > 0) {
		got = read(fd, to, len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		len -= (size_t)got;
	}
	return true;
}

static bool read_device(unsigned char *to, size_t len)
{
	struct stat st;
	bool ok;
	int fd;

	do {
		fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return false;
	/* A plain file of that name, as careless chroots have it, is not a random source. */
	ok = fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && read_all(fd, to, len);
	close(fd);
	return ok;
}

bool rlk_random_bytes(void *buf, size_t len)
{
	unsigned char *to = buf;
	size_t left = len;

#ifdef HAVE_RLK_GETRANDOM
	while (left > 0) {
		ssize_t got = getrandom(to, left, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		to += got;
		left -= (size_t)got;
	}
#endif
	if (left == 0 || read_device(to, left))
		return true;
	memset(buf, 0, len);
	return false;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	static _Thread_local uint64_t state;
	static _Thread_local pid_t seeded_in;
	pid_t pid = getpid();

	/* A forked copy that went on with its parent's sequence would retry in step with it. */
	if (state == 0 || seeded_in != pid) {
		if (!rlk_random_bytes(&state, sizeof(state)) || state == 0)
			state = (((uint64_t)rlk_clock_now_ms() << 22) ^ (uint64_t)(uintptr_t)&state ^ ((uint64_t)pid << 1)) | 1;
		seeded_in = pid;
	}
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	/* The upper half times bound, cut to its upper half again: even enough, and no division. */
	return (uint32_t)(((state >> 32) * bound) >> 32);
}
