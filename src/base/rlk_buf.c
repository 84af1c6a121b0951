/*
 * rlk_buf: bytes that grow, doubling, so that n appends cost O(n).
 *
 * Between calls: data is NULL and cap 0, or len < cap and data[len] is NUL.
 */
#include "base/rlk_buf.h"

#include "base/rlk_wipe.h"

#include <stdint.h>
#include <stdlib.h>

#define BUF_FIRST_CAP 64

void rlk_buf_destroy(rlk_buf *buf)
{
	buf->len = 0;
	if (buf->fixed)
		return;
	free(buf->data);
	buf->data = NULL;
	buf->cap = 0;
}

/* Bytes that were in the buffer before it last grew are beyond our reach: whoever collects a secret reserves
 * its length first. */
void rlk_buf_wipe(rlk_buf *buf)
{
	rlk_wipe(buf->data, buf->fixed ? buf->len : buf->cap); /* of a large one most was never touched */
	rlk_buf_destroy(buf);
}

char *rlk_buf_grow(rlk_buf *buf, size_t extra)
{
	size_t need, cap;
	char *data;

	if (buf->fixed || extra > SIZE_MAX - 1 - buf->len)
		return NULL;
	need = buf->len + extra + 1;
	cap = buf->cap > 0 ? buf->cap : BUF_FIRST_CAP;
	while (cap < need)
		cap = cap > SIZE_MAX / 2 ? need : cap * 2;
	data = realloc(buf->data, cap);
	if (data == NULL)
		return NULL;
	buf->data = data;
	buf->cap = cap;
	data[buf->len] = '\0';
	return data + buf->len;
}
