/*
 * rlk_slot: see the header, and the Cluster specification, "Key distribution model" and "Hash tags".
 */
#include "redis/rlk_slot.h"

#include <stdint.h>

rlk_str rlk_slot_part(rlk_str key)
{
	const char *open = key.len > 0 ? memchr(key.data, '{', key.len) : NULL;
	const char *close;

	if (open == NULL)
		return key;
	close = memchr(open, '}', key.len - (size_t)(open - key.data));
	if (close == NULL || close == open + 1)
		return key;
	return rlk_str_make(open + 1, (size_t)(close - open - 1));
}

int rlk_slot_of(rlk_str key)
{
	rlk_str part = rlk_slot_part(key);
	uint16_t crc = 0;

	/* CRC16 of the XMODEM kind, bit by bit: names are short, and a slot is asked for once per operation. */
	for (size_t i = 0; i < part.len; i++) {
		crc ^= (uint16_t)((unsigned char)part.data[i] << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
	}
	return crc % RLK_CLUSTER_SLOTS;
}
