/*
 * rlk_config_server: see the header.
 *
 * Host and path may both be known while layers are merged; the transport says
 * which one counts, and finishing drops the other.
 */
#include "config/rlk_config_server.h"

#include "config/rlk_config_message.h"
#include "config/rlk_config_nodes.h"
#include "config/rlk_config_tls.h"

static rlk_str said_text(const rlk_layer *layer, rlk_option_id option)
{
	return layer->said[option].value.text;
}

/* Copies a string if it was said; the empty string becomes NULL, which is "none" in an endpoint. */
static bool commit_text(const rlk_layer *layer, rlk_option_id option, char **field, rlk_error *err)
{
	rlk_str text = said_text(layer, option);

	if (!rlk_layer_has(layer, option))
		return true;
	if (text.len == 0)
		text.data = NULL;
	return rlk_str_store(field, text) || rlk_config_no_memory(err);
}

static bool contradict(const rlk_layer *layer, rlk_option_id a, rlk_option_id b, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_VALUE, 0, "options \"%s\" and \"%s\" name two different servers; leave one out",
		layer->said[a].key, layer->said[b].key);
	return false;
}

/* A host and the path of a socket in one array are common, one being a left-over of a stock configuration. `scheme`
 * says which is meant; without it we would be guessing. */
static bool commit_transport(rlk_endpoint *endpoint, const rlk_layer *layer, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (rlk_layer_has(layer, RLK_OPTION_SCHEME)) {
		endpoint->transport = (rlk_transport)rlk_layer_number(layer, RLK_OPTION_SCHEME, RLK_TRANSPORT_TCP);
		if (endpoint->transport != RLK_TRANSPORT_UNIX && path && !host)
			return contradict(layer, RLK_OPTION_SCHEME, RLK_OPTION_PATH, err);
		return true;
	}
	if (host && path)
		return contradict(layer, RLK_OPTION_HOST, RLK_OPTION_PATH, err);
	if (path)
		endpoint->transport = RLK_TRANSPORT_UNIX;
	else if (host && endpoint->transport == RLK_TRANSPORT_UNIX)
		endpoint->transport =
			RLK_TRANSPORT_TCP; /* and TLS stays what it is: another host is no reason for clear text */
	return true;
}

static bool commit_port(rlk_endpoint *endpoint, const rlk_layer *layer, rlk_error *err)
{
	const rlk_said *said = &layer->said[RLK_OPTION_PORT];

	if (said->key == NULL)
		return true;
	if (said->value.number > 0) {
		endpoint->port = (uint16_t)said->value.number;
		return true;
	}
	/* 0 and -1 are fine where a port means nothing. */
	return endpoint->transport == RLK_TRANSPORT_UNIX ||
		rlk_config_wrong_number(rlk_option_find(RLK_STR("port")), (double)said->value.number, said->from_uri,
			"a whole number from 1 to 65535", err);
}

static bool commit_credentials(rlk_endpoint *endpoint, const rlk_layer *layer, rlk_error *err)
{
	/* `auth` is user and password in one: a password alone there also says that there is no user. */
	if (layer->auth_without_user && rlk_layer_has(layer, RLK_OPTION_PASSWORD))
		rlk_str_store(&endpoint->user, rlk_str_make(NULL, 0));
	return commit_text(layer, RLK_OPTION_USER, &endpoint->user, err) &&
		commit_text(layer, RLK_OPTION_PASSWORD, &endpoint->password, err);
}

/* 0 is how a layer says "the default". */
static void commit_timeout(const rlk_layer *layer, rlk_option_id option, int default_ms, int *ms)
{
	if (!rlk_layer_has(layer, option))
		return;
	*ms = (int)rlk_layer_number(layer, option, 0);
	if (*ms == 0)
		*ms = default_ms;
}

static void commit_retries(rlk_endpoint *endpoint, const rlk_layer *layer)
{
	int64_t delay_ms = rlk_layer_number(layer, RLK_OPTION_BACKOFF_BASE, endpoint->retry_delay_ms);
	int64_t cap_ms = rlk_layer_number(layer, RLK_OPTION_BACKOFF_CAP, delay_ms);

	endpoint->retries = (int)rlk_layer_number(layer, RLK_OPTION_RETRIES, endpoint->retries);
	/* A pause of one length stands for a backoff: with so few tries its growth would hardly show. */
	endpoint->retry_delay_ms =
		(int)rlk_layer_number(layer, RLK_OPTION_RETRY_DELAY, delay_ms < cap_ms ? delay_ms : cap_ms);
}

_Static_assert(RLK_OPTION_COUNT <= 64, "server_said has a bit for each option");

