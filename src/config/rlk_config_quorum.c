/*
 * rlk_config_quorum: see the header.
 */
#include "config/rlk_config_quorum.h"

#include "config/rlk_config_message.h"
#include "config/rlk_config_server.h"
#include "config/rlk_config_tls.h"
#include "lock/rlk_nodes.h"

#include <stdlib.h>

#define SAID(option) (UINT64_C(1) << (option))

static void destroy(rlk_endpoint **list, size_t *count)
{
	for (size_t i = 0; i < *count; i++)
		rlk_endpoint_destroy(&(*list)[i]);
	free(*list);
	*list = NULL;
	*count = 0;
}

void rlk_config_destroy_quorum(rlk_config *config)
{
	destroy(&config->listed, &config->listed_count);
	destroy(&config->quorum, &config->quorum_count);
	free(config->listed_said);
	config->listed_said = NULL;
}

static bool copy(rlk_endpoint **to, size_t *to_count, const rlk_endpoint *from, size_t count)
{
	*to_count = 0;
	*to = calloc(count + 1, sizeof(**to));
	for (size_t i = 0; *to != NULL && i < count; i++) {
		(*to_count)++;
		if (!rlk_endpoint_copy(&(*to)[i], &from[i]))
			return false;
	}
	return *to != NULL;
}

bool rlk_config_copy_quorum(rlk_config *to, const rlk_config *from)
{
	to->listed = to->quorum = NULL;
	to->listed_said = NULL;
	to->listed_count = to->quorum_count = 0;
	if (from->listed_count == 0)
		return true;
	to->listed_said = calloc(from->listed_count, sizeof(*to->listed_said));
	if (to->listed_said == NULL)
		return false;
	memcpy(to->listed_said, from->listed_said, from->listed_count * sizeof(*to->listed_said));
	return copy(&to->listed, &to->listed_count, from->listed, from->listed_count) &&
		copy(&to->quorum, &to->quorum_count, from->quorum, from->quorum_count);
}

/* An entry says where a server is and how to talk to it; all else is for the whole. */
static bool refuse_others(const rlk_layer *layer, rlk_error *err)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if (rlk_layer_has(layer, (rlk_option_id)option) &&
			(option < RLK_OPTION_SCHEME || (option > RLK_OPTION_IO_TIMEOUT && option < RLK_OPTION_TLS_WANTED))) {
			rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must be given beside the list \"servers\", not in it",
				layer->said[option].key);
			return false;
		}
	}
	return true;
}

/* "name:port" is a URI without its scheme. */
static bool add_text(rlk_layer *layer, rlk_str text, rlk_config_uri *uri, rlk_buf *whole, rlk_error *err)
{
	bool has_scheme = rlk_str_starts_with(text, RLK_STR("unix:"));

	for (size_t i = 0; i + 3 <= text.len && !has_scheme; i++)
		has_scheme = memcmp(text.data + i, "://", 3) == 0;
	if ((!has_scheme && !rlk_buf_append_str(whole, RLK_STR("tcp://"))) || !rlk_buf_append_str(whole, text))
		return rlk_config_no_memory(err);
	return rlk_config_uri_parse(uri, rlk_buf_str(whole), "the address", err) && rlk_layer_add_uri(layer, uri, err);
}

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_list(rlk_layer *layer, const rlk_value *list, rlk_error *err)
{
	static const char *const keys[] = { "host", "port", "timeout" };
	rlk_entry entries[3];
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, list->as.map.count, false } } };

	for (size_t i = 0; i < list->as.map.count; i++)
		entries[i] = (rlk_entry){ rlk_str_from_cstr(keys[i]), list->as.map.entries[i].value };
	return rlk_layer_add_map(layer, &map, RLK_LAYER_ALL, err);
}

