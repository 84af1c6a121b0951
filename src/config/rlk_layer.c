/*
 * rlk_layer: arrays and URIs taken apart into options.
 */
#include "config/rlk_layer.h"

#include "net/rlk_server.h"

#include <stddef.h>
#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)
#define NOT_SUPPORTED ", which is not supported by this version"

void rlk_layer_init(rlk_layer *layer, rlk_layer_scope scope)
{
	/* Options that are not given are never read. */
	memset(layer, 0, offsetof(rlk_layer, options));
	layer->scope = scope;
	layer->hosts = (rlk_value){ RLK_VALUE_MAP, { .map = { layer->host_entries, 0, true } } };
}

void rlk_layer_destroy(rlk_layer *layer)
{
	for (size_t i = 0; i < layer->uri_count; i++)
		rlk_buf_wipe(&layer->uris[i].decoded);
}

static bool set_option(rlk_layer *layer, rlk_option_id option, const char *key, const rlk_checked *value,
	rlk_error *err)
{
	rlk_given *given = &layer->options[option];
	bool known = rlk_layer_has(layer, option);

	if (known && layer->uri == NULL && (layer->given_by_uri & RLK_OPTION_BIT(option)) != 0) {
		/* The URI wins. But who asks for TLS does not want clear text. */
		return option != RLK_OPTION_SCHEME || value->number != RLK_TRANSPORT_TLS ||
			given->value.number == RLK_TRANSPORT_TLS ||
			RLK_WRONG_VALUE(err, "option \"%s\" asks for TLS, and the URI beside it for clear text", key);
	}
	if (known && given->value.number == value->number && rlk_str_equal(given->value.text, value->text))
		return true;
	if (known && strcmp(given->key, key) == 0)
		return RLK_WRONG_VALUE(err, "option \"%s\" is given twice, with different values", key);
	if (known)
		return RLK_WRONG_VALUE(err, "options \"%s\" and \"%s\" contradict each other", given->key, key);
	layer->given |= RLK_OPTION_BIT(option);
	layer->given_by_uri |= layer->uri != NULL ? RLK_OPTION_BIT(option) : 0;
	given->key = key;
	given->value = *value;
	if (value->text.data == value->digits)
		given->value.text.data = given->value.digits;
	return true;
}

static bool set_number(rlk_layer *layer, rlk_option_id option, const char *key, int64_t number, rlk_error *err)
{
	return set_option(layer, option, key, &(rlk_checked){ .number = number }, err);
}

/* --- options that are more than one value --- */

