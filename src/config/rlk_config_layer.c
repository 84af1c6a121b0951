/*
 * rlk_config_layer: see the header.
 */
#include "config/rlk_config_layer.h"

#include "config/rlk_config_message.h"
#include "config/rlk_config_text.h"
#include "config/rlk_config_tls.h"

#include <stdio.h>

#define WHAT_MAX (RLK_CONFIG_SHOWN_MAX + 32)

bool rlk_layer_say(const rlk_layer_source *from, rlk_option_id option, const char *key, const rlk_checked *value,
	rlk_error *err)
{
	rlk_said *said = &from->layer->said[option];
	bool from_uri = from->uri != NULL;

	if (!from_uri && said->key != NULL && said->from_uri) {
		/* But for this: whoever writes it does not want clear text. */
		if (option != RLK_OPTION_SCHEME || value->number != RLK_TRANSPORT_TLS ||
			said->value.number == RLK_TRANSPORT_TLS)
			return true;
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" asks for TLS, and the URI beside it for clear text", key);
		return false;
	}
	if (said->key != NULL) {
		if (said->value.number == value->number && rlk_str_equal(said->value.text, value->text))
			return true;
		if (strcmp(said->key, key) == 0)
			rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" is given twice, with different values", key);
		else
			rlk_error_set(err, RLK_ERR_VALUE, 0, "options \"%s\" and \"%s\" contradict each other", said->key, key);
		return false;
	}
	said->key = key;
	said->from_uri = from_uri;
	rlk_checked_copy(&said->value, value);
	return true;
}

static bool say_text(const rlk_layer_source *from, rlk_option_id option, const char *key, rlk_str text, rlk_error *err)
{
	rlk_checked value = { 0, text, "" };

	return rlk_layer_say(from, option, key, &value, err);
}

static bool say_number(const rlk_layer_source *from, rlk_option_id option, const char *key, int64_t number,
	rlk_error *err)
{
	rlk_checked value = { number, { NULL, 0 }, "" };

	return rlk_layer_say(from, option, key, &value, err);
}

/* A host may say more than a host: "tcp://name" and "/run/redis.sock" are what phpredis takes there. */
static bool say_host(const rlk_layer_source *from, const char *key, rlk_str given, rlk_error *err)
{
	char what[WHAT_MAX];
	rlk_host host;

	if (from->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", from->uri->what);
	else
		snprintf(what, sizeof(what), "option \"%s\"", key);
	if (!rlk_config_host(given, what, &host, err))
		return false;
	if (host.has_transport && !say_number(from, RLK_OPTION_SCHEME, key, host.transport, err))
		return false;
	if (host.path.data != NULL)
		return say_text(from, RLK_OPTION_PATH, key, host.path, err);
	return say_text(from, RLK_OPTION_HOST, key, host.host, err);
}

static bool say_credential(const rlk_layer_source *from, const rlk_option_row *row, rlk_option_id option,
	const rlk_value *value, rlk_error *err)
{
	rlk_checked checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	return rlk_config_check(row, value, true, &checked, err) && rlk_layer_say(from, option, row->key, &checked, err);
}

static bool say_auth_map(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *map, rlk_error *err)
{
	for (size_t i = 0; i < map->as.map.count; i++) {
		const rlk_entry *entry = &map->as.map.entries[i];
		const rlk_option_row *part = rlk_option_find(entry->key);

		if (part == NULL || (part->option != RLK_OPTION_USER && part->option != RLK_OPTION_PASSWORD))
			return rlk_config_wrong_text(row, rlk_config_auth_allowed, err);
		if (!say_credential(from, row, part->option, &entry->value, err))
			return false;
	}
	return true;
}

static bool say_auth(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	const rlk_entry *entries;
	size_t count;

	if (value->type != RLK_VALUE_MAP) {
		from->layer->auth_without_user = true;
		return say_credential(from, row, RLK_OPTION_PASSWORD, value, err);
	}
	entries = value->as.map.entries;
	count = value->as.map.count;
	from->layer->auth_without_user = count > 0;
	if (!value->as.map.is_list)
		return say_auth_map(from, row, value, err);
	if (count > 2)
		return rlk_config_wrong_text(row, rlk_config_auth_allowed, err);
	if (count == 2 && !say_credential(from, row, RLK_OPTION_USER, &entries[0].value, err))
		return false;
	return count == 0 || say_credential(from, row, RLK_OPTION_PASSWORD, &entries[count - 1].value, err);
}

/* Predis knows other kinds, where the client itself chooses between servers that know nothing of each other. */
static bool say_replication(const rlk_layer_source *from, rlk_str key, const rlk_value *value, rlk_error *err)
{
	if (rlk_config_is_off(value))
		return true;
	if (value->type == RLK_VALUE_STRING && rlk_str_equal(value->as.s, RLK_STR("sentinel")))
		return say_number(from, RLK_OPTION_REPLICATION, "replication", 1, err);
	return rlk_config_unsupported("", key, "replication without sentinels", err);
}

bool rlk_layer_unknown(const rlk_layer_source *from, rlk_str key, rlk_error *err)
{
	const char *hint = rlk_option_hint(key), *meant = hint == NULL ? rlk_option_nearest(key) : NULL;
	char shown[RLK_CONFIG_SHOWN_MAX];
	char what[WHAT_MAX];

	if (from->uri != NULL && !from->uri->may_tell_keys)
		snprintf(what, sizeof(what), "number %d in the query of %s", from->uri->option_number, from->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_config_show(key, shown, sizeof(shown)));
	if (hint != NULL)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "unknown option %s; %s", what, hint);
	else if (meant != NULL)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "unknown option %s, did you mean \"%s\"?", what, meant);
	else
		rlk_error_set(err, RLK_ERR_VALUE, 0, "unknown option %s", what);
	return false;
}