static bool add_entry(rlk_layer *layer, const rlk_value *value, rlk_config_uri *uri, rlk_buf *whole, rlk_error *err)
{
	if (value->type == RLK_VALUE_STRING && value->as.s.len > 0)
		return add_text(layer, value->as.s, uri, whole, err);
	if (value->type == RLK_VALUE_MAP && value->as.map.is_list && value->as.map.count >= 1 && value->as.map.count <= 3)
		return add_list(layer, value, err);
	if (value->type == RLK_VALUE_MAP && !value->as.map.is_list) {
		const rlk_value *url = rlk_layer_find(value, "url");

		/* What it says wins, as it does elsewhere. */
		if (url != NULL && url->type == RLK_VALUE_STRING && url->as.s.len > 0 &&
			!add_text(layer, url->as.s, uri, whole, err))
			return false;
		return rlk_layer_add_map(layer, value, RLK_LAYER_ALL, err);
	}
	rlk_error_set(err, RLK_ERR_TYPE, 0,
		"each of the \"servers\" must be \"host:port\", a URI, [host, port, timeout] or an array of connection options");
	return false;
}

/* One entry, by way of a configuration of its own. */
static bool read_entry(const rlk_value *value, rlk_endpoint *endpoint, uint64_t *said, rlk_error *err)
{
	rlk_config_uri uri = { 0 };
	rlk_buf whole = RLK_BUF_INIT;
	rlk_layer layer = { 0 };
	rlk_config own = { .server_count = 1,
		.servers = endpoint,
		.connect_timeout_default_ms = RLK_NODE_TIMEOUT_MS,
		.io_timeout_default_ms = RLK_NODE_TIMEOUT_MS };
	bool ok;

	rlk_endpoint_init(endpoint, RLK_NODE_TIMEOUT_MS, RLK_NODE_TIMEOUT_MS);
	ok = add_entry(&layer, value, &uri, &whole, err) && refuse_others(&layer, err) &&
		rlk_config_commit_server(&own, &layer, err) && rlk_config_finish_server(&own, endpoint, err);
	*said = own.server_said;
	if (whole.len > value->as.s.len && value->type == RLK_VALUE_STRING)
		*said &= ~SAID(RLK_OPTION_SCHEME); /* that one was ours */
	rlk_config_uri_destroy(&uri);
	rlk_buf_wipe(&whole);
	return ok;
}

bool rlk_config_list_servers(rlk_config *config, const rlk_value *map, rlk_error *err)
{
	const rlk_value *list = rlk_layer_find(map, "servers");
	const rlk_option_row *row = rlk_option_find(RLK_STR("servers"));
	size_t count;

	if (list == NULL)
		return true;
	if (rlk_config_is_empty_list(row, list, RLK_QUORUM_MAX, err))
		return false;
	if (list->type != RLK_VALUE_MAP)
		return rlk_config_wrong_type(row, list, "a list of servers", err);
	count = list->as.map.count;
	if (!list->as.map.is_list || count > RLK_QUORUM_MAX) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"servers\" must be a list of 1 to %d servers", RLK_QUORUM_MAX);
		return false;
	}
	rlk_config_destroy_quorum(config);
	config->listed = calloc(count, sizeof(*config->listed));
	config->listed_said = calloc(count, sizeof(*config->listed_said));
	if (config->listed == NULL || config->listed_said == NULL)
		return rlk_config_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		config->listed_count++;
		if (!read_entry(&list->as.map.entries[i].value, &config->listed[i], &config->listed_said[i], err))
			return false;
	}
	return true;
}

static bool fill_text(char **to, const char *from, uint64_t wanted)
{
	return wanted == 0 || rlk_str_store(to, rlk_str_from_cstr(from));
}

/* What a member does not say holds for all. */
static bool fill(const rlk_config *config, rlk_endpoint *member, uint64_t said, rlk_error *err)
{
	const rlk_endpoint *beside = &config->servers[0];
	/* What the caller has said, that is: php.ini speaks of another server, with its own time limits and password. */
	uint64_t open = config->server_said & ~said;

	if ((open & SAID(RLK_OPTION_CONNECT_TIMEOUT)) != 0)
		member->connect_timeout_ms = beside->connect_timeout_ms;
	if ((open & SAID(RLK_OPTION_IO_TIMEOUT)) != 0)
		member->io_timeout_ms = beside->io_timeout_ms;
	if ((open & SAID(RLK_OPTION_DATABASE)) != 0)
		member->database = beside->database;
	if ((said & (SAID(RLK_OPTION_USER) | SAID(RLK_OPTION_PASSWORD))) != 0)
		open &= ~(SAID(RLK_OPTION_USER) | SAID(RLK_OPTION_PASSWORD));
	return (fill_text(&member->user, beside->user, open & SAID(RLK_OPTION_USER)) &&
			   fill_text(&member->password, beside->password, open & SAID(RLK_OPTION_PASSWORD)) &&
			   fill_text(&member->client_name, beside->client_name, open & SAID(RLK_OPTION_CLIENT_NAME))) ||
		rlk_config_no_memory(err);
}

