/*
 * rlk_config_finish: completes a configuration when all layers are written: how the server is found, what the entries of a
 * list have from beside it, and which options exclude each other.
 */
#include "config/rlk_config.h"

#include "config/rlk_layer.h"
#include "net/rlk_tls.h"

#define SENTINEL_PORT 26379

#define CREDENTIALS (RLK_BIT(USER) | RLK_BIT(PASSWORD))
#define TIMEOUTS (RLK_BIT(CONNECT_TIMEOUT) | RLK_BIT(IO_TIMEOUT))

/* --- one server --- */

bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err)
{
	bool is_unix = server->transport == RLK_TRANSPORT_UNIX;

	if (is_unix && server->path == NULL)
		return RLK_WRONG_VALUE(err, "option \"path\" must be given with the scheme unix");
	if (server->user != NULL && server->password == NULL)
		return RLK_WRONG_VALUE(err, "option \"%s\" must not be given without a password", config->user_key);
	rlk_str_store(is_unix ? &server->host : &server->path, rlk_str_make(NULL, 0));
	if (!is_unix && server->host == NULL && !rlk_str_store(&server->host, RLK_STR("127.0.0.1")))
		return RLK_NO_MEMORY(err);
	rlk_server_relabel(server);
	return server->transport != RLK_TRANSPORT_TLS || rlk_tls_library() != NULL ||
		RLK_WRONG_VALUE(err,
			"TLS is asked for, which this build of redislock does not have; it was made without OpenSSL "
			"(--with-redislock-ssl)");
}

/* --- what entries of lists have from beside the list --- */

/* `options`: those that an entry may have from the whole. User and password go together. */
static bool complete(rlk_server *entry, uint64_t given, const rlk_server *whole, uint64_t options, rlk_error *err)
{
	if ((given & CREDENTIALS) != 0)
		given |= CREDENTIALS;
	return rlk_config_inherit(entry, whole, RLK_KEPT_IN_SERVER, options & ~given, err);
}

/* Gives a server TLS, unless its scheme says otherwise. Returns whether it has it. */
static bool switch_to_tls(rlk_server *server, uint64_t given)
{
	if (server->transport == RLK_TRANSPORT_TCP && (given & RLK_BIT(SCHEME)) == 0)
		server->transport = RLK_TRANSPORT_TLS;
	return server->transport == RLK_TRANSPORT_TLS;
}

/* --- seeds --- */

/* Without a list, the configured host is the one sentinel or node to begin with. */
static bool seed_own_host(rlk_config *config, rlk_error *err)
{
	bool given = (config->given & (RLK_BIT(HOST) | RLK_BIT(PATH))) != 0;
	const rlk_server *own = &config->server;

	if (config->listed.count > 0 && config->listed_key != RLK_LIST_NONE)
		return !given ||
			RLK_WRONG_VALUE(err,
				"the address of a server must not stand beside a list of them; it is in the list, or learned");
	if (!given)
		return config->routing == RLK_ROUTING_SENTINEL ?
			RLK_WRONG_VALUE(err, "option \"sentinels\" must list the sentinels") :
			RLK_WRONG_VALUE(err, "option \"cluster\" must list nodes of the Cluster");
	if (!rlk_config_list_begin(&config->listed, 1))
		return RLK_NO_MEMORY(err);
	config->listed.count = 1;
	config->listed.given[0] = config->given & RLK_BIT(PORT);
	rlk_server_init(config->listed.servers, own->connect_timeout_ms, own->io_timeout_ms);
	return rlk_config_inherit(config->listed.servers, own, RLK_KEPT_IN_SERVER,
		RLK_BIT(SCHEME) | RLK_BIT(HOST) | RLK_BIT(PATH) | RLK_BIT(PORT), err);
}

/* The nodes of a Cluster have the credentials of the whole, sentinels those of their own. */
static bool complete_seed(const rlk_config *config, rlk_server *seed, uint64_t given, rlk_error *err)
{
	bool sentinel = config->routing == RLK_ROUTING_SENTINEL;
	const rlk_server of_sentinels = { .user = config->sentinel_user, .password = config->sentinel_password };

	if (sentinel && (given & RLK_BIT(PORT)) == 0)
		seed->port = SENTINEL_PORT;
	if (sentinel)
		seed->database = -1;
	if (!complete(seed, given, &config->server, TIMEOUTS | RLK_BIT(CLIENT_NAME), err) ||
		!complete(seed, given, sentinel ? &of_sentinels : &config->server, CREDENTIALS, err))
		return false;
	rlk_server_relabel(seed);
	return true;
}

