/*
 * rlk_value: numbers, words and checks.
 *
 * strtod() and printf() follow LC_NUMERIC, and may read and write "0,5". The functions here do not depend on the
 * language.
 */
#include "config/rlk_value.h"

#include "base/rlk_os.h"
#include "lock/rlk_lock.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define ALLOWED_MAX 128
/* Longer strings are no numbers. */
#define NUMBER_LEN_MAX 64

/* --- memory --- */

struct rlk_scratch_block {
	rlk_scratch_block *next;
	size_t size;
	max_align_t data[];
};

void *rlk_scratch_take(rlk_scratch *scratch, size_t size, rlk_error *err)
{
	rlk_scratch_block *block = calloc(1, sizeof(*block) + size);

	if (block == NULL) {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory");
		return NULL;
	}
	block->next = scratch->first;
	block->size = size;
	scratch->first = block;
	return block->data;
}

void rlk_scratch_wipe(rlk_scratch *scratch)
{
	while (scratch->first != NULL) {
		rlk_scratch_block *block = scratch->first;

		scratch->first = block->next;
		rlk_wipe(block->data, block->size);
		free(block);
	}
}

/* --- numbers --- */

/* [+-] digits [. digits] [e [+-] digits], with digits on at least one side of the point. strtod() gets the number without
 * the point, and the result is scaled. */
static bool parse_decimal(rlk_str s, rlk_number *out)
{
	char text[NUMBER_LEN_MAX + 1], *to = text, *end;
	const char *point = NULL, *exponent = NULL;
	double scale = 1;

	if (s.len == 0 || s.len > NUMBER_LEN_MAX)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.data[i];

		if (c == '.' && point == NULL && exponent == NULL) {
			point = to;
			continue;
		}
		if ((c == 'e' || c == 'E') && exponent == NULL)
			exponent = to;
		else if ((c < '0' || c > '9') && c != '+' && c != '-')
			return false; /* blanks, "inf" and "0x", which strtod() would read */
		*to++ = c;
	}
	*to = '\0';
	errno = 0;
	out->whole = strtoll(text, &end, 10);
	out->is_whole = point == NULL && errno == 0 && end == to && to > text;
	out->real = out->is_whole && out->whole != 0 ? (double)out->whole : strtod(text, &end);
	if (to == text || end != to)
		return false;
	for (; point != NULL && point < (exponent != NULL ? exponent : to); point++)
		scale *= 10;
	out->real /= scale;
	return true;
}

bool rlk_number_of(const rlk_value *value, rlk_number *out)
{
	switch (value->type) {
		case RLK_VALUE_INT:
			out->real = (double)value->as.i;
			out->is_whole = true;
			out->whole = value->as.i;
			return true;
		case RLK_VALUE_FLOAT:
			out->real = value->as.d;
			/* Up to 2^53 a double is exact for whole numbers. NAN compares false. */
			out->is_whole = out->real >= -9007199254740992.0 && out->real <= 9007199254740992.0 &&
				out->real == (double)(int64_t)out->real;
			out->whole = out->is_whole ? (int64_t)out->real : 0;
			return true;
		case RLK_VALUE_STRING:
			return parse_decimal(value->as.s, out);
		default:
			return false;
	}
}

const char *rlk_number_show(double number, char *buf, size_t size)
{
	if (isnan(number) || isinf(number)) {
		snprintf(buf, size, "%s", isnan(number) ? "NAN" : number > 0 ? "INF" : "-INF");
		return buf;
	}
	snprintf(buf, size, "%.15g", number);
	for (char *c = buf; *c != '\0'; c++) {
		if ((*c < '0' || *c > '9') && *c != '-' && *c != '+' && *c != 'e')
			*c = '.';
	}
	return buf;
}

/* --- strings, types and yes or no --- */

const char *rlk_value_show(rlk_str s, char *buf, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];
		bool plain = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\';

		/* Room is kept for the escape, the dots and the NUL. */
		if (used + 4 + 3 + 1 > size) {
			memcpy(buf + used, "...", 3);
			used += 3;
			break;
		}
		if (plain)
			buf[used++] = (char)c;
		else
			used += (size_t)sprintf(buf + used, "\\x%02X", c);
	}
	buf[used] = '\0';
	return buf;
}

const char *rlk_value_type_name(const rlk_value *value, char *buf, size_t size)
{
	static const char *const names[] = { "null", "bool", "int", "float", "string", "array" };

	return value->type == RLK_VALUE_OTHER ? rlk_value_show(value->as.s, buf, size) : names[value->type];
}

bool rlk_value_is_text(const rlk_value *value, const char *text)
{
	return value->type == RLK_VALUE_STRING && rlk_str_equal(value->as.s, rlk_str_from_cstr(text));
}

bool rlk_value_is_map(const rlk_value *value)
{
	return value->type == RLK_VALUE_MAP && (!value->as.map.is_list || value->as.map.count == 0);
}

const rlk_value *rlk_value_find(const rlk_value *map, const char *key)
{
	for (size_t i = 0; i < map->as.map.count; i++) {
		const rlk_entry *entry = &map->as.map.entries[i];

		if (rlk_str_equal(entry->key, rlk_str_from_cstr(key)) && entry->value.type != RLK_VALUE_NULL)
			return &entry->value;
	}
	return NULL;
}

