/*
 * rlk_config: the life of a configuration, and how layers are written over it.
 *
 * Host and path may both be known while layers are merged; the transport says
 * which one counts, and finishing drops the other. Entries of lists are read at
 * once, each into a configuration of its own; what kind of list it is another
 * layer may tell later. Between calls every string is NULL or ours.
 */
#include "config/rlk_config.h"

#include "config/rlk_layer.h"
#include "lock/rlk_quorum.h"

#include <stdlib.h>

/* The strings of a configuration itself, not of its server. */
#define OWN_TEXTS \
	(RLK_OPTIONS(RLK_OPTION_NAME, RLK_OPTION_LABEL) | RLK_OPTIONS(RLK_OPTION_SERVICE, RLK_OPTION_SENTINEL_PASSWORD))

static const rlk_config empty;

/* --- fields --- */

static void *field_of(const void *kept_in, const rlk_option_row *row)
{
	return (char *)kept_in + row->offset;
}

static bool is_text(const rlk_option_row *row)
{
	return row->kind == RLK_KIND_STRING || row->kind == RLK_KIND_HOST || row->kind == RLK_KIND_PATH;
}

static bool store_text(void *field, const rlk_option_row *row, rlk_str text)
{
	rlk_buf copy = RLK_BUF_INIT;

	if ((row->flags & RLK_OPTION_BINARY) == 0)
		return rlk_str_store(field, text.len > 0 ? text : rlk_str_make(NULL, 0));
	if (text.data != NULL && !rlk_buf_append_str(&copy, text))
		return false;
	/* It may be a token, with which anybody can release the lock. */
	rlk_buf_wipe(field);
	*(rlk_buf *)field = copy;
	return true;
}

static void store_number(void *field, const rlk_option_row *row, int64_t number)
{
	if (row->size == sizeof(bool))
		*(bool *)field = (number != 0) != ((row->flags & RLK_OPTION_NEGATED) != 0);
	else if (row->size == sizeof(int))
		*(int *)field = (int)number;
	else
		*(int64_t *)field = number;
}

bool rlk_config_inherit(void *to, const void *from, rlk_option_kept kept, uint64_t options, rlk_error *err)
{
	for (size_t i = 0; i < rlk_option_row_count; i++) {
		const rlk_option_row *row = &rlk_option_rows[i];
		const void *field = field_of(from, row);
		rlk_str text;

		if (row->kept != kept || (options & RLK_OPTION_BIT(row->option)) == 0)
			continue;
		if (!is_text(row)) {
			memcpy(field_of(to, row), field, row->size);
			continue;
		}
		text = (row->flags & RLK_OPTION_BINARY) != 0 ? rlk_buf_str(field) : rlk_str_from_cstr(*(char *const *)field);
		if (!store_text(field_of(to, row), row, text))
			return RLK_NO_MEMORY(err);
	}
	return true;
}

/* --- life --- */

static void destroy_list(rlk_config_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		rlk_server_destroy(&list->servers[i]);
	free(list->servers);
	free(list->given);
	memset(list, 0, sizeof(*list));
}

bool rlk_config_list_begin(rlk_config_list *list, size_t count)
{
	destroy_list(list);
	list->servers = calloc(count + 1, sizeof(*list->servers));
	list->given = calloc(count + 1, sizeof(*list->given));
	return list->servers != NULL && list->given != NULL;
}

static bool copy_list(rlk_config_list *to, const rlk_config_list *from)
{
	memset(to, 0, sizeof(*to));
	if (from->count > 0 && !rlk_config_list_begin(to, from->count))
		return false;
	for (; to->count < from->count; to->count++) {
		to->given[to->count] = from->given[to->count];
		if (!rlk_server_copy(&to->servers[to->count], &from->servers[to->count]))
			return false;
	}
	return true;
}

void rlk_config_destroy(rlk_config *config)
{
	rlk_server_destroy(&config->server);
	destroy_list(&config->listed);
	rlk_config_inherit(config, &empty, RLK_KEPT_IN_CONFIG, OWN_TEXTS, NULL);
	*config = empty;
}

