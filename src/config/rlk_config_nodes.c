/*
 * rlk_config_nodes: see the header.
 */
#include "config/rlk_config_nodes.h"

#include "config/rlk_config_message.h"
#include "config/rlk_config_server.h"
#include "config/rlk_config_tls.h"

#include <stdlib.h>

#define SENTINEL_PORT 26379
#define SAID(option) (UINT64_C(1) << (option))

static void destroy_list(rlk_config *config)
{
	for (size_t i = 0; i < config->node_count; i++)
		rlk_endpoint_destroy(&config->nodes[i].endpoint);
	free(config->nodes);
	config->nodes = NULL;
	config->node_count = 0;
	config->nodes_key = NULL;
}

void rlk_config_destroy_nodes(rlk_config *config)
{
	destroy_list(config);
	rlk_str_store(&config->service, rlk_str_make(NULL, 0));
	rlk_str_store(&config->sentinel_user, rlk_str_make(NULL, 0));
	rlk_str_store(&config->sentinel_password, rlk_str_make(NULL, 0));
}

bool rlk_config_copy_nodes(rlk_config *to, const rlk_config *from)
{
	bool ok;

	to->service = to->sentinel_user = to->sentinel_password = NULL;
	to->nodes = calloc(from->node_count + 1, sizeof(*to->nodes));
	to->node_count = 0;
	ok = to->nodes != NULL;
	for (size_t i = 0; ok && i < from->node_count; i++) {
		to->nodes[i].said = from->nodes[i].said;
		ok = rlk_endpoint_copy(&to->nodes[i].endpoint, &from->nodes[i].endpoint);
		to->node_count++;
	}
	return ok && rlk_str_store(&to->service, rlk_str_from_cstr(from->service)) &&
		rlk_str_store(&to->sentinel_user, rlk_str_from_cstr(from->sentinel_user)) &&
		rlk_str_store(&to->sentinel_password, rlk_str_from_cstr(from->sentinel_password));
}

/* An entry says where a server is and how to talk to it; all else is for the whole. */
static bool refuse_others(const rlk_layer *layer, const char *list, rlk_error *err)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if (rlk_layer_has(layer, (rlk_option_id)option) &&
			(option < RLK_OPTION_SCHEME || (option > RLK_OPTION_IO_TIMEOUT && option < RLK_OPTION_TLS_WANTED))) {
			rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must be given beside the list of %s, not in it",
				layer->said[option].key, list);
			return false;
		}
	}
	return true;
}

/* "name:port" is a URI without its scheme. */
static bool add_text(rlk_layer *layer, rlk_str text, rlk_config_uri *uri, rlk_buf *whole, rlk_error *err)
{
	bool has_scheme = false;

	for (size_t i = 0; i + 3 <= text.len; i++)
		has_scheme = has_scheme || memcmp(text.data + i, "://", 3) == 0;
	has_scheme = has_scheme || rlk_str_starts_with(text, RLK_STR("unix:"));
	if ((!has_scheme && !rlk_buf_append_str(whole, RLK_STR("tcp://"))) || !rlk_buf_append_str(whole, text))
		return rlk_config_no_memory(err);
	return rlk_config_uri_parse(uri, rlk_buf_str(whole), "the address", err) && rlk_layer_add_uri(layer, uri, err);
}

/* One entry, by way of a configuration of its own. */
static bool read_node(const rlk_config *config, const char *list, const rlk_value *value, rlk_config_node *node,
	rlk_error *err)
{
	rlk_config_uri uri = { 0 };
	rlk_buf whole = RLK_BUF_INIT;
	rlk_layer layer = { 0 };
	rlk_config own = { .server_count = 1,
		.servers = &node->endpoint,
		.connect_timeout_default_ms = config->connect_timeout_default_ms,
		.io_timeout_default_ms = config->io_timeout_default_ms };
	bool ok = false;

	rlk_endpoint_init(&node->endpoint, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	if (value->type == RLK_VALUE_STRING)
		ok = add_text(&layer, value->as.s, &uri, &whole, err);
	else if (value->type == RLK_VALUE_MAP && !value->as.map.is_list && rlk_layer_find(value, "options") == NULL &&
		rlk_layer_find(value, "url") == NULL)
		ok = rlk_layer_add_map(&layer, value, RLK_LAYER_ALL, err);
	else
		rlk_error_set(err, RLK_ERR_TYPE, 0, "each of the %s must be \"host:port\", a URI or an array with \"host\"",
			list);
	ok = ok && refuse_others(&layer, list, err) && rlk_config_commit_server(&own, &layer, err) &&
		rlk_config_finish_server(&own, &node->endpoint, err);
	node->said = own.server_said;
	if (value->type == RLK_VALUE_STRING && whole.len > value->as.s.len)
		node->said &= ~SAID(RLK_OPTION_SCHEME); /* that one was ours */
	rlk_config_uri_destroy(&uri);
	rlk_buf_wipe(&whole);
	return ok;
}

static const char *list_name(const char *key)
{
	return strcmp(key, "sentinels") == 0 ? "sentinels" : strcmp(key, "cluster") == 0 ? "Cluster nodes" : "servers";
}

/* Makes room for a list of its own, known by `key`. */
static bool begin_list(rlk_config *config, const char *key, size_t count, rlk_error *err)
{
	if (config->server_is_default)
		rlk_config_forget_default_server(config);
	destroy_list(config);
	if (count > RLK_CONFIG_NODES_MAX) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "at most %d %s may be listed", RLK_CONFIG_NODES_MAX, list_name(key));
		return false;
	}
	config->nodes = calloc(count + 1, sizeof(*config->nodes));
	config->nodes_key = key;
	return config->nodes != NULL || rlk_config_no_memory(err);
}

