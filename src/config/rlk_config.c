/*
 * rlk_config: the life of a configuration, and the rules for the options of a lock.
 */
#include "config/rlk_config.h"

#include "lock/rlk_kind.h"

#include <stdlib.h>

/* --- life --- */

void rlk_config_destroy(rlk_config *config)
{
	rlk_server_destroy(&config->server);
	for (size_t i = 0; i < config->listed.count; i++)
		rlk_server_destroy(&config->listed.servers[i]);
	free(config->listed.servers);
	rlk_buf_wipe(&config->name);
	rlk_buf_wipe(&config->prefix);
	rlk_buf_wipe(&config->token);
	rlk_str_store(&config->label, rlk_str_make(NULL, 0));
	rlk_str_store(&config->service, rlk_str_make(NULL, 0));
	memset(config, 0, sizeof(*config));
}

/* --- the host's settings --- */

typedef struct {
	int connect_timeout_ms, io_timeout_ms;
	int64_t ttl_ms;
	rlk_layer server; /* empty without one */
} host_settings;

static bool read_timeout(double seconds, const char *setting, int *ms, rlk_error *err)
{
	int64_t given_ms;
	bool ok = rlk_timeout_to_ms(seconds, &given_ms);

	*ms = given_ms > 0 ? (int)given_ms : RLK_TIMEOUT_DEFAULT_MS;
	return ok || RLK_WRONG_VALUE(err, "ini setting \"%s\" must be " RLK_TIMEOUT_ALLOWED, setting);
}

static bool read_server(rlk_layer *layer, const char *server, rlk_scratch *scratch, rlk_error *err)
{
	const rlk_value uri = { RLK_VALUE_STRING, { .s = rlk_str_from_cstr(server) } };
	rlk_error cause;

	rlk_layer_init(layer);
	if (uri.as.s.len == 0)
		return true;
	rlk_error_clear(&cause);
	if (!rlk_layer_read(layer, &uri, false, scratch, &cause) || !rlk_layer_check_server(layer, &cause)) {
		rlk_error_set(err, cause.code, cause.sys_errno, "ini setting \"redislock.server\" is not valid: %s",
			cause.text);
		return false;
	}
	/* Options of TLS beside the URI ask for TLS, whatever the scheme of the URI. */
	layer->has &= ~RLK_BIT(SCHEME);
	return true;
}

static bool read_settings(host_settings *host, const rlk_config_defaults *defaults, rlk_scratch *scratch,
	rlk_error *err)
{
	return read_timeout(defaults->connect_timeout, "redislock.connect_timeout", &host->connect_timeout_ms, err) &&
		read_timeout(defaults->io_timeout, "redislock.io_timeout", &host->io_timeout_ms, err) &&
		rlk_config_seconds(defaults->ttl, true, false, "ini setting \"redislock.ttl\"", &host->ttl_ms, err) &&
		read_server(&host->server, defaults->server, scratch, err);
}

bool rlk_config_check_defaults(const rlk_config_defaults *defaults, rlk_error *err)
{
	rlk_scratch scratch = { NULL };
	host_settings host;
	bool ok = read_settings(&host, defaults, &scratch, err);

	rlk_scratch_wipe(&scratch);
	return ok;
}

/* --- the rules for the options of a lock --- */

static bool check_servers_option(const rlk_config *config, rlk_error *err)
{
	const char *problem = NULL;

	if (config->routing == RLK_ROUTING_QUORUM) {
		if (config->token.len > 0)
			problem = "option \"token\" cannot be used with \"servers\": each try on several needs a fresh one";
		else if (config->fence)
			problem = "option \"fence\" cannot be used with \"servers\": several servers have no common counter";
		else if (config->min_replicas > 0)
			problem = "option \"min_replicas\" cannot be used with \"servers\", which do not depend on their replicas";
		else if (config->ttl_key != NULL && config->ttl_ms == 0)
			problem =
				"option \"ttl\" must not be 0 with \"servers\": it is what clears up after a server that was away";
	} else if (config->routing != RLK_ROUTING_NONE && config->fence && config->min_replicas == 0) {
		problem =
			"option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers "
			"given out again";
	}
	return problem == NULL || RLK_WRONG_VALUE(err, "%s", problem);
}

