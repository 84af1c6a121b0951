/*
 * rlk_config_finish: what only the whole can show, once all layers are written: how the server is found, what the entries
 * of a list have from beside it, and what does not go together.
 */
#include "config/rlk_config_own.h"

#define SENTINEL_PORT 26379

#define SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)
#define CREDENTIALS (SAID(USER) | SAID(PASSWORD))
#define TIMEOUTS (SAID(CONNECT_TIMEOUT) | SAID(IO_TIMEOUT))

/* --- what an entry does not say holds for all --- */

/* `options`: those that the whole may say for an entry. User and password go together. */
static bool complete(rlk_server *entry, uint64_t said, const rlk_server *whole, uint64_t options, rlk_error *err)
{
	if ((said & CREDENTIALS) != 0)
		said |= CREDENTIALS;
	return rlk_config_inherit(entry, whole, options & ~said, err);
}

/* Gives a server TLS, unless its scheme says otherwise. Returns whether it has it. */
static bool switch_to_tls(rlk_server *server, uint64_t said)
{
	if (server->transport == RLK_TRANSPORT_TCP && (said & SAID(SCHEME)) == 0)
		server->transport = RLK_TRANSPORT_TLS;
	return server->transport == RLK_TRANSPORT_TLS;
}

/* --- seeds --- */

static bool has_key(const rlk_config *config, const char *key)
{
	return config->seeds_key != NULL && strcmp(config->seeds_key, key) == 0;
}

/* What the configuration as a whole says the servers are. */
static bool choose_routing(rlk_config *config, rlk_error *err)
{
	bool cluster = config->cluster_said || has_key(config, "cluster");
	bool sentinel = config->service != NULL || config->replication_said || has_key(config, "sentinels");

	config->routing = cluster ? RLK_ROUTING_CLUSTER : sentinel ? RLK_ROUTING_SENTINEL : RLK_ROUTING_NONE;
	if (cluster && sentinel)
		return RLK_WRONG_VALUE(err, "a configuration cannot be of sentinels and of a Cluster at once");
	if (sentinel && config->service == NULL)
		return RLK_WRONG_VALUE(err, "option \"service\" must name the master that the sentinels watch");
	if (config->routing == RLK_ROUTING_NONE && config->seeds_key != NULL)
		return RLK_WRONG_VALUE(err,
			"a list of servers needs \"service\" (sentinels) or \"cluster\" => true beside it; options of one server have "
			"their names as keys");
	return true;
}

/* Without a list, the host of the configuration is the one sentinel, or the one node, to begin with. */
static bool seed_own_host(rlk_config *config, rlk_error *err)
{
	bool said = (config->server_said & (SAID(HOST) | SAID(PATH))) != 0;
	const rlk_server *own = &config->server;

	if (config->seeds.count > 0 && config->seeds_key != NULL)
		return !said ||
			RLK_WRONG_VALUE(err,
				"the address of a server must not stand beside a list of them; it is in the list, or learned");
	if (!said)
		return config->routing == RLK_ROUTING_SENTINEL ?
			RLK_WRONG_VALUE(err, "option \"sentinels\" must list the sentinels") :
			RLK_WRONG_VALUE(err, "option \"cluster\" must list nodes of the Cluster");
	rlk_config_list_destroy(&config->seeds);
	if (!rlk_config_list_begin(&config->seeds, 1))
		return RLK_NO_MEMORY(err);
	config->seeds.count = 1;
	config->seeds.said[0] = config->server_said & SAID(PORT);
	rlk_server_init(config->seeds.servers, own->connect_timeout_ms, own->io_timeout_ms);
	return rlk_config_inherit(config->seeds.servers, own, SAID(SCHEME) | SAID(HOST) | SAID(PATH) | SAID(PORT), err);
}

