/*
 * rlk_layer: see the header.
 */
#include "config/rlk_layer.h"

#include "net/rlk_server.h"

#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)
#define NOT_SUPPORTED ", which is not supported by this version"

bool rlk_layer_say(const rlk_layer_source *from, rlk_option_id option, const char *key, const rlk_checked *value,
	rlk_error *err)
{
	rlk_said *said = &from->layer->said[option];
	bool from_uri = from->uri != NULL;

	if (!from_uri && said->key != NULL && said->from_uri) {
		/* The URI wins. But for this: whoever writes it does not want clear text. */
		return option != RLK_OPTION_SCHEME || value->number != RLK_TRANSPORT_TLS ||
			said->value.number == RLK_TRANSPORT_TLS ||
			RLK_WRONG_VALUE(err, "option \"%s\" asks for TLS, and the URI beside it for clear text", key);
	}
	if (said->key != NULL) {
		if (said->value.number == value->number && rlk_str_equal(said->value.text, value->text))
			return true;
		return strcmp(said->key, key) == 0 ?
			RLK_WRONG_VALUE(err, "option \"%s\" is given twice, with different values", key) :
			RLK_WRONG_VALUE(err, "options \"%s\" and \"%s\" contradict each other", said->key, key);
	}
	said->key = key;
	said->from_uri = from_uri;
	said->value = *value;
	if (value->text.data == value->digits)
		said->value.text.data = said->value.digits;
	return true;
}

/* A host may say more than a host: "tcp://name" and "/run/redis.sock" are what phpredis takes there. */
static bool say_host(const rlk_layer_source *from, const char *key, rlk_str given, rlk_error *err)
{
	char what[WHAT_MAX];
	rlk_host host;

	if (from->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", from->uri->what);
	else
		rlk_option_phrase(key, what);
	if (!rlk_host_read(given, what, &host, err) ||
		(host.has_transport &&
			!rlk_layer_say(from, RLK_OPTION_SCHEME, key, &(rlk_checked){ .number = host.transport }, err)))
		return false;
	if (host.path.data != NULL)
		return rlk_layer_say(from, RLK_OPTION_PATH, key, &(rlk_checked){ .text = host.path }, err);
	return rlk_layer_say(from, RLK_OPTION_HOST, key, &(rlk_checked){ .text = host.host }, err);
}

/* --- credentials --- */

static bool say_credential(const rlk_layer_source *from, const rlk_option_row *row, rlk_option_id option,
	const rlk_value *value, rlk_error *err)
{
	rlk_checked checked;

	return value->type == RLK_VALUE_NULL ||
		(rlk_option_check(row, value, true, &checked, err) && rlk_layer_say(from, option, row->key, &checked, err));
}

static bool wrong_auth(const rlk_option_row *row, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "option \"%s\" must be " RLK_AUTH_ALLOWED, row->key);
}

static bool say_auth(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	const rlk_entry *entries = value->as.map.entries;
	size_t count = value->as.map.count;

	from->layer->auth_without_user = value->type != RLK_VALUE_MAP || count > 0;
	if (value->type != RLK_VALUE_MAP)
		return say_credential(from, row, RLK_OPTION_PASSWORD, value, err);
	if (value->as.map.is_list && count > 2)
		return wrong_auth(row, err);
	for (size_t i = 0; i < count; i++) {
		const rlk_option_row *part = value->as.map.is_list ? NULL : rlk_option_find(entries[i].key);
		rlk_option_id option = part != NULL ? part->option : RLK_OPTION_NONE;

		if (value->as.map.is_list)
			option = i + 1 < count ? RLK_OPTION_USER : RLK_OPTION_PASSWORD;
		if (option != RLK_OPTION_USER && option != RLK_OPTION_PASSWORD)
			return wrong_auth(row, err);
		if (!say_credential(from, row, option, &entries[i].value, err))
			return false;
	}
	return true;
}

/* --- arrays --- */

/* Predis knows other kinds, where the client itself chooses between servers that know nothing of each other. */
static bool say_replication(const rlk_layer_source *from, const rlk_value *value, rlk_error *err)
{
	if (rlk_value_is_off(value))
		return true;
	if (value->type == RLK_VALUE_STRING && rlk_str_equal(value->as.s, RLK_STR("sentinel")))
		return rlk_layer_say(from, RLK_OPTION_REPLICATION, "replication", &(rlk_checked){ .number = 1 }, err);
	return RLK_WRONG_VALUE(err, "option \"replication\" asks for replication without sentinels" NOT_SUPPORTED);
}

