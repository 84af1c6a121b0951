/*
 * rlk_layer_read: arrays and URIs taken apart into options.
 *
 * What is read at once, an array with its `url` and `options` for instance,
 * becomes a layer of its own, in which a URI wins over the rest. When it is
 * complete it is laid over the layers before.
 */
#include "config/rlk_layer.h"
#include "config/rlk_uri.h"

#include <stddef.h>
#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)
#define NOT_SUPPORTED ", which is not supported by this version"
#define HOSTS_MAX 16 /* of a URI */

typedef enum {
	SCOPE_ALL,     /* everything */
	SCOPE_SECTION, /* what stands around a connection `default`; other connections in it are ignored */
	SCOPE_ENTRY,   /* one server of a list */
	SCOPE_CALL     /* options of one lock() call alone */
} layer_scope;

typedef struct {
	layer_scope scope;
	rlk_scratch *scratch;
	rlk_error *err;
	uint64_t by_uri;        /* a bit for each rlk_option_id */
	bool auth_without_user; /* `auth` was a password alone */
	const rlk_value *list;  /* of servers; NULL: none */
	rlk_uri *uri;           /* the one being read; NULL: an array is */
	rlk_value hosts;        /* Symfony's host[...]; several are a list, and none of them is the host */
	rlk_entry *host_entries;
	rlk_layer layer; /* what was read so far */
} reader;

static void begin_layer(reader *r, layer_scope scope, rlk_scratch *scratch, rlk_error *err)
{
	memset(r, 0, offsetof(reader, layer));
	r->scope = scope;
	r->scratch = scratch;
	r->err = err;
	r->hosts = (rlk_value){ RLK_VALUE_MAP, { .map = { NULL, 0, true } } };
	rlk_layer_init(&r->layer);
}

static bool add_setting(reader *r, rlk_option_id option, const rlk_setting *setting)
{
	rlk_setting *before = &r->layer.settings[option];
	bool known = rlk_layer_has(&r->layer, option);

	if (known && r->uri == NULL && (r->by_uri & RLK_OPTION_BIT(option)) != 0) {
		/* The URI wins. But who asks for TLS does not want clear text. */
		return option != RLK_OPTION_SCHEME || setting->number != RLK_TRANSPORT_TLS ||
			before->number == RLK_TRANSPORT_TLS ||
			RLK_WRONG_VALUE(r->err, "option \"%s\" asks for TLS, and the URI beside it for clear text", setting->key);
	}
	if (known && before->number == setting->number && rlk_str_equal(before->text, setting->text))
		return true;
	if (known && strcmp(before->key, setting->key) == 0)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" is given twice, with different values", setting->key);
	if (known)
		return RLK_WRONG_VALUE(r->err, "options \"%s\" and \"%s\" contradict each other", before->key, setting->key);
	r->layer.has |= RLK_OPTION_BIT(option);
	r->by_uri |= r->uri != NULL ? RLK_OPTION_BIT(option) : 0;
	*before = *setting;
	return true;
}

static bool add_number(reader *r, rlk_option_id option, const char *key, int64_t number)
{
	return add_setting(r, option, &(rlk_setting){ key, number, { NULL, 0 } });
}

static bool check_value(reader *r, const rlk_option *option, const rlk_value *value, rlk_setting *out)
{
	return rlk_option_check(option, value, r->uri != NULL, r->scratch, out, r->err);
}

/* --- options that are more than one value --- */

