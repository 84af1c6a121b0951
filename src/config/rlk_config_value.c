/*
 * rlk_config_value: numbers, times and yes or no; texts are in rlk_config_text.c.
 */
#include "config/rlk_config_value.h"

#include "config/rlk_config.h"
#include "config/rlk_config_message.h"
#include "config/rlk_config_number.h"
#include "config/rlk_config_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define ALLOWED_MAX 128

/* The rule of every duration in seconds. */
static bool seconds_to_ms(double seconds, bool allow_zero, bool allow_infinite, int64_t *ms)
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

static const char *seconds_allowed(bool allow_zero, bool allow_infinite, char *buf, size_t size)
{
	snprintf(buf, size, "%sa number of seconds of at least 0.001 and at most %" PRId64 "%s", allow_zero ? "0, or " : "",
		RLK_TTL_MAX_MS / 1000, allow_infinite ? ", or INF" : "");
	return buf;
}

bool rlk_config_seconds(double seconds, bool allow_zero, bool allow_infinite, const char *what, int64_t *ms,
	rlk_error *err)
{
	char allowed[ALLOWED_MAX], given[RLK_NUMBER_SHOWN_MAX];

	if (seconds_to_ms(seconds, allow_zero, allow_infinite, ms))
		return true;
	rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must be %s, %s given", what,
		seconds_allowed(allow_zero, allow_infinite, allowed, sizeof(allowed)),
		rlk_number_show(seconds, given, sizeof(given)));
	return false;
}

/* What is allowed is put into words only for those who are told: that would be a good part of what a lock costs to
 * make. `number` is NULL for a value that is none. */
static bool refuse(const rlk_option_row *row, const rlk_value *value, const rlk_number *number, bool quiet,
	const char *allowed, rlk_error *err)
{
	return number != NULL ? rlk_config_wrong_number(row, number->real, quiet, allowed, err) :
							rlk_config_wrong_type(row, value, allowed, err);
}

static bool check_seconds(const rlk_option_row *row, const rlk_value *value, bool quiet, int64_t *ms, rlk_error *err)
{
	bool zero = (row->flags & RLK_OPTION_ZERO) != 0, infinite = (row->flags & RLK_OPTION_INFINITE) != 0;
	char allowed[ALLOWED_MAX];
	rlk_number number;
	bool is_number;

	if (value->type == RLK_VALUE_STRING && infinite && rlk_str_equal(value->as.s, RLK_STR("INF"))) {
		/* How PHP writes the number, and the only way to say it in a URI. */
		*ms = RLK_NEVER;
		return true;
	}
	is_number = rlk_number_of(value, &number);
	if (is_number && seconds_to_ms(number.real, zero, infinite, ms))
		return true;
	seconds_allowed(zero, infinite, allowed, sizeof(allowed));
	return refuse(row, value, is_number ? &number : NULL, quiet, allowed, err);
}

/* 0 and -1 stand for "for ever" or for php.ini in the clients these options come from. Nothing of ours waits for
 * ever, so both are our default here. */
static bool check_timeout(const rlk_option_row *row, const rlk_value *value, bool quiet, int64_t *ms, rlk_error *err)
{
	char allowed[ALLOWED_MAX];
	rlk_number number;
	bool is_number = rlk_number_of(value, &number);

	*ms = 0;
	if (is_number && (number.real == -1 || (seconds_to_ms(number.real, true, false, ms) && *ms <= row->max)))
		return true;
	snprintf(allowed, sizeof(allowed),
		"a number of seconds of at least 0.001 and at most %" PRId64 ", or 0 for the default", row->max / 1000);
	return refuse(row, value, is_number ? &number : NULL, quiet, allowed, err);
}

static bool check_ms(const rlk_option_row *row, const rlk_value *value, bool quiet, int64_t *ms, rlk_error *err)
{
	int64_t per_ms = row->kind == RLK_KIND_US ? 1000 : 1;
	char allowed[ALLOWED_MAX];
	rlk_number number;
	bool is_number = rlk_number_of(value, &number);
	double in_ms = is_number ? number.real / (double)per_ms : NAN;

	if (!(in_ms >= (double)row->min && in_ms <= (double)row->max)) {
		snprintf(allowed, sizeof(allowed), "a number of %sseconds of at least %" PRId64 " and at most %" PRId64,
			per_ms == 1 ? "milli" : "micro", row->min * per_ms, row->max * per_ms);
		return refuse(row, value, is_number ? &number : NULL, quiet, allowed, err);
	}
	*ms = (int64_t)in_ms;
	/* Up: a short pause must not become none. */
	if ((double)*ms < in_ms)
		*ms += 1;
	return true;
}

