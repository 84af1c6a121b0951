/*
 * rlk_os: what each system offers under another name: time, random bytes, shared memory, process id and host name.
 */
#ifndef RLK_OS_H
#define RLK_OS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- time -------------------------------------------------------------------------------------
 *
 * One clock measures everything: CLOCK_BOOTTIME where it exists, since a lock's TTL goes on running on the server while
 * this machine is suspended; else the monotonic clock. Never the wall clock. Points in time end in _at_ms, durations
 * in _ms.
 */

/* A point in time that never comes. */
#define RLK_NEVER INT64_MAX

/* Milliseconds since an arbitrary fixed point, rounded down. The same in all processes of a machine. */
int64_t rlk_clock_now_ms(void);

/* The deadline `duration_ms` from `from_ms`; RLK_NEVER when it would overflow or the duration is RLK_NEVER. */
static inline int64_t rlk_clock_add(int64_t from_ms, int64_t duration_ms)
{
	if (from_ms == RLK_NEVER || duration_ms == RLK_NEVER)
		return RLK_NEVER;
	if (duration_ms > 0 && from_ms > RLK_NEVER - duration_ms)
		return RLK_NEVER;
	if (duration_ms < 0 && from_ms < INT64_MIN - duration_ms)
		return INT64_MIN;
	return from_ms + duration_ms;
}

/* The earlier of two points, or the shorter of two durations. */
static inline int64_t rlk_clock_earlier(int64_t a_ms, int64_t b_ms)
{
	return a_ms < b_ms ? a_ms : b_ms;
}

/* Milliseconds from now until the point, 0 when it has passed, cut to INT_MAX: fit for poll(). -1 for RLK_NEVER. */
static inline int rlk_clock_poll_timeout(int64_t at_ms)
{
	int64_t now_ms;

	if (at_ms == RLK_NEVER)
		return -1;
	/* Both are rounded down, so the wait ends at the point or up to 1 ms behind it, never before. */
	now_ms = rlk_clock_now_ms();
	if (at_ms <= now_ms)
		return 0;
	return at_ms - now_ms > INT_MAX ? INT_MAX : (int)(at_ms - now_ms);
}

/* --- random bytes ----------------------------------------------------------------------------- */

/* Fills buf from the system's CSPRNG. false (buf zeroed): the system has none to offer. */
bool rlk_random_bytes(void *buf, size_t len);

/* A number in [0, bound), 0 when bound is 0. Only for spreading retries in time: 0 when there is no random source. */
uint32_t rlk_random_spread(uint32_t bound);

/* --- process and memory ----------------------------------------------------------------------- */

/* The id of this process, right in a forked copy too. Cheap enough to be asked before every step. */
long rlk_os_process_id(void);

/* The name of this machine, NUL-terminated and cut to size; "" when the system does not tell. */
void rlk_os_host_name(char *name, size_t size);

/* Makes this process run another program, which is looked for in PATH unless it has a slash. argv and env end with NULL; env
 * NULL: the present one. SIGPIPE, which our host ignores, ends the program as usual. Returns only if that fails: errno. */
int rlk_os_become(const char *program, char *const argv[], char **env);

#ifndef _WIN32
/* Moves a descriptor to a number of 3 or above, close-on-exec, and returns that. -1: errno says why; an `fd` of -1
 * leaves errno alone. Called for every descriptor that lasts: if the application has closed its standard descriptors,
 * its output goes to whatever has their numbers. */
int rlk_os_above_standard(int fd);

/* Opens two connected stream sockets, likewise: every system reports the end of a stream. false: errno says why, and
 * both are -1. */
bool rlk_os_pair_open(int fds[2]);
void rlk_os_pair_close(int fds[2]);
#endif

/* Zeroed memory, whose pages cost nothing until touched. `shared`: shared with child processes; else private, for code
 * that must not call malloc(). NULL: out of memory. */
void *rlk_os_map(size_t size, bool shared);
void rlk_os_unmap(void *memory, size_t size);

#endif
