/*
 * rlk_config: life of a configuration, and layers written over it.
 *
 * What an option may be stands in rlk_option.h. Between calls every string is
 * NULL or ours.
 */
#include "config/rlk_config.h"

#include "base/rlk_wipe.h"
#include "config/rlk_config_own.h"

#include <stdlib.h>

/* Replaces an owned, binary-safe string by a copy. false: memory is out, nothing has changed. */
static bool set_text(char **field, size_t *len, rlk_str s)
{
	char *copy = malloc(s.len + 1);

	if (copy == NULL)
		return false;
	if (s.len > 0)
		memcpy(copy, s.data, s.len);
	copy[s.len] = '\0';
	/* A token, as likely as not: whoever knows it can release the lock. */
	rlk_wipe(*field, *field != NULL ? *len : 0);
	free(*field);
	*field = copy;
	*len = s.len;
	return true;
}

static bool copy_text(char **to, size_t *to_len, const char *from, size_t len)
{
	*to = NULL;
	*to_len = 0;
	return from == NULL || set_text(to, to_len, rlk_str_make(from, len));
}

void rlk_config_destroy(rlk_config *config)
{
	rlk_server_destroy(&config->server);
	rlk_config_list_destroy(&config->quorum);
	rlk_config_list_destroy(&config->seeds);
	rlk_str_store(&config->service, rlk_str_make(NULL, 0));
	rlk_str_store(&config->sentinel_user, rlk_str_make(NULL, 0));
	rlk_str_store(&config->sentinel_password, rlk_str_make(NULL, 0));
	free(config->name);
	free(config->prefix);
	rlk_wipe(config->token, config->token_len);
	free(config->token);
	free(config->label);
	memset(config, 0, sizeof(*config));
}

bool rlk_config_copy(rlk_config *to, const rlk_config *from)
{
	bool ok;

	*to = *from;
	/* Each of them, whatever becomes of the others: what is not copied is not ours to free. */
	to->service = to->sentinel_user = to->sentinel_password = NULL;
	ok = rlk_server_copy(&to->server, &from->server);
	ok = rlk_config_list_copy(&to->quorum, &from->quorum) && ok;
	ok = rlk_config_list_copy(&to->seeds, &from->seeds) && ok;
	ok = copy_text(&to->name, &to->name_len, from->name, from->name_len) && ok;
	ok = copy_text(&to->prefix, &to->prefix_len, from->prefix, from->prefix_len) && ok;
	ok = copy_text(&to->token, &to->token_len, from->token, from->token_len) && ok;
	ok = copy_text(&to->label, &to->label_len, from->label, from->label_len) && ok;
	ok = ok && rlk_str_store(&to->service, rlk_str_from_cstr(from->service)) &&
		rlk_str_store(&to->sentinel_user, rlk_str_from_cstr(from->sentinel_user)) &&
		rlk_str_store(&to->sentinel_password, rlk_str_from_cstr(from->sentinel_password));
	if (!ok)
		rlk_config_destroy(to);
	return ok;
}

bool rlk_config_set_token(rlk_config *config, rlk_str token)
{
	return set_text(&config->token, &config->token_len, token);
}

static bool default_timeout(int given_ms, const char *setting, int *ms, rlk_error *err)
{
	*ms = given_ms > 0 ? given_ms : RLK_TIMEOUT_DEFAULT_MS;
	return (given_ms >= 0 && given_ms <= RLK_TIMEOUT_MAX_MS) ||
		RLK_WRONG_VALUE(err, "ini setting \"%s\" must be at most %d seconds, or 0 for the default", setting,
			RLK_TIMEOUT_MAX_MS / 1000);
}

static bool apply_defaults(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err)
{
	rlk_error cause;

	rlk_error_clear(&cause);
	if (defaults->ttl_ms < 0 || defaults->ttl_ms > RLK_TTL_MAX_MS)
		return RLK_WRONG_VALUE(err,
			"ini setting \"redislock.ttl\" must be a number of seconds of at least 0.001 and at most 315360000");
	config->ttl_default_ms = defaults->ttl_ms;
	if (defaults->prefix != NULL &&
		!set_text(&config->prefix, &config->prefix_len, rlk_str_from_cstr(defaults->prefix)))
		return RLK_NO_MEMORY(err);
	config->no_default_server = defaults->server != NULL && defaults->server[0] == '\0';
	if (defaults->server == NULL || config->no_default_server)
		return true;
	if (!rlk_config_apply_uri(config, rlk_str_from_cstr(defaults->server), &cause) ||
		!rlk_config_finish_server(config, &config->server, &cause)) {
		rlk_error_set(err, cause.code, cause.sys_errno, "ini setting \"redislock.server\" is not valid: %s",
			cause.text);
		return false;
	}
	config->server_is_default = true;
	config->server_said = 0;
	return true;
}