static bool was_said(const rlk_config *config, rlk_option_id option)
{
	return (config->server_said & (UINT64_C(1) << option)) != 0;
}

static void note_said(rlk_config *config, const rlk_layer *layer)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if (rlk_layer_has(layer, (rlk_option_id)option))
			config->server_said |= UINT64_C(1) << option;
	}
	if (rlk_layer_has(layer, RLK_OPTION_USER))
		config->user_key = layer->said[RLK_OPTION_USER].key;
	if (layer->auth_without_user)
		config->server_said |= UINT64_C(1) << RLK_OPTION_USER;
}

static void keep_text(const rlk_config *config, rlk_option_id option, char **to, char **from)
{
	if (!was_said(config, option))
		return;
	*to = *from;
	*from = NULL;
}

void rlk_config_forget_default_server(rlk_config *config)
{
	rlk_endpoint *endpoint = &config->servers[0], old = *endpoint;

	rlk_endpoint_init(endpoint, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	keep_text(config, RLK_OPTION_USER, &endpoint->user, &old.user);
	keep_text(config, RLK_OPTION_PASSWORD, &endpoint->password, &old.password);
	keep_text(config, RLK_OPTION_CLIENT_NAME, &endpoint->client_name, &old.client_name);
	rlk_config_keep_tls(config->server_said, &endpoint->tls, &old.tls);
	if (was_said(config, RLK_OPTION_SCHEME))
		endpoint->transport = old.transport;
	if (was_said(config, RLK_OPTION_PORT))
		endpoint->port = old.port;
	if (was_said(config, RLK_OPTION_DATABASE))
		endpoint->database = old.database;
	if (was_said(config, RLK_OPTION_CONNECT_TIMEOUT))
		endpoint->connect_timeout_ms = old.connect_timeout_ms;
	if (was_said(config, RLK_OPTION_IO_TIMEOUT))
		endpoint->io_timeout_ms = old.io_timeout_ms;
	if (was_said(config, RLK_OPTION_RETRIES))
		endpoint->retries = old.retries;
	if (was_said(config, RLK_OPTION_RETRY_DELAY) || was_said(config, RLK_OPTION_BACKOFF_BASE) ||
		was_said(config, RLK_OPTION_BACKOFF_CAP))
		endpoint->retry_delay_ms = old.retry_delay_ms;
	rlk_endpoint_destroy(&old);
	rlk_config_destroy_nodes(config);
	config->server_is_default = false;
}

bool rlk_config_commit_server(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	rlk_endpoint *endpoint = &config->servers[0];

	if (config->server_is_default && (rlk_layer_has(layer, RLK_OPTION_HOST) || rlk_layer_has(layer, RLK_OPTION_PATH)))
		rlk_config_forget_default_server(config);
	note_said(config, layer);
	if (!commit_transport(endpoint, layer, err) || !commit_port(endpoint, layer, err) ||
		!commit_text(layer, RLK_OPTION_HOST, &endpoint->host, err) ||
		!commit_text(layer, RLK_OPTION_PATH, &endpoint->path, err) || !commit_credentials(endpoint, layer, err) ||
		!commit_text(layer, RLK_OPTION_CLIENT_NAME, &endpoint->client_name, err))
		return false;
	endpoint->database = (int)rlk_layer_number(layer, RLK_OPTION_DATABASE, endpoint->database);
	commit_timeout(layer, RLK_OPTION_CONNECT_TIMEOUT, config->connect_timeout_default_ms,
		&endpoint->connect_timeout_ms);
	commit_timeout(layer, RLK_OPTION_IO_TIMEOUT, config->io_timeout_default_ms, &endpoint->io_timeout_ms);
	commit_retries(endpoint, layer);
	return rlk_config_commit_tls(endpoint, layer, was_said(config, RLK_OPTION_SCHEME), err);
}

bool rlk_config_finish_server(const rlk_config *config, rlk_endpoint *endpoint, rlk_error *err)
{
	bool is_unix = endpoint->transport == RLK_TRANSPORT_UNIX;

	if (is_unix && endpoint->path == NULL) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"path\" must be given with the scheme unix");
		return false;
	}
	if (endpoint->user != NULL && endpoint->password == NULL) {
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" must not be given without a password", config->user_key);
		return false;
	}
	rlk_str_store(is_unix ? &endpoint->host : &endpoint->path, rlk_str_make(NULL, 0));
	if (!is_unix && endpoint->host == NULL && !rlk_str_store(&endpoint->host, RLK_STR("127.0.0.1")))
		return rlk_config_no_memory(err);
	rlk_endpoint_relabel(endpoint);
	return rlk_config_finish_tls(endpoint, err);
}