int rlk_value_truth(const rlk_value *value)
{
	/* No, yes, no, ... */
	static const char *const words[] = { "0", "1", "false", "true", "off", "on", "no", "yes", "" };

	if (value->type == RLK_VALUE_BOOL)
		return value->as.b;
	if (value->type == RLK_VALUE_INT)
		return value->as.i == 0 || value->as.i == 1 ? (int)value->as.i : -1;
	for (size_t i = 0; value->type == RLK_VALUE_STRING && i < sizeof(words) / sizeof(words[0]); i++) {
		if (rlk_equal_nocase(value->as.s, rlk_str_from_cstr(words[i])))
			return (int)(i % 2);
	}
	return -1;
}

bool rlk_is_blank(rlk_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((unsigned char)s.data[i] > 0x20)
			return false;
	}
	return true;
}

static bool is_null(const rlk_value *value)
{
	if (value->type != RLK_VALUE_MAP)
		return value->type == RLK_VALUE_NULL;
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!is_null(&value->as.map.entries[i].value))
			return false;
	}
	return true;
}

bool rlk_value_is_off(const rlk_value *value)
{
	return rlk_value_truth(value) == 0 || (value->type == RLK_VALUE_FLOAT && value->as.d == 0) || is_null(value);
}

/* --- checks --- */

bool rlk_seconds_to_ms(double seconds, bool allow_zero, bool allow_infinite, int64_t *ms)
{
	*ms = 0;
	if (seconds == 0)
		return allow_zero;
	if (isinf(seconds) && seconds > 0) {
		*ms = allow_infinite ? RLK_NEVER : 0;
		return allow_infinite;
	}
	if (!(seconds >= 0.001 && seconds <= (double)(RLK_TTL_MAX_MS / 1000)))
		return false;
	*ms = (int64_t)(seconds * 1000 + 0.5);
	return true;
}

const char *rlk_seconds_allowed(bool allow_zero, bool allow_infinite, char *buf, size_t size)
{
	snprintf(buf, size, "%sa number of seconds of at least 0.001 and at most %" PRId64 "%s", allow_zero ? "0, or " : "",
		RLK_TTL_MAX_MS / 1000, allow_infinite ? ", or INF" : "");
	return buf;
}

bool rlk_config_seconds(double seconds, bool allow_zero, bool allow_infinite, const char *what, int64_t *ms,
	rlk_error *err)
{
	char allowed[ALLOWED_MAX], given[RLK_NUMBER_SHOWN_MAX];

	if (rlk_seconds_to_ms(seconds, allow_zero, allow_infinite, ms))
		return true;
	return RLK_WRONG_VALUE(err, "%s must be %s, %s given", what,
		rlk_seconds_allowed(allow_zero, allow_infinite, allowed, sizeof(allowed)),
		rlk_number_show(seconds, given, sizeof(given)));
}

bool rlk_timeout_to_ms(double seconds, int64_t *ms)
{
	*ms = 0;
	return seconds == -1 || (rlk_seconds_to_ms(seconds, true, false, ms) && *ms <= RLK_TIMEOUT_MAX_MS);
}

bool rlk_config_check_bound_ttl(int64_t ttl_ms, const char *what, rlk_error *err)
{
	char given[RLK_NUMBER_SHOWN_MAX];

	return ttl_ms <= RLK_TTL_MAX_BOUND_MS ||
		RLK_WRONG_VALUE(err, "%s is in seconds, and must be at most %d for a process-bound lock, %s given", what,
			RLK_TTL_MAX_BOUND_MS / 1000, rlk_number_show((double)ttl_ms / 1000, given, sizeof(given)));
}

bool rlk_config_check_length(rlk_str s, bool may_be_empty, size_t most, const char *what, rlk_error *err)
{
	if (s.len == 0 && !may_be_empty)
		return RLK_WRONG_VALUE(err, "%s must not be empty", what);
	return s.len <= most || RLK_WRONG_VALUE(err, "%s must be at most %zu bytes long", what, most);
}

bool rlk_config_check_name(rlk_str name, const char *what, rlk_error *err)
{
	static const char *const suffixes[] = { RLK_KEYS_SIGNAL, RLK_KEYS_WAITERS, RLK_KEYS_FENCE, RLK_KEYS_TURN };

	if (!rlk_config_check_length(name, false, RLK_NAME_MAX, what, err))
		return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (rlk_str_ends_with(name, rlk_str_from_cstr(suffixes[i])))
			return RLK_WRONG_VALUE(err, "%s must not end in \"%s\", which is reserved for helper keys", what,
				suffixes[i]);
	}
	return true;
}

bool rlk_config_check_token(rlk_str token, const char *what, rlk_error *err)
{
	size_t at = token.len;

	if (!rlk_config_check_length(token, false, RLK_TOKEN_GIVEN_MAX, what, err))
		return false;
	while (at > 0 && token.data[at - 1] >= '0' && token.data[at - 1] <= '9')
		at--;
	return (!rlk_str_equal(token, RLK_STR("__write__")) && (at == token.len || at == 0 || token.data[at - 1] != '#')) ||
		RLK_WRONG_VALUE(err,
			"%s must not be \"__write__\", and must not end in \"#\" and a number: sets of holders have such members beside tokens",
			what);
}

bool rlk_config_check_label(rlk_str label, const char *what, rlk_error *err)
{
	if (!rlk_config_check_length(label, true, RLK_LABEL_MAX, what, err))
		return false;
	for (size_t i = 0; i < label.len; i++) {
		if ((unsigned char)label.data[i] < 0x20 || label.data[i] == 0x7f)
			return RLK_WRONG_VALUE(err, "%s must not contain control characters", what);
	}
	return true;
}