static bool wrong_key(const rlk_layer_source *from, rlk_str key, rlk_error *err)
{
	const char *hint = rlk_option_hint(key), *meant = hint == NULL ? rlk_option_nearest(key) : NULL;
	char shown[RLK_SHOWN_MAX];
	char what[WHAT_MAX];

	if (from->uri != NULL && !from->uri->may_tell_keys)
		snprintf(what, sizeof(what), "number %d in the query of %s", from->uri->option_number, from->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_value_show(key, shown, sizeof(shown)));
	if (hint != NULL)
		return RLK_WRONG_VALUE(err, "unknown option %s; %s", what, hint);
	if (meant != NULL)
		return RLK_WRONG_VALUE(err, "unknown option %s, did you mean \"%s\"?", what, meant);
	return RLK_WRONG_VALUE(err, "unknown option %s", what);
}

static bool add_value(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	rlk_checked checked;

	switch (row->kind) {
		case RLK_KIND_IGNORED:
			return true;
		case RLK_KIND_URL:    /* of an array: added before */
		case RLK_KIND_NESTED: /* of an array: added behind */
		case RLK_KIND_SEEDS:
		case RLK_KIND_SERVERS:
		case RLK_KIND_CONNECTION:
			if (from->uri != NULL)
				return RLK_WRONG_VALUE(err, "option \"%s\" cannot be given in a URI", row->key);
			return row->kind != RLK_KIND_CONNECTION || from->scope == RLK_LAYER_SECTION ||
				rlk_option_wrong_type(row, value, "an array of connection options, and in no other one", err);
		case RLK_KIND_REPLICATION:
			return say_replication(from, value, err);
		case RLK_KIND_TLS:
			return rlk_layer_add_tls(from, row, value, err);
		case RLK_KIND_AUTH:
			return say_auth(from, row, value, err);
		default:
			break;
	}
	if (row->kind == RLK_KIND_HOST && value->type == RLK_VALUE_MAP)
		return RLK_WRONG_VALUE(err, "option \"%s\" asks for several servers" NOT_SUPPORTED, row->key);
	if (!rlk_option_check(row, value, from->uri != NULL, &checked, err))
		return false;
	return row->kind == RLK_KIND_HOST ? say_host(from, row->key, checked.text, err) :
										rlk_layer_say(from, row->option, row->key, &checked, err);
}

bool rlk_layer_add(const rlk_layer_source *from, rlk_str key, const rlk_value *value, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(key);
	char shown[RLK_SHOWN_MAX];

	if (row == NULL && from->scope == RLK_LAYER_SECTION && value->type == RLK_VALUE_MAP)
		return true; /* another connection, or Laravel's clusters of them */
	if (row == NULL)
		return wrong_key(from, key, err);
	if (from->scope == RLK_LAYER_PER_CALL && (row->flags & RLK_OPTION_PER_CALL) == 0)
		/* The one that is as often meant for something else. */
		return RLK_WRONG_VALUE(err, "option \"%s\" cannot be given for a single call%s",
			rlk_value_show(key, shown, sizeof(shown)),
			row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
	return value->type == RLK_VALUE_NULL || add_value(from, row, value, err);
}

/* The options of a client library, most of which mean nothing here. What names another server, other credentials or
 * a promise we cannot keep is an error, because passing over it would connect elsewhere or weaken the lock. */
static bool check_nested_entry(const rlk_entry *entry, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(entry->key);
	const rlk_value *value = &entry->value;

	if (value->type == RLK_VALUE_NULL || row == NULL || (row->flags & RLK_OPTION_ADDRESS) == 0)
		return true;
	/* Stock Laravel configurations carry "redis" here, for clusters that are defined elsewhere. */
	if (row->option == RLK_OPTION_CLUSTER && value->type == RLK_VALUE_STRING)
		return true;
	if ((row->kind == RLK_KIND_TLS || (row->kind == RLK_KIND_SEEDS && value->type != RLK_VALUE_MAP)) &&
		rlk_value_is_off(value))
		return true;
	return RLK_WRONG_VALUE(err, "option \"options.%s\" must be given beside \"options\", not in it", row->key);
}

static bool add_nested(const rlk_layer_source *from, const rlk_value *options, rlk_error *err)
{
	static const char *const of_predis[] = { "replication", "service" };
	const rlk_option_row *row = rlk_option_find_nested("options.", RLK_STR("prefix"));
	const rlk_value *value;
	rlk_checked checked;

	if (options->type != RLK_VALUE_MAP)
		return rlk_option_wrong_type(rlk_option_find(RLK_STR("options")), options, "an array", err);
	for (size_t i = 0; i < options->as.map.count; i++) {
		if (!check_nested_entry(&options->as.map.entries[i], err))
			return false;
	}
	for (size_t i = 0; i < 2; i++) {
		value = rlk_value_find(options, of_predis[i]);
		if (value != NULL && !rlk_layer_add(from, rlk_str_from_cstr(of_predis[i]), value, err))
			return false;
	}
	value = rlk_value_find(options, "prefix");
	if (value == NULL)
		return true;
	/* No contradiction: Laravel merges `options` shared by all connections into each of them, and a prefix of the
	 * connection's own replaces the shared one. */
	return rlk_option_check(row, value, false, &checked, err) &&
		(rlk_layer_has(from->layer, RLK_OPTION_PREFIX) ||
			rlk_layer_say(from, RLK_OPTION_PREFIX, row->key, &checked, err));
}

bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_layer_scope scope, rlk_error *err)
{
	rlk_layer_source from = { layer, scope, NULL };
	const rlk_value *options;

	for (size_t i = 0; i < map->as.map.count; i++) {
		if (!rlk_layer_add(&from, map->as.map.entries[i].key, &map->as.map.entries[i].value, err))
			return false;
	}
	options = rlk_value_find(map, "options");
	return options == NULL || add_nested(&from, options, err);
}