bool rlk_config_copy(rlk_config *to, const rlk_config *from)
{
	bool ok;

	*to = *from;
	/* So that a failure frees no string of *from. */
	to->service = to->sentinel_user = to->sentinel_password = to->label = NULL;
	to->name = to->prefix = to->token = (rlk_buf)RLK_BUF_INIT;
	ok = rlk_server_copy(&to->server, &from->server);
	ok = copy_list(&to->listed, &from->listed) && ok;
	ok = ok && rlk_config_inherit(to, from, RLK_KEPT_IN_CONFIG, OWN_TEXTS, NULL);
	if (!ok)
		rlk_config_destroy(to);
	return ok;
}

bool rlk_config_set_token(rlk_config *config, rlk_str token)
{
	const rlk_config given = { .token = { .data = (char *)token.data, .len = token.len } };

	return rlk_config_inherit(config, &given, RLK_KEPT_IN_CONFIG, RLK_BIT(TOKEN), NULL);
}

static bool default_timeout(double seconds, const char *setting, int *ms, rlk_error *err)
{
	int64_t given_ms;
	bool ok = rlk_timeout_to_ms(seconds, &given_ms);

	*ms = given_ms > 0 ? (int)given_ms : RLK_TIMEOUT_DEFAULT_MS;
	return ok || RLK_WRONG_VALUE(err, "ini setting \"%s\" must be " RLK_TIMEOUT_ALLOWED, setting);
}

static bool default_server(rlk_config *config, const char *server, rlk_error *err)
{
	rlk_error cause;

	rlk_error_clear(&cause);
	config->no_default_server = server[0] == '\0';
	if (config->no_default_server)
		return true;
	if (!rlk_config_apply_uri(config, rlk_str_from_cstr(server), &cause) ||
		!rlk_config_finish_server(config, &config->server, &cause)) {
		rlk_error_set(err, cause.code, cause.sys_errno, "ini setting \"redislock.server\" is not valid: %s",
			cause.text);
		return false;
	}
	config->server_is_default = true;
	config->given &= ~RLK_OPTIONS_OF_CONNECTION;
	return true;
}