/* As in phpredis, a host may also be "tcp://name" or "/run/redis.sock". */
static bool add_host(reader *r, const char *key, rlk_str given)
{
	char what[WHAT_MAX];
	int64_t transport;
	rlk_str address;

	if (r->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", r->uri->what);
	else
		rlk_option_phrase(key, what);
	return rlk_host_read(given, what, &transport, &address, r->err) &&
		(transport < 0 || add_number(r, RLK_OPTION_SCHEME, key, transport)) &&
		add_setting(r, transport == RLK_TRANSPORT_UNIX ? RLK_OPTION_PATH : RLK_OPTION_HOST,
			&(rlk_setting){ key, 0, address });
}

static bool add_credential(reader *r, const rlk_option *auth, rlk_option_id option, const rlk_value *value)
{
	rlk_setting checked;

	if (option != RLK_OPTION_USER && option != RLK_OPTION_PASSWORD)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be " RLK_AUTH_ALLOWED, auth->key);
	return value->type == RLK_VALUE_NULL || (check_value(r, auth, value, &checked) && add_setting(r, option, &checked));
}

static bool add_auth(reader *r, const rlk_option *auth, const rlk_value *value)
{
	size_t count = value->as.map.count;

	r->auth_without_user = value->type != RLK_VALUE_MAP || count > 0;
	if (value->type != RLK_VALUE_MAP)
		return add_credential(r, auth, RLK_OPTION_PASSWORD, value);
	for (size_t i = 0; i < count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		const rlk_option_row *row = rlk_option_find("", entry->key).row;
		rlk_option_id option = row != NULL ? row->option : RLK_OPTION_NONE;

		if (value->as.map.is_list && count <= 2)
			option = i + 1 < count ? RLK_OPTION_USER : RLK_OPTION_PASSWORD;
		if (!add_credential(r, auth, option, &entry->value))
			return false;
	}
	return true;
}

/* In the other kinds of Predis the client itself chooses between servers that know nothing of each other. */
static bool add_replication(reader *r, const rlk_option *option, const rlk_value *value)
{
	if (rlk_value_is_off(value))
		return true;
	if (rlk_value_is_text(value, "sentinel"))
		return add_number(r, RLK_OPTION_REPLICATION, option->key, 1);
	return RLK_WRONG_VALUE(r->err, "option \"%s\" asks for replication without sentinels" NOT_SUPPORTED, option->key);
}

/* One list counts. Hosts of a URI win over `sentinels` and `cluster`, and exclude `servers`. */
static bool note_list(reader *r, rlk_list_key key, const rlk_value *list)
{
	rlk_list_key before = r->layer.list_key != RLK_LIST_NONE ? r->layer.list_key : key;

	if ((before == RLK_LIST_SERVERS) != (key == RLK_LIST_SERVERS))
		return RLK_WRONG_VALUE(r->err, RLK_QUORUM_ALONE);
	if (before == RLK_LIST_UNNAMED && key != RLK_LIST_UNNAMED)
		return true;
	if (key != RLK_LIST_UNNAMED && before != key)
		return RLK_WRONG_VALUE(r->err, "options \"sentinels\" and \"cluster\" contradict each other");
	r->layer.list_key = key;
	r->list = list;
	return true;
}

/* A list of servers. An empty one is refused, and so is the empty string that an unset variable leaves: neither means the
 * default server. */
static bool add_list(reader *r, const rlk_option *option, const rlk_value *value)
{
	bool is_map = value->type == RLK_VALUE_MAP, is_list = is_map && value->as.map.is_list;
	bool is_quorum = option->row->kind == RLK_KIND_SERVERS, is_cluster = option->row->option == RLK_OPTION_CLUSTER;
	rlk_list_key key = is_quorum ? RLK_LIST_SERVERS : is_cluster ? RLK_LIST_CLUSTER : RLK_LIST_SENTINELS;
	int most = (int)option->row->max;

	if (is_map ? value->as.map.count == 0 : rlk_value_is_text(value, ""))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be a list of 1 to %d servers%s, empty %s given", option->key,
			most, is_cluster ? ", or true or false" : "", is_map ? "array" : "string");
	if (is_quorum && is_map && (!is_list || value->as.map.count > (size_t)most))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be a list of 1 to %d servers", option->key, most);
	if (r->scope == SCOPE_ENTRY && !rlk_value_is_off(value))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for one server of a list", option->key);
	if (is_list)
		return note_list(r, key, value);
	if (!is_quorum && !is_map && rlk_value_is_off(value))
		return true;
	/* Only says what the servers are. Predis and Laravel write "redis". */
	if (is_cluster && ((value->type == RLK_VALUE_BOOL && value->as.b) || rlk_value_is_text(value, "redis")))
		return note_list(r, key, NULL) && add_number(r, RLK_OPTION_CLUSTER, option->key, 1);
	return rlk_option_wrong_type(option->key, value, "a list of servers", r->err);
}

