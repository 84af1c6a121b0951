/*
 * rlk_buf: bytes that grow.
 *
 * The content is binary-safe and always followed by a NUL that is not counted,
 * so a buffer holding text can be handed to libc. A failed call changes nothing.
 */
#ifndef RLK_BUF_H
#define RLK_BUF_H

#include "base/rlk_str.h"

typedef struct {
	char *data; /* NULL until the first byte is reserved */
	size_t len;
	size_t cap; /* bytes allocated, the NUL included */
	bool fixed; /* the memory is somebody else's: it does not grow, and is not freed */
} rlk_buf;

/* An empty buffer, no memory taken: `rlk_buf b = RLK_BUF_INIT;` */
/* clang-format off */
#define RLK_BUF_INIT { NULL, 0, 0, false }
/* clang-format on */

/* An empty buffer in memory that is there, for the renewal child, which has no heap. */
static inline rlk_buf rlk_buf_in(char *memory, size_t size)
{
	return (rlk_buf){ memory, 0, size, true };
}

/* Frees the memory; the buffer is empty and usable again. */
void rlk_buf_destroy(rlk_buf *buf);

/* As rlk_buf_destroy(), after wiping the bytes: for secrets. */
void rlk_buf_wipe(rlk_buf *buf);

/* As rlk_buf_reserve(), for more bytes than there is room for. */
char *rlk_buf_grow(rlk_buf *buf, size_t extra);

/* Makes room for `extra` bytes behind the content and returns where they go; NULL when memory is out.
 * The caller writes there and adds to len what it wrote. */
static inline char *rlk_buf_reserve(rlk_buf *buf, size_t extra)
{
	return extra < buf->cap - buf->len ? buf->data + buf->len : rlk_buf_grow(buf, extra);
}

/* Each appends and returns false when memory is out. */
static inline bool rlk_buf_append(rlk_buf *buf, const char *data, size_t len)
{
	char *to = rlk_buf_reserve(buf, len);

	if (to == NULL)
		return false;
	if (len > 0)
		memcpy(to, data, len);
	to[len] = '\0';
	buf->len += len;
	return true;
}

static inline bool rlk_buf_append_str(rlk_buf *buf, rlk_str s)
{
	return rlk_buf_append(buf, s.data, s.len);
}

static inline rlk_str rlk_buf_str(const rlk_buf *buf)
{
	return rlk_str_make(buf->data, buf->len);
}

#endif