static bool apply_defaults(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err)
{
	if (!default_timeout(defaults->connect_timeout, "redislock.connect_timeout", &config->connect_timeout_default_ms,
			err) ||
		!default_timeout(defaults->io_timeout, "redislock.io_timeout", &config->io_timeout_default_ms, err) ||
		!rlk_config_seconds(defaults->ttl, true, false, "ini setting \"redislock.ttl\"", &config->ttl_default_ms, err))
		return false;
	rlk_server_init(&config->server, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	if (defaults->prefix != NULL && !rlk_buf_append_str(&config->prefix, rlk_str_from_cstr(defaults->prefix)))
		return RLK_NO_MEMORY(err);
	return defaults->server == NULL || default_server(config, defaults->server, err);
}

bool rlk_config_init(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err)
{
	static const rlk_config_defaults none = { NULL, NULL, 0, 0, 0 };

	memset(config, 0, sizeof(*config));
	config->retry_ms = RLK_RETRY_DEFAULT_MS;
	config->max_hold_ms = RLK_NEVER;
	config->on_lost = RLK_ON_LOST_THROW;
	if (apply_defaults(config, defaults != NULL ? defaults : &none, err))
		return true;
	rlk_config_destroy(config);
	return false;
}

/* --- one server --- */

/* Options of TLS make a TCP connection one with TLS, unless a scheme was given, in this or an earlier layer. */
static bool decide_tls(rlk_config *config, rlk_error *err)
{
	rlk_server *server = &config->server;

	if (!server->tls.wanted || server->transport == RLK_TRANSPORT_TLS)
		return true;
	if (server->transport == RLK_TRANSPORT_UNIX)
		return RLK_WRONG_VALUE(err, "options of TLS are given for a unix socket, on which there is no TLS");
	if ((config->given & RLK_BIT(SCHEME)) != 0)
		return RLK_WRONG_VALUE(err,
			"options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS");
	server->transport = RLK_TRANSPORT_TLS;
	return true;
}

/* The caller names an address: drops everything of the host's default server, if that stands there. Its password must not
 * be sent to another one. What the caller has given before stays. */
static bool forget_default_server(rlk_config *config, rlk_error *err)
{
	const uint64_t options = RLK_OPTIONS_OF_CONNECTION & ~config->given;
	rlk_server fresh;

	if (!config->server_is_default)
		return true;
	rlk_server_init(&fresh, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	destroy_list(&config->listed);
	config->listed_key = RLK_LIST_NONE;
	config->server_is_default = false;
	return rlk_config_inherit(config, &empty, RLK_KEPT_IN_CONFIG, options, err) &&
		rlk_config_inherit(&config->server, &fresh, RLK_KEPT_IN_SERVER, options, err) && decide_tls(config, err);
}

static bool contradict(const rlk_layer *layer, rlk_option_id a, rlk_option_id b, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "options \"%s\" and \"%s\" name two different servers; leave one out",
		layer->options[a].key, layer->options[b].key);
}

/* A host and the path of a socket in one array are common, one of them left over from a stock configuration. `scheme`
 * says which is meant; without it we would have to guess. */
static bool commit_transport(rlk_server *server, const rlk_layer *layer, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (rlk_layer_has(layer, RLK_OPTION_SCHEME)) {
		server->transport = (rlk_transport)rlk_layer_number(layer, RLK_OPTION_SCHEME, RLK_TRANSPORT_TCP);
		return server->transport == RLK_TRANSPORT_UNIX || !path || host ||
			contradict(layer, RLK_OPTION_SCHEME, RLK_OPTION_PATH, err);
	}
	if (host && path)
		return contradict(layer, RLK_OPTION_HOST, RLK_OPTION_PATH, err);
	if (path)
		server->transport = RLK_TRANSPORT_UNIX;
	else if (host && server->transport == RLK_TRANSPORT_UNIX)
		server->transport = RLK_TRANSPORT_TCP; /* TLS stays: another host is no reason for clear text */
	return true;
}

static bool commit_port(rlk_server *server, const rlk_layer *layer, rlk_error *err)
{
	int64_t port = rlk_layer_number(layer, RLK_OPTION_PORT, server->port);
	bool by_uri = (layer->given_by_uri & RLK_BIT(PORT)) != 0;
	rlk_option option;

	if (port > 0) {
		server->port = (uint16_t)port;
		return true;
	}
	/* 0 and -1 are allowed where a port means nothing. */
	option = rlk_option_find("", RLK_STR("port"));
	return server->transport == RLK_TRANSPORT_UNIX || rlk_option_wrong_number(&option, (double)port, by_uri, err);
}

/* One fixed pause instead of a backoff, whose growth would hardly show in so few tries. RETRY_DELAY, written later, wins. */
static void commit_backoff(rlk_server *server, const rlk_layer *layer)
{
	int64_t delay_ms = rlk_layer_number(layer, RLK_OPTION_BACKOFF_BASE, server->retry_delay_ms);

	server->retry_delay_ms =
		(int)rlk_clock_earlier(delay_ms, rlk_layer_number(layer, RLK_OPTION_BACKOFF_CAP, delay_ms));
}

/* So that later messages use the spelling that was given. */
static void note_key(const rlk_layer *layer, rlk_option_id option, const char **key)
{
	if (rlk_layer_has(layer, option))
		*key = layer->options[option].key;
}

static void note_given(rlk_config *config, const rlk_layer *layer)
{
	config->given |= layer->given;
	if ((layer->given & RLK_OPTIONS_OF_DELAY) != 0)
		config->given |= RLK_OPTIONS_OF_DELAY;
	note_key(layer, RLK_OPTION_TTL, &config->ttl_key);
	note_key(layer, RLK_OPTION_INTERVAL, &config->interval_key);
	note_key(layer, RLK_OPTION_USER, &config->user_key);
	if (!layer->auth_without_user)
		return;
	/* `auth` is user and password in one, so a password alone means no user. */
	config->given |= RLK_BIT(USER);
	if (rlk_layer_has(layer, RLK_OPTION_PASSWORD))
		rlk_str_store(&config->server.user, rlk_str_make(NULL, 0));
}

static bool commit_fields(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	for (size_t i = 0; i < rlk_option_row_count; i++) {
		const rlk_option_row *row = &rlk_option_rows[i];
		void *kept_in = row->kept == RLK_KEPT_IN_SERVER ? (void *)&config->server : config;

		if ((row->flags & RLK_OPTION_OWN_RULE) != 0 || !rlk_layer_has(layer, row->option))
			continue;
		if (!is_text(row))
			store_number(field_of(kept_in, row), row, layer->options[row->option].value.number);
		else if (!store_text(field_of(kept_in, row), row, layer->options[row->option].value.text))
			return RLK_NO_MEMORY(err);
	}
	return true;
}

static bool commit_options(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	rlk_server *server = &config->server;

	note_given(config, layer);
	commit_backoff(server, layer);
	if (!commit_transport(server, layer, err) || !commit_port(server, layer, err) || !commit_fields(config, layer, err))
		return false;
	/* In a layer 0 means the default. */
	if (server->connect_timeout_ms == 0)
		server->connect_timeout_ms = config->connect_timeout_default_ms;
	if (server->io_timeout_ms == 0)
		server->io_timeout_ms = config->io_timeout_default_ms;
	config->wait_given = config->wait_ms > 0;
	return decide_tls(config, err);
}

/* --- lists of servers --- */

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_triple(rlk_layer *layer, const rlk_value *list, rlk_error *err)
{
	static const char *const keys[] = { "host", "port", "timeout" };
	rlk_entry entries[3];
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, list->as.map.count, false } } };

	for (size_t i = 0; i < list->as.map.count; i++)
		entries[i] = (rlk_entry){ rlk_str_from_cstr(keys[i]), list->as.map.entries[i].value };
	return rlk_layer_add_map(layer, &map, err);
}