bool rlk_config_set_nodes(rlk_config *config, const char *key, const rlk_value *list, rlk_error *err)
{
	if (!begin_list(config, key, list->as.map.count, err))
		return false;
	for (size_t i = 0; i < list->as.map.count; i++) {
		config->node_count++;
		if (!read_node(config, list_name(key), &list->as.map.entries[i].value, &config->nodes[i], err))
			return false;
	}
	return true;
}

static bool list_option(rlk_config *config, const char *key, const rlk_value *map, rlk_error *err)
{
	const rlk_option_row *row = rlk_option_find(rlk_str_from_cstr(key));
	const rlk_value *value = rlk_layer_find(map, key);

	if (value == NULL)
		return true;
	if (rlk_config_is_empty_list(row, value, RLK_CONFIG_NODES_MAX, err))
		return false;
	if (value->type != RLK_VALUE_MAP && rlk_config_is_off(value))
		return true;
	if (value->type == RLK_VALUE_MAP && value->as.map.is_list)
		return rlk_config_set_nodes(config, key, value, err);
	/* `cluster` may say no more than what the servers are; Predis and Laravel call it "redis". */
	if (strcmp(key, "cluster") == 0 &&
		((value->type == RLK_VALUE_BOOL && value->as.b) ||
			(value->type == RLK_VALUE_STRING && rlk_str_equal(value->as.s, RLK_STR("redis"))))) {
		config->cluster_said = true;
		return true;
	}
	return rlk_config_wrong_type(row, value, "a list of servers", err);
}

bool rlk_config_list_nodes(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	if (rlk_layer_find(map, "sentinels") != NULL && rlk_layer_find(map, "cluster") != NULL &&
		!rlk_config_is_off(rlk_layer_find(map, "sentinels")) && !rlk_config_is_off(rlk_layer_find(map, "cluster"))) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "options \"sentinels\" and \"cluster\" contradict each other");
		return false;
	}
	return list_option(config, "sentinels", map, err) && list_option(config, "cluster", map, err);
}

static bool commit_text(const rlk_layer *layer, rlk_option_id option, char **field, rlk_error *err)
{
	rlk_str text = layer->said[option].value.text;

	if (!rlk_layer_has(layer, option))
		return true;
	if (text.len == 0)
		text.data = NULL;
	return rlk_str_store(field, text) || rlk_config_no_memory(err);
}

static bool commit_hosts(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	if (!begin_list(config, "", layer->host_count, err))
		return false;
	for (size_t i = 0; i < layer->host_count; i++) {
		rlk_value value = { RLK_VALUE_STRING, { .s = layer->hosts[i] } };

		config->node_count++;
		if (!read_node(config, "servers", &value, &config->nodes[i], err))
			return false;
	}
	return true;
}

bool rlk_config_commit_nodes(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	config->cluster_said = rlk_layer_number(layer, RLK_OPTION_CLUSTER, config->cluster_said) != 0;
	config->replication_said = rlk_layer_number(layer, RLK_OPTION_REPLICATION, config->replication_said) != 0;
	if (layer->host_count > 1 && !commit_hosts(config, layer, err))
		return false;
	return commit_text(layer, RLK_OPTION_SERVICE, &config->service, err) &&
		commit_text(layer, RLK_OPTION_SENTINEL_USER, &config->sentinel_user, err) &&
		commit_text(layer, RLK_OPTION_SENTINEL_PASSWORD, &config->sentinel_password, err);
}

static bool wrong(const char *text, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "%s", text);
	return false;
}

