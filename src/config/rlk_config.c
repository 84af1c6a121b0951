/*
 * rlk_config: life of a configuration, and the checks of the whole.
 *
 * What an option may be stands in the other rlk_config_*.c. Between calls every
 * string is NULL or ours, and servers is NULL or has server_count endpoints.
 */
#include "config/rlk_config.h"

#include "base/rlk_wipe.h"
#include "config/rlk_config_message.h"
#include "config/rlk_config_quorum.h"
#include "config/rlk_config_nodes.h"
#include "config/rlk_config_server.h"

#include <stdlib.h>

bool rlk_config_set(char **field, size_t *len, rlk_str s)
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

void rlk_config_destroy(rlk_config *config)
{
	for (size_t i = 0; i < config->server_count; i++)
		rlk_endpoint_destroy(&config->servers[i]);
	free(config->servers);
	rlk_config_destroy_quorum(config);
	rlk_config_destroy_nodes(config);
	free(config->name);
	free(config->prefix);
	rlk_wipe(config->token, config->token_len);
	free(config->token);
	free(config->label);
	memset(config, 0, sizeof(*config));
}

static bool copy_bytes(char **to, size_t *to_len, const char *from, size_t len)
{
	return from == NULL || rlk_config_set(to, to_len, rlk_str_make(from, len));
}

bool rlk_config_copy(rlk_config *to, const rlk_config *from)
{
	bool ok;

	*to = *from;
	to->name = to->prefix = to->token = to->label = NULL;
	to->name_len = to->prefix_len = to->token_len = to->label_len = 0;
	to->server_count = 0;
	to->servers = malloc(from->server_count * sizeof(*to->servers));
	ok = to->servers != NULL;
	for (size_t i = 0; ok && i < from->server_count; i++) {
		ok = rlk_endpoint_copy(&to->servers[i], &from->servers[i]);
		to->server_count++;
	}
	ok = rlk_config_copy_quorum(to, from) && ok;
	ok = rlk_config_copy_nodes(to, from) && ok;
	ok = ok && copy_bytes(&to->name, &to->name_len, from->name, from->name_len) &&
		copy_bytes(&to->prefix, &to->prefix_len, from->prefix, from->prefix_len) &&
		copy_bytes(&to->token, &to->token_len, from->token, from->token_len) &&
		copy_bytes(&to->label, &to->label_len, from->label, from->label_len);
	if (!ok)
		rlk_config_destroy(to);
	return ok;
}

static bool default_timeout(int given_ms, const char *setting, int *ms, rlk_error *err)
{
	*ms = given_ms > 0 ? given_ms : RLK_TIMEOUT_DEFAULT_MS;
	if (given_ms >= 0 && given_ms <= RLK_TIMEOUT_MAX_MS)
		return true;
	rlk_error_set(err, RLK_ERR_VALUE, 0, "ini setting \"%s\" must be at most %d seconds, or 0 for the default", setting,
		RLK_TIMEOUT_MAX_MS / 1000);
	return false;
}

static bool apply_defaults(rlk_config *config, const rlk_config_defaults *defaults, rlk_error *err)
{
	rlk_error cause;

	rlk_error_clear(&cause);
	if (defaults->ttl_ms < 0 || defaults->ttl_ms > RLK_TTL_MAX_MS) {
		rlk_error_set(err, RLK_ERR_VALUE, 0,
			"ini setting \"redislock.ttl\" must be a number of seconds of at least 0.001 and at most "
			"315360000");
		return false;
	}
	config->ttl_default_ms = defaults->ttl_ms;
	if (defaults->prefix != NULL &&
		!rlk_config_set(&config->prefix, &config->prefix_len, rlk_str_from_cstr(defaults->prefix)))
		return rlk_config_no_memory(err);
	config->no_default_server = defaults->server != NULL && defaults->server[0] == '\0';
	if (defaults->server == NULL || config->no_default_server)
		return true;
	if (!rlk_config_apply_uri(config, rlk_str_from_cstr(defaults->server), &cause) ||
		!rlk_config_finish_server(config, &config->servers[0], &cause)) {
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
	config->servers = malloc(sizeof(*config->servers));
	if (config->servers == NULL)
		return rlk_config_no_memory(err);
	config->server_count = 1;
	rlk_endpoint_init(&config->servers[0], config->connect_timeout_default_ms, config->io_timeout_default_ms);
	if (apply_defaults(config, defaults, err))
		return true;
	rlk_config_destroy(config);
	return false;
}