/* Laravel gives user and password in each entry of a Cluster. They also hold for nodes that are found later. */
static bool adopt_credentials(rlk_config *config, rlk_error *err)
{
	const rlk_server *first = &config->listed.servers[0];

	return config->server.password != NULL || first->password == NULL ||
		rlk_config_inherit(&config->server, first, RLK_KEPT_IN_SERVER, CREDENTIALS, err);
}

/* A node of a Cluster is also reached by an address that another node tells, which leads to no entry. */
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

/* TLS asked for anywhere means TLS everywhere: no address is to be learned and no lock taken in clear text. In a Cluster
 * the first entry with TLS may give its options, also for nodes that are found later. */
static bool spread_tls(rlk_config *config, rlk_error *err)
{
	bool cluster = config->routing == RLK_ROUTING_CLUSTER;
	const rlk_config_list *seeds = &config->listed;
	rlk_server *own = &config->server;
	size_t first = 0;

	while (first < seeds->count && seeds->servers[first].transport != RLK_TRANSPORT_TLS)
		first++;
	if (own->transport != RLK_TRANSPORT_TLS && first == seeds->count)
		return true;
	if (!switch_to_tls(own, config->given))
		return wrong_tls("the configuration beside the list", err);
	if (cluster && first < seeds->count &&
		!rlk_config_inherit(own, &seeds->servers[first], RLK_KEPT_IN_SERVER,
			RLK_OPTIONS_OF_TLS & seeds->given[first] & ~config->given, err))
		return false;
	rlk_server_relabel(own);
	for (size_t i = 0; i < seeds->count; i++) {
		rlk_server *seed = &seeds->servers[i];

		if (!switch_to_tls(seed, seeds->given[i]))
			return wrong_tls(seed->label, err);
		if (!complete(seed, seeds->given[i], own, RLK_OPTIONS_OF_TLS, err) ||
			(cluster && !same_tls(&seed->tls, &own->tls, err)))
			return false;
	}
	return true;
}

static bool check_databases(const rlk_config *config, rlk_error *err)
{
	bool ok = config->server.database <= 0;

	for (size_t i = 0; i < config->listed.count; i++)
		ok = ok && config->listed.servers[i].database <= 0;
	return ok || RLK_WRONG_VALUE(err, "option \"database\" must be 0 with a Cluster, which has no other");
}

static bool finish_seeds(rlk_config *config, rlk_error *err)
{
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
	for (size_t i = 0; i < config->listed.count; i++) {
		if (!complete_seed(config, &config->listed.servers[i], config->listed.given[i], err))
			return false;
	}
	return true;
}

/* --- the quorum --- */

/* A member has from the whole only what the caller has given: the time limits of php.ini are for one server. Never clear
 * text where TLS is asked for. */
static bool complete_member(const rlk_config *config, rlk_server *member, uint64_t given, rlk_error *err)
{
	const uint64_t shared = TIMEOUTS | CREDENTIALS | RLK_BIT(DATABASE) | RLK_BIT(CLIENT_NAME) | RLK_OPTIONS_OF_TLS;
	bool tls =
		config->server.transport == RLK_TRANSPORT_TLS && (config->given & (RLK_BIT(SCHEME) | RLK_BIT(TLS_WANTED))) != 0;

	if (!complete(member, given, &config->server, config->given & shared, err))
		return false;
	if (tls && !switch_to_tls(member, given))
		return RLK_WRONG_VALUE(err, "TLS is asked for beside the list \"servers\", but %s in it says otherwise",
			member->label);
	return rlk_config_finish_server(config, member, err);
}

/* One server must not have two votes. Two databases of one server fail together, so they are one as well. */
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

	if ((config->given & (RLK_BIT(HOST) | RLK_BIT(PATH) | RLK_BIT(PORT))) != 0)
		problem = "the address of a server must not stand beside the list \"servers\", but in it";
	else if (config->fence)
		problem = "option \"fence\" cannot be used with \"servers\": several servers have no common counter";
	else if (config->min_replicas > 0)
		problem = "option \"min_replicas\" cannot be used with \"servers\", which do not depend on their replicas";
	else if (config->ttl_key != NULL && config->ttl_ms == 0)
		problem = "option \"ttl\" must not be 0 with \"servers\": it is what clears up after a server that was away";
	if (problem != NULL)
		return RLK_WRONG_VALUE(err, "%s", problem);
	for (size_t i = 0; i < config->listed.count; i++) {
		if (!complete_member(config, &config->listed.servers[i], config->listed.given[i], err))
			return false;
	}
	return refuse_twins(&config->listed, err);
}