/* The nodes of a Cluster have the credentials of the whole, sentinels those of their own. */
static bool complete_seed(const rlk_config *config, rlk_server *seed, uint64_t said, rlk_error *err)
{
	bool sentinel = config->routing == RLK_ROUTING_SENTINEL;
	const rlk_server of_sentinels = { .user = config->sentinel_user, .password = config->sentinel_password };

	if (sentinel && (said & SAID(PORT)) == 0)
		seed->port = SENTINEL_PORT;
	if (sentinel)
		seed->database = -1;
	if (!complete(seed, said, &config->server, TIMEOUTS | SAID(CLIENT_NAME), err) ||
		!complete(seed, said, sentinel ? &of_sentinels : &config->server, CREDENTIALS, err))
		return false;
	rlk_server_relabel(seed);
	return true;
}

/* Laravel says user and password in each entry of a Cluster: they hold for the nodes that are yet to be found, too. */
static bool adopt_credentials(rlk_config *config, rlk_error *err)
{
	const rlk_server *first = &config->seeds.servers[0];

	return config->server.password != NULL || first->password == NULL ||
		rlk_config_inherit(&config->server, first, CREDENTIALS, err);
}

/* A server of a Cluster is talked to by what it names itself, too, so the options of its entry would not do. */
static bool same_tls(const rlk_tls_options *a, const rlk_tls_options *b, rlk_error *err)
{
	rlk_buf bytes[2] = { RLK_BUF_INIT, RLK_BUF_INIT };
	bool made = rlk_tls_options_append(a, &bytes[0]) && rlk_tls_options_append(b, &bytes[1]);
	bool same = made && rlk_str_equal(rlk_buf_str(&bytes[0]), rlk_buf_str(&bytes[1]));

	rlk_buf_wipe(&bytes[0]);
	rlk_buf_wipe(&bytes[1]);
	if (!made)
		return RLK_NO_MEMORY(err);
	return same ||
		RLK_WRONG_VALUE(err, "options of TLS must be the same for all nodes of a Cluster; give them beside the list");
}

static bool wrong_tls(const char *what, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "TLS is asked for, but %s says otherwise; it must be all of the servers or none", what);
}

/* Who asks for TLS anywhere has it everywhere: neither an address learned in clear text nor a lock taken in clear text is
 * what was asked for. What an entry does not say holds for all; in a Cluster the first entry with TLS may say it, for the
 * nodes that are yet to be found. */
static bool spread_tls(rlk_config *config, rlk_error *err)
{
	bool cluster = config->routing == RLK_ROUTING_CLUSTER;
	const rlk_config_list *seeds = &config->seeds;
	rlk_server *own = &config->server;
	size_t first = 0;

	while (first < seeds->count && seeds->servers[first].transport != RLK_TRANSPORT_TLS)
		first++;
	if (own->transport != RLK_TRANSPORT_TLS && first == seeds->count)
		return true;
	if (!switch_to_tls(own, config->server_said))
		return wrong_tls("the configuration beside the list", err);
	if (cluster && first < seeds->count &&
		!rlk_config_inherit(own, &seeds->servers[first],
			RLK_OPTION_TLS_BITS & seeds->said[first] & ~config->server_said, err))
		return false;
	rlk_server_relabel(own);
	for (size_t i = 0; i < seeds->count; i++) {
		rlk_server *seed = &seeds->servers[i];

		if (!switch_to_tls(seed, seeds->said[i]))
			return wrong_tls(seed->label, err);
		if (!complete(seed, seeds->said[i], own, RLK_OPTION_TLS_BITS, err) ||
			(cluster && !same_tls(&seed->tls, &own->tls, err)))
			return false;
	}
	return true;
}

static bool check_databases(const rlk_config *config, rlk_error *err)
{
	bool ok = config->server.database <= 0;

	for (size_t i = 0; i < config->seeds.count; i++)
		ok = ok && config->seeds.servers[i].database <= 0;
	return ok || RLK_WRONG_VALUE(err, "option \"database\" must be 0 with a Cluster, which has no other");
}

/* An empty setting is what an unset variable leaves in an ini file; only one that is not there means our own default. */
static bool names_server(const rlk_config *config, rlk_error *err)
{
	const uint64_t address = SAID(HOST) | SAID(PORT) | SAID(PATH) | SAID(SCHEME);

	return !config->no_default_server || config->quorum.count > 0 || (config->server_said & address) != 0 ||
		RLK_WRONG_VALUE(err, "option \"host\" must name the server, since ini setting \"redislock.server\" is empty");
}

