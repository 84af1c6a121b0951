/*
 * rlk_option_check: one given value, checked against its row of the table.
 */
#include "config/rlk_option.h"

#include "base/rlk_clock.h"
#include "config/rlk_uri.h"

#include <inttypes.h>
#include <stdio.h>

#define ALLOWED_MAX 128

bool rlk_option_wrong_type(const rlk_option_row *row, const rlk_value *value, const char *allowed, rlk_error *err)
{
	char given[RLK_SHOWN_MAX];

	return RLK_WRONG_TYPE(err, "option \"%s\" must be %s, %s given", row->key, allowed,
		rlk_value_type_name(value, given, sizeof(given)));
}

/* --- numbers and times --- */

static bool take_number(const rlk_option_row *row, const rlk_number *number, int64_t *out)
{
	bool zero = (row->flags & RLK_OPTION_ZERO) != 0, infinite = (row->flags & RLK_OPTION_INFINITE) != 0;
	double in_ms = row->kind == RLK_KIND_US ? number->real / 1000 : number->real;

	switch (row->kind) {
		case RLK_KIND_SECONDS:
			return rlk_seconds_to_ms(number->real, zero, infinite, out);
		case RLK_KIND_TIMEOUT:
			/* 0 and -1 stand for "for ever" or for php.ini in the clients these options come from. Nothing of ours waits
			 * for ever, so both are our default here. */
			*out = 0;
			return number->real == -1 || (rlk_seconds_to_ms(number->real, true, false, out) && *out <= row->max);
		case RLK_KIND_INT:
			*out = number->whole;
			return number->is_whole && number->whole >= row->min && number->whole <= row->max;
		default:
			if (!(in_ms >= (double)row->min && in_ms <= (double)row->max))
				return false;
			/* Up: a short pause must not become none. */
			*out = (int64_t)in_ms;
			*out += (double)*out < in_ms;
			return true;
	}
}

static const char *allowed_numbers(const rlk_option_row *row, char *buf, size_t size)
{
	int64_t per_ms = row->kind == RLK_KIND_US ? 1000 : 1;

	switch (row->kind) {
		case RLK_KIND_SECONDS:
			return rlk_seconds_allowed((row->flags & RLK_OPTION_ZERO) != 0, (row->flags & RLK_OPTION_INFINITE) != 0,
				buf, size);
		case RLK_KIND_TIMEOUT:
			snprintf(buf, size, "a number of seconds of at least 0.001 and at most %" PRId64 ", or 0 for the default",
				row->max / 1000);
			return buf;
		case RLK_KIND_INT:
			snprintf(buf, size, "a whole number from %" PRId64 " to %" PRId64,
				row->option == RLK_OPTION_PORT ? 1 : row->min, row->max);
			return buf;
		default:
			snprintf(buf, size, "a number of %sseconds of at least %" PRId64 " and at most %" PRId64,
				per_ms == 1 ? "milli" : "micro", row->min * per_ms, row->max * per_ms);
			return buf;
	}
}

bool rlk_option_wrong_number(const rlk_option_row *row, double number, bool quiet, rlk_error *err)
{
	char allowed[ALLOWED_MAX], given[RLK_NUMBER_SHOWN_MAX];

	allowed_numbers(row, allowed, sizeof(allowed));
	if (quiet)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be %s", row->key, allowed);
	return RLK_WRONG_VALUE(err, "option \"%s\" must be %s, %s given", row->key, allowed,
		rlk_number_show(number, given, sizeof(given)));
}

/* What is allowed is put into words only for those who are told: that would be a good part of what a lock costs to
 * make. */
static bool check_number(const rlk_option_row *row, const rlk_value *value, bool quiet, int64_t *out, rlk_error *err)
{
	char allowed[ALLOWED_MAX];
	rlk_number number;
	bool is_number;

	if (value->type == RLK_VALUE_STRING && (row->flags & RLK_OPTION_INFINITE) != 0 &&
		rlk_str_equal(value->as.s, RLK_STR("INF"))) {
		/* How PHP writes the number, and the only way to say it in a URI. */
		*out = RLK_NEVER;
		return true;
	}
	if (value->type == RLK_VALUE_STRING && (row->flags & RLK_OPTION_EMPTY) != 0 && value->as.s.len == 0) {
		*out = -1;
		return true;
	}
	is_number = rlk_number_of(value, &number);
	if (is_number && take_number(row, &number, out))
		return true;
	return is_number ? rlk_option_wrong_number(row, number.real, quiet, err) :
					   rlk_option_wrong_type(row, value, allowed_numbers(row, allowed, sizeof(allowed)), err);
}

static bool check_bool(const rlk_option_row *row, const rlk_value *value, int64_t *out, rlk_error *err)
{
	int truth = rlk_value_truth(value);

	*out = truth == 1;
	if (truth >= 0)
		return true;
	if (value->type == RLK_VALUE_INT || value->type == RLK_VALUE_STRING)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be true or false", row->key);
	return rlk_option_wrong_type(row, value, "true or false", err);
}

/* --- texts --- */