bool rlk_config_init(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err)
{
	static const rlk_config_defaults none = { NULL, NULL, 0, 0, 0 };

	memset(config, 0, sizeof(*config));
	config->retry_ms = RLK_RETRY_DEFAULT_MS;
	config->max_hold_ms = RLK_NEVER;
	config->on_lost = RLK_ON_LOST_THROW;
	if (defaults == NULL)
		defaults = &none;
	if (!default_timeout(defaults->connect_timeout_ms, "redislock.connect_timeout", &config->connect_timeout_default_ms,
			err) ||
		!default_timeout(defaults->io_timeout_ms, "redislock.io_timeout", &config->io_timeout_default_ms, err))
		return false;
	rlk_server_init(&config->server, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	if (apply_defaults(config, defaults, err))
		return true;
	rlk_config_destroy(config);
	return false;
}

/* --- layers --- */

static bool commit_text(const rlk_layer *layer, rlk_option_id option, char **field, size_t *len, rlk_error *err)
{
	return !rlk_layer_has(layer, option) || set_text(field, len, layer->said[option].value.text) || RLK_NO_MEMORY(err);
}

/* For the checks of the whole: a message names the option as its author does. */
static void note_key(const rlk_layer *layer, rlk_option_id option, const char **key)
{
	if (rlk_layer_has(layer, option))
		*key = layer->said[option].key;
}

static bool commit_lock(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	note_key(layer, RLK_OPTION_TTL, &config->ttl_key);
	note_key(layer, RLK_OPTION_INTERVAL, &config->interval_key);
	config->ttl_given = config->ttl_given || rlk_layer_has(layer, RLK_OPTION_TTL);
	config->ttl_ms = rlk_layer_number(layer, RLK_OPTION_TTL, config->ttl_ms);
	config->wait_ms = rlk_layer_number(layer, RLK_OPTION_WAIT, config->wait_ms);
	config->wait_given = config->wait_ms > 0;
	config->retry_ms = rlk_layer_number(layer, RLK_OPTION_RETRY, config->retry_ms);
	config->interval_said_ms = rlk_layer_number(layer, RLK_OPTION_INTERVAL, config->interval_said_ms);
	config->max_hold_ms = rlk_layer_number(layer, RLK_OPTION_MAX_HOLD, config->max_hold_ms);
	config->hold_at_least_ms = rlk_layer_number(layer, RLK_OPTION_HOLD_AT_LEAST, config->hold_at_least_ms);
	config->linger_ms = rlk_layer_number(layer, RLK_OPTION_LINGER, config->linger_ms);
	config->renew_given = config->renew_given || rlk_layer_has(layer, RLK_OPTION_RENEW);
	config->renew = rlk_layer_number(layer, RLK_OPTION_RENEW, config->renew) != 0;
	config->reentrant = rlk_layer_number(layer, RLK_OPTION_REENTRANT, config->reentrant) != 0;
	config->min_replicas = (int)rlk_layer_number(layer, RLK_OPTION_MIN_REPLICAS, config->min_replicas);
	config->replica_timeout_ms = rlk_layer_number(layer, RLK_OPTION_REPLICA_TIMEOUT, config->replica_timeout_ms);
	config->release_async = rlk_layer_number(layer, RLK_OPTION_RELEASE_ASYNC, config->release_async) != 0;
	config->fence = rlk_layer_number(layer, RLK_OPTION_FENCE, config->fence) != 0;
	config->persistent = rlk_layer_number(layer, RLK_OPTION_PERSISTENT, config->persistent) != 0;
	config->on_lost = (rlk_on_lost)rlk_layer_number(layer, RLK_OPTION_ON_LOST, config->on_lost);
	return commit_text(layer, RLK_OPTION_NAME, &config->name, &config->name_len, err) &&
		commit_text(layer, RLK_OPTION_PREFIX, &config->prefix, &config->prefix_len, err) &&
		commit_text(layer, RLK_OPTION_TOKEN, &config->token, &config->token_len, err) &&
		commit_text(layer, RLK_OPTION_LABEL, &config->label, &config->label_len, err);
}

static bool commit(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	return rlk_config_commit_server(config, layer, err) && rlk_config_commit_seeds(config, layer, err) &&
		commit_lock(config, layer, err);
}

bool rlk_config_apply_uri(rlk_config *config, rlk_str given, rlk_error *err)
{
	rlk_layer layer = { 0 };
	rlk_uri uri;
	bool ok;

	ok = rlk_uri_parse(&uri, given, "the URI", err) && rlk_layer_add_uri(&layer, &uri, err) &&
		commit(config, &layer, err);
	rlk_uri_destroy(&uri);
	return ok;
}

/* The `url` beside other options. Empty is absent: that is what an unset environment variable becomes. */
static bool add_url(rlk_layer *layer, const rlk_value *url, rlk_uri *uri, rlk_error *err)
{
	if (url == NULL)
		return true;
	if (url->type != RLK_VALUE_STRING)
		return rlk_option_wrong_type(rlk_option_find(RLK_STR("url")), url, "a string", err);
	return url->as.s.len == 0 ||
		(rlk_uri_parse(uri, url->as.s, "option \"url\"", err) && rlk_layer_add_uri(layer, uri, err));
}

static bool wrong_map(const rlk_value *value, rlk_error *err)
{
	char type[RLK_SHOWN_MAX];

	return RLK_WRONG_TYPE(err, "the options must be an array with their names as keys, %s given",
		value->type == RLK_VALUE_MAP ? "list" : rlk_value_type_name(value, type, sizeof(type)));
}

static bool is_map(const rlk_value *value)
{
	return value->type == RLK_VALUE_MAP && (!value->as.map.is_list || value->as.map.count == 0);
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
	if (!parameters && is_map(defaults))
		return apply_map(config, defaults, true, err);
	return RLK_WRONG_TYPE(err, "option \"options.parameters\" must be an array of connection options");
}

/* One array. `parameters`: it is the `options.parameters` of another, so it cannot have such options itself. Laravel's
 * whole `redis` section has connections in it, of which `default` is meant where none is named; what stands around it
 * holds for it, too. */
static bool apply_map(rlk_config *config, const rlk_value *map, bool parameters, rlk_error *err)
{
	const rlk_value *connection = rlk_value_find(map, "default");
	rlk_uri uri = { 0 }, outer_uri = { 0 };
	rlk_layer layer = { 0 };
	bool section = connection != NULL && is_map(connection), ok;

	ok = apply_parameters(config, map, parameters, err);
	if (section)
		ok = ok && apply_parameters(config, connection, parameters, err) &&
			add_url(&layer, rlk_value_find(connection, "url"), &uri, err) &&
			rlk_layer_add_map(&layer, connection, RLK_LAYER_ALL, err);
	ok = ok && add_url(&layer, rlk_value_find(map, "url"), &outer_uri, err) &&
		rlk_layer_add_map(&layer, map, section ? RLK_LAYER_SECTION : RLK_LAYER_ALL, err) &&
		rlk_config_list_seeds(config, section ? connection : map, err) && commit(config, &layer, err) &&
		rlk_config_list_quorum(config, section ? connection : map, err);
	rlk_uri_destroy(&uri);
	rlk_uri_destroy(&outer_uri);
	return ok;
}

bool rlk_config_apply_map(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	if (map->type == RLK_VALUE_NULL)
		return true;
	if (map->type != RLK_VALUE_MAP)
		return wrong_map(map, err);
	if (map->as.map.is_list && map->as.map.count > 0)
		return rlk_config_set_seeds(config, "", map, err);
	return apply_map(config, map, false, err);
}

bool rlk_config_apply_call(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	rlk_layer layer = { 0 };

	if (map->type == RLK_VALUE_NULL)
		return true;
	if (!is_map(map))
		return wrong_map(map, err);
	if (!rlk_layer_add_map(&layer, map, RLK_LAYER_PER_CALL, err) || !commit_lock(config, &layer, err))
		return false;
	/* A wait of 0 in a call that may wait is meant as it is said. */
	config->wait_given = config->wait_given || rlk_layer_has(&layer, RLK_OPTION_WAIT);
	return true;
}

bool rlk_config_require_renew(rlk_config *config, rlk_error *err)
{
	if (config->renew_given && !config->renew)
		return RLK_WRONG_VALUE(err, "option \"renew\" must not be false here, where the lock is bound to the process");
	config->renew = true;
	return true;
}

bool rlk_config_require_name(const rlk_config *config, rlk_error *err)
{
	return config->name_len > 0 || RLK_WRONG_VALUE(err, "option \"name\" is required: it says which lock is meant");
}
