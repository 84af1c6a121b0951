/*
 * rlk_config: life of a configuration, and which layers an array, a URI and the host's defaults are.
 *
 * What an option may be stands in rlk_option.c. Between calls every string is
 * NULL or ours.
 */
#include "config/rlk_config.h"

#include "config/rlk_config_own.h"

#include <stdlib.h>

/* --- life --- */

static void destroy_text(char **field)
{
	rlk_str_store(field, rlk_str_make(NULL, 0));
}

void rlk_config_destroy(rlk_config *config)
{
	rlk_server_destroy(&config->server);
	rlk_config_list_destroy(&config->listed);
	destroy_text(&config->service);
	destroy_text(&config->sentinel_user);
	destroy_text(&config->sentinel_password);
	destroy_text(&config->label);
	rlk_buf_destroy(&config->name);
	rlk_buf_destroy(&config->prefix);
	rlk_buf_wipe(&config->token);
	memset(config, 0, sizeof(*config));
}

bool rlk_config_copy(rlk_config *to, const rlk_config *from)
{
	bool ok;

	*to = *from;
	/* What is not copied is not ours to free. */
	to->service = to->sentinel_user = to->sentinel_password = to->label = NULL;
	to->name = to->prefix = to->token = (rlk_buf)RLK_BUF_INIT;
	ok = rlk_server_copy(&to->server, &from->server);
	ok = rlk_config_list_copy(&to->listed, &from->listed) && ok;
	ok = ok && rlk_config_inherit(to, from, RLK_KEPT_IN_CONFIG, ~UINT64_C(0), NULL);
	if (!ok)
		rlk_config_destroy(to);
	return ok;
}

bool rlk_config_set_token(rlk_config *config, rlk_str token)
{
	const rlk_config given = { .token = { .data = (char *)token.data, .len = token.len } };

	return rlk_config_inherit(config, &given, RLK_KEPT_IN_CONFIG, RLK_SAID(TOKEN), NULL);
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
	config->said &= ~RLK_OPTIONS_OF_CONNECTION;
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

/* --- layers --- */

bool rlk_config_apply_uri(rlk_config *config, rlk_str uri, rlk_error *err)
{
	rlk_layer layer;
	bool ok;

	rlk_layer_init(&layer, RLK_LAYER_ALL);
	ok = rlk_layer_add_uri(&layer, uri, "the URI", err) && rlk_config_commit(config, &layer, err);
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

/* Predis: what is true of every connection unless the connection says otherwise, hence a layer below. */
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

/* One array. `parameters`: it is the `options.parameters` of another, so it cannot have such options itself. Laravel's
 * whole `redis` section has connections in it, of which `default` is meant where none is named; what stands around it
 * holds for it, too. */
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
	ok = ok && rlk_layer_add_map(&layer, map, err) && rlk_config_commit(config, &layer, err);
	rlk_layer_destroy(&layer);
	return ok;
}

bool rlk_config_apply_map(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	rlk_layer layer;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (rlk_value_is_map(map))
		return apply_map(config, map, false, err);
	if (map->type != RLK_VALUE_MAP)
		return wrong_map(map, err);
	/* Predis: a list of servers. What they are may be said later. */
	rlk_layer_init(&layer, RLK_LAYER_ALL);
	layer.list = map;
	layer.list_key = "";
	return rlk_config_commit(config, &layer, err);
}

bool rlk_config_apply_call(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	rlk_layer layer;

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (!rlk_value_is_map(map))
		return wrong_map(map, err);
	rlk_layer_init(&layer, RLK_LAYER_PER_CALL);
	if (!rlk_layer_add_map(&layer, map, err) || !rlk_config_commit(config, &layer, err))
		return false;
	/* A wait of 0 in a call that may wait is meant as it is said. */
	config->wait_given = config->wait_given || rlk_layer_has(&layer, RLK_OPTION_WAIT);
	return true;
}

bool rlk_config_require_renew(rlk_config *config, rlk_error *err)
{
	if ((config->said & RLK_SAID(RENEW)) != 0 && !config->renew)
		return RLK_WRONG_VALUE(err, "option \"renew\" must not be false here, where the lock is bound to the process");
	config->renew = true;
	return true;
}

bool rlk_config_require_name(const rlk_config *config, rlk_error *err)
{
	return config->name.len > 0 || RLK_WRONG_VALUE(err, "option \"name\" is required: it says which lock is meant");
}
