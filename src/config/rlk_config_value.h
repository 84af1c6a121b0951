/*
 * rlk_config_value: one given value, checked against its row of the table.
 *
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_VALUE_H
#define RLK_CONFIG_VALUE_H

#include "base/rlk_error.h"
#include "config/rlk_config_table.h"
#include "config/rlk_value.h"

/* A checked value. Which field counts follows from the row's kind; the other is 0 or empty. */
typedef struct {
	int64_t number;  /* numbers as they are, times in ms, bools 0 and 1, enums */
	rlk_str text;    /* borrowed, or in digits */
	char digits[24]; /* a number given for a string */
} rlk_checked;

/* Checks a value that is not NULL. `quiet`: the value must not appear in a message. Kinds that are more than one
 * value (RLK_KIND_URL, _NESTED, _REFUSED, _IGNORED) are not for this function; RLK_KIND_AUTH and RLK_KIND_HOST
 * are taken as strings. */
bool rlk_config_check(const rlk_option_row *row, const rlk_value *value, bool quiet, rlk_checked *out, rlk_error *err);

/* Copies a checked value, text in digits included. */
void rlk_checked_copy(rlk_checked *to, const rlk_checked *from);

/* Whether an option we do not support asks for nothing: null, false, 0, "", "off", and arrays of nothing. */
bool rlk_config_is_off(const rlk_value *value);

#endif
