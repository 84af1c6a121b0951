/*
 * rlk_str: the parts that allocate.
 *
 * A buffer doubles, so that n appends cost O(n). Between calls: data is NULL
 * and cap 0, or len < cap and data[len] is NUL.
 */
#include "base/rlk_str.h"

#include <stdint.h>
#include <stdlib.h>

#define BUF_FIRST_CAP 64

bool rlk_equal_nocase(rlk_str a, rlk_str b)
{
	for (size_t i = 0; a.len == b.len && i < a.len; i++) {
		if (rlk_lower(a.data[i]) != rlk_lower(b.data[i]))
			return false;
	}
	return a.len == b.len;
}

bool rlk_str_store(char **field, rlk_str s)
{
	char *copy = NULL;

	if (s.data != NULL) {
		copy = malloc(s.len + 1);
		if (copy == NULL)
			return false;
		memcpy(copy, s.data, s.len);
		copy[s.len] = '\0';
	}
	if (*field != NULL)
		rlk_wipe(*field, strlen(*field));
	free(*field);
	*field = copy;
	return true;
}

void rlk_buf_destroy(rlk_buf *buf)
{
	buf->len = 0;
	if (buf->fixed)
		return;
	free(buf->data);
	buf->data = NULL;
	buf->cap = 0;
}

void rlk_buf_wipe(rlk_buf *buf)
{
	rlk_wipe(buf->data, buf->fixed ? buf->len : buf->cap); /* fixed memory is large and mostly untouched */
	rlk_buf_destroy(buf);
}

bool rlk_buf_replace(rlk_buf *buf, rlk_str s)
{
	rlk_buf copy = RLK_BUF_INIT;

	if (s.data != NULL && !rlk_buf_append_str(&copy, s))
		return false;
	rlk_buf_wipe(buf);
	*buf = copy;
	return true;
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