static bool finish_seeds(rlk_config *config, rlk_error *err)
{
	if (!choose_routing(config, err))
		return false;
	if (config->routing == RLK_ROUTING_NONE && (config->sentinel_password != NULL || config->sentinel_user != NULL))
		return RLK_WRONG_VALUE(err, "option \"sentinel_password\" must not be given without sentinels");
	if (config->routing == RLK_ROUTING_NONE)
		return names_server(config, err);
	if (config->fence && config->min_replicas == 0)
		return RLK_WRONG_VALUE(err,
			"option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers given "
			"out again");
	if (!seed_own_host(config, err) || !spread_tls(config, err))
		return false;
	if (config->sentinel_user != NULL && config->sentinel_password == NULL)
		return RLK_WRONG_VALUE(err, "option \"sentinel_username\" must not be given without \"sentinel_password\"");
	if (config->routing == RLK_ROUTING_CLUSTER && (!adopt_credentials(config, err) || !check_databases(config, err)))
		return false;
	for (size_t i = 0; i < config->seeds.count; i++) {
		if (!complete_seed(config, &config->seeds.servers[i], config->seeds.said[i], err))
			return false;
	}
	return true;
}

/* --- the quorum --- */

/* Has from the whole what the caller has said, that is: a quorum has time limits of its own, and php.ini's are for one
 * server. Never clear text where TLS is asked for. */
static bool complete_member(const rlk_config *config, rlk_server *member, uint64_t said, rlk_error *err)
{
	const uint64_t shared = TIMEOUTS | CREDENTIALS | SAID(DATABASE) | SAID(CLIENT_NAME) | RLK_OPTION_TLS_BITS;
	bool tls =
		config->server.transport == RLK_TRANSPORT_TLS && (config->server_said & (SAID(SCHEME) | SAID(TLS_WANTED))) != 0;

	if (!complete(member, said, &config->server, config->server_said & shared, err))
		return false;
	if (tls && !switch_to_tls(member, said))
		return RLK_WRONG_VALUE(err, "TLS is asked for beside the list \"servers\", but %s in it says otherwise",
			member->label);
	return rlk_config_finish_server(config, member, err);
}

/* One server asked twice would have two votes. Databases of one server live and die together. */
static bool refuse_twins(const rlk_config_list *list, rlk_error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (rlk_server_is_same(&list->servers[i], &list->servers[j]))
				return RLK_WRONG_VALUE(err, "option \"servers\" must name independent servers, but has %s twice",
					list->servers[i].label);
		}
	}
	return true;
}

static bool finish_quorum(rlk_config *config, rlk_error *err)
{
	const char *problem = NULL;

	if (config->quorum.count == 0)
		return true;
	if ((config->server_said & (SAID(HOST) | SAID(PATH) | SAID(PORT))) != 0)
		problem = "the address of a server must not stand beside the list \"servers\", but in it";
	else if (config->routing != RLK_ROUTING_NONE)
		problem =
			"option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent";
	else if (config->fence)
		problem = "option \"fence\" cannot be used with \"servers\": several servers have no common counter";
	else if (config->min_replicas > 0)
		problem = "option \"min_replicas\" cannot be used with \"servers\", which do not depend on their replicas";
	else if (config->release_async)
		problem =
			"option \"release_async\" cannot be used with \"servers\", whose slower half is not waited for anyway";
	else if (config->ttl_given && config->ttl_ms == 0)
		problem = "option \"ttl\" must not be 0 with \"servers\": it is what clears up after a server that was away";
	if (problem != NULL)
		return RLK_WRONG_VALUE(err, "%s", problem);
	for (size_t i = 0; i < config->quorum.count; i++) {
		if (!complete_member(config, &config->quorum.servers[i], config->quorum.said[i], err))
			return false;
	}
	return refuse_twins(&config->quorum, err);
}