static bool add_value(const rlk_layer_source *from, const rlk_option_row *row, rlk_str key, const rlk_value *value,
	rlk_error *err)
{
	rlk_checked checked;

	switch (row->kind) {
		case RLK_KIND_IGNORED:
			return true;
		case RLK_KIND_URL:    /* of an array: added before */
		case RLK_KIND_NESTED: /* of an array: added behind */
		case RLK_KIND_NODES:
		case RLK_KIND_SERVERS:
		case RLK_KIND_CONNECTION:
			if (from->uri == NULL && row->kind == RLK_KIND_CONNECTION && from->scope != RLK_LAYER_SECTION)
				return rlk_config_wrong_type(row, value, "an array of connection options, and in no other one", err);
			if (from->uri == NULL)
				return true;
			rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" cannot be given in a URI", row->key);
			return false;
		case RLK_KIND_REFUSED:
			return rlk_config_is_off(value) || rlk_config_unsupported("", key, row->missing, err);
		case RLK_KIND_REPLICATION:
			return say_replication(from, key, value, err);
		case RLK_KIND_TLS:
			return rlk_layer_add_tls(from, row, value, err);
		case RLK_KIND_AUTH:
			return say_auth(from, row, value, err);
		default:
			break;
	}
	if (row->kind == RLK_KIND_HOST && value->type == RLK_VALUE_MAP)
		return rlk_config_unsupported("", key, "several servers", err);
	if (!rlk_config_check(row, value, from->uri != NULL, &checked, err))
		return false;
	if (row->kind == RLK_KIND_HOST)
		return say_host(from, row->key, checked.text, err);
	return rlk_layer_say(from, row->option, row->key, &checked, err);
}

bool rlk_layer_add(const rlk_layer_source *from, rlk_str key, const rlk_value *value, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(key);

	if (row == NULL && from->scope == RLK_LAYER_SECTION && value->type == RLK_VALUE_MAP)
		return true; /* another connection, or Laravel's clusters of them */
	if (row == NULL)
		return rlk_layer_unknown(from, key, err);
	if (from->scope == RLK_LAYER_PER_CALL && (row->flags & RLK_OPTION_PER_CALL) == 0) {
		/* The one that is as often meant for something else. */
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" cannot be given for a single call%s", row->key,
			row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
		return false;
	}
	return value->type == RLK_VALUE_NULL || add_value(from, row, key, value, err);
}