/* Never clear text where TLS is asked for. */
static bool fill_tls(const rlk_config *config, rlk_endpoint *member, uint64_t said, rlk_error *err)
{
	bool wanted = config->servers[0].transport == RLK_TRANSPORT_TLS &&
		(config->server_said & (SAID(RLK_OPTION_SCHEME) | SAID(RLK_OPTION_TLS_WANTED))) != 0;
	rlk_tls_options beside;

	if (!rlk_tls_options_copy(&beside, &config->servers[0].tls)) {
		rlk_tls_options_destroy(&beside);
		return rlk_config_no_memory(err);
	}
	rlk_config_keep_tls(config->server_said & ~said, &member->tls, &beside);
	rlk_tls_options_destroy(&beside);
	if (!wanted || member->transport == RLK_TRANSPORT_TLS)
		return true;
	if (member->transport == RLK_TRANSPORT_TCP && (said & SAID(RLK_OPTION_SCHEME)) == 0) {
		member->transport = RLK_TRANSPORT_TLS;
		return true;
	}
	rlk_error_set(err, RLK_ERR_VALUE, 0, "TLS is asked for beside the list \"servers\", but %s in it says otherwise",
		member->label);
	return false;
}

static bool wrong(const char *text, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "%s", text);
	return false;
}

/* One server asked twice would have two votes. Databases of one server live and die together. */
static bool refuse_twins(const rlk_config *config, rlk_error *err)
{
	for (size_t i = 0; i < config->quorum_count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (rlk_endpoint_is_same(&config->quorum[i], &config->quorum[j])) {
				rlk_error_set(err, RLK_ERR_VALUE, 0,
					"option \"servers\" must name independent servers, but has %s twice", config->quorum[i].label);
				return false;
			}
		}
	}
	return true;
}

bool rlk_config_finish_quorum(rlk_config *config, rlk_error *err)
{
	if (config->listed_count == 0)
		return true;
	if (!config->server_is_default &&
		(config->server_said & (SAID(RLK_OPTION_HOST) | SAID(RLK_OPTION_PATH) | SAID(RLK_OPTION_PORT))) != 0)
		return wrong("the address of a server must not stand beside the list \"servers\", but in it", err);
	if (config->routing != RLK_ROUTING_NONE)
		return wrong(
			"option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent",
			err);
	if (config->fence)
		return wrong("option \"fence\" cannot be used with \"servers\": several servers have no common counter", err);
	if (config->min_replicas > 0)
		return wrong("option \"min_replicas\" cannot be used with \"servers\", which do not depend on their replicas",
			err);
	if (config->release_async)
		return wrong(
			"option \"release_async\" cannot be used with \"servers\", whose slower half is not waited for anyway",
			err);
	if (config->ttl_given && config->ttl_ms == 0)
		return wrong("option \"ttl\" must not be 0 with \"servers\": it is what clears up after a server that was away",
			err);
	destroy(&config->quorum, &config->quorum_count);
	if (!copy(&config->quorum, &config->quorum_count, config->listed, config->listed_count))
		return rlk_config_no_memory(err);
	for (size_t i = 0; i < config->quorum_count; i++) {
		if (!fill(config, &config->quorum[i], config->listed_said[i], err) ||
			!fill_tls(config, &config->quorum[i], config->listed_said[i], err) ||
			!rlk_config_finish_server(config, &config->quorum[i], err))
			return false;
	}
	return refuse_twins(config, err);
}
