/*
 * rlk_str: a pointer and a length. Borrowed, binary-safe, never NULL-terminated by contract.
 */
#ifndef RLK_STR_H
#define RLK_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
	const char *data; /* NULL only when len is 0 */
	size_t len;
} rlk_str;

/* From a literal, its length known to the compiler. */
#define RLK_STR(literal) ((rlk_str){ (literal), sizeof(literal) - 1 })

static inline rlk_str rlk_str_make(const char *data, size_t len)
{
	rlk_str s = { data, len };
	return s;
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

/* Replaces *field by a copy of s with a NUL behind it (NULL when s.data is NULL). What was there is wiped, whatever it is:
 * which field a secret lands in is for the caller to say. false: memory is out, *field is unchanged. */
bool rlk_str_store(char **field, rlk_str s);

#endif