/* --- TLS --- */

/* Any option of TLS, even a file of certificates alone, asks for TLS: who gives it does not want clear text. */
static bool ask_for_tls(reader *r, const char *key)
{
	return rlk_layer_has(&r->layer, RLK_OPTION_TLS_WANTED) || add_number(r, RLK_OPTION_TLS_WANTED, key, 1);
}

/* One of PHP's context options. Those we do not support are errors. `where`: what messages put before its name. */
static bool add_tls_option(reader *r, const char *where, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("ssl.", key);
	char shown[RLK_SHOWN_MAX];
	rlk_setting checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (option.row == NULL && r->uri != NULL && !r->uri->may_tell_keys)
		return RLK_WRONG_VALUE(r->err, "option number %d in the query of %s is no TLS option of ours",
			r->uri->option_number, r->uri->what);
	if (option.row == NULL)
		return RLK_WRONG_VALUE(r->err, "option \"%s%s\" is not supported; see docs/operate/tls.md", where,
			rlk_value_show(key, shown, sizeof(shown)));
	if (!check_value(r, &option, value, &checked))
		return false;
	if (option.row->option != RLK_OPTION_NONE)
		return add_setting(r, option.row->option, &checked) && ask_for_tls(r, option.key);
	return checked.number == 1 || RLK_WRONG_VALUE(r->err, "option \"%s\" must be true, as it always is", option.key);
}

static bool add_tls_options(reader *r, const char *where, const char *key, const rlk_value *value)
{
	if (!rlk_value_is_map(value))
		return rlk_option_wrong_type(key, value, "an array of PHP's SSL context options", r->err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!add_tls_option(r, where, value->as.map.entries[i].key, &value->as.map.entries[i].value))
			return false;
	}
	return true;
}

/* Predis has options of TLS in `ssl`; `useSSL` is of Yii2. */
static bool add_tls(reader *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;

	if (rlk_value_is_off(value))
		return true;
	if (value->type == RLK_VALUE_MAP && strcmp(option->key, "ssl") == 0)
		return add_tls_options(r, "ssl.", option->key, value);
	return check_value(r, option, value, &checked) && ask_for_tls(r, option->key);
}

static bool add(reader *r, rlk_str key, const rlk_value *value);

