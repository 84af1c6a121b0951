/*
 * rlk_config_servers: how the server is found, and which options an entry of a list takes from beside the list.
 *
 * An entry is a map of options, as the whole is. It takes what it lacks from the whole, and then becomes a server.
 */
#include "config/rlk_config.h"

#include "lock/rlk_quorum.h"
#include "net/rlk_address.h"

#include <stdlib.h>

#define SENTINEL_PORT 26379

#define CREDENTIALS (RLK_BIT(USER) | RLK_BIT(PASSWORD))
#define TIMEOUTS (RLK_BIT(CONNECT_TIMEOUT) | RLK_BIT(IO_TIMEOUT))

/* --- one server --- */

static bool make_server(rlk_server *server, const rlk_layer *options, int connect_timeout_ms, int io_timeout_ms,
	rlk_error *err)
{
	rlk_server_init(server, 0, 0);
	if (!rlk_layer_store(options, RLK_KEPT_IN_SERVER, server, err))
		return false;
	/* In options 0 means the default. */
	server->connect_timeout_ms = server->connect_timeout_ms > 0 ? server->connect_timeout_ms : connect_timeout_ms;
	server->io_timeout_ms = server->io_timeout_ms > 0 ? server->io_timeout_ms : io_timeout_ms;
	if (server->transport != RLK_TRANSPORT_UNIX && server->host == NULL &&
		!rlk_str_store(&server->host, RLK_STR("127.0.0.1")))
		return RLK_NO_MEMORY(err);
	rlk_server_write_uri(server);
	return true;
}

/* Makes servers of the entries. */
static bool make_listed(rlk_config *config, const rlk_layer *options, int connect_timeout_ms, int io_timeout_ms,
	rlk_error *err)
{
	rlk_config_list *list = &config->listed;

	list->servers = calloc(options->listed_count, sizeof(*list->servers));
	if (list->servers == NULL)
		return RLK_NO_MEMORY(err);
	for (; list->count < options->listed_count; list->count++) {
		if (!make_server(&list->servers[list->count], &options->listed[list->count], connect_timeout_ms, io_timeout_ms,
				err)) {
			rlk_server_destroy(&list->servers[list->count]);
			return false;
		}
	}
	return true;
}

/* `options`: those that an entry may take from the whole. User and password go together. */
static void complete_entry(rlk_layer *entry, const rlk_layer *whole, uint64_t options)
{
	rlk_layer_inherit(entry, whole, options & ~((entry->has & CREDENTIALS) != 0 ? CREDENTIALS : 0));
}

/* Gives a server TLS, unless its scheme says otherwise. Returns whether the server has TLS. */
static bool switch_to_tls(rlk_layer *server)
{
	int64_t transport = rlk_layer_number(server, RLK_OPTION_TRANSPORT, RLK_TRANSPORT_TCP);

	if (transport == RLK_TRANSPORT_TCP && !rlk_layer_has(server, RLK_OPTION_SCHEME))
		rlk_layer_set_number(server, RLK_OPTION_TRANSPORT, "", transport = RLK_TRANSPORT_TLS);
	return transport == RLK_TRANSPORT_TLS;
}

static bool has_tls(const rlk_layer *server)
{
	return rlk_layer_number(server, RLK_OPTION_TRANSPORT, RLK_TRANSPORT_TCP) == RLK_TRANSPORT_TLS;
}

/* --- seeds --- */

/* Without a list, the configured host is the one sentinel or node to begin with. */
static bool seed_own_host(rlk_layer *whole, rlk_layer *own, rlk_routing routing, rlk_error *err)
{
	bool given = (whole->has & (RLK_BIT(HOST) | RLK_BIT(PATH))) != 0;

	if (whole->listed_count > 0)
		return !given ||
			RLK_WRONG_VALUE(err,
				"the address of a server must not stand beside a list of them; it is in the list, or learned");
	if (!given)
		return routing == RLK_ROUTING_SENTINEL ?
			RLK_WRONG_VALUE(err, "option \"sentinels\" must list the sentinels") :
			RLK_WRONG_VALUE(err, "option \"cluster\" must list nodes of the Cluster");
	rlk_layer_init(own);
	rlk_layer_inherit(own, whole, RLK_OPTIONS_OF_ADDRESS);
	whole->listed = own;
	whole->listed_count = 1;
	return true;
}

/* The nodes of a Cluster have the credentials of the whole, sentinels those of their own. */
static void complete_seed(rlk_layer *seed, const rlk_layer *whole, rlk_routing routing)
{
	uint64_t options = TIMEOUTS | RLK_BIT(CLIENT_NAME);

	if (routing == RLK_ROUTING_CLUSTER) {
		complete_entry(seed, whole, options | CREDENTIALS);
		return;
	}
	complete_entry(seed, whole, options);
	if (!rlk_layer_has(seed, RLK_OPTION_PORT))
		rlk_layer_set_number(seed, RLK_OPTION_PORT, "port", SENTINEL_PORT);
	seed->has &= ~RLK_BIT(DATABASE);
	if ((seed->has & CREDENTIALS) != 0)
		return;
	rlk_layer_set_text(seed, RLK_OPTION_USER, "", rlk_layer_text(whole, RLK_OPTION_SENTINEL_USER));
	rlk_layer_set_text(seed, RLK_OPTION_PASSWORD, "", rlk_layer_text(whole, RLK_OPTION_SENTINEL_PASSWORD));
}

#define CLEAR_TEXT "TLS is asked for, but a scheme says otherwise; it must be all of the servers or none"

