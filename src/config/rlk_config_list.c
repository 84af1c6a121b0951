/*
 * rlk_config_list: lists of servers: the members of a quorum, and the seeds, which know where the server is.
 *
 * Each entry says where a server is and how to talk to it; what it leaves open
 * it has from the options beside the list, whenever those are given. Seeds come
 * as a list under a name (`sentinels`, `cluster`), as a list without one
 * (Predis), as several hosts of a URI (Symfony), or as the one host of the
 * configuration; what they are may be said somewhere else, and later. So entries
 * are read as they come, and completed with the finished whole.
 */
#include "config/rlk_config_own.h"

#include "lock/rlk_quorum.h"

#include <stdlib.h>

#define SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)

/* --- memory --- */

void rlk_config_list_destroy(rlk_config_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		rlk_server_destroy(&list->servers[i]);
	free(list->servers);
	free(list->said);
	memset(list, 0, sizeof(*list));
}

bool rlk_config_list_begin(rlk_config_list *list, size_t count)
{
	list->servers = calloc(count + 1, sizeof(*list->servers));
	list->said = calloc(count + 1, sizeof(*list->said));
	list->count = 0;
	return list->servers != NULL && list->said != NULL;
}

bool rlk_config_list_copy(rlk_config_list *to, const rlk_config_list *from)
{
	memset(to, 0, sizeof(*to));
	if (from->count > 0 && !rlk_config_list_begin(to, from->count))
		return false;
	for (; to->count < from->count; to->count++) {
		to->said[to->count] = from->said[to->count];
		if (!rlk_server_copy(&to->servers[to->count], &from->servers[to->count]))
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
	rlk_config own = { .connect_timeout_default_ms = seeds ? config->connect_timeout_default_ms : RLK_MEMBER_TIMEOUT_MS,
		.io_timeout_default_ms = seeds ? config->io_timeout_default_ms : RLK_MEMBER_TIMEOUT_MS };
	bool ok;

	rlk_server_init(&own.server, own.connect_timeout_default_ms, own.io_timeout_default_ms);
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
	if (!rlk_config_list_begin(list, values->as.map.count))
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