/* phpredis has options of TLS in `context.stream` or `context.ssl`, beside `auth`, Yii2 in `contextOptions.ssl`. */
static bool add_context(reader *r, const rlk_option *option, const rlk_value *value)
{
	char where[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (value->type != RLK_VALUE_MAP && !rlk_value_is_off(value))
		return rlk_option_wrong_type(option->key, value, "an array", r->err);
	for (size_t i = 0; value->type == RLK_VALUE_MAP && i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		bool ok = true;

		if (rlk_value_is_off(&entry->value) || rlk_str_equal(entry->key, RLK_STR("socket")))
			continue; /* options of the socket cannot change what a lock means */
		snprintf(where, sizeof(where), "%s.%s.", option->key, rlk_value_show(entry->key, shown, sizeof(shown)));
		if (rlk_str_equal(entry->key, RLK_STR("ssl")) || rlk_str_equal(entry->key, RLK_STR("stream")))
			ok = add_tls_options(r, where, option->key, &entry->value);
		else if (rlk_str_equal(entry->key, RLK_STR("auth")))
			ok = add(r, entry->key, &entry->value);
		else
			ok = RLK_WRONG_VALUE(r->err, "option \"%s.%s\" is not supported; only ssl and stream are", option->key,
				shown);
		if (!ok)
			return false;
	}
	return true;
}

/* --- arrays --- */

static bool wrong_key(reader *r, rlk_str key)
{
	char what[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (r->uri != NULL && !r->uri->may_tell_keys)
		snprintf(what, sizeof(what), "number %d in the query of %s", r->uri->option_number, r->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_value_show(key, shown, sizeof(shown)));
	return rlk_option_wrong_key(key, what, r->err);
}

static bool add_value(reader *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;

	switch (option->row->kind) {
		case RLK_KIND_IGNORED:
			return true;
		case RLK_KIND_URL:    /* added before */
		case RLK_KIND_NESTED: /* added behind */
		case RLK_KIND_SEEDS:
		case RLK_KIND_SERVERS:
		case RLK_KIND_CONNECTION:
			if (r->uri != NULL)
				return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given in a URI", option->key);
			if (option->row->kind == RLK_KIND_CONNECTION)
				return r->scope == SCOPE_SECTION ||
					rlk_option_wrong_type(option->key, value, "an array of connection options, and in no other one",
						r->err);
			return option->row->kind == RLK_KIND_URL || option->row->kind == RLK_KIND_NESTED ||
				r->scope == SCOPE_SECTION || add_list(r, option, value);
		case RLK_KIND_REPLICATION:
			return add_replication(r, option, value);
		case RLK_KIND_TLS:
			return add_tls(r, option, value);
		case RLK_KIND_CONTEXT:
			return add_context(r, option, value);
		case RLK_KIND_AUTH:
			return add_auth(r, option, value);
		default:
			break;
	}
	if (option->row->kind == RLK_KIND_HOST && value->type == RLK_VALUE_MAP)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" asks for several servers" NOT_SUPPORTED, option->key);
	if (!check_value(r, option, value, &checked))
		return false;
	return option->row->kind == RLK_KIND_HOST ? add_host(r, option->key, checked.text) :
												add_setting(r, option->row->option, &checked);
}

/* One key and its value. */
static bool add(reader *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("", key);
	char shown[RLK_SHOWN_MAX];

	if (option.row == NULL && r->scope == SCOPE_SECTION && value->type == RLK_VALUE_MAP)
		return true; /* another connection, or Laravel's clusters of them */
	if (option.row == NULL)
		return wrong_key(r, key);
	if (r->scope == SCOPE_CALL && (option.row->flags & RLK_OPTION_PER_CALL) == 0)
		/* `timeout` is often meant as the ttl. */
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for a single call%s",
			rlk_value_show(key, shown, sizeof(shown)),
			option.row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
	/* Predis gives servers a weight. */
	if (r->scope == SCOPE_ENTRY && option.row->option == RLK_OPTION_WEIGHT)
		return true;
	return value->type == RLK_VALUE_NULL || add_value(r, &option, value);
}

/* One of the options of a client library, most of which mean nothing here. What names a server, credentials or a promise
 * that we cannot keep is an error: ignored, it would lead elsewhere or weaken the lock. */
static bool add_nested(reader *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("", key), prefix = rlk_option_find("options.", key);
	rlk_option_kind kind;
	rlk_setting checked;

	if (value->type == RLK_VALUE_NULL || option.row == NULL)
		return true;
	/* Two prefixes are no contradiction: Laravel merges `options` for all connections into each of them, and a connection's
	 * own prefix wins. */
	if (prefix.row != NULL)
		return check_value(r, &prefix, value, &checked) &&
			(rlk_layer_has(&r->layer, RLK_OPTION_PREFIX) || add_setting(r, RLK_OPTION_PREFIX, &checked));
	/* Predis has these two here. */
	if (rlk_str_equal(key, RLK_STR("replication")) || rlk_str_equal(key, RLK_STR("service")))
		return add(r, key, value);
	/* Stock Laravel configurations have "redis" here, for clusters that are defined elsewhere. */
	if ((option.row->flags & RLK_OPTION_ADDRESS) == 0 ||
		(option.row->option == RLK_OPTION_CLUSTER && value->type == RLK_VALUE_STRING))
		return true;
	kind = option.row->kind;
	if ((kind == RLK_KIND_TLS || kind == RLK_KIND_CONTEXT ||
			(kind == RLK_KIND_SEEDS && value->type != RLK_VALUE_MAP)) &&
		rlk_value_is_off(value))
		return true;
	return RLK_WRONG_VALUE(r->err, "option \"options.%s\" must be given beside \"options\", not in it", option.key);
}

static bool add_uri(reader *r, rlk_str given, const char *what);

/* Its `url` wins over the rest, as in Laravel, whose stock configurations have both. */
static bool add_map(reader *r, const rlk_value *map)
{
	const rlk_value *url = NULL, *options;

	if (r->scope != SCOPE_CALL)
		url = rlk_value_find(map, "url");
	if (url != NULL && url->type != RLK_VALUE_STRING)
		return rlk_option_wrong_type("url", url, "a string", r->err);
	/* Empty is absent: an unset environment variable leaves that. */
	if (url != NULL && url->as.s.len > 0 &&
		!add_uri(r, url->as.s, r->scope == SCOPE_ENTRY ? "the address" : "option \"url\""))
		return false;
	for (size_t i = 0; i < map->as.map.count; i++) {
		if (!add(r, map->as.map.entries[i].key, &map->as.map.entries[i].value))
			return false;
	}
	options = rlk_value_find(map, "options");
	if (options != NULL && options->type != RLK_VALUE_MAP)
		return rlk_option_wrong_type("options", options, "an array", r->err);
	for (size_t i = 0; options != NULL && i < options->as.map.count; i++) {
		if (!add_nested(r, options->as.map.entries[i].key, &options->as.map.entries[i].value))
			return false;
	}
	return true;
}

/* --- URIs --- */

static bool add_part(reader *r, const char *key, rlk_str text)
{
	const rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || add(r, rlk_str_from_cstr(key), &value);
}

/* Symfony's host[name:port]. A second one makes it a list, of sentinels, say; then the first is not the host. */
static bool add_bracketed_host(reader *r, rlk_str inner)
{
	size_t count = r->hosts.as.map.count++;

	if (count == HOSTS_MAX || (count > 0 && r->scope == SCOPE_ENTRY) ||
		(count == 0 && (r->uri->host.data != NULL || r->uri->path.data != NULL)))
		return RLK_WRONG_VALUE(r->err, "option \"host\" asks for several servers" NOT_SUPPORTED);
	if (count == 0)
		r->host_entries = rlk_scratch_take(r->scratch, HOSTS_MAX * sizeof(rlk_entry), r->err);
	if (r->host_entries == NULL)
		return false;
	r->hosts.as.map.entries = r->host_entries;
	r->host_entries[count] = (rlk_entry){ { NULL, 0 }, { RLK_VALUE_STRING, { .s = inner } } };
	if (count > 0) {
		r->layer.has &= ~(RLK_BIT(HOST) | RLK_BIT(PORT) | RLK_BIT(PATH));
		return note_list(r, RLK_LIST_UNNAMED, &r->hosts);
	}
	if (inner.len > 0 && inner.data[0] == '/') {
		if (r->uri->transport == RLK_TRANSPORT_TLS)
			return RLK_WRONG_VALUE(r->err, "%s asks for TLS on a unix socket, where there is none", r->uri->what);
		r->uri->transport = RLK_TRANSPORT_UNIX;
		r->uri->path = inner;
		return add_part(r, "path", inner);
	}
	if (!rlk_uri_host(r->uri, inner, r->err))
		return false;
	if (r->uri->host.data == NULL)
		r->uri->host = RLK_STR("");
	return add_part(r, "host", r->uri->host) && add_part(r, "port", r->uri->port);
}

static bool add_query_option(reader *r, rlk_str key, rlk_str text)
{
	const char *bracket = key.len > 0 ? memchr(key.data, '[', key.len) : NULL;
	rlk_str base = rlk_str_make(key.data, bracket != NULL ? (size_t)(bracket - key.data) : key.len), inner;
	const rlk_option_row *row = rlk_option_find("", base).row;
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	if (bracket == NULL) {
		if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
			r->uri->may_tell_keys = false;
		return add(r, key, &value);
	}
	if (key.data[key.len - 1] == ']') {
		inner = rlk_str_make(bracket + 1, key.len - base.len - 2);
		if (rlk_str_equal(base, RLK_STR("host")) && text.len == 0)
			return add_bracketed_host(r, inner);
		if (rlk_str_equal(base, RLK_STR("ssl")))
			return add_tls_option(r, "ssl.", inner, &value);
	}
	return (row != NULL && row->kind == RLK_KIND_IGNORED) || wrong_key(r, key);
}

/* A URI made of unset variables looks like "redis://:6379". Any host we assume would be a guess. */
static bool check_address(reader *r)
{
	bool host = rlk_layer_has(&r->layer, RLK_OPTION_HOST), path = rlk_layer_has(&r->layer, RLK_OPTION_PATH);

	if (r->hosts.as.map.count > 1 || host != path)
		return true;
	return host ? RLK_WRONG_VALUE(r->err, "%s names both a host and a socket", r->uri->what) :
				  RLK_WRONG_VALUE(r->err, "%s must name a host, or the path of a socket", r->uri->what);
}

static bool add_query(reader *r)
{
	rlk_str key, text;

	do {
		if (!rlk_uri_next(r->uri, &key, &text, r->err))
			return false;
	} while (key.data != NULL && add_query_option(r, key, text));
	return key.data == NULL;
}

/* Its scheme decides between a host and the path of a socket, also for the array beside it. */
static bool add_uri(reader *r, rlk_str given, const char *what)
{
	rlk_uri uri;
	bool ok;

	r->uri = &uri;
	ok = rlk_uri_parse(&uri, given, what, r->scope == SCOPE_ENTRY, r->scratch, r->err) &&
		add_part(r, "host", uri.host) && add_part(r, "port", uri.port) && add_part(r, "path", uri.path) &&
		add_part(r, "database", uri.database) && add_part(r, "username", uri.user) &&
		add_part(r, "password", uri.password) && add_query(r) && check_address(r) &&
		(!uri.has_scheme ||
			add_number(r, RLK_OPTION_SCHEME, "scheme",
				r->list == &r->hosts && uri.transport == RLK_TRANSPORT_UNIX ? RLK_TRANSPORT_TCP : uri.transport));
	r->uri = NULL;
	return ok;
}

/* --- the end of a layer --- */

static bool two_servers(reader *r, rlk_option_id a, rlk_option_id b)
{
	return RLK_WRONG_VALUE(r->err, "options \"%s\" and \"%s\" name two different servers; leave one out",
		r->layer.settings[a].key, r->layer.settings[b].key);
}

/* A host and the path of a socket in one array are common, one of them left over from a stock configuration. `scheme`
 * says which is meant; without it we would have to guess. */
static bool choose_transport(reader *r)
{
	bool host = rlk_layer_has(&r->layer, RLK_OPTION_HOST), path = rlk_layer_has(&r->layer, RLK_OPTION_PATH);
	int64_t transport =
		rlk_layer_number(&r->layer, RLK_OPTION_SCHEME, path ? RLK_TRANSPORT_UNIX : RLK_TRANSPORT_OF_HOST);

	if (rlk_layer_has(&r->layer, RLK_OPTION_SCHEME) && transport != RLK_TRANSPORT_UNIX && path && !host)
		return two_servers(r, RLK_OPTION_SCHEME, RLK_OPTION_PATH);
	if (!rlk_layer_has(&r->layer, RLK_OPTION_SCHEME) && host && path)
		return two_servers(r, RLK_OPTION_HOST, RLK_OPTION_PATH);
	if (host || path || rlk_layer_has(&r->layer, RLK_OPTION_SCHEME))
		rlk_layer_set_number(&r->layer, RLK_OPTION_TRANSPORT, "", transport);
	return true;
}

/* phpredis and Laravel write 0 or -1 beside the path of a socket. The number in a URI may be a piece of a password. */
static bool check_port(reader *r)
{
	rlk_option option;

	if (rlk_layer_number(&r->layer, RLK_OPTION_PORT, 1) > 0)
		return true;
	if (rlk_layer_number(&r->layer, RLK_OPTION_TRANSPORT, RLK_TRANSPORT_TCP) == RLK_TRANSPORT_UNIX)
		r->layer.has &= ~RLK_BIT(PORT);
	else if ((r->by_uri & RLK_BIT(PORT)) != 0) {
		option = rlk_option_find("", RLK_STR("port"));
		return rlk_option_wrong_number(&option, 0, true, r->err);
	}
	return true;
}

static bool read_entries(reader *r);

static bool end_layer(reader *r, rlk_layer *over)
{
	if (r->auth_without_user && rlk_layer_has(&r->layer, RLK_OPTION_PASSWORD) &&
		!rlk_layer_has(&r->layer, RLK_OPTION_USER))
		/* `auth` is user and password in one, so a password alone means no user. */
		rlk_layer_set_number(&r->layer, RLK_OPTION_USER, "auth", 0);
	return choose_transport(r) && check_port(r) && read_entries(r) && rlk_layer_lay_over(over, &r->layer, r->err);
}

/* --- lists of servers --- */

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_triple(reader *r, const rlk_value *list)
{
	static const char *const keys[] = { "host", "port", "timeout" };
	rlk_entry entries[3];
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, list->as.map.count, false } } };

	for (size_t i = 0; i < list->as.map.count; i++)
		entries[i] = (rlk_entry){ rlk_str_from_cstr(keys[i]), list->as.map.entries[i].value };
	return add_map(r, &map);
}

