/*
 * rlk_config_list: lists of servers: the members of a quorum, and the seeds, which know where the server is.
 *
 * Each entry says where a server is and how to talk to it; what it leaves open
 * it has from the options beside the list, whenever those are given. Seeds come
 * as a list under a name (`sentinels`, `cluster`), as a list without one
 * (Predis), as several hosts of a URI (Symfony), or as the one host of the
 * configuration; what they are may be said somewhere else, and later. So entries
 * are taken down as they come, and completed with the finished whole.
 */
#include "config/rlk_config_own.h"

#include "lock/rlk_nodes.h"

#include <stdlib.h>

#define SENTINEL_PORT 26379

#define SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)
#define CREDENTIALS (SAID(USER) | SAID(PASSWORD))
#define TIMEOUTS (SAID(CONNECT_TIMEOUT) | SAID(IO_TIMEOUT))

/* --- memory --- */

void rlk_config_list_destroy(rlk_config_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		rlk_endpoint_destroy(&list->servers[i]);
	free(list->servers);
	free(list->said);
	memset(list, 0, sizeof(*list));
}

/* Makes an empty list with room for `count`. false: memory is out, the list can be destroyed. */
static bool begin(rlk_config_list *list, size_t count)
{
	list->servers = calloc(count + 1, sizeof(*list->servers));
	list->said = calloc(count + 1, sizeof(*list->said));
	list->count = 0;
	return list->servers != NULL && list->said != NULL;
}

bool rlk_config_list_copy(rlk_config_list *to, const rlk_config_list *from)
{
	memset(to, 0, sizeof(*to));
	if (from->count > 0 && !begin(to, from->count))
		return false;
	for (; to->count < from->count; to->count++) {
		to->said[to->count] = from->said[to->count];
		if (!rlk_endpoint_copy(&to->servers[to->count], &from->servers[to->count]))
			return false;
	}
	return true;
}

/* --- reading entries --- */

/* "name:port" is a URI without its scheme. */
static bool add_text(rlk_layer *layer, rlk_str text, rlk_uri *uri, rlk_buf *whole, rlk_error *err)
{
	bool has_scheme = rlk_scheme_end(text) != NULL || rlk_str_starts_with(text, RLK_STR("unix:"));

	if ((!has_scheme && !rlk_buf_append_str(whole, RLK_STR("tcp://"))) || !rlk_buf_append_str(whole, text))
		return RLK_NO_MEMORY(err);
	return rlk_uri_parse(uri, rlk_buf_str(whole), "the address", err) && rlk_layer_add_uri(layer, uri, err);
}

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_triple(rlk_layer *layer, const rlk_value *list, rlk_error *err)
{
	static const char *const keys[] = { "host", "port", "timeout" };
	rlk_entry entries[3];
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, list->as.map.count, false } } };

	for (size_t i = 0; i < list->as.map.count; i++)
		entries[i] = (rlk_entry){ rlk_str_from_cstr(keys[i]), list->as.map.entries[i].value };
	return rlk_layer_add_map(layer, &map, RLK_LAYER_ALL, err);
}

static const char *seeds_name(const rlk_config *config)
{
	return strcmp(config->seeds_key, "sentinels") == 0 ? "sentinels" :
		strcmp(config->seeds_key, "cluster") == 0      ? "Cluster nodes" :
														 "servers";
}

/* `seeds`: what messages call the list; NULL: it is the quorum, whose entries may be more. */
static bool add_entry(rlk_layer *layer, const rlk_value *value, const char *seeds, rlk_uri *uri, rlk_buf *whole,
	rlk_error *err)
{
	bool is_list = value->type == RLK_VALUE_MAP && value->as.map.is_list;
	const rlk_value *url = NULL;

	if (value->type == RLK_VALUE_STRING && (value->as.s.len > 0 || seeds != NULL))
		return add_text(layer, value->as.s, uri, whole, err);
	if (is_list && value->as.map.count >= 1 && value->as.map.count <= 3 && seeds == NULL)
		return add_triple(layer, value, err);
	if (value->type == RLK_VALUE_MAP)
		url = rlk_value_find(value, "url");
	if (value->type == RLK_VALUE_MAP && !is_list &&
		(seeds == NULL || (url == NULL && rlk_value_find(value, "options") == NULL)))
		/* What a URL says wins, as it does elsewhere. */
		return (url == NULL || url->type != RLK_VALUE_STRING || url->as.s.len == 0 ||
				   add_text(layer, url->as.s, uri, whole, err)) &&
			rlk_layer_add_map(layer, value, RLK_LAYER_ALL, err);
	if (seeds != NULL)
		return RLK_WRONG_TYPE(err, "each of the %s must be \"host:port\", a URI or an array with \"host\"", seeds);
	return RLK_WRONG_TYPE(err,
		"each of the \"servers\" must be \"host:port\", a URI, [host, port, timeout] or an array of connection options");
}

