/*
 * rlk_config_number: numbers out of values, the same under every locale.
 *
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_NUMBER_H
#define RLK_CONFIG_NUMBER_H

#include "config/rlk_value.h"

typedef struct {
	double real;
	bool is_whole; /* an int, a float without a fraction, or a string of digits */
	int64_t whole; /* only when is_whole */
} rlk_number;

/* Ints, floats, and strings that are a decimal number from the first byte to the last. false: it is none. */
bool rlk_number_of(const rlk_value *value, rlk_number *out);

/* Writes a number as PHP writes it: a point, not a comma; NAN, INF. Returns buf. */
const char *rlk_number_show(double number, char *buf, size_t size);
#define RLK_NUMBER_SHOWN_MAX 32

#endif