/* What the configuration as a whole says the servers are. */
static bool choose_routing(rlk_config *config, rlk_error *err)
{
	bool named = config->nodes_key != NULL && config->nodes_key[0] != '\0';
	bool cluster = config->cluster_said || (named && strcmp(config->nodes_key, "cluster") == 0);
	bool sentinel =
		config->service != NULL || config->replication_said || (named && strcmp(config->nodes_key, "sentinels") == 0);

	config->routing = cluster ? RLK_ROUTING_CLUSTER : sentinel ? RLK_ROUTING_SENTINEL : RLK_ROUTING_NONE;
	if (cluster && sentinel)
		return wrong("a configuration cannot be of sentinels and of a Cluster at once", err);
	if (sentinel && config->service == NULL)
		return wrong("option \"service\" must name the master that the sentinels watch", err);
	if (config->routing == RLK_ROUTING_NONE && config->nodes_key != NULL)
		return wrong(
			"a list of servers needs \"service\" (sentinels) or \"cluster\" => true beside it; options of one server have their names as keys",
			err);
	return true;
}

/* Without a list, the host of the configuration is the one sentinel, or the one node, to begin with. */
static bool list_own_host(rlk_config *config, rlk_error *err)
{
	bool said = (config->server_said & (SAID(RLK_OPTION_HOST) | SAID(RLK_OPTION_PATH))) != 0;
	const rlk_endpoint *own = &config->servers[0];
	rlk_config_node *node;

	if (config->node_count > 0 && config->nodes_key != NULL)
		return !said ||
			wrong("the address of a server must not stand beside a list of them; it is in the list, or learned", err);
	if (!said)
		return wrong(config->routing == RLK_ROUTING_SENTINEL ? "option \"sentinels\" must list the sentinels" :
															   "option \"cluster\" must list nodes of the Cluster",
			err);
	if (!begin_list(config, "", 1, err))
		return false;
	config->nodes_key = NULL;
	config->node_count = 1;
	node = &config->nodes[0];
	rlk_endpoint_init(&node->endpoint, own->connect_timeout_ms, own->io_timeout_ms);
	node->endpoint.transport = own->transport;
	node->endpoint.port = own->port;
	node->said = config->server_said & SAID(RLK_OPTION_PORT);
	return (rlk_str_store(&node->endpoint.host, rlk_str_from_cstr(own->host)) &&
			   rlk_str_store(&node->endpoint.path, rlk_str_from_cstr(own->path))) ||
		rlk_config_no_memory(err);
}

static bool fill_text(char **to, const char *from, bool said)
{
	return said || rlk_str_store(to, rlk_str_from_cstr(from));
}

/* What an entry does not say holds for all: credentials for the nodes of a Cluster, those of their own for sentinels. */
static bool fill_node(const rlk_config *config, rlk_config_node *node, rlk_error *err)
{
	const rlk_endpoint *own = &config->servers[0];
	rlk_endpoint *endpoint = &node->endpoint;
	bool sentinel = config->routing == RLK_ROUTING_SENTINEL;
	bool credentials = (node->said & (SAID(RLK_OPTION_USER) | SAID(RLK_OPTION_PASSWORD))) != 0;

	if (sentinel && (node->said & SAID(RLK_OPTION_PORT)) == 0)
		endpoint->port = SENTINEL_PORT;
	if (sentinel)
		endpoint->database = -1;
	if ((node->said & SAID(RLK_OPTION_CONNECT_TIMEOUT)) == 0)
		endpoint->connect_timeout_ms = own->connect_timeout_ms;
	if ((node->said & SAID(RLK_OPTION_IO_TIMEOUT)) == 0)
		endpoint->io_timeout_ms = own->io_timeout_ms;
	if (!fill_text(&endpoint->user, sentinel ? config->sentinel_user : own->user, credentials) ||
		!fill_text(&endpoint->password, sentinel ? config->sentinel_password : own->password, credentials) ||
		!fill_text(&endpoint->client_name, own->client_name, (node->said & SAID(RLK_OPTION_CLIENT_NAME)) != 0))
		return rlk_config_no_memory(err);
	rlk_endpoint_relabel(endpoint);
	return true;
}

/* Laravel says user and password in each entry of a Cluster: they hold for the nodes that are yet to be found, too. */
static bool adopt_credentials(rlk_config *config, rlk_error *err)
{
	rlk_endpoint *own = &config->servers[0];
	const rlk_endpoint *first = &config->nodes[0].endpoint;

	if (own->password != NULL || first->password == NULL)
		return true;
	return (rlk_str_store(&own->user, rlk_str_from_cstr(first->user)) &&
			   rlk_str_store(&own->password, rlk_str_from_cstr(first->password))) ||
		rlk_config_no_memory(err);
}

