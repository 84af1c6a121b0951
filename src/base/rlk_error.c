/*
 * rlk_error: keeps the first cause of a failure in the caller's struct.
 *
 * An error whose code is RLK_ERR_NONE is empty; its other fields mean nothing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/rlk_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rlk_error_set(rlk_error *err, rlk_error_code code, int sys_errno, const char *fmt, ...)
{
	va_list args;

	if (err == NULL || err->code != RLK_ERR_NONE)
		return;
	err->code = code;
	err->sys_errno = sys_errno;
	/* For error replies see rlk_reply_to_error(): only the text tells LOADING from WRONGTYPE. */
	err->retryable = code == RLK_ERR_CONNECT || code == RLK_ERR_TIMEOUT || code == RLK_ERR_IO;
	va_start(args, fmt);
	if (vsnprintf(err->text, sizeof(err->text), fmt, args) < 0)
		err->text[0] = '\0';
	va_end(args);
}

void rlk_error_set_node(rlk_error *err, const char *node)
{
	if (err == NULL || node == NULL || err->node[0] != '\0')
		return;
	snprintf(err->node, sizeof(err->node), "%s", node);
}

/* glibc's strerror_r() returns the text and may leave the buffer alone; that of POSIX fills the buffer and returns a
 * number. _Generic picks by what the one at hand returns. */
static inline const char *strerror_text(const char *text, char *buf, size_t size, int sys_errno)
{
	(void)sys_errno;
	if (text != buf)
		snprintf(buf, size, "%s", text);
	return buf;
}

static inline const char *strerror_status(int status, char *buf, size_t size, int sys_errno)
{
	if (status != 0)
		snprintf(buf, size, "Unknown error %d", sys_errno);
	return buf;
}

const char *rlk_error_strerror(int sys_errno, char *buf, size_t size)
{
	if (size == 0)
		return buf;
	buf[0] = '\0';
#if defined(_WIN32)
	return strerror_status(strerror_s(buf, size, sys_errno), buf, size, sys_errno);
#else
	return _Generic(strerror_r(sys_errno, buf, size), int
					: strerror_status, default
					: strerror_text)(strerror_r(sys_errno, buf, size), buf, size, sys_errno);
#endif
}
