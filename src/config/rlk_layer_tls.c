/*
 * rlk_layer_tls: the options of TLS, wherever the clients they come from put them.
 *
 * Predis has them in `ssl`, phpredis in `context.stream` or `context.ssl`,
 * Yii2 in `contextOptions.ssl`, and says `useSSL`. Whatever asks for TLS, a file
 * of certificates alone, makes the connection one with TLS, or is an error:
 * whoever gives such options does not want clear text.
 */
#include "config/rlk_layer.h"

#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)

static bool say_wanted(const rlk_layer_source *from, const char *key, rlk_error *err)
{
	return rlk_layer_has(from->layer, RLK_OPTION_TLS_WANTED) ||
		rlk_layer_say(from, RLK_OPTION_TLS_WANTED, key, &(rlk_checked){ .number = 1 }, err);
}

bool rlk_layer_add_tls_option(const rlk_layer_source *from, const char *where, rlk_str key, const rlk_value *value,
	rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find_nested("ssl.", key);
	char shown[RLK_SHOWN_MAX];
	rlk_checked checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (row == NULL && from->uri != NULL && !from->uri->may_tell_keys)
		return RLK_WRONG_VALUE(err, "option number %d in the query of %s is no TLS option of ours",
			from->uri->option_number, from->uri->what);
	if (row == NULL)
		return RLK_WRONG_VALUE(err, "option \"%s%s\" is not supported; see docs/operate/tls.md", where,
			rlk_value_show(key, shown, sizeof(shown)));
	if (!rlk_option_check(row, value, from->uri != NULL, &checked, err))
		return false;
	if (row->option != RLK_OPTION_NONE)
		return rlk_layer_say(from, row->option, row->key, &checked, err) && say_wanted(from, row->key, err);
	return checked.number == 1 || RLK_WRONG_VALUE(err, "option \"%s\" must be true, as it always is", row->key);
}

static bool add_options(const rlk_layer_source *from, const char *where, const rlk_option_row *row,
	const rlk_value *value, rlk_error *err)
{
	if (value->type != RLK_VALUE_MAP || (value->as.map.is_list && value->as.map.count > 0))
		return rlk_option_wrong_type(row, value, "an array of PHP's SSL context options", err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];

		if (!rlk_layer_add_tls_option(from, where, entry->key, &entry->value, err))
			return false;
	}
	return true;
}

/* The options of a stream context: by wrapper, but for what phpredis has there of its own. */
static bool add_context(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	if (value->type != RLK_VALUE_MAP)
		return rlk_option_wrong_type(row, value, "an array", err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		char where[WHAT_MAX], shown[RLK_SHOWN_MAX];
		bool ok = true;

		if (rlk_value_is_off(&entry->value) || rlk_str_equal(entry->key, RLK_STR("socket")))
			continue; /* the latter cannot change what a lock means */
		snprintf(where, sizeof(where), "%s.%s.", row->key, rlk_value_show(entry->key, shown, sizeof(shown)));
		if (rlk_str_equal(entry->key, RLK_STR("ssl")) || rlk_str_equal(entry->key, RLK_STR("stream")))
			ok = add_options(from, where, row, &entry->value, err);
		else if (rlk_str_equal(entry->key, RLK_STR("auth")))
			ok = rlk_layer_add(from, entry->key, &entry->value, err);
		else
			ok = RLK_WRONG_VALUE(err, "option \"%s.%s\" is not supported; only ssl and stream are", row->key, shown);
		if (!ok)
			return false;
	}
	return true;
}

bool rlk_layer_add_tls(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	rlk_option_row yes_or_no = *row;
	rlk_checked checked;

	if (rlk_value_is_off(value))
		return true;
	if (strncmp(row->key, "context", strlen("context")) == 0)
		return add_context(from, row, value, err);
	if (value->type == RLK_VALUE_MAP && strcmp(row->key, "ssl") == 0)
		return add_options(from, "ssl.", row, value, err);
	if (value->type == RLK_VALUE_MAP)
		return rlk_option_wrong_type(row, value, "true or false", err);
	yes_or_no.kind = RLK_KIND_BOOL;
	return rlk_option_check(&yes_or_no, value, from->uri != NULL, &checked, err) && say_wanted(from, row->key, err);
}