/* --- URIs --- */

static bool add_part(const rlk_layer_source *from, const char *key, rlk_str text, rlk_error *err)
{
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || rlk_layer_add(from, rlk_str_from_cstr(key), &value, err);
}

/* Symfony's host[name:port]. With a second one it is a list, of sentinels say, and the address of the first is none. */
static bool add_bracketed_host(const rlk_layer_source *from, rlk_str inner, rlk_error *err)
{
	rlk_layer *layer = from->layer;

	if (layer->host_count == RLK_LAYER_HOSTS_MAX ||
		(layer->host_count == 0 && (from->uri->host.data != NULL || from->uri->path.data != NULL)))
		return RLK_WRONG_VALUE(err, "option \"host\" asks for several servers" NOT_SUPPORTED);
	layer->hosts[layer->host_count++] = inner;
	if (layer->host_count > 1) {
		layer->said[RLK_OPTION_HOST].key = layer->said[RLK_OPTION_PORT].key = layer->said[RLK_OPTION_PATH].key = NULL;
		return true;
	}
	if (inner.len > 0 && inner.data[0] == '/') {
		if (from->uri->transport == RLK_TRANSPORT_TLS)
			return RLK_WRONG_VALUE(err, "%s asks for TLS on a unix socket, where there is none", from->uri->what);
		from->uri->transport = RLK_TRANSPORT_UNIX;
		from->uri->path = inner;
		return add_part(from, "path", inner, err);
	}
	if (!rlk_uri_host(from->uri, inner, err))
		return false;
	if (from->uri->host.data == NULL)
		from->uri->host = RLK_STR("");
	return add_part(from, "host", from->uri->host, err) && add_part(from, "port", from->uri->port, err);
}

static bool add_query_option(const rlk_layer_source *from, rlk_str key, rlk_str text, rlk_error *err)
{
	const char *bracket = key.len > 0 ? memchr(key.data, '[', key.len) : NULL;
	rlk_str base = rlk_str_make(key.data, bracket != NULL ? (size_t)(bracket - key.data) : key.len);
	const rlk_option_row *row = rlk_option_find(base);
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	if (bracket == NULL) {
		if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
			from->uri->may_tell_keys = false;
		return rlk_layer_add(from, key, &value, err);
	}
	if (rlk_str_equal(base, RLK_STR("host")) && text.len == 0 && key.data[key.len - 1] == ']')
		return add_bracketed_host(from, rlk_str_make(bracket + 1, key.len - base.len - 2), err);
	if (rlk_str_equal(base, RLK_STR("ssl")) && key.data[key.len - 1] == ']')
		return rlk_layer_add_tls_option(from, "ssl.", rlk_str_make(bracket + 1, key.len - base.len - 2), &value, err);
	return (row != NULL && row->kind == RLK_KIND_IGNORED) || wrong_key(from, key, err);
}

/* "redis://:6379" is what a URI built from unset variables looks like. Whatever host we put there would be a guess. */
static bool check_address(const rlk_layer *layer, const rlk_uri *uri, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (layer->host_count > 1 || host != path)
		return true;
	return host ? RLK_WRONG_VALUE(err, "%s names both a host and a socket", uri->what) :
				  RLK_WRONG_VALUE(err, "%s must name a host, or the path of a socket", uri->what);
}

bool rlk_layer_add_uri(rlk_layer *layer, rlk_uri *uri, rlk_error *err)
{
	rlk_layer_source from = { layer, RLK_LAYER_ALL, uri };
	rlk_checked scheme = { 0 };
	rlk_str key, text;

	if (!add_part(&from, "host", uri->host, err) || !add_part(&from, "port", uri->port, err) ||
		!add_part(&from, "path", uri->path, err) || !add_part(&from, "database", uri->database, err) ||
		!add_part(&from, "username", uri->user, err) || !add_part(&from, "password", uri->password, err))
		return false;
	for (;;) {
		if (!rlk_uri_next(uri, &key, &text, err))
			return false;
		if (key.data == NULL)
			break;
		if (!add_query_option(&from, key, text, err))
			return false;
	}
	if (!check_address(layer, uri, err))
		return false;
	scheme.number = layer->host_count > 1 ? RLK_TRANSPORT_TCP : uri->transport;
	return rlk_layer_say(&from, RLK_OPTION_SCHEME, "scheme", &scheme, err);
}