/* What messages call a list. */
static const char *const list_names[] = { "", "servers", "\"servers\"", "sentinels", "Cluster nodes" };

static bool add_entry(rlk_layer *layer, const rlk_value *value, rlk_list_key key, rlk_error *err)
{
	bool is_list = value->type == RLK_VALUE_MAP && value->as.map.is_list, quorum = key == RLK_LIST_SERVERS;

	if (value->type == RLK_VALUE_STRING && (value->as.s.len > 0 || !quorum))
		return rlk_layer_add_uri(layer, value->as.s, "the address", err);
	if (is_list && value->as.map.count >= 1 && value->as.map.count <= 3)
		return add_triple(layer, value, err);
	if (value->type == RLK_VALUE_MAP && !is_list)
		return rlk_layer_add_map(layer, value, err);
	return RLK_WRONG_TYPE(err, "each of the %s must be \"host:port\", a URI%s", list_names[key],
		quorum ? ", [host, port, timeout] or an array of connection options" : " or an array with \"host\"");
}

/* An entry has the options of one server; all others belong beside the list. */
static bool refuse_others(const rlk_layer *layer, rlk_list_key key, rlk_error *err)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if ((layer->given & ~RLK_OPTIONS_OF_SERVER & RLK_OPTION_BIT(option)) != 0)
			return RLK_WRONG_VALUE(err, "option \"%s\" must be given beside the list %s%s, not in it",
				layer->options[option].key, key == RLK_LIST_SERVERS ? "" : "of ", list_names[key]);
	}
	return true;
}

static bool read_entry(rlk_config *config, const rlk_value *value, rlk_error *err)
{
	rlk_config_list *list = &config->listed;
	bool quorum = config->listed_key == RLK_LIST_SERVERS; /* it has time limits of its own */
	rlk_config own = {
		.connect_timeout_default_ms = quorum ? RLK_MEMBER_TIMEOUT_MS : config->connect_timeout_default_ms,
		.io_timeout_default_ms = quorum ? RLK_MEMBER_TIMEOUT_MS : config->io_timeout_default_ms,
	};
	rlk_layer layer;
	bool ok;

	rlk_server_init(&own.server, own.connect_timeout_default_ms, own.io_timeout_default_ms);
	rlk_layer_init(&layer, RLK_LAYER_ENTRY);
	ok = add_entry(&layer, value, config->listed_key, err) && refuse_others(&layer, config->listed_key, err) &&
		commit_options(&own, &layer, err) && rlk_config_finish_server(&own, &own.server, err);
	rlk_layer_destroy(&layer);
	list->servers[list->count] = own.server;
	list->given[list->count++] = own.given;
	return ok;
}

/* Reads a list in place of the one before. */
static bool commit_list(rlk_config *config, rlk_list_key key, const rlk_value *list, rlk_error *err)
{
	size_t count = list->as.map.count;

	if (config->listed_key != RLK_LIST_NONE && (config->listed_key == RLK_LIST_SERVERS) != (key == RLK_LIST_SERVERS))
		return RLK_WRONG_VALUE(err, RLK_QUORUM_ALONE);
	if (count > RLK_CONFIG_SEEDS_MAX)
		return RLK_WRONG_VALUE(err, "at most %d %s may be listed", RLK_CONFIG_SEEDS_MAX, list_names[key]);
	config->listed_key = key;
	if (!rlk_config_list_begin(&config->listed, count))
		return RLK_NO_MEMORY(err);
	for (size_t i = 0; i < count; i++) {
		if (!read_entry(config, &list->as.map.entries[i].value, err))
			return false;
	}
	return true;
}