/* As in phpredis, a host may also be "tcp://name" or "/run/redis.sock". */
static bool add_host(rlk_layer *layer, const char *key, rlk_str given, rlk_error *err)
{
	char what[WHAT_MAX];
	int64_t transport;
	rlk_str address;

	if (layer->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", layer->uri->what);
	else
		rlk_option_phrase(key, what);
	return rlk_host_read(given, what, &transport, &address, err) &&
		(transport < 0 || set_number(layer, RLK_OPTION_SCHEME, key, transport, err)) &&
		set_option(layer, transport == RLK_TRANSPORT_UNIX ? RLK_OPTION_PATH : RLK_OPTION_HOST, key,
			&(rlk_checked){ .text = address }, err);
}

static bool add_credential(rlk_layer *layer, const rlk_option *auth, rlk_option_id option, const rlk_value *value,
	rlk_error *err)
{
	rlk_checked checked;

	if (option != RLK_OPTION_USER && option != RLK_OPTION_PASSWORD)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be " RLK_AUTH_ALLOWED, auth->key);
	return value->type == RLK_VALUE_NULL ||
		(rlk_option_check(auth, value, true, &checked, err) && set_option(layer, option, auth->key, &checked, err));
}

static bool add_auth(rlk_layer *layer, const rlk_option *auth, const rlk_value *value, rlk_error *err)
{
	size_t count = value->as.map.count;

	layer->auth_without_user = value->type != RLK_VALUE_MAP || count > 0;
	if (value->type != RLK_VALUE_MAP)
		return add_credential(layer, auth, RLK_OPTION_PASSWORD, value, err);
	for (size_t i = 0; i < count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		const rlk_option_row *row = rlk_option_find("", entry->key).row;
		rlk_option_id option = row != NULL ? row->option : RLK_OPTION_NONE;

		if (value->as.map.is_list && count <= 2)
			option = i + 1 < count ? RLK_OPTION_USER : RLK_OPTION_PASSWORD;
		if (!add_credential(layer, auth, option, &entry->value, err))
			return false;
	}
	return true;
}

/* In the other kinds of Predis the client itself chooses between servers that know nothing of each other. */
static bool add_replication(rlk_layer *layer, const rlk_option *option, const rlk_value *value, rlk_error *err)
{
	if (rlk_value_is_off(value))
		return true;
	if (rlk_value_is_text(value, "sentinel"))
		return set_number(layer, RLK_OPTION_REPLICATION, option->key, 1, err);
	return RLK_WRONG_VALUE(err, "option \"%s\" asks for replication without sentinels" NOT_SUPPORTED, option->key);
}

/* One list counts. Hosts of a URI win over `sentinels` and `cluster`, and exclude `servers`. */
static bool note_list(rlk_layer *layer, rlk_list_key key, const rlk_value *list, rlk_error *err)
{
	rlk_list_key before = layer->list_key != RLK_LIST_NONE ? layer->list_key : key;

	if ((before == RLK_LIST_SERVERS) != (key == RLK_LIST_SERVERS))
		return RLK_WRONG_VALUE(err, RLK_QUORUM_ALONE);
	if (before == RLK_LIST_UNNAMED && key != RLK_LIST_UNNAMED)
		return true;
	if (key != RLK_LIST_UNNAMED && before != key)
		return RLK_WRONG_VALUE(err, "options \"sentinels\" and \"cluster\" contradict each other");
	layer->list_key = key;
	layer->list = list;
	return true;
}

/* A list of servers. An empty one is refused, and so is the empty string that an unset variable leaves: neither means the
 * default server. */
static bool add_list(rlk_layer *layer, const rlk_option *option, const rlk_value *value, rlk_error *err)
{
	bool is_map = value->type == RLK_VALUE_MAP, is_list = is_map && value->as.map.is_list;
	bool is_quorum = option->row->kind == RLK_KIND_SERVERS, is_cluster = option->row->option == RLK_OPTION_CLUSTER;
	rlk_list_key key = is_quorum ? RLK_LIST_SERVERS : is_cluster ? RLK_LIST_CLUSTER : RLK_LIST_SENTINELS;
	int most = (int)option->row->max;

	if (is_map ? value->as.map.count == 0 : rlk_value_is_text(value, ""))
		return RLK_WRONG_VALUE(err, "option \"%s\" must be a list of 1 to %d servers%s, empty %s given", option->key,
			most, is_cluster ? ", or true or false" : "", is_map ? "array" : "string");
	if (is_quorum && is_map && (!is_list || value->as.map.count > (size_t)most))
		return RLK_WRONG_VALUE(err, "option \"%s\" must be a list of 1 to %d servers", option->key, most);
	if (layer->scope == RLK_LAYER_ENTRY && !rlk_value_is_off(value))
		return RLK_WRONG_VALUE(err, "option \"%s\" cannot be given for one server of a list", option->key);
	if (is_list)
		return note_list(layer, key, value, err);
	if (!is_quorum && !is_map && rlk_value_is_off(value))
		return true;
	/* Only says what the servers are. Predis and Laravel write "redis". */
	if (is_cluster && ((value->type == RLK_VALUE_BOOL && value->as.b) || rlk_value_is_text(value, "redis")))
		return note_list(layer, key, NULL, err) && set_number(layer, RLK_OPTION_CLUSTER, option->key, 1, err);
	return rlk_option_wrong_type(option->key, value, "a list of servers", err);
}

/* --- TLS --- */

/* Any option of TLS, even a file of certificates alone, asks for TLS: who gives it does not want clear text. */
static bool ask_for_tls(rlk_layer *layer, const char *key, rlk_error *err)
{
	return rlk_layer_has(layer, RLK_OPTION_TLS_WANTED) || set_number(layer, RLK_OPTION_TLS_WANTED, key, 1, err);
}

/* One of PHP's context options. Those we do not support are errors. `where`: what messages put before its name. */
static bool add_tls_option(rlk_layer *layer, const char *where, rlk_str key, const rlk_value *value, rlk_error *err)
{
	const rlk_option option = rlk_option_find("ssl.", key);
	char shown[RLK_SHOWN_MAX];
	rlk_checked checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (option.row == NULL && layer->uri != NULL && !layer->uri->may_tell_keys)
		return RLK_WRONG_VALUE(err, "option number %d in the query of %s is no TLS option of ours",
			layer->uri->option_number, layer->uri->what);
	if (option.row == NULL)
		return RLK_WRONG_VALUE(err, "option \"%s%s\" is not supported; see docs/operate/tls.md", where,
			rlk_value_show(key, shown, sizeof(shown)));
	if (!rlk_option_check(&option, value, layer->uri != NULL, &checked, err))
		return false;
	if (option.row->option != RLK_OPTION_NONE)
		return set_option(layer, option.row->option, option.key, &checked, err) && ask_for_tls(layer, option.key, err);
	return checked.number == 1 || RLK_WRONG_VALUE(err, "option \"%s\" must be true, as it always is", option.key);
}

static bool add_tls_options(rlk_layer *layer, const char *where, const char *key, const rlk_value *value,
	rlk_error *err)
{
	if (!rlk_value_is_map(value))
		return rlk_option_wrong_type(key, value, "an array of PHP's SSL context options", err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!add_tls_option(layer, where, value->as.map.entries[i].key, &value->as.map.entries[i].value, err))
			return false;
	}
	return true;
}