/* What messages call a list. */
static const char *const list_names[] = { "", "servers", "\"servers\"", "sentinels", "Cluster nodes" };

static bool add_entry(reader *r, const rlk_value *value, rlk_list_key key)
{
	bool is_list = value->type == RLK_VALUE_MAP && value->as.map.is_list, quorum = key == RLK_LIST_SERVERS;

	if (value->type == RLK_VALUE_STRING && (value->as.s.len > 0 || !quorum))
		return add_uri(r, value->as.s, "the address");
	if (is_list && value->as.map.count >= 1 && value->as.map.count <= 3)
		return add_triple(r, value);
	if (value->type == RLK_VALUE_MAP && !is_list)
		return add_map(r, value);
	return RLK_WRONG_TYPE(r->err, "each of the %s must be \"host:port\", a URI%s", list_names[key],
		quorum ? ", [host, port, timeout] or an array of connection options" : " or an array with \"host\"");
}

/* An entry has the options of one server; all others belong beside the list. */
static bool refuse_others(reader *r, rlk_list_key key)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if ((r->layer.has & ~RLK_OPTIONS_OF_SERVER & RLK_OPTION_BIT(option)) != 0)
			return RLK_WRONG_VALUE(r->err, "option \"%s\" must be given beside the list %s%s, not in it",
				r->layer.settings[option].key, key == RLK_LIST_SERVERS ? "" : "of ", list_names[key]);
	}
	return true;
}