/* An entry says where a server is and how to talk to it; all else is for the whole. */
static bool refuse_others(const rlk_layer *layer, const char *seeds, rlk_error *err)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if (rlk_layer_has(layer, (rlk_option_id)option) &&
			(option < RLK_OPTION_SCHEME || (option > RLK_OPTION_IO_TIMEOUT && option < RLK_OPTION_TLS_WANTED)))
			return RLK_WRONG_VALUE(err, "option \"%s\" must be given beside the list %s%s, not in it",
				layer->said[option].key, seeds != NULL ? "of " : "", seeds != NULL ? seeds : "\"servers\"");
	}
	return true;
}

/* One entry, by way of a configuration of its own. */
static bool read_entry(const rlk_config *config, rlk_config_list *list, const rlk_value *value, rlk_error *err)
{
	const char *seeds = list == &config->seeds ? seeds_name(config) : NULL;
	rlk_uri uri = { 0 };
	rlk_buf whole = RLK_BUF_INIT;
	rlk_layer layer = { 0 };
	rlk_config own = { .connect_timeout_default_ms = seeds ? config->connect_timeout_default_ms : RLK_NODE_TIMEOUT_MS,
		.io_timeout_default_ms = seeds ? config->io_timeout_default_ms : RLK_NODE_TIMEOUT_MS };
	bool ok;

	rlk_endpoint_init(&own.server, own.connect_timeout_default_ms, own.io_timeout_default_ms);
	ok = add_entry(&layer, value, seeds, &uri, &whole, err) && refuse_others(&layer, seeds, err) &&
		rlk_config_commit_server(&own, &layer, err) && rlk_config_finish_server(&own, &own.server, err);
	if (value->type == RLK_VALUE_STRING && whole.len > value->as.s.len)
		own.server_said &= ~SAID(SCHEME); /* that one was ours */
	list->servers[list->count] = own.server;
	list->said[list->count++] = own.server_said;
	rlk_uri_destroy(&uri);
	rlk_buf_wipe(&whole);
	return ok;
}

static bool read_list(const rlk_config *config, rlk_config_list *list, const rlk_value *values, rlk_error *err)
{
	rlk_config_list_destroy(list);
	if (!begin(list, values->as.map.count))
		return RLK_NO_MEMORY(err);
	for (size_t i = 0; i < values->as.map.count; i++) {
		if (!read_entry(config, list, &values->as.map.entries[i].value, err))
			return false;
	}
	return true;
}

/* --- the options that are lists --- */

/* Refuses a list of servers that has none, and the empty string that an unset variable leaves in its place: nobody meant
 * the default server by it. */
static bool refuse_empty(const rlk_option_row *row, const rlk_value *value, int most, rlk_error *err)
{
	bool is_list = value->type == RLK_VALUE_MAP;

	if (is_list ? value->as.map.count > 0 : value->type != RLK_VALUE_STRING || value->as.s.len > 0)
		return true;
	return RLK_WRONG_VALUE(err, "option \"%s\" must be a list of 1 to %d servers%s, empty %s given", row->key, most,
		row->option == RLK_OPTION_CLUSTER ? ", or true or false" : "", is_list ? "array" : "string");
}

bool rlk_config_list_quorum(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(RLK_STR("servers"));
	const rlk_value *list = rlk_value_find(map, row->key);

	if (list == NULL)
		return true;
	if (!refuse_empty(row, list, RLK_QUORUM_MAX, err))
		return false;
	if (list->type != RLK_VALUE_MAP)
		return rlk_option_wrong_type(row, list, "a list of servers", err);
	if (!list->as.map.is_list || list->as.map.count > RLK_QUORUM_MAX)
		return RLK_WRONG_VALUE(err, "option \"servers\" must be a list of 1 to %d servers", RLK_QUORUM_MAX);
	if (config->server_is_default && !rlk_config_forget_default_server(config, err))
		return false;
	return read_list(config, &config->quorum, list, err);
}

