/*
 * rlk_random on Windows: the system-preferred generator of CNG, which needs no
 * handle to be opened and closed.
 */
#include "base/rlk_random.h"
#include "base/rlk_clock.h"

#include <string.h>
#include <windows.h>
/* After windows.h, whose types it uses. */
#include <bcrypt.h>

bool rlk_random_bytes(void *buf, size_t len)
{
	unsigned char *to = buf;
	size_t left = len;

	while (left > 0) {
		ULONG part = left > 0x10000 ? 0x10000 : (ULONG)left;

		if (BCryptGenRandom(NULL, to, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
			memset(buf, 0, len);
			return false;
		}
		to += part;
		left -= part;
	}
	return true;
}

uint32_t rlk_random_spread(uint32_t bound)
{
	static _Thread_local uint64_t state;

	if (state == 0 && (!rlk_random_bytes(&state, sizeof(state)) || state == 0))
		state = ((uint64_t)rlk_clock_now_ms() << 22) ^ ((uint64_t)GetCurrentThreadId() << 1) ^ 1;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	/* The upper half times bound, cut to its upper half again: even enough, and no division. */
	return (uint32_t)(((state >> 32) * bound) >> 32);
}