/* By hand: every text of every lock comes by here, and nearly none is told of. */
void rlk_option_phrase(const char *key, char phrase[RLK_OPTION_PHRASE_MAX])
{
	static const char before[] = "option \"";
	size_t len = strlen(key);

	if (len > RLK_OPTION_PHRASE_MAX - sizeof(before) - 1)
		len = RLK_OPTION_PHRASE_MAX - sizeof(before) - 1;
	memcpy(phrase, before, sizeof(before) - 1);
	memcpy(phrase + sizeof(before) - 1, key, len);
	memcpy(phrase + sizeof(before) - 1 + len, "\"", 2);
}

/* What CLIENT SETNAME takes. */
static bool check_client_name(rlk_str name, const char *what, rlk_error *err)
{
	for (size_t i = 0; i < name.len; i++) {
		if (name.data[i] < '!' || name.data[i] > '~')
			return RLK_WRONG_VALUE(err, "%s must be printable ASCII without blanks", what);
	}
	return true;
}

static bool check_string(const rlk_option_row *row, rlk_str s, const char *what, rlk_error *err)
{
	if (s.len == 0 && (row->flags & RLK_OPTION_EMPTY) == 0)
		return RLK_WRONG_VALUE(err, "%s must not be empty", what);
	if (row->max > 0 && s.len > (uint64_t)row->max)
		return RLK_WRONG_VALUE(err, "%s must be at most %" PRId64 " bytes long", what, row->max);
	if ((row->flags & RLK_OPTION_BINARY) == 0 && s.len > 0 && memchr(s.data, '\0', s.len) != NULL)
		return RLK_WRONG_VALUE(err, "%s must not contain NUL bytes", what);
	switch (row->option) {
		case RLK_OPTION_NAME:
			return rlk_config_check_name(s, what, err);
		case RLK_OPTION_LABEL:
			return rlk_config_check_label(s, what, err);
		case RLK_OPTION_CLIENT_NAME:
			return check_client_name(s, what, err);
		default:
			return true;
	}
}

static bool check_on_lost(rlk_str s, const char *what, int64_t *out, rlk_error *err)
{
	*out = rlk_str_equal(s, RLK_STR("flag")) ? RLK_ON_LOST_FLAG : RLK_ON_LOST_THROW;
	return *out == RLK_ON_LOST_FLAG || rlk_str_equal(s, RLK_STR("throw")) ||
		RLK_WRONG_VALUE(err, "%s must be \"throw\" or \"flag\"", what);
}

/* Points out->text at the string. Whole numbers will do where YAML and URL parsers make them of digits. */
static bool take_string(const rlk_option_row *row, const rlk_value *value, rlk_checked *out, rlk_error *err)
{
	int len;

	if (value->type == RLK_VALUE_STRING) {
		out->text = rlk_str_make(value->as.s.data != NULL ? value->as.s.data : "", value->as.s.len);
		return true;
	}
	if (value->type == RLK_VALUE_INT && (row->kind == RLK_KIND_STRING || row->kind == RLK_KIND_AUTH)) {
		len = snprintf(out->digits, sizeof(out->digits), "%" PRId64, value->as.i);
		out->text = rlk_str_make(out->digits, (size_t)len);
		return true;
	}
	return rlk_option_wrong_type(row, value, row->kind == RLK_KIND_AUTH ? RLK_AUTH_ALLOWED : "a string", err);
}

static bool check_text(const rlk_option_row *row, const rlk_value *value, rlk_checked *out, rlk_error *err)
{
	char what[RLK_OPTION_PHRASE_MAX];
	rlk_str word;

	if (!take_string(row, value, out, err))
		return false;
	rlk_option_phrase(row->key, what);
	if (row->kind == RLK_KIND_PATH)
		return rlk_socket_path_check(out->text, what, err);
	if (row->kind != RLK_KIND_ON_LOST && row->kind != RLK_KIND_SCHEME)
		return check_string(row, out->text, what, err);
	/* "tcp" and "redis" are one value. */
	word = out->text;
	out->text = rlk_str_make(NULL, 0);
	return row->kind == RLK_KIND_SCHEME ? rlk_scheme_read(word, what, &out->number, err) :
										  check_on_lost(word, what, &out->number, err);
}

bool rlk_option_check(const rlk_option_row *row, const rlk_value *value, bool quiet, rlk_checked *out, rlk_error *err)
{
	quiet = quiet || (row->flags & RLK_OPTION_SECRET) != 0;
	out->number = 0;
	out->text = rlk_str_make(NULL, 0);
	switch (row->kind) {
		case RLK_KIND_BOOL:
			return check_bool(row, value, &out->number, err);
		case RLK_KIND_BOOL_OR_ID:
			out->number = !rlk_value_is_off(value);
			return value->type != RLK_VALUE_MAP || rlk_option_wrong_type(row, value, "true, false or a name", err);
		case RLK_KIND_INT:
		case RLK_KIND_SECONDS:
		case RLK_KIND_MS:
		case RLK_KIND_US:
		case RLK_KIND_TIMEOUT:
			return check_number(row, value, quiet, &out->number, err);
		default:
			return check_text(row, value, out, err);
	}
}