static bool read_entries(reader *r)
{
	const rlk_value *list = r->list;
	rlk_list_key key = r->layer.list_key;

	if (list == NULL)
		return true;
	if (list->as.map.count > RLK_CONFIG_SEEDS_MAX)
		return RLK_WRONG_VALUE(r->err, "at most %d %s may be listed", RLK_CONFIG_SEEDS_MAX, list_names[key]);
	r->layer.listed = rlk_scratch_take(r->scratch, list->as.map.count * sizeof(rlk_layer), r->err);
	if (r->layer.listed == NULL)
		return false;
	for (size_t i = 0; i < list->as.map.count; i++) {
		rlk_layer *entry = &r->layer.listed[i];
		reader inner;

		begin_layer(&inner, SCOPE_ENTRY, r->scratch, r->err);
		if (!add_entry(&inner, &list->as.map.entries[i].value, key) || !refuse_others(&inner, key) ||
			!end_layer(&inner, entry) || !rlk_layer_check_server(entry, r->err))
			return false;
	}
	r->layer.listed_count = list->as.map.count;
	return true;
}

/* --- layers --- */

bool rlk_layer_read_uri(rlk_layer *layer, rlk_str uri, const char *what, rlk_scratch *scratch, rlk_error *err)
{
	reader r;

	begin_layer(&r, SCOPE_ALL, scratch, err);
	return add_uri(&r, uri, what) && end_layer(&r, layer);
}

