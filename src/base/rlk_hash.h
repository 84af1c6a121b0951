/*
 * rlk_hash: one number for texts that are too long to keep. Only for what nobody gains from when two collide.
 */
#ifndef RLK_HASH_H
#define RLK_HASH_H

#include "base/rlk_str.h"

#include <stdint.h>

/* FNV-1a with 64 bits, RFC 9923: its offset basis and its prime. */
#define RLK_HASH_START UINT64_C(0xcbf29ce484222325)
#define RLK_HASH_PRIME UINT64_C(0x100000001b3)

/* A part more. Its length counts, too: "ab" and "c" are not "a" and "bc". */
static inline uint64_t rlk_hash_add(uint64_t hash, rlk_str part)
{
	for (size_t i = 0; i < part.len; i++)
		hash = (hash ^ (unsigned char)part.data[i]) * RLK_HASH_PRIME;
	return (hash ^ part.len) * RLK_HASH_PRIME;
}

#endif