/* Sets the kind of lock. Fails for options that a lock of several holders cannot have. */
static bool complete_kind(rlk_config *config, rlk_error *err)
{
	const char *problem = NULL;

	if (config->shared && (config->given & RLK_BIT(PERMITS)) != 0)
		return RLK_WRONG_VALUE(err,
			"option \"permits\" cannot be used with \"shared\": any number may share a lock, so there is nothing to count");
	if ((config->given & (RLK_BIT(WEIGHT) | RLK_BIT(PERMITS))) == RLK_BIT(WEIGHT))
		return RLK_WRONG_VALUE(err, "option \"weight\" needs \"permits\", of which it is a part");
	if (config->weight > config->permits)
		return RLK_WRONG_VALUE(err, "option \"weight\" must be at most the %d of \"permits\", %d given",
			config->permits, config->weight);
	config->kind = rlk_kind_of(config->permits, config->weight, config->shared);
	if (rlk_kind_is_string(&config->kind))
		return true;
	if (config->routing == RLK_ROUTING_QUORUM)
		problem = "cannot be used with \"servers\": a majority can agree on one holder, but not on several";
	else if (config->fence)
		problem = "cannot be used with \"fence\", which numbers holders in their order: several at a time have none";
	else if (config->reentrant && config->kind.weight > 1)
		problem = "cannot be used with \"reentrant\" and a \"weight\" above 1: entered again, it would not count again";
	else if (config->ttl_ms == 0)
		problem = "needs a \"ttl\" above 0: it is what clears up after a holder that has vanished";
	return problem == NULL || RLK_WRONG_VALUE(err, "option \"%s\" %s", config->shared ? "shared" : "permits", problem);
}

static bool complete_ttl(rlk_config *config, rlk_error *err)
{
	const char *key = config->ttl_key != NULL ? config->ttl_key : "ttl";
	char what[RLK_OPTION_PHRASE_MAX] = "ini setting \"redislock.ttl\"";

	if (config->ttl_key != NULL)
		rlk_option_phrase(key, what);
	else if (config->ttl_default_ms > 0)
		config->ttl_ms = config->ttl_default_ms;
	else
		config->ttl_ms = config->renew ? RLK_TTL_DEFAULT_BOUND_MS : RLK_TTL_DEFAULT_LEASE_MS;
	if (config->renew && !rlk_config_check_bound_ttl(config->ttl_ms, what, err))
		return false;
	if (config->routing == RLK_ROUTING_QUORUM && config->ttl_ms > 0 && config->ttl_ms < RLK_TTL_MIN_QUORUM_MS)
		return RLK_WRONG_VALUE(err, "%s must be at least 0.01 seconds on several servers", what);
	/* Below 2 ms there is no time left to renew. */
	if (config->renew && config->ttl_ms < 2)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be at least 0.002 seconds with \"renew\"", key);
	if (config->ttl_ms == 0 && (config->hold_at_least_ms > 0 || config->fence))
		return RLK_WRONG_VALUE(err, "option \"%s\" must not be 0 with \"%s\"", key,
			config->fence ? "fence" : "hold_at_least");
	return true;
}

/* While the child waits for replicas, it renews nothing else over that connection. */
static bool complete_replicas(rlk_config *config, rlk_error *err)
{
	if (config->replica_timeout_ms == 0)
		config->replica_timeout_ms = RLK_REPLICA_TIMEOUT_DEFAULT_MS;
	if (config->min_replicas > 0 && config->ttl_ms > 0 && config->replica_timeout_ms >= config->ttl_ms / 2)
		return RLK_WRONG_VALUE(err,
			"option \"replica_timeout\" must be less than half the ttl, which has to last for the wait for replicas and "
			"the work");
	return true;
}

static bool complete_interval(rlk_config *config, rlk_error *err)
{
	char interval[RLK_NUMBER_SHOWN_MAX], ttl[RLK_NUMBER_SHOWN_MAX];

	config->interval_ms = 0;
	if (!config->renew)
		return true;
	if (config->interval_given_ms >= config->ttl_ms)
		return RLK_WRONG_VALUE(err, "option \"interval\" must be less than the ttl of %s seconds, %s given",
			rlk_number_show((double)config->ttl_ms / 1000, ttl, sizeof(ttl)),
			rlk_number_show((double)config->interval_given_ms / 1000, interval, sizeof(interval)));
	config->interval_ms = config->interval_given_ms > 0 ? config->interval_given_ms : config->ttl_ms / 3;
	/* Half the ttl leaves time for a second try when one renewal fails. */
	if (config->interval_ms > config->ttl_ms / 2)
		config->interval_ms = config->ttl_ms / 2;
	if (config->interval_ms == 0)
		config->interval_ms = 1;
	return true;
}

bool rlk_config_set_ttl(rlk_config *config, int64_t ttl_ms, rlk_error *err)
{
	config->ttl_ms = ttl_ms;
	return complete_interval(config, err);
}

bool rlk_config_require_name(const rlk_config *config, rlk_error *err)
{
	return config->name.len > 0 || RLK_WRONG_VALUE(err, "option \"name\" is required: it says which lock is meant");
}

/* Writes the options of the lock over those that *config has, and checks them. */
static bool complete_lock(rlk_config *config, const rlk_layer *options, bool bound, rlk_error *err)
{
	if (!rlk_layer_store(options, RLK_KEPT_IN_CONFIG, config, err))
		return false;
	config->given |= options->has;
	if (rlk_layer_has(options, RLK_OPTION_TTL))
		config->ttl_key = options->settings[RLK_OPTION_TTL].key;
	config->waits = config->wait_ms > 0;
	if (bound && (config->given & RLK_BIT(RENEW)) != 0 && !config->renew)
		return RLK_WRONG_VALUE(err, "option \"renew\" must not be false here, where the lock is bound to the process");
	config->renew = config->renew || bound;
	if (rlk_buf_reserve(&config->name, 0) == NULL || rlk_buf_reserve(&config->prefix, 0) == NULL)
		return RLK_NO_MEMORY(err);
	return check_servers_option(config, err) && complete_ttl(config, err) && complete_kind(config, err) &&
		complete_interval(config, err) && complete_replicas(config, err) &&
		(!bound || rlk_config_require_name(config, err));
}

