/*
 * rlk_wipe: forgetting a secret before its memory is given back.
 */
#ifndef RLK_WIPE_H
#define RLK_WIPE_H

#include <stddef.h>
#include <string.h>

/* Overwrites the bytes with zeros. A compiler may drop a memset() of memory that is freed next: it is told that somebody
 * reads the bytes, or each is written through volatile. NULL is allowed when len is 0. */
static inline void rlk_wipe(void *data, size_t len)
{
#ifdef __GNUC__
	if (len > 0)
		memset(data, 0, len);
	__asm__ __volatile__("" : : "r"(data) : "memory");
#else
	volatile unsigned char *byte = (volatile unsigned char *)data;

	while (len-- > 0)
		*byte++ = 0;
#endif
}

#endif
