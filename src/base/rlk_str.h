/*
 * rlk_str: text: borrowed (rlk_str), growing (rlk_buf), wiped when it was a secret.
 *
 * All of it is binary-safe. A failed call changes nothing.
 */
#ifndef RLK_STR_H
#define RLK_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* --- borrowed text ---------------------------------------------------------------------------- */

typedef struct {
	const char *data; /* NULL only when len is 0; need not end in NUL */
	size_t len;
} rlk_str;

/* From a literal, its length known to the compiler. */
#define RLK_STR(literal) ((rlk_str){ (literal), sizeof(literal) - 1 })

static inline rlk_str rlk_str_make(const char *data, size_t len)
{
	return (rlk_str){ data, len };
}

static inline rlk_str rlk_str_from_cstr(const char *cstr)
{
	return rlk_str_make(cstr, cstr != NULL ? strlen(cstr) : 0);
}

static inline bool rlk_str_equal(rlk_str a, rlk_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool rlk_str_starts_with(rlk_str s, rlk_str prefix)
{
	return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.data, prefix.data, prefix.len) == 0);
}

static inline bool rlk_str_ends_with(rlk_str s, rlk_str suffix)
{
	return s.len >= suffix.len &&
		(suffix.len == 0 || memcmp(s.data + s.len - suffix.len, suffix.data, suffix.len) == 0);
}

/* ASCII only, whatever the locale. */
static inline char rlk_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Are two strings equal, ignoring the case of ASCII letters? */
bool rlk_equal_nocase(rlk_str a, rlk_str b);

/* --- owned text ------------------------------------------------------------------------------- */

/* Replaces *field by a copy of s with a NUL behind it (NULL when s.data is NULL). The old text is wiped and freed.
 * false: out of memory. */
bool rlk_str_store(char **field, rlk_str s);

/* Overwrites the bytes with zeros. A compiler may drop a memset() of memory that is freed next, so it is told that
 * somebody reads the bytes, or each is written through volatile. NULL is allowed when len is 0. */
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

/* --- growing text ----------------------------------------------------------------------------- */

/* The content is always followed by a NUL that is not counted, so text can be handed to libc. */
typedef struct {
	char *data; /* NULL until the first byte is reserved */
	size_t len;
	size_t cap; /* bytes allocated, the NUL included */
	bool fixed; /* the memory belongs to the caller: it does not grow and is not freed */
} rlk_buf;

/* An empty buffer, nothing allocated: `rlk_buf b = RLK_BUF_INIT;` */
/* clang-format off */
#define RLK_BUF_INIT { NULL, 0, 0, false }
/* clang-format on */

/* An empty buffer in the caller's memory, for the renewal child, which has no heap. */
static inline rlk_buf rlk_buf_in(char *memory, size_t size)
{
	return (rlk_buf){ memory, 0, size, true };
}

/* Frees the memory; the buffer is empty and usable again. */
void rlk_buf_destroy(rlk_buf *buf);

/* As rlk_buf_destroy(), after wiping the bytes. Growing leaves copies behind that nobody wipes: reserve room for the
 * whole secret first. */
void rlk_buf_wipe(rlk_buf *buf);

/* For rlk_buf_reserve(): makes room where there is too little. */
char *rlk_buf_grow(rlk_buf *buf, size_t extra);

/* Makes room for `extra` bytes behind the content and returns where they go; NULL: out of memory.
 * The caller writes there and adds to len what it wrote. */
static inline char *rlk_buf_reserve(rlk_buf *buf, size_t extra)
{
	return extra < buf->cap - buf->len ? buf->data + buf->len : rlk_buf_grow(buf, extra);
}

/* Each appends; false: out of memory. */
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

/* Wipes the content and makes it a copy of s, or with NULL data nothing. false: out of memory. */
bool rlk_buf_replace(rlk_buf *buf, rlk_str s);

static inline rlk_str rlk_buf_str(const rlk_buf *buf)
{
	return rlk_str_make(buf->data, buf->len);
}

#endif