/* Writes the layer over the configuration. */
static bool commit(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	bool address = (layer->given & (RLK_BIT(HOST) | RLK_BIT(PATH))) != 0 || layer->list != NULL;

	return (!address || forget_default_server(config, err)) && commit_options(config, layer, err) &&
		(layer->list == NULL || commit_list(config, layer->list_key, layer->list, err));
}

/* --- layers --- */

bool rlk_config_apply_uri(rlk_config *config, rlk_str uri, rlk_error *err)
{
	rlk_layer layer;
	bool ok;

	rlk_layer_init(&layer, RLK_LAYER_ALL);
	ok = rlk_layer_add_uri(&layer, uri, "the URI", err) && commit(config, &layer, err);
	rlk_layer_destroy(&layer);
	return ok;
}

static bool wrong_map(const rlk_value *value, rlk_error *err)
{
	char type[RLK_SHOWN_MAX];

	return RLK_WRONG_TYPE(err, "the options must be an array with their names as keys, %s given",
		value->type == RLK_VALUE_MAP ? "list" : rlk_value_type_name(value, type, sizeof(type)));
}

static bool apply_map(rlk_config *config, const rlk_value *map, bool parameters, rlk_error *err);

/* Predis: options for every connection unless it has its own, hence a layer below. */
static bool apply_parameters(rlk_config *config, const rlk_value *map, bool parameters, rlk_error *err)
{
	const rlk_value *options = rlk_value_find(map, "options"), *defaults = NULL;

	if (options != NULL && options->type == RLK_VALUE_MAP)
		defaults = rlk_value_find(options, "parameters");
	if (defaults == NULL)
		return true;
	if (!parameters && rlk_value_is_map(defaults))
		return apply_map(config, defaults, true, err);
	return RLK_WRONG_TYPE(err, "option \"options.parameters\" must be an array of connection options");
}

/* `parameters`: the array is the `options.parameters` of another one, and cannot have such options itself. Laravel's whole
 * `redis` section has connections in it. Where none is named `default` is meant, with what stands around it. */
static bool apply_map(rlk_config *config, const rlk_value *map, bool parameters, rlk_error *err)
{
	const rlk_value *connection = rlk_value_find(map, "default");
	bool ok = apply_parameters(config, map, parameters, err);
	rlk_layer layer;

	rlk_layer_init(&layer, RLK_LAYER_ALL);
	if (connection != NULL && rlk_value_is_map(connection)) {
		ok = ok && apply_parameters(config, connection, parameters, err) && rlk_layer_add_map(&layer, connection, err);
		layer.scope = RLK_LAYER_SECTION;
	}
	ok = ok && rlk_layer_add_map(&layer, map, err) && commit(config, &layer, err);
	rlk_layer_destroy(&layer);
	return ok;
}

bool rlk_config_apply_map(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	if (map->type == RLK_VALUE_NULL)
		return true;
	if (rlk_value_is_map(map))
		return apply_map(config, map, false, err);
	if (map->type != RLK_VALUE_MAP)
		return wrong_map(map, err);
	/* Predis: a list of servers. */
	return forget_default_server(config, err) && commit_list(config, RLK_LIST_UNNAMED, map, err);
}

bool rlk_config_apply_call(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	rlk_layer layer;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (!rlk_value_is_map(map))
		return wrong_map(map, err);
	rlk_layer_init(&layer, RLK_LAYER_PER_CALL);
	if (!rlk_layer_add_map(&layer, map, err) || !commit(config, &layer, err))
		return false;
	/* Here a wait of 0 is meant as given, not as the default. */
	config->wait_given = config->wait_given || rlk_layer_has(&layer, RLK_OPTION_WAIT);
	return true;
}

bool rlk_config_require_renew(rlk_config *config, rlk_error *err)
{
	if ((config->given & RLK_BIT(RENEW)) != 0 && !config->renew)
		return RLK_WRONG_VALUE(err, "option \"renew\" must not be false here, where the lock is bound to the process");
	config->renew = true;
	return true;
}

bool rlk_config_require_name(const rlk_config *config, rlk_error *err)
{
	return config->name.len > 0 || RLK_WRONG_VALUE(err, "option \"name\" is required: it says which lock is meant");
}