bool rlk_config_set_seeds(rlk_config *config, const char *key, const rlk_value *list, rlk_error *err)
{
	if (config->server_is_default && !rlk_config_forget_default_server(config, err))
		return false;
	config->seeds_key = key;
	if (list->as.map.count > RLK_CONFIG_SEEDS_MAX)
		return RLK_WRONG_VALUE(err, "at most %d %s may be listed", RLK_CONFIG_SEEDS_MAX, seeds_name(config));
	return read_list(config, &config->seeds, list, err);
}

static bool list_option(rlk_config *config, const char *key, const rlk_value *map, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(rlk_str_from_cstr(key));
	const rlk_value *value = rlk_value_find(map, key);

	if (value == NULL)
		return true;
	if (!refuse_empty(row, value, RLK_CONFIG_SEEDS_MAX, err))
		return false;
	if (value->type != RLK_VALUE_MAP && rlk_value_is_off(value))
		return true;
	if (value->type == RLK_VALUE_MAP && value->as.map.is_list)
		return rlk_config_set_seeds(config, key, value, err);
	/* `cluster` may say no more than what the servers are; Predis and Laravel call it "redis". */
	if (row->option == RLK_OPTION_CLUSTER &&
		((value->type == RLK_VALUE_BOOL && value->as.b) ||
			(value->type == RLK_VALUE_STRING && rlk_str_equal(value->as.s, RLK_STR("redis"))))) {
		config->cluster_said = true;
		config->server_said |= SAID(CLUSTER);
		return true;
	}
	return rlk_option_wrong_type(row, value, "a list of servers", err);
}

bool rlk_config_list_seeds(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	const rlk_value *sentinels = rlk_value_find(map, "sentinels"), *cluster = rlk_value_find(map, "cluster");

	if (sentinels != NULL && cluster != NULL && !rlk_value_is_off(sentinels) && !rlk_value_is_off(cluster))
		return RLK_WRONG_VALUE(err, "options \"sentinels\" and \"cluster\" contradict each other");
	return list_option(config, "sentinels", map, err) && list_option(config, "cluster", map, err);
}

bool rlk_config_commit_seeds(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	rlk_entry hosts[RLK_LAYER_HOSTS_MAX];
	const rlk_value list = { RLK_VALUE_MAP, { .map = { hosts, layer->host_count, true } } };

	config->cluster_said = rlk_layer_number(layer, RLK_OPTION_CLUSTER, config->cluster_said) != 0;
	config->replication_said = rlk_layer_number(layer, RLK_OPTION_REPLICATION, config->replication_said) != 0;
	for (size_t i = 0; i < layer->host_count; i++)
		hosts[i] = (rlk_entry){ { NULL, 0 }, { RLK_VALUE_STRING, { .s = layer->hosts[i] } } };
	return (layer->host_count <= 1 || rlk_config_set_seeds(config, "", &list, err)) &&
		rlk_config_commit_text(&config->service, layer, RLK_OPTION_SERVICE, err) &&
		rlk_config_commit_text(&config->sentinel_user, layer, RLK_OPTION_SENTINEL_USER, err) &&
		rlk_config_commit_text(&config->sentinel_password, layer, RLK_OPTION_SENTINEL_PASSWORD, err);
}

/* --- what an entry does not say holds for all --- */

/* `options`: those that the whole may say for an entry. User and password go together. */
static bool complete(rlk_endpoint *entry, uint64_t said, const rlk_endpoint *whole, uint64_t options, rlk_error *err)
{
	if ((said & CREDENTIALS) != 0)
		said |= CREDENTIALS;
	return rlk_config_inherit(entry, whole, options & ~said, err);
}