const rlk_value *rlk_layer_find(const rlk_value *map, const char *key)
{
	for (size_t i = 0; i < map->as.map.count; i++) {
		const rlk_entry *entry = &map->as.map.entries[i];

		if (rlk_str_equal(entry->key, rlk_str_from_cstr(key)) && entry->value.type != RLK_VALUE_NULL)
			return &entry->value;
	}
	return NULL;
}

/* The options of a client library, most of which mean nothing here. What names another server, other credentials or
 * a promise we cannot keep is an error, because passing over it would connect elsewhere or weaken the lock. */
static bool check_nested_entry(const rlk_entry *entry, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(entry->key);

	if (entry->value.type == RLK_VALUE_NULL || row == NULL)
		return true;
	/* Stock Laravel configurations carry "redis" here, for clusters that are defined elsewhere. */
	if (row->option == RLK_OPTION_CLUSTER && entry->value.type == RLK_VALUE_STRING)
		return true;
	if (row->kind == RLK_KIND_REFUSED) {
		return rlk_config_is_off(&entry->value) || rlk_config_unsupported("options.", entry->key, row->missing, err);
	}
	if (row->kind == RLK_KIND_TLS && rlk_config_is_off(&entry->value))
		return true;
	if (row->option == RLK_OPTION_REPLICATION || row->option == RLK_OPTION_SERVICE)
		return true; /* where Predis has them */
	if (((row->option >= RLK_OPTION_SCHEME && row->option <= RLK_OPTION_PASSWORD) || row->kind == RLK_KIND_AUTH ||
			row->kind == RLK_KIND_URL || row->kind == RLK_KIND_TLS || row->kind == RLK_KIND_SERVERS ||
			row->kind == RLK_KIND_NODES || row->option == RLK_OPTION_CLUSTER) &&
		!(row->kind == RLK_KIND_NODES && entry->value.type != RLK_VALUE_MAP && rlk_config_is_off(&entry->value))) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"options.%s\" must be given beside \"options\", not in it",
			row->key);
		return false;
	}
	return true;
}

static bool add_nested(const rlk_layer_source *from, const rlk_value *options, rlk_error *err)
{
	const rlk_value *prefix;
	rlk_checked checked;

	if (options->type != RLK_VALUE_MAP)
		return rlk_config_wrong_type(rlk_option_find(RLK_STR("options")), options, "an array", err);
	for (size_t i = 0; i < options->as.map.count; i++) {
		if (!check_nested_entry(&options->as.map.entries[i], err))
			return false;
	}
	for (size_t i = 0; i < 2; i++) {
		const char *key = i == 0 ? "replication" : "service";
		const rlk_value *value = rlk_layer_find(options, key);

		if (value != NULL && !rlk_layer_add(from, rlk_str_from_cstr(key), value, err))
			return false;
	}
	prefix = rlk_layer_find(options, "prefix");
	if (prefix == NULL)
		return true;
	if (!rlk_config_check(&rlk_option_nested_prefix, prefix, false, &checked, err))
		return false;
	/* No contradiction: Laravel merges `options` shared by all connections into each of them, and a prefix of the
	 * connection's own replaces the shared one. */
	return rlk_layer_has(from->layer, RLK_OPTION_PREFIX) ||
		rlk_layer_say(from, RLK_OPTION_PREFIX, rlk_option_nested_prefix.key, &checked, err);
}

bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_layer_scope scope, rlk_error *err)
{
	rlk_layer_source from = { layer, scope, NULL };
	const rlk_value *options;

	for (size_t i = 0; i < map->as.map.count; i++) {
		if (!rlk_layer_add(&from, map->as.map.entries[i].key, &map->as.map.entries[i].value, err))
			return false;
	}
	options = rlk_layer_find(map, "options");
	return options == NULL || add_nested(&from, options, err);
}