/* Predis has options of TLS in `ssl`; `useSSL` is of Yii2. */
static bool add_tls(rlk_layer *layer, const rlk_option *option, const rlk_value *value, rlk_error *err)
{
	rlk_checked checked;

	if (rlk_value_is_off(value))
		return true;
	if (value->type == RLK_VALUE_MAP && strcmp(option->key, "ssl") == 0)
		return add_tls_options(layer, "ssl.", option->key, value, err);
	return rlk_option_check(option, value, layer->uri != NULL, &checked, err) && ask_for_tls(layer, option->key, err);
}

static bool add(rlk_layer *layer, rlk_str key, const rlk_value *value, rlk_error *err);

/* phpredis has options of TLS in `context.stream` or `context.ssl`, beside `auth`, Yii2 in `contextOptions.ssl`. */
static bool add_context(rlk_layer *layer, const rlk_option *option, const rlk_value *value, rlk_error *err)
{
	char where[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (value->type != RLK_VALUE_MAP && !rlk_value_is_off(value))
		return rlk_option_wrong_type(option->key, value, "an array", err);
	for (size_t i = 0; value->type == RLK_VALUE_MAP && i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		bool ok = true;

		if (rlk_value_is_off(&entry->value) || rlk_str_equal(entry->key, RLK_STR("socket")))
			continue; /* options of the socket cannot change what a lock means */
		snprintf(where, sizeof(where), "%s.%s.", option->key, rlk_value_show(entry->key, shown, sizeof(shown)));
		if (rlk_str_equal(entry->key, RLK_STR("ssl")) || rlk_str_equal(entry->key, RLK_STR("stream")))
			ok = add_tls_options(layer, where, option->key, &entry->value, err);
		else if (rlk_str_equal(entry->key, RLK_STR("auth")))
			ok = add(layer, entry->key, &entry->value, err);
		else
			ok = RLK_WRONG_VALUE(err, "option \"%s.%s\" is not supported; only ssl and stream are", option->key, shown);
		if (!ok)
			return false;
	}
	return true;
}

/* --- arrays --- */

static bool wrong_key(const rlk_layer *layer, rlk_str key, rlk_error *err)
{
	char what[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (layer->uri != NULL && !layer->uri->may_tell_keys)
		snprintf(what, sizeof(what), "number %d in the query of %s", layer->uri->option_number, layer->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_value_show(key, shown, sizeof(shown)));
	return rlk_option_wrong_key(key, what, err);
}

static bool add_value(rlk_layer *layer, const rlk_option *option, const rlk_value *value, rlk_error *err)
{
	rlk_checked checked;

	switch (option->row->kind) {
		case RLK_KIND_IGNORED:
			return true;
		case RLK_KIND_URL:    /* added before */
		case RLK_KIND_NESTED: /* added behind */
		case RLK_KIND_SEEDS:
		case RLK_KIND_SERVERS:
		case RLK_KIND_CONNECTION:
			if (layer->uri != NULL)
				return RLK_WRONG_VALUE(err, "option \"%s\" cannot be given in a URI", option->key);
			if (option->row->kind == RLK_KIND_CONNECTION)
				return layer->scope == RLK_LAYER_SECTION ||
					rlk_option_wrong_type(option->key, value, "an array of connection options, and in no other one",
						err);
			return option->row->kind == RLK_KIND_URL || option->row->kind == RLK_KIND_NESTED ||
				layer->scope == RLK_LAYER_SECTION || add_list(layer, option, value, err);
		case RLK_KIND_REPLICATION:
			return add_replication(layer, option, value, err);
		case RLK_KIND_TLS:
			return add_tls(layer, option, value, err);
		case RLK_KIND_CONTEXT:
			return add_context(layer, option, value, err);
		case RLK_KIND_AUTH:
			return add_auth(layer, option, value, err);
		default:
			break;
	}
	if (option->row->kind == RLK_KIND_HOST && value->type == RLK_VALUE_MAP)
		return RLK_WRONG_VALUE(err, "option \"%s\" asks for several servers" NOT_SUPPORTED, option->key);
	if (!rlk_option_check(option, value, layer->uri != NULL, &checked, err))
		return false;
	return option->row->kind == RLK_KIND_HOST ? add_host(layer, option->key, checked.text, err) :
												set_option(layer, option->row->option, option->key, &checked, err);
}

/* One key and its value. */
static bool add(rlk_layer *layer, rlk_str key, const rlk_value *value, rlk_error *err)
{
	const rlk_option option = rlk_option_find("", key);
	char shown[RLK_SHOWN_MAX];

	if (option.row == NULL && layer->scope == RLK_LAYER_SECTION && value->type == RLK_VALUE_MAP)
		return true; /* another connection, or Laravel's clusters of them */
	if (option.row == NULL)
		return wrong_key(layer, key, err);
	if (layer->scope == RLK_LAYER_PER_CALL && (option.row->flags & RLK_OPTION_PER_CALL) == 0)
		/* `timeout` is often meant as the ttl. */
		return RLK_WRONG_VALUE(err, "option \"%s\" cannot be given for a single call%s",
			rlk_value_show(key, shown, sizeof(shown)),
			option.row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
	return value->type == RLK_VALUE_NULL || add_value(layer, &option, value, err);
}

/* One of the options of a client library, most of which mean nothing here. What names a server, credentials or a promise
 * that we cannot keep is an error: ignored, it would lead elsewhere or weaken the lock. */
static bool add_nested(rlk_layer *layer, rlk_str key, const rlk_value *value, rlk_error *err)
{
	const rlk_option option = rlk_option_find("", key), prefix = rlk_option_find("options.", key);
	rlk_option_kind kind;
	rlk_checked checked;

	if (value->type == RLK_VALUE_NULL || option.row == NULL)
		return true;
	/* Two prefixes are no contradiction: Laravel merges `options` for all connections into each of them, and a connection's
	 * own prefix wins. */
	if (prefix.row != NULL)
		return rlk_option_check(&prefix, value, false, &checked, err) &&
			(rlk_layer_has(layer, RLK_OPTION_PREFIX) ||
				set_option(layer, RLK_OPTION_PREFIX, prefix.key, &checked, err));
	/* Predis has these two here. */
	if (rlk_str_equal(key, RLK_STR("replication")) || rlk_str_equal(key, RLK_STR("service")))
		return add(layer, key, value, err);
	/* Stock Laravel configurations have "redis" here, for clusters that are defined elsewhere. */
	if ((option.row->flags & RLK_OPTION_ADDRESS) == 0 ||
		(option.row->option == RLK_OPTION_CLUSTER && value->type == RLK_VALUE_STRING))
		return true;
	kind = option.row->kind;
	if ((kind == RLK_KIND_TLS || kind == RLK_KIND_CONTEXT ||
			(kind == RLK_KIND_SEEDS && value->type != RLK_VALUE_MAP)) &&
		rlk_value_is_off(value))
		return true;
	return RLK_WRONG_VALUE(err, "option \"options.%s\" must be given beside \"options\", not in it", option.key);
}

bool rlk_layer_add_map(rlk_layer *layer, const rlk_value *map, rlk_error *err)
{
	const rlk_value *url = NULL, *options;

	if (layer->scope != RLK_LAYER_PER_CALL)
		url = rlk_value_find(map, "url");
	if (url != NULL && url->type != RLK_VALUE_STRING)
		return rlk_option_wrong_type("url", url, "a string", err);
	/* Empty is absent: an unset environment variable leaves that. */
	if (url != NULL && url->as.s.len > 0 &&
		!rlk_layer_add_uri(layer, url->as.s, layer->scope == RLK_LAYER_ENTRY ? "the address" : "option \"url\"", err))
		return false;
	for (size_t i = 0; i < map->as.map.count; i++) {
		if (!add(layer, map->as.map.entries[i].key, &map->as.map.entries[i].value, err))
			return false;
	}
	options = rlk_value_find(map, "options");
	if (options != NULL && options->type != RLK_VALUE_MAP)
		return rlk_option_wrong_type("options", options, "an array", err);
	for (size_t i = 0; options != NULL && i < options->as.map.count; i++) {
		if (!add_nested(layer, options->as.map.entries[i].key, &options->as.map.entries[i].value, err))
			return false;
	}
	return true;
}

/* --- URIs --- */

static bool add_part(rlk_layer *layer, const char *key, rlk_str text, rlk_error *err)
{
	const rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || add(layer, rlk_str_from_cstr(key), &value, err);
}

/* Symfony's host[name:port]. A second one makes it a list, of sentinels, say; then the first is not the host. */
static bool add_bracketed_host(rlk_layer *layer, rlk_str inner, rlk_error *err)
{
	size_t count = layer->hosts.as.map.count++;

	if (count == RLK_LAYER_HOSTS_MAX || (count > 0 && layer->scope == RLK_LAYER_ENTRY) ||
		(count == 0 && (layer->uri->host.data != NULL || layer->uri->path.data != NULL)))
		return RLK_WRONG_VALUE(err, "option \"host\" asks for several servers" NOT_SUPPORTED);
	layer->host_entries[count] = (rlk_entry){ { NULL, 0 }, { RLK_VALUE_STRING, { .s = inner } } };
	if (count > 0) {
		layer->given &= ~(RLK_BIT(HOST) | RLK_BIT(PORT) | RLK_BIT(PATH));
		return note_list(layer, RLK_LIST_UNNAMED, &layer->hosts, err);
	}
	if (inner.len > 0 && inner.data[0] == '/') {
		if (layer->uri->transport == RLK_TRANSPORT_TLS)
			return RLK_WRONG_VALUE(err, "%s asks for TLS on a unix socket, where there is none", layer->uri->what);
		layer->uri->transport = RLK_TRANSPORT_UNIX;
		layer->uri->path = inner;
		return add_part(layer, "path", inner, err);
	}
	if (!rlk_uri_host(layer->uri, inner, err))
		return false;
	if (layer->uri->host.data == NULL)
		layer->uri->host = RLK_STR("");
	return add_part(layer, "host", layer->uri->host, err) && add_part(layer, "port", layer->uri->port, err);
}

static bool add_query_option(rlk_layer *layer, rlk_str key, rlk_str text, rlk_error *err)
{
	const char *bracket = key.len > 0 ? memchr(key.data, '[', key.len) : NULL;
	rlk_str base = rlk_str_make(key.data, bracket != NULL ? (size_t)(bracket - key.data) : key.len), inner;
	const rlk_option_row *row = rlk_option_find("", base).row;
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	if (bracket == NULL) {
		if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
			layer->uri->may_tell_keys = false;
		return add(layer, key, &value, err);
	}
	if (key.data[key.len - 1] == ']') {
		inner = rlk_str_make(bracket + 1, key.len - base.len - 2);
		if (rlk_str_equal(base, RLK_STR("host")) && text.len == 0)
			return add_bracketed_host(layer, inner, err);
		if (rlk_str_equal(base, RLK_STR("ssl")))
			return add_tls_option(layer, "ssl.", inner, &value, err);
	}
	return (row != NULL && row->kind == RLK_KIND_IGNORED) || wrong_key(layer, key, err);
}

/* A URI made of unset variables looks like "redis://:6379". Any host we assume would be a guess. */
static bool check_address(const rlk_layer *layer, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (layer->hosts.as.map.count > 1 || host != path)
		return true;
	return host ? RLK_WRONG_VALUE(err, "%s names both a host and a socket", layer->uri->what) :
				  RLK_WRONG_VALUE(err, "%s must name a host, or the path of a socket", layer->uri->what);
}

static bool add_query(rlk_layer *layer, rlk_error *err)
{
	rlk_str key, text;

	do {
		if (!rlk_uri_next(layer->uri, &key, &text, err))
			return false;
	} while (key.data != NULL && add_query_option(layer, key, text, err));
	return key.data == NULL;
}

bool rlk_layer_add_uri(rlk_layer *layer, rlk_str given, const char *what, rlk_error *err)
{
	rlk_uri *uri = &layer->uris[layer->uri_count++];
	bool ok;

	layer->uri = uri;
	ok = rlk_uri_parse(uri, given, what, layer->scope == RLK_LAYER_ENTRY, err) &&
		add_part(layer, "host", uri->host, err) && add_part(layer, "port", uri->port, err) &&
		add_part(layer, "path", uri->path, err) && add_part(layer, "database", uri->database, err) &&
		add_part(layer, "username", uri->user, err) && add_part(layer, "password", uri->password, err) &&
		add_query(layer, err) && check_address(layer, err) &&
		(!uri->has_scheme ||
			set_number(layer, RLK_OPTION_SCHEME, "scheme",
				layer->list == &layer->hosts ? RLK_TRANSPORT_TCP : uri->transport, err));
	layer->uri = NULL;
	return ok;
}
