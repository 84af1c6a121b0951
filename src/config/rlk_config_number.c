/*
 * rlk_config_number: strtod() and printf() follow LC_NUMERIC, which a host may
 * set to a language that writes "0,5". A ttl must not depend on that, so the
 * digits are read here.
 */
#include "config/rlk_config_number.h"

#include <math.h>
#include <stdio.h>

/* Longer strings are no numbers anybody means, and shorter ones leave the exponents below far from overflow. */
#define NUMBER_LEN_MAX 64
/* Beyond this a digit no longer changes a double. */
#define MANTISSA_MAX (UINT64_MAX / 10 - 1)
/* Beyond this a double is infinite, or zero. */
#define EXPONENT_MAX 400

typedef struct {
	const char *at, *end;
} cursor;

static bool take(cursor *c, char wanted)
{
	if (c->at == c->end || *c->at != wanted)
		return false;
	c->at++;
	return true;
}

static bool take_sign(cursor *c)
{
	if (take(c, '-'))
		return true;
	take(c, '+');
	return false;
}

/* Reads digits into *mantissa while it has room. Returns how many went in, and in *dropped how many did not. */
static int take_digits(cursor *c, uint64_t *mantissa, int *dropped)
{
	int kept = 0;

	*dropped = 0;
	for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
		if (*mantissa > MANTISSA_MAX) {
			*dropped += 1;
			continue;
		}
		*mantissa = *mantissa * 10 + (uint64_t)(*c->at - '0');
		kept++;
	}
	return kept;
}

static double scale(uint64_t mantissa, int exponent)
{
	double factor = 1, number = (double)mantissa;
	int steps = exponent < 0 ? -exponent : exponent;

	if (mantissa == 0)
		return 0;
	while (steps-- > 0)
		factor *= 10;
	return exponent < 0 ? number / factor : number * factor;
}

/* [e [+-] digits], nothing included. */
static bool take_exponent(cursor *c, int *exponent)
{
	uint64_t power = 0;
	bool negative;
	int dropped;

	if (!take(c, 'e') && !take(c, 'E'))
		return true;
	negative = take_sign(c);
	if (take_digits(c, &power, &dropped) == 0)
		return false;
	if (power > EXPONENT_MAX)
		power = EXPONENT_MAX;
	*exponent += negative ? -(int)power : (int)power;
	return true;
}

/* [+-] digits [. digits] [e [+-] digits], with digits on one side of the point at least. */
static bool parse_decimal(rlk_str s, rlk_number *out)
{
	cursor c = { s.data, s.data + s.len };
	uint64_t mantissa = 0;
	int exponent, before, behind = 0, dropped;
	bool negative;

	if (s.len == 0 || s.len > NUMBER_LEN_MAX)
		return false;
	negative = take_sign(&c);
	before = take_digits(&c, &mantissa, &exponent);
	out->is_whole = c.at == c.end && exponent == 0 && mantissa <= INT64_MAX;
	out->whole = out->is_whole ? (negative ? -(int64_t)mantissa : (int64_t)mantissa) : 0;
	if (take(&c, '.')) {
		behind = take_digits(&c, &mantissa, &dropped);
		exponent -= behind;
	}
	if (before + behind == 0 || !take_exponent(&c, &exponent))
		return false;
	out->real = negative ? -scale(mantissa, exponent) : scale(mantissa, exponent);
	return c.at == c.end;
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
			/* Up to 2^53 a double knows every whole number by itself. NAN compares false. */
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
