/*
 * rlk_wipe: forgetting a secret before its memory is given back.
 */
#ifndef RLK_WIPE_H
#define RLK_WIPE_H

#include <stddef.h>

/* Overwrites the bytes with zeros. Through volatile, because a compiler may drop a memset() of memory that is
 * freed next. NULL is allowed when len is 0. */
static inline void rlk_wipe(void *data, size_t len)
{
	volatile unsigned char *byte = (volatile unsigned char *)data;

	while (len-- > 0)
		*byte++ = 0;
}

#endif