/* --- making one --- */

/* Normalises each layer, and lays it over those before. */
static bool read_layers(rlk_layer *options, const rlk_value *layers, size_t count, rlk_scratch *scratch, size_t *at,
	rlk_error *err)
{
	rlk_layer layer;

	for (*at = 0; *at < count; (*at)++) {
		if (!rlk_layer_read(&layer, &layers[*at], false, scratch, err) || !rlk_layer_lay_over(options, &layer, err))
			return false;
	}
	*at = 0;
	return true;
}

/* The host's server, unless the caller names an address: its password must not be sent to another one. */
static bool choose_server(rlk_layer *options, host_settings *host, rlk_layer **chosen, rlk_error *err)
{
	if ((options->has & (RLK_BIT(HOST) | RLK_BIT(PATH))) != 0 || options->listed_count > 0) {
		*chosen = options;
		return true;
	}
	*chosen = &host->server;
	return rlk_layer_lay_over(&host->server, options, err);
}

/* An unset variable leaves an empty setting in an ini file. Our own default is for ini files without the setting. */
static bool check_named(const rlk_config *config, const rlk_layer *options, const rlk_config_defaults *defaults,
	rlk_error *err)
{
	return config->routing != RLK_ROUTING_NONE || defaults->server == NULL || defaults->server[0] != '\0' ||
		(options->has & RLK_OPTIONS_OF_ADDRESS & ~RLK_BIT(TRANSPORT)) != 0 ||
		RLK_WRONG_VALUE(err, "option \"host\" must name the server, since ini setting \"redislock.server\" is empty");
}

static void begin_config(rlk_config *config, const host_settings *host, bool persistent)
{
	memset(config, 0, sizeof(*config));
	config->ttl_default_ms = host->ttl_ms;
	config->retry_ms = RLK_RETRY_DEFAULT_MS;
	config->attempts = 1;
	config->max_hold_ms = RLK_NEVER;
	config->on_lost = RLK_ON_LOST_THROW;
	config->permits = config->weight = 1;
	config->persistent = persistent;
}

bool rlk_config_make(rlk_config *config, const rlk_config_defaults *defaults, const rlk_value *layers, size_t count,
	bool bound, size_t *at, rlk_error *err)
{
	static const rlk_config_defaults none = { NULL, NULL, 0, 0, 0, false };
	rlk_scratch scratch = { NULL };
	rlk_layer given, *options = &given;
	host_settings host;
	bool ok;

	*at = count;
	memset(config, 0, sizeof(*config));
	defaults = defaults != NULL ? defaults : &none;
	rlk_layer_init(&given);
	ok = read_settings(&host, defaults, &scratch, err) && read_layers(&given, layers, count, &scratch, at, err) &&
		choose_server(&given, &host, &options, err);
	if (ok) {
		begin_config(config, &host, defaults->persistent);
		if (defaults->prefix != NULL && !rlk_layer_has(options, RLK_OPTION_PREFIX))
			rlk_layer_set_text(options, RLK_OPTION_PREFIX, "prefix", rlk_str_from_cstr(defaults->prefix));
		ok = rlk_config_make_servers(config, options, host.connect_timeout_ms, host.io_timeout_ms, err) &&
			check_named(config, options, defaults, err) && complete_lock(config, options, bound, err);
	}
	rlk_scratch_wipe(&scratch);
	if (!ok)
		rlk_config_destroy(config);
	return ok;
}

bool rlk_config_for_call(rlk_config *config, const rlk_config *base, const rlk_value *map, bool bound, rlk_error *err)
{
	rlk_scratch scratch = { NULL };
	rlk_layer options;
	bool ok;

	*config = *base;
	config->token = (rlk_buf)RLK_BUF_INIT;
	config->label = NULL;
	if (!rlk_buf_replace(&config->token, rlk_buf_str(&base->token)) ||
		!rlk_str_store(&config->label, rlk_str_from_cstr(base->label)))
		ok = RLK_NO_MEMORY(err);
	else
		ok = rlk_layer_read(&options, map, true, &scratch, err) && complete_lock(config, &options, bound, err);
	/* Here a wait of 0 is a wait that was given, not the default. */
	config->waits = config->waits || (ok && rlk_layer_has(&options, RLK_OPTION_WAIT));
	rlk_scratch_wipe(&scratch);
	if (!ok)
		rlk_config_end_call(config);
	return ok;
}

void rlk_config_end_call(rlk_config *config)
{
	rlk_buf_wipe(&config->token);
	rlk_str_store(&config->label, rlk_str_make(NULL, 0));
}