/* Whether a server that is to have TLS has it, or can: its scheme was not said. */
static bool can_have_tls(rlk_endpoint *endpoint, uint64_t said)
{
	if (endpoint->transport == RLK_TRANSPORT_TCP && (said & SAID(SCHEME)) == 0)
		endpoint->transport = RLK_TRANSPORT_TLS;
	return endpoint->transport == RLK_TRANSPORT_TLS;
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
	const rlk_endpoint *own = &config->server;

	if (config->seeds.count > 0 && config->seeds_key != NULL)
		return !said ||
			RLK_WRONG_VALUE(err,
				"the address of a server must not stand beside a list of them; it is in the list, or learned");
	if (!said)
		return config->routing == RLK_ROUTING_SENTINEL ?
			RLK_WRONG_VALUE(err, "option \"sentinels\" must list the sentinels") :
			RLK_WRONG_VALUE(err, "option \"cluster\" must list nodes of the Cluster");
	rlk_config_list_destroy(&config->seeds);
	if (!begin(&config->seeds, 1))
		return RLK_NO_MEMORY(err);
	config->seeds.count = 1;
	config->seeds.said[0] = config->server_said & SAID(PORT);
	rlk_endpoint_init(config->seeds.servers, own->connect_timeout_ms, own->io_timeout_ms);
	return rlk_config_inherit(config->seeds.servers, own, SAID(SCHEME) | SAID(HOST) | SAID(PATH) | SAID(PORT), err);
}

/* The nodes of a Cluster have the credentials of the whole, sentinels those of their own. */
static bool complete_seed(const rlk_config *config, rlk_endpoint *seed, uint64_t said, rlk_error *err)
{
	bool sentinel = config->routing == RLK_ROUTING_SENTINEL;
	const rlk_endpoint of_sentinels = { .user = config->sentinel_user, .password = config->sentinel_password };

	if (sentinel && (said & SAID(PORT)) == 0)
		seed->port = SENTINEL_PORT;
	if (sentinel)
		seed->database = -1;
	if (!complete(seed, said, &config->server, TIMEOUTS | SAID(CLIENT_NAME), err) ||
		!complete(seed, said, sentinel ? &of_sentinels : &config->server, CREDENTIALS, err))
		return false;
	rlk_endpoint_relabel(seed);
	return true;
}

/* Laravel says user and password in each entry of a Cluster: they hold for the nodes that are yet to be found, too. */
static bool adopt_credentials(rlk_config *config, rlk_error *err)
{
	const rlk_endpoint *first = &config->seeds.servers[0];

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
	rlk_endpoint *own = &config->server;
	size_t first = 0;

	while (first < seeds->count && seeds->servers[first].transport != RLK_TRANSPORT_TLS)
		first++;
	if (own->transport != RLK_TRANSPORT_TLS && first == seeds->count)
		return true;
	if (!can_have_tls(own, config->server_said))
		return wrong_tls("the configuration beside the list", err);
	if (cluster && first < seeds->count &&
		!rlk_config_inherit(own, &seeds->servers[first],
			RLK_OPTION_TLS_BITS & seeds->said[first] & ~config->server_said, err))
		return false;
	rlk_endpoint_relabel(own);
	for (size_t i = 0; i < seeds->count; i++) {
		rlk_endpoint *seed = &seeds->servers[i];

		if (!can_have_tls(seed, seeds->said[i]))
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

bool rlk_config_finish_seeds(rlk_config *config, rlk_error *err)
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
static bool complete_member(const rlk_config *config, rlk_endpoint *member, uint64_t said, rlk_error *err)
{
	const uint64_t shared = TIMEOUTS | CREDENTIALS | SAID(DATABASE) | SAID(CLIENT_NAME) | RLK_OPTION_TLS_BITS;
	bool tls =
		config->server.transport == RLK_TRANSPORT_TLS && (config->server_said & (SAID(SCHEME) | SAID(TLS_WANTED))) != 0;

	if (!complete(member, said, &config->server, config->server_said & shared, err))
		return false;
	if (tls && !can_have_tls(member, said))
		return RLK_WRONG_VALUE(err, "TLS is asked for beside the list \"servers\", but %s in it says otherwise",
			member->label);
	return rlk_config_finish_server(config, member, err);
}

/* One server asked twice would have two votes. Databases of one server live and die together. */
static bool refuse_twins(const rlk_config_list *list, rlk_error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (rlk_endpoint_is_same(&list->servers[i], &list->servers[j]))
				return RLK_WRONG_VALUE(err, "option \"servers\" must name independent servers, but has %s twice",
					list->servers[i].label);
		}
	}
	return true;
}

bool rlk_config_finish_quorum(rlk_config *config, rlk_error *err)
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