static bool wrong_map(const rlk_value *value, rlk_error *err)
{
	char type[RLK_SHOWN_MAX];

	return RLK_WRONG_TYPE(err, "the options must be an array with their names as keys, %s given",
		value->type == RLK_VALUE_MAP ? "list" : rlk_value_type_name(value, type, sizeof(type)));
}

static bool read_map(rlk_layer *layer, const rlk_value *map, bool parameters, rlk_scratch *scratch, rlk_error *err);

/* Predis: options for every connection unless it has its own, hence a layer below. */
static bool read_parameters(rlk_layer *layer, const rlk_value *map, bool parameters, rlk_scratch *scratch,
	rlk_error *err)
{
	const rlk_value *options = rlk_value_find(map, "options"), *defaults = NULL;

	if (options != NULL && options->type == RLK_VALUE_MAP)
		defaults = rlk_value_find(options, "parameters");
	if (defaults == NULL)
		return true;
	if (!parameters && rlk_value_is_map(defaults))
		return read_map(layer, defaults, true, scratch, err);
	return RLK_WRONG_TYPE(err, "option \"options.parameters\" must be an array of connection options");
}

/* `parameters`: the array is the `options.parameters` of another one, and cannot have such options itself. Laravel's whole
 * `redis` section has connections in it. Where none is named `default` is meant, with what stands around it. */
