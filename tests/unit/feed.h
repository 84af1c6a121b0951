/*
 * feed.h: gives a reader bytes as if they had come from a socket.
 */
#ifndef FEED_H
#define FEED_H

#include "net/rlk_reply.h"

/* false: the reader refused them, see *err. */
static inline bool feed(rlk_reader *reader, const char *data, size_t len, rlk_error *err)
{
	while (len > 0) {
		size_t room, part;
		char *to = rlk_reader_room(reader, &room, err);

		if (to == NULL)
			return false;
		part = len < room ? len : room;
		memcpy(to, data, part);
		if (!rlk_reader_received(reader, part, err))
			return false;
		data += part;
		len -= part;
	}
	return true;
}

#endif