/* --- the lock --- */

bool rlk_config_check_bound_ttl(int64_t ttl_ms, const char *what, rlk_error *err)
{
	char given[RLK_NUMBER_SHOWN_MAX];

	return ttl_ms <= RLK_TTL_MAX_BOUND_MS ||
		RLK_WRONG_VALUE(err, "%s is in seconds, and must be at most %d for a process-bound lock, %s given", what,
			RLK_TTL_MAX_BOUND_MS / 1000, rlk_number_show((double)ttl_ms / 1000, given, sizeof(given)));
}

static bool finish_ttl(rlk_config *config, rlk_error *err)
{
	const char *key = config->ttl_key != NULL ? config->ttl_key : "ttl";
	char what[RLK_OPTION_PHRASE_MAX] = "ini setting \"redislock.ttl\"";

	if (config->ttl_given)
		rlk_option_phrase(key, what);
	else if (config->ttl_default_ms > 0)
		config->ttl_ms = config->ttl_default_ms;
	else
		config->ttl_ms = config->renew ? RLK_TTL_DEFAULT_BOUND_MS : RLK_TTL_DEFAULT_LEASE_MS;
	if (config->renew && !rlk_config_check_bound_ttl(config->ttl_ms, what, err))
		return false;
	/* Below 2 ms there is no moment left to renew at. */
	if (config->renew && config->ttl_ms < 2)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be at least 0.002 seconds with \"renew\"", key);
	if (config->ttl_ms == 0 && (config->hold_at_least_ms > 0 || config->fence))
		return RLK_WRONG_VALUE(err, "option \"%s\" must not be 0 with \"%s\"", key,
			config->fence ? "fence" : "hold_at_least");
	return true;
}

/* While the child waits for replicas it renews nothing else over that connection. */
static bool finish_replicas(rlk_config *config, rlk_error *err)
{
	if (config->replica_timeout_ms == 0)
		config->replica_timeout_ms = RLK_REPLICA_TIMEOUT_DEFAULT_MS;
	if (config->min_replicas > 0 && config->ttl_ms > 0 && config->replica_timeout_ms >= config->ttl_ms / 2)
		return RLK_WRONG_VALUE(err,
			"option \"replica_timeout\" must be less than half the ttl, which has to last for the wait for replicas and "
			"the work");
	return !config->release_async || !config->renew ||
		RLK_WRONG_VALUE(err, "option \"release_async\" is for leases, not for locks bound to the process");
}

/* The ttl of RedLock::lock() is in ms, and so is what is said of it. */
static bool finish_interval(rlk_config *config, bool ttl_in_ms, rlk_error *err)
{
	char interval[RLK_NUMBER_SHOWN_MAX], ttl[RLK_NUMBER_SHOWN_MAX];
	double ttl_given = ttl_in_ms ? (double)config->ttl_ms : (double)config->ttl_ms / 1000;

	config->interval_ms = 0;
	if (!config->renew)
		return true;
	if (config->interval_said_ms >= config->ttl_ms)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be less than the ttl of %s %s, %s%s given",
			config->interval_key, rlk_number_show(ttl_given, ttl, sizeof(ttl)), ttl_in_ms ? "ms" : "seconds",
			rlk_number_show((double)config->interval_said_ms / 1000, interval, sizeof(interval)),
			ttl_in_ms ? " seconds" : "");
	config->interval_ms = config->interval_said_ms > 0 ? config->interval_said_ms : config->ttl_ms / 3;
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
	return finish_interval(config, true, err);
}

bool rlk_config_finish(rlk_config *config, rlk_error *err)
{
	if ((config->name == NULL && !rlk_str_store(&config->name, RLK_STR(""))) ||
		(config->prefix == NULL && !rlk_str_store(&config->prefix, RLK_STR(""))))
		return RLK_NO_MEMORY(err);
	return rlk_config_finish_server(config, &config->server, err) && finish_seeds(config, err) &&
		finish_ttl(config, err) && finish_interval(config, false, err) && finish_replicas(config, err) &&
		finish_quorum(config, err);
}