/* --- the server or servers --- */

/* Decides what the servers are. */
static bool choose_routing(rlk_config *config, rlk_error *err)
{
	rlk_list_key listed = config->listed_key;
	bool quorum = listed == RLK_LIST_SERVERS, cluster = config->cluster || listed == RLK_LIST_CLUSTER;
	bool sentinel = config->service != NULL || config->replication || listed == RLK_LIST_SENTINELS;

	config->routing = cluster ? RLK_ROUTING_CLUSTER :
		sentinel              ? RLK_ROUTING_SENTINEL :
		quorum                ? RLK_ROUTING_QUORUM :
								RLK_ROUTING_NONE;
	if (cluster && sentinel)
		return RLK_WRONG_VALUE(err, "a configuration cannot be of sentinels and of a Cluster at once");
	if (sentinel && config->service == NULL)
		return RLK_WRONG_VALUE(err, "option \"service\" must name the master that the sentinels watch");
	if (quorum && config->routing != RLK_ROUTING_QUORUM)
		return RLK_WRONG_VALUE(err, RLK_QUORUM_ALONE);
	if (config->routing == RLK_ROUTING_NONE && listed != RLK_LIST_NONE)
		return RLK_WRONG_VALUE(err,
			"a list of servers needs \"service\" (sentinels) or \"cluster\" => true beside it; options of one server have "
			"their names as keys");
	if (config->routing < RLK_ROUTING_SENTINEL && (config->sentinel_password != NULL || config->sentinel_user != NULL))
		return RLK_WRONG_VALUE(err, "option \"sentinel_password\" must not be given without sentinels");
	return true;
}

static bool finish_routing(rlk_config *config, rlk_error *err)
{
	const uint64_t address = RLK_BIT(HOST) | RLK_BIT(PORT) | RLK_BIT(PATH) | RLK_BIT(SCHEME);

	if (!choose_routing(config, err))
		return false;
	if (config->routing == RLK_ROUTING_QUORUM)
		return finish_quorum(config, err);
	if (config->routing != RLK_ROUTING_NONE)
		return finish_seeds(config, err);
	/* An unset variable leaves an empty setting in an ini file. Our own default is for ini files without the setting. */
	return !config->no_default_server || (config->given & address) != 0 ||
		RLK_WRONG_VALUE(err, "option \"host\" must name the server, since ini setting \"redislock.server\" is empty");
}

/* --- the lock --- */

static bool finish_ttl(rlk_config *config, rlk_error *err)
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
static bool finish_replicas(rlk_config *config, rlk_error *err)
{
	if (config->replica_timeout_ms == 0)
		config->replica_timeout_ms = RLK_REPLICA_TIMEOUT_DEFAULT_MS;
	if (config->min_replicas > 0 && config->ttl_ms > 0 && config->replica_timeout_ms >= config->ttl_ms / 2)
		return RLK_WRONG_VALUE(err,
			"option \"replica_timeout\" must be less than half the ttl, which has to last for the wait for replicas and "
			"the work");
	return true;
}

/* `ttl_in_ms`: for messages, since the ttl of RedLock::lock() is in ms. */
static bool finish_interval(rlk_config *config, bool ttl_in_ms, rlk_error *err)
{
	char interval[RLK_NUMBER_SHOWN_MAX], ttl[RLK_NUMBER_SHOWN_MAX];
	double ttl_given = ttl_in_ms ? (double)config->ttl_ms : (double)config->ttl_ms / 1000;

	config->interval_ms = 0;
	if (!config->renew)
		return true;
	if (config->interval_given_ms >= config->ttl_ms)
		return RLK_WRONG_VALUE(err, "option \"%s\" must be less than the ttl of %s %s, %s%s given",
			config->interval_key, rlk_number_show(ttl_given, ttl, sizeof(ttl)), ttl_in_ms ? "ms" : "seconds",
			rlk_number_show((double)config->interval_given_ms / 1000, interval, sizeof(interval)),
			ttl_in_ms ? " seconds" : "");
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
	return finish_interval(config, true, err);
}

bool rlk_config_finish(rlk_config *config, rlk_error *err)
{
	if (rlk_buf_reserve(&config->name, 0) == NULL || rlk_buf_reserve(&config->prefix, 0) == NULL)
		return RLK_NO_MEMORY(err);
	return rlk_config_finish_server(config, &config->server, err) && finish_routing(config, err) &&
		finish_ttl(config, err) && finish_interval(config, false, err) && finish_replicas(config, err);
}