/* If TLS is asked for anywhere, all connections have TLS: no address is learned and no lock acquired in clear text. */
static bool spread_tls(rlk_layer *whole, rlk_error *err)
{
	bool wanted = has_tls(whole), ok;

	for (size_t i = 0; i < whole->listed_count; i++)
		wanted = wanted || has_tls(&whole->listed[i]);
	if (!wanted)
		return true;
	ok = switch_to_tls(whole);
	for (size_t i = 0; ok && i < whole->listed_count; i++) {
		ok = switch_to_tls(&whole->listed[i]);
		complete_entry(&whole->listed[i], whole, RLK_OPTIONS_OF_TLS);
	}
	return ok || RLK_WRONG_VALUE(err, CLEAR_TEXT);
}

static bool complete_seeds(rlk_layer *whole, rlk_layer *own, rlk_routing routing, rlk_error *err)
{
	if (!seed_own_host(whole, own, routing, err) || !spread_tls(whole, err))
		return false;
	if (rlk_layer_text(whole, RLK_OPTION_SENTINEL_USER).len > 0 &&
		rlk_layer_text(whole, RLK_OPTION_SENTINEL_PASSWORD).len == 0)
		return RLK_WRONG_VALUE(err, "option \"sentinel_username\" must not be given without \"sentinel_password\"");
	if (routing == RLK_ROUTING_CLUSTER && rlk_layer_number(whole, RLK_OPTION_DATABASE, 0) > 0)
		return RLK_WRONG_VALUE(err, "option \"database\" must be 0 with a Cluster, which has no other");
	for (size_t i = 0; i < whole->listed_count; i++)
		complete_seed(&whole->listed[i], whole, routing);
	return true;
}

/* --- the quorum --- */

/* The time limits of php.ini are for one server, and not for a member of a quorum. Where TLS is asked for, there is
 * never clear text. */
static bool complete_members(rlk_layer *whole, rlk_error *err)
{
	const uint64_t shared = TIMEOUTS | CREDENTIALS | RLK_BIT(DATABASE) | RLK_BIT(CLIENT_NAME) | RLK_OPTIONS_OF_TLS;

	if ((whole->has & (RLK_BIT(HOST) | RLK_BIT(PATH) | RLK_BIT(PORT))) != 0)
		return RLK_WRONG_VALUE(err, "the address of a server must not stand beside the list \"servers\", but in it");
	for (size_t i = 0; i < whole->listed_count; i++) {
		rlk_layer *member = &whole->listed[i];

		complete_entry(member, whole, shared);
		if (has_tls(whole) && !switch_to_tls(member))
			return RLK_WRONG_VALUE(err, CLEAR_TEXT);
		if (!rlk_layer_check_server(member, err))
			return false;
	}
	return true;
}

/* One server must not have two votes. Two databases of one server fail together, so they are one as well. */
static bool refuse_twins(const rlk_config_list *list, rlk_error *err)
{
	char shown[RLK_ERROR_NODE_MAX];

	for (size_t i = 0; i < list->count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (rlk_address_is_same(&list->servers[i], &list->servers[j]))
				return RLK_WRONG_VALUE(err, "option \"servers\" must name independent servers, but has %s twice",
					rlk_value_show(rlk_str_from_cstr(list->servers[i].uri), shown, sizeof(shown)));
		}
	}
	return true;
}

/* --- the server or servers --- */

/* Decides what the servers are. */
static bool choose_routing(const rlk_layer *options, rlk_routing *routing, rlk_error *err)
{
	bool service = rlk_layer_text(options, RLK_OPTION_SERVICE).len > 0;
	bool cluster = rlk_layer_has(options, RLK_OPTION_CLUSTER);
	bool sentinel = service || rlk_layer_has(options, RLK_OPTION_SENTINELS);
	bool quorum = rlk_layer_has(options, RLK_OPTION_SERVERS);
	bool credentials = rlk_layer_text(options, RLK_OPTION_SENTINEL_USER).len > 0 ||
		rlk_layer_text(options, RLK_OPTION_SENTINEL_PASSWORD).len > 0;

	*routing = cluster ? RLK_ROUTING_CLUSTER :
		sentinel       ? RLK_ROUTING_SENTINEL :
		quorum         ? RLK_ROUTING_QUORUM :
						 RLK_ROUTING_NONE;
	if (cluster && sentinel)
		return RLK_WRONG_VALUE(err, "a configuration cannot be of sentinels and of a Cluster at once");
	if (sentinel && !service)
		return RLK_WRONG_VALUE(err, "option \"service\" must name the master that the sentinels watch");
	if (quorum && *routing != RLK_ROUTING_QUORUM)
		return RLK_WRONG_VALUE(err, RLK_QUORUM_ALONE);
	return (sentinel || cluster || !credentials) ||
		RLK_WRONG_VALUE(err, "option \"sentinel_password\" must not be given without sentinels");
}

bool rlk_config_make_servers(rlk_config *config, rlk_layer *options, int connect_timeout_ms, int io_timeout_ms,
	rlk_error *err)
{
	rlk_layer own;

	if (!rlk_layer_check_server(options, err) || !choose_routing(options, &config->routing, err))
		return false;
	if (config->routing == RLK_ROUTING_QUORUM) {
		/* Servers of a quorum have time limits of their own. */
		if (!complete_members(options, err) ||
			!make_listed(config, options, RLK_MEMBER_TIMEOUT_MS, RLK_MEMBER_TIMEOUT_MS, err) ||
			!refuse_twins(&config->listed, err))
			return false;
	} else if (config->routing != RLK_ROUTING_NONE) {
		if (!complete_seeds(options, &own, config->routing, err) ||
			!make_listed(config, options, connect_timeout_ms, io_timeout_ms, err))
			return false;
	}
	return make_server(&config->server, options, connect_timeout_ms, io_timeout_ms, err);
}