static bool read_map(rlk_layer *layer, const rlk_value *map, bool parameters, rlk_scratch *scratch, rlk_error *err)
{
	const rlk_value *connection = rlk_value_find(map, "default");
	bool ok = read_parameters(layer, map, parameters, scratch, err);
	reader r;

	begin_layer(&r, SCOPE_ALL, scratch, err);
	if (connection != NULL && rlk_value_is_map(connection)) {
		ok = ok && read_parameters(layer, connection, parameters, scratch, err) && add_map(&r, connection);
		r.scope = SCOPE_SECTION;
	}
	return ok && add_map(&r, map) && end_layer(&r, layer);
}

bool rlk_layer_read_map(rlk_layer *layer, const rlk_value *map, rlk_scratch *scratch, rlk_error *err)
{
	reader r;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (rlk_value_is_map(map))
		return read_map(layer, map, false, scratch, err);
	if (map->type != RLK_VALUE_MAP)
		return wrong_map(map, err);
	/* Predis: a list of servers. */
	begin_layer(&r, SCOPE_ALL, scratch, err);
	return note_list(&r, RLK_LIST_UNNAMED, map) && end_layer(&r, layer);
}

bool rlk_layer_read_call(rlk_layer *layer, const rlk_value *map, rlk_scratch *scratch, rlk_error *err)
{
	reader r;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (!rlk_value_is_map(map))
		return wrong_map(map, err);
	begin_layer(&r, SCOPE_CALL, scratch, err);
	return add_map(&r, map) && end_layer(&r, layer);
}
