/*
 * rlk_config_message: see the header.
 */
#include "config/rlk_config_message.h"

#include "config/rlk_config_number.h"

#include <stdio.h>

const char *rlk_config_show(rlk_str s, char *buf, size_t size)
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

const char *rlk_config_type_name(const rlk_value *value, char *buf, size_t size)
{
	switch (value->type) {
		case RLK_VALUE_NULL:
			return "null";
		case RLK_VALUE_BOOL:
			return "bool";
		case RLK_VALUE_INT:
			return "int";
		case RLK_VALUE_FLOAT:
			return "float";
		case RLK_VALUE_STRING:
			return "string";
		case RLK_VALUE_MAP:
			return "array";
		case RLK_VALUE_OTHER:
			break;
	}
	return rlk_config_show(value->as.s, buf, size);
}

bool rlk_config_wrong_type(const rlk_option_row *row, const rlk_value *value, const char *allowed, rlk_error *err)
{
	char given[RLK_CONFIG_SHOWN_MAX];

	rlk_error_set(err, RLK_ERR_TYPE, 0, "option \"%s\" must be %s, %s given", row->key, allowed,
		rlk_config_type_name(value, given, sizeof(given)));
	return false;
}

bool rlk_config_wrong_text(const rlk_option_row *row, const char *allowed, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must be %s", row->key, allowed);
	return false;
}

bool rlk_config_wrong_number(const rlk_option_row *row, double number, bool quiet, const char *allowed, rlk_error *err)
{
	char given[RLK_NUMBER_SHOWN_MAX];

	if (quiet)
		return rlk_config_wrong_text(row, allowed, err);
	rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must be %s, %s given", row->key, allowed,
		rlk_number_show(number, given, sizeof(given)));
	return false;
}

bool rlk_config_is_empty_list(const rlk_option_row *row, const rlk_value *value, int most, rlk_error *err)
{
	bool is_list = value->type == RLK_VALUE_MAP;

	if (is_list ? value->as.map.count > 0 : value->type != RLK_VALUE_STRING || value->as.s.len > 0)
		return false;
	rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must be a list of 1 to %d servers%s, empty %s given", row->key,
		most, row->option == RLK_OPTION_CLUSTER ? ", or true or false" : "", is_list ? "array" : "string");
	return true;
}

bool rlk_config_no_memory(rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory");
	return false;
}

bool rlk_config_unsupported(const char *key_prefix, rlk_str key, const char *missing, rlk_error *err)
{
	char shown[RLK_CONFIG_SHOWN_MAX];

	rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s%s\" asks for %s, which is not supported by this version",
		key_prefix, rlk_config_show(key, shown, sizeof(shown)), missing);
	return false;
}