/* What was said of one server, a bit for each option, holds for another one, too. */
static bool copy_tls(rlk_tls_options *to, const rlk_tls_options *from, uint64_t said, rlk_error *err)
{
	rlk_tls_options copy;
	bool ok = rlk_tls_options_copy(&copy, from);

	if (ok)
		rlk_config_keep_tls(said, to, &copy);
	rlk_tls_options_destroy(&copy);
	return ok || rlk_config_no_memory(err);
}

static bool becomes_tls(rlk_endpoint *endpoint, uint64_t said, const char *what, rlk_error *err)
{
	if (endpoint->transport == RLK_TRANSPORT_TCP && (said & SAID(RLK_OPTION_SCHEME)) == 0)
		endpoint->transport = RLK_TRANSPORT_TLS;
	if (endpoint->transport == RLK_TRANSPORT_TLS)
		return true;
	rlk_error_set(err, RLK_ERR_VALUE, 0,
		"TLS is asked for, but %s says otherwise; it must be all of the servers or none", what);
	return false;
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
		return rlk_config_no_memory(err);
	return same || wrong("options of TLS must be the same for all nodes of a Cluster; give them beside the list", err);
}

/* Who asks for TLS anywhere has it everywhere: neither an address learned in clear text nor a lock taken in clear text is
 * what was asked for. What an entry does not say holds for all; in a Cluster the first entry with TLS may say it, for the
 * nodes that are yet to be found. */
static bool fill_tls(rlk_config *config, rlk_error *err)
{
	rlk_endpoint *own = &config->servers[0];
	const rlk_config_node *first = NULL;

	for (size_t i = 0; i < config->node_count && first == NULL; i++) {
		if (config->nodes[i].endpoint.transport == RLK_TRANSPORT_TLS)
			first = &config->nodes[i];
	}
	if (own->transport != RLK_TRANSPORT_TLS && first == NULL)
		return true;
	if (!becomes_tls(own, config->server_said, "the configuration beside the list", err))
		return false;
	if (config->routing == RLK_ROUTING_CLUSTER && first != NULL &&
		!copy_tls(&own->tls, &first->endpoint.tls, first->said & ~config->server_said, err))
		return false;
	rlk_endpoint_relabel(own);
	for (size_t i = 0; i < config->node_count; i++) {
		rlk_config_node *node = &config->nodes[i];

		if (!becomes_tls(&node->endpoint, node->said, node->endpoint.label, err) ||
			!copy_tls(&node->endpoint.tls, &own->tls, RLK_CONFIG_TLS_SAID & ~node->said, err) ||
			(config->routing == RLK_ROUTING_CLUSTER && !same_tls(&node->endpoint.tls, &own->tls, err)))
			return false;
	}
	return true;
}

/* An empty setting is what an unset variable leaves in an ini file; only one that is not there means our own default. */
static bool names_server(const rlk_config *config, rlk_error *err)
{
	const uint64_t address =
		SAID(RLK_OPTION_HOST) | SAID(RLK_OPTION_PORT) | SAID(RLK_OPTION_PATH) | SAID(RLK_OPTION_SCHEME);

	return !config->no_default_server || config->listed_count > 0 || (config->server_said & address) != 0 ||
		wrong("option \"host\" must name the server, since ini setting \"redislock.server\" is empty", err);
}

bool rlk_config_finish_nodes(rlk_config *config, rlk_error *err)
{
	if (!choose_routing(config, err))
		return false;
	if (config->routing == RLK_ROUTING_NONE && (config->sentinel_password != NULL || config->sentinel_user != NULL))
		return wrong("option \"sentinel_password\" must not be given without sentinels", err);
	if (config->routing == RLK_ROUTING_NONE)
		return names_server(config, err);
	if (config->fence && config->min_replicas == 0)
		return wrong(
			"option \"fence\" needs \"min_replicas\" with sentinels or a Cluster: else a failover may have numbers given "
			"out again",
			err);
	if (!list_own_host(config, err))
		return false;
	if (!fill_tls(config, err))
		return false;
	if (config->sentinel_user != NULL && config->sentinel_password == NULL)
		return wrong("option \"sentinel_username\" must not be given without \"sentinel_password\"", err);
	if (config->routing == RLK_ROUTING_CLUSTER) {
		if (!adopt_credentials(config, err))
			return false;
		for (size_t i = 0; i < config->node_count; i++) {
			if (config->nodes[i].endpoint.database > 0)
				return wrong("option \"database\" must be 0 with a Cluster, which has no other", err);
		}
		if (config->servers[0].database > 0)
			return wrong("option \"database\" must be 0 with a Cluster, which has no other", err);
	}
	for (size_t i = 0; i < config->node_count; i++) {
		if (!fill_node(config, &config->nodes[i], err))
			return false;
	}
	return true;
}
