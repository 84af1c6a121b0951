/*
 * rlk_layer_read: arrays and URIs taken apart into options.
 *
 * What is read at once, an array with its `url` and `options` for instance,
 * becomes a layer of its own, in which a URI wins over the rest. When it is
 * complete it is laid over the layers before.
 */
#include "config/rlk_layer_own.h"

#include <stddef.h>
#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)
#define HOSTS_MAX 16 /* of a URI */

static void begin_layer(rlk_reading *r, rlk_scope scope, rlk_scratch *scratch, rlk_error *err)
{
	memset(r, 0, offsetof(rlk_reading, layer));
	r->scope = scope;
	r->scratch = scratch;
	r->err = err;
	r->hosts = (rlk_value){ RLK_VALUE_MAP, { .map = { NULL, 0, true } } };
	rlk_layer_init(&r->layer);
}

/* --- arrays --- */

static bool wrong_key(rlk_reading *r, rlk_str key)
{
	char what[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (r->uri != NULL && !r->uri->may_tell_keys)
		snprintf(what, sizeof(what), "number %d in the query of %s", r->uri->option_number, r->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_value_show(key, shown, sizeof(shown)));
	return rlk_option_wrong_key(key, what, r->err);
}

/* One key and its value. */
static bool add(rlk_reading *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("", key);
	char shown[RLK_SHOWN_MAX];

	if (option.row == NULL && r->scope == RLK_SCOPE_SECTION && value->type == RLK_VALUE_MAP)
		return true; /* another connection, or Laravel's clusters of them */
	if (value->type == RLK_VALUE_OTHER && rlk_str_equal(key, RLK_STR("retry")))
		return true; /* Predis' strategy */
	if (option.row == NULL)
		return wrong_key(r, key);
	if (r->scope == RLK_SCOPE_CALL && (option.row->flags & RLK_OPTION_PER_CALL) == 0)
		/* `timeout` is often meant as the ttl. */
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for a single call%s",
			rlk_value_show(key, shown, sizeof(shown)),
			option.row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
	/* Predis gives servers a weight. */
	if (r->scope == RLK_SCOPE_ENTRY && option.row->option == RLK_OPTION_WEIGHT)
		return true;
	return value->type == RLK_VALUE_NULL || rlk_reading_add(r, &option, value);
}

/* One of the options of a client library, most of which mean nothing here. What names a server, credentials or a promise
 * that we cannot keep is an error: ignored, it would lead elsewhere or weaken the lock. */
static bool add_nested(rlk_reading *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("", key), prefix = rlk_option_find("options.", key);
	rlk_option_kind kind;
	rlk_setting checked;

	if (value->type == RLK_VALUE_NULL || option.row == NULL)
		return true;
	/* Two prefixes are no contradiction: Laravel merges `options` for all connections into each of them, and a connection's
	 * own prefix wins. */
	if (prefix.row != NULL)
		return rlk_reading_check(r, &prefix, value, &checked) &&
			(rlk_layer_has(&r->layer, RLK_OPTION_PREFIX) || rlk_reading_set(r, RLK_OPTION_PREFIX, &checked));
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

static bool add_uri(rlk_reading *r, rlk_str given, const char *what);

/* Its `url` wins over the rest, as in Laravel, whose stock configurations have both. */
static bool add_map(rlk_reading *r, const rlk_value *map)
{
	const rlk_value *url = NULL, *options;

	if (r->scope != RLK_SCOPE_CALL)
		url = rlk_value_find(map, "url");
	if (url != NULL && url->type != RLK_VALUE_STRING)
		return rlk_option_wrong_type("url", url, "a string", r->err);
	/* Empty is absent, as in Laravel, where something else names a server. */
	if (url != NULL && url->as.s.len == 0)
		r->layer.has |= r->scope == RLK_SCOPE_ENTRY ? 0 : RLK_BIT(EMPTY_URL);
	else if (url != NULL && !add_uri(r, url->as.s, r->scope == RLK_SCOPE_ENTRY ? "the address" : "option \"url\""))
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

static bool add_part(rlk_reading *r, const char *key, rlk_str text)
{
	const rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || add(r, rlk_str_from_cstr(key), &value);
}

static bool note_host(rlk_reading *r, rlk_str address)
{
	size_t count = r->hosts.as.map.count;

	for (size_t i = 0; i < count; i++) {
		if (rlk_str_equal(r->host_entries[i].value.as.s, address))
			return true;
	}
	if (count == HOSTS_MAX || (count > 0 && r->scope == RLK_SCOPE_ENTRY))
		return RLK_WRONG_VALUE(r->err, "option \"host\" asks for several servers" RLK_NOT_SUPPORTED);
	if (count == 0)
		r->host_entries = rlk_scratch_take(r->scratch, HOSTS_MAX * sizeof(rlk_entry), r->err);
	if (r->host_entries == NULL)
		return false;
	r->hosts.as.map.entries = r->host_entries;
	r->host_entries[r->hosts.as.map.count++] = (rlk_entry){ { NULL, 0 }, { RLK_VALUE_STRING, { .s = address } } };
	return true;
}

/* Symfony's host[name:port] or host[/path:]. A second one makes it a list, of sentinels, say; then the first is not the host,
 * which may also stand in front of the query. */
static bool add_bracketed_host(rlk_reading *r, rlk_str inner)
{
	bool is_path = inner.len > 0 && inner.data[0] == '/';

	if (is_path && inner.data[inner.len - 1] == ':')
		inner.len--;
	if (r->hosts.as.map.count == 0 && r->uri->path.data != NULL)
		return RLK_WRONG_VALUE(r->err, "%s names both a host and a socket", r->uri->what);
	if ((r->hosts.as.map.count == 0 && r->uri->host.data != NULL && !note_host(r, r->uri->authority)) ||
		!note_host(r, inner))
		return false;
	if (r->hosts.as.map.count > 1) {
		r->layer.has &= ~(RLK_BIT(HOST) | RLK_BIT(PORT) | RLK_BIT(PATH));
		return rlk_reading_note_list(r, RLK_LIST_UNNAMED, &r->hosts);
	}
	if (is_path) {
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

/* Also host[name:port]=alias%3Dx and host[name:port][alias]=x. Of Predis' parameters of one host only those may stand there
 * that say nothing of where it is and who asks it. */
static bool add_host_option(rlk_reading *r, rlk_str inner, rlk_str parameters)
{
	for (size_t i = 0; i + 1 < inner.len; i++) {
		if (inner.data[i] == ']' && inner.data[i + 1] == '[') {
			parameters = rlk_str_make(inner.data + i + 2, inner.len - i - 2);
			inner.len = i;
		}
	}
	while (parameters.len > 0) {
		rlk_str parameter = rlk_uri_cut(&parameters, '&');
		const rlk_option_row *row = rlk_option_find("", rlk_uri_cut(&parameter, '=')).row;

		if (row == NULL || (row->kind != RLK_KIND_IGNORED && row->option != RLK_OPTION_WEIGHT))
			return RLK_WRONG_VALUE(r->err,
				"option \"host\" of %s must be host[name:port], without parameters of its own", r->uri->what);
	}
	return add_bracketed_host(r, inner);
}

/* Symfony's `auth`: a password, or auth[]=user&auth[]=password. What it is for is known behind the query. */
static bool note_auth(rlk_reading *r, bool in_brackets, rlk_str text)
{
	size_t count = r->auth.as.map.count;

	if (count == 2 || (count > 0 && (!in_brackets || !r->auth.as.map.is_list)))
		return RLK_WRONG_VALUE(r->err, "option \"auth\" must be " RLK_AUTH_ALLOWED);
	r->auth_entries[count] = (rlk_entry){ { NULL, 0 }, { RLK_VALUE_STRING, { .s = text } } };
	r->auth = (rlk_value){ RLK_VALUE_MAP, { .map = { r->auth_entries, count + 1, in_brackets } } };
	return true;
}

/* With sentinels it is theirs, and that of the servers only if the URI has no other password. */
static bool add_noted_auth(rlk_reading *r)
{
	size_t count = r->auth.as.map.count;

	if (count == 0)
		return true;
	if (rlk_layer_text(&r->layer, RLK_OPTION_SERVICE).len > 0) {
		if ((count == 2 && !add_part(r, "sentinel_username", r->auth_entries[0].value.as.s)) ||
			!add_part(r, "sentinel_password", r->auth_entries[count - 1].value.as.s))
			return false;
		if (rlk_layer_text(&r->layer, RLK_OPTION_PASSWORD).len > 0)
			return true;
	}
	return add(r, RLK_STR("auth"), r->auth.as.map.is_list ? &r->auth : &r->auth_entries[0].value);
}

static bool add_query_option(rlk_reading *r, rlk_str key, rlk_str text)
{
	const char *bracket = key.len > 0 ? memchr(key.data, '[', key.len) : NULL;
	rlk_str base = rlk_str_make(key.data, bracket != NULL ? (size_t)(bracket - key.data) : key.len), inner;
	const rlk_option_row *row = rlk_option_find("", base).row;
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
		r->uri->may_tell_keys = false;
	if (bracket == NULL) {
		if (rlk_str_equal(key, RLK_STR("auth")))
			return note_auth(r, false, text);
		/* Here it cannot be a list. */
		return add(r, rlk_str_equal(key, RLK_STR("cluster")) ? RLK_STR("redis_cluster") : key, &value);
	}
	if (key.data[key.len - 1] == ']') {
		inner = rlk_str_make(bracket + 1, key.len - base.len - 2);
		if (rlk_str_equal(base, RLK_STR("host")))
			return add_host_option(r, inner, text);
		if (rlk_str_equal(base, RLK_STR("ssl")))
			return rlk_reading_add_tls_option(r, "ssl.", inner, &value);
		if (rlk_str_equal(base, RLK_STR("auth")) &&
			(inner.len == 0 || (inner.len == 1 && inner.data[0] == '0' + (char)r->auth.as.map.count)))
			return note_auth(r, true, text);
	}
	return (row != NULL && row->kind == RLK_KIND_IGNORED) || wrong_key(r, key);
}

/* A URI made of unset variables looks like "redis://:6379". Any host we assume would be a guess. */
static bool check_address(rlk_reading *r)
{
	bool host = rlk_layer_has(&r->layer, RLK_OPTION_HOST), path = rlk_layer_has(&r->layer, RLK_OPTION_PATH);

	if (r->hosts.as.map.count > 1 || host != path)
		return true;
	return host ?
		RLK_WRONG_VALUE(r->err, "%s names both a host and a socket", r->uri->what) :
		RLK_WRONG_VALUE(r->err,
			"%s must name a host, or the path of a socket; the default server is never used instead", r->uri->what);
}

static bool add_query(rlk_reading *r)
{
	rlk_str key, text;

	do {
		if (!rlk_uri_next(r->uri, &key, &text, r->err))
			return false;
	} while (key.data != NULL && add_query_option(r, key, text));
	return key.data == NULL;
}

/* Its scheme decides between a host and the path of a socket, also for the array beside it. */
static bool add_uri(rlk_reading *r, rlk_str given, const char *what)
{
	rlk_uri uri;
	bool ok;

	r->uri = &uri;
	ok = rlk_uri_parse(&uri, given, what, r->scope == RLK_SCOPE_ENTRY, r->scratch, r->err) &&
		add_part(r, "host", uri.host) && add_part(r, "port", uri.port) && add_part(r, "path", uri.path) &&
		add_part(r, "database", uri.database) && add_part(r, "username", uri.user) &&
		add_part(r, "password", uri.password) && add_query(r) && add_noted_auth(r) && check_address(r) &&
		(!uri.has_scheme ||
			rlk_reading_set_number(r, RLK_OPTION_SCHEME, "scheme",
				r->list == &r->hosts && uri.transport == RLK_TRANSPORT_UNIX ? RLK_TRANSPORT_TCP : uri.transport));
	r->uri = NULL;
	return ok;
}

/* --- the end of a layer --- */

static bool two_servers(rlk_reading *r, rlk_option_id a, rlk_option_id b)
{
	return RLK_WRONG_VALUE(r->err, "options \"%s\" and \"%s\" name two different servers; leave one out",
		r->layer.settings[a].key, r->layer.settings[b].key);
}

/* A host and the path of a socket in one array are common, one of them left over from a stock configuration. `scheme`
 * says which is meant; without it we would have to guess. */
static bool choose_transport(rlk_reading *r)
{
	bool path = rlk_layer_has(&r->layer, RLK_OPTION_PATH), by_array, host;
	int64_t transport;

	/* In Yii2, which has a host by default. */
	if (path && r->by_uri == 0 && strcmp(r->layer.settings[RLK_OPTION_PATH].key, "unixSocket") == 0)
		r->layer.has &= ~(RLK_BIT(HOST) | RLK_BIT(PORT) | RLK_BIT(SCHEME));
	host = rlk_layer_has(&r->layer, RLK_OPTION_HOST);
	transport = rlk_layer_number(&r->layer, RLK_OPTION_SCHEME, path ? RLK_TRANSPORT_UNIX : RLK_TRANSPORT_OF_HOST);

	/* Predis and phpredis look at options of TLS only where the scheme is one of TLS, or there is none; Yii2 has `useSSL`, beside
	 * the scheme tcp. In a URI clients differ. */
	by_array = rlk_layer_has(&r->layer, RLK_OPTION_SCHEME) && (r->by_uri & RLK_BIT(SCHEME)) == 0;
	if (r->use_ssl && by_array && transport == RLK_TRANSPORT_TCP)
		transport = r->layer.settings[RLK_OPTION_SCHEME].number = RLK_TRANSPORT_TLS;
	else if (!r->use_ssl && transport != RLK_TRANSPORT_TLS && (r->no_ssl || by_array))
		r->layer.has &= ~RLK_OPTIONS_OF_TLS;
	if (rlk_layer_has(&r->layer, RLK_OPTION_SCHEME) && transport != RLK_TRANSPORT_UNIX && path && !host)
		return two_servers(r, RLK_OPTION_SCHEME, RLK_OPTION_PATH);
	if (!rlk_layer_has(&r->layer, RLK_OPTION_SCHEME) && host && path)
		return two_servers(r, RLK_OPTION_HOST, RLK_OPTION_PATH);
	if (host || path || rlk_layer_has(&r->layer, RLK_OPTION_SCHEME))
		rlk_layer_set_number(&r->layer, RLK_OPTION_TRANSPORT, "", transport);
	return true;
}

/* phpredis and Laravel write 0 or -1 beside the path of a socket. The number in a URI may be a piece of a password. */
static bool check_port(rlk_reading *r)
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

static bool read_entries(rlk_reading *r);

static bool end_layer(rlk_reading *r, rlk_layer *over)
{
	if (r->auth_without_user && rlk_layer_has(&r->layer, RLK_OPTION_PASSWORD) &&
		!rlk_layer_has(&r->layer, RLK_OPTION_USER))
		/* `auth` is user and password in one, so a password alone means no user. */
		rlk_layer_set_number(&r->layer, RLK_OPTION_USER, "auth", 0);
	return choose_transport(r) && check_port(r) && read_entries(r) && rlk_layer_lay_over(over, &r->layer, r->err);
}

/* --- lists of servers --- */

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_triple(rlk_reading *r, const rlk_value *list)
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

/* None of the parts of an address is an entry that names no server. */
static bool add_entry(rlk_reading *r, const rlk_value *value, rlk_list_key key)
{
	bool is_list = value->type == RLK_VALUE_MAP && value->as.map.is_list, quorum = key == RLK_LIST_SERVERS;

	if (value->type == RLK_VALUE_STRING)
		return add_uri(r, value->as.s, "the address");
	if (value->type == RLK_VALUE_NULL || rlk_value_is_map(value))
		return value->type == RLK_VALUE_NULL || add_map(r, value);
	if (is_list && value->as.map.count <= 3)
		return add_triple(r, value);
	return RLK_WRONG_TYPE(r->err, "each of the %s must be \"host:port\", a URI%s", list_names[key],
		quorum ? ", [host, port, timeout] or an array of connection options" : " or an array with \"host\"");
}

/* An entry has the options of one server; all others belong beside the list. */
static bool refuse_others(rlk_reading *r, rlk_list_key key)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if ((r->layer.has & ~RLK_OPTIONS_OF_SERVER & RLK_OPTION_BIT(option)) != 0)
			return RLK_WRONG_VALUE(r->err, "option \"%s\" must be given beside the list %s%s, not in it",
				r->layer.settings[option].key, key == RLK_LIST_SERVERS ? "" : "of ", list_names[key]);
	}
	return true;
}

static bool read_entries(rlk_reading *r)
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
		rlk_reading inner;

		begin_layer(&inner, RLK_SCOPE_ENTRY, r->scratch, r->err);
		if (!add_entry(&inner, &list->as.map.entries[i].value, key) || !refuse_others(&inner, key) ||
			!end_layer(&inner, entry) || !rlk_layer_check_server(entry, r->err))
			return false;
		if ((entry->has & (RLK_BIT(HOST) | RLK_BIT(PATH))) == 0)
			return RLK_WRONG_VALUE(r->err, "each of the %s " RLK_NO_SERVER, list_names[key]);
	}
	r->layer.listed_count = list->as.map.count;
	return true;
}

/* --- layers --- */

bool rlk_layer_read_uri(rlk_layer *layer, rlk_str uri, const char *what, rlk_scratch *scratch, rlk_error *err)
{
	rlk_reading r;

	begin_layer(&r, RLK_SCOPE_ALL, scratch, err);
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
	rlk_reading r;

	begin_layer(&r, RLK_SCOPE_ALL, scratch, err);
	if (connection != NULL && rlk_value_is_map(connection)) {
		ok = ok && read_parameters(layer, connection, parameters, scratch, err) && add_map(&r, connection);
		r.scope = RLK_SCOPE_SECTION;
	}
	return ok && add_map(&r, map) && end_layer(&r, layer);
}

bool rlk_layer_read_map(rlk_layer *layer, const rlk_value *map, rlk_scratch *scratch, rlk_error *err)
{
	rlk_reading r;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (rlk_value_is_map(map))
		return read_map(layer, map, false, scratch, err);
	if (map->type != RLK_VALUE_MAP)
		return wrong_map(map, err);
	/* Predis: a list of servers. */
	begin_layer(&r, RLK_SCOPE_ALL, scratch, err);
	return rlk_reading_note_list(&r, RLK_LIST_UNNAMED, map) && end_layer(&r, layer);
}

bool rlk_layer_read_call(rlk_layer *layer, const rlk_value *map, rlk_scratch *scratch, rlk_error *err)
{
	rlk_reading r;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (!rlk_value_is_map(map))
		return wrong_map(map, err);
	begin_layer(&r, RLK_SCOPE_CALL, scratch, err);
	return add_map(&r, map) && end_layer(&r, layer);
}