static bool check_int(const rlk_option_row *row, const rlk_value *value, bool quiet, int64_t *out, rlk_error *err)
{
	int64_t least = row->option == RLK_OPTION_PORT ? 1 : row->min;
	char allowed[ALLOWED_MAX];
	rlk_number number;
	bool is_number;

	*out = -1;
	if ((row->flags & RLK_OPTION_EMPTY) != 0 && value->type == RLK_VALUE_STRING && value->as.s.len == 0)
		return true;
	is_number = rlk_number_of(value, &number);
	if (!is_number || !number.is_whole || number.whole < row->min || number.whole > row->max) {
		snprintf(allowed, sizeof(allowed), "a whole number from %" PRId64 " to %" PRId64, least, row->max);
		return refuse(row, value, is_number ? &number : NULL, quiet, allowed, err);
	}
	*out = number.whole;
	return true;
}

static bool is_one_of(rlk_str s, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (rlk_config_equal_nocase(s, rlk_str_from_cstr(*words)))
			return true;
	}
	return false;
}

/* 1, 0, or -1 for neither: bools, 0 and 1, and the words that environment variables and ini files use. */
static int truth_of(const rlk_value *value)
{
	static const char *const yes[] = { "1", "true", "on", "yes", NULL };
	static const char *const no[] = { "0", "false", "off", "no", "", NULL };

	switch (value->type) {
		case RLK_VALUE_BOOL:
			return value->as.b;
		case RLK_VALUE_INT:
			return value->as.i == 0 || value->as.i == 1 ? (int)value->as.i : -1;
		case RLK_VALUE_STRING:
			return is_one_of(value->as.s, yes) ? 1 : is_one_of(value->as.s, no) ? 0 : -1;
		default:
			return -1;
	}
}

static bool is_blank(const rlk_value *value)
{
	if (value->type == RLK_VALUE_NULL)
		return true;
	if (value->type != RLK_VALUE_MAP)
		return false;
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!is_blank(&value->as.map.entries[i].value))
			return false;
	}
	return true;
}

bool rlk_config_is_off(const rlk_value *value)
{
	return truth_of(value) == 0 || (value->type == RLK_VALUE_FLOAT && value->as.d == 0) || is_blank(value);
}

static bool check_bool(const rlk_option_row *row, const rlk_value *value, int64_t *out, rlk_error *err)
{
	static const char allowed[] = "true or false";
	int truth = truth_of(value);

	*out = truth == 1;
	if (truth >= 0)
		return true;
	if (value->type == RLK_VALUE_INT || value->type == RLK_VALUE_STRING)
		return rlk_config_wrong_text(row, allowed, err);
	return rlk_config_wrong_type(row, value, allowed, err);
}

bool rlk_config_check(const rlk_option_row *row, const rlk_value *value, bool quiet, rlk_checked *out, rlk_error *err)
{
	quiet = quiet || (row->flags & RLK_OPTION_SECRET) != 0;
	out->number = 0;
	out->text = rlk_str_make(NULL, 0);
	switch (row->kind) {
		case RLK_KIND_BOOL:
			return check_bool(row, value, &out->number, err);
		case RLK_KIND_BOOL_OR_ID:
			out->number = !rlk_config_is_off(value);
			return value->type != RLK_VALUE_MAP || rlk_config_wrong_type(row, value, "true, false or a name", err);
		case RLK_KIND_INT:
			return check_int(row, value, quiet, &out->number, err);
		case RLK_KIND_SECONDS:
			return check_seconds(row, value, quiet, &out->number, err);
		case RLK_KIND_MS:
		case RLK_KIND_US:
			return check_ms(row, value, quiet, &out->number, err);
		case RLK_KIND_TIMEOUT:
			return check_timeout(row, value, quiet, &out->number, err);
		default:
			return rlk_config_check_text(row, value, out, err);
	}
}

void rlk_checked_copy(rlk_checked *to, const rlk_checked *from)
{
	*to = *from;
	if (from->text.data == from->digits)
		to->text.data = to->digits;
}
